import Billing
import Conclusions
import Matching
import Support
import Testing

/// A world in which Apple reports every pair, and what it must raise on level 2.
struct SalesFindingTests {
  @Test(arguments: unitCases + rowCases + reportCases + timingCases)
  func raisesJustThat(_ example: OrderCase) {
    let world = World(example.build)
    let tieOut = world.tieOut()
    #expect(tieOut.lines.filter(isSalesLine) == example.expected)
    expectClosed(tieOut)
    var random = SplitMix64(seed: 3)
    #expect(world.shuffled(&random).tieOut().everything == tieOut.everything)
  }

  static let unitCases: [OrderCase] = [
    OrderCase("a sale on both sides") {
      $0.reports()
      $0.booked("1")
    },
    OrderCase("only Apple has it", "not-in-ledger CN CNY 2023-06-10 gems 2 60.00") {
      $0.reports()
      $0.sale(units: 2)
    },
    OrderCase(
      "only Apple has it, and an order waits", "not-in-ledger CN CNY 2023-06-10 gems 1 30.00 | O1"
    ) {
      $0.reports()
      $0.order("O1", .created)
      $0.order("O2", at: "2023-06-20T12:00:00", .created)
      $0.order("O3", .created, storefront: "JP")
      $0.sale()
    },
    OrderCase("only the ledger has it", "not-in-report CN CNY 2023-06-10 gems 1 -30.00 | T1") {
      $0.reports()
      $0.pair("1")
    },
    OrderCase(
      "a quantity of three, two reported", "not-in-report CN CNY 2023-06-10 gems 1 -30.00 | T1"
    ) {
      $0.reports()
      $0.pair("1", quantity: 3)
      $0.sale(units: 2)
    },
    OrderCase(
      "Apple refunded, the ledger did not", "refund-not-in-ledger CN CNY 2023-06-12 gems 1 -30.00"
    ) {
      $0.reports()
      $0.booked("1")
      $0.sale(on: "2023-06-12", units: -1)
    },
    OrderCase(
      "the ledger refunded, Apple did not",
      "refund-not-in-report CN CNY 2023-06-12 gems 1 30.00 | T1"
    ) {
      $0.reports()
      $0.pair("1", revoked: "2023-06-12T12:00:00")
      $0.sale()
    },
    OrderCase("a refund on both sides") {
      $0.reports()
      $0.pair("1", revoked: "2023-06-12T12:00:00")
      $0.sale()
      $0.sale(on: "2023-06-12", units: -1)
    },
    OrderCase("an upgrade is no refund") {
      $0.reports()
      $0.order("O1", sku: "monthly", transaction: "T1")
      $0.transaction("T1", sku: "monthly", revoked: "2023-06-12T12:00:00", upgraded: true)
      $0.sale("monthly", type: "IAY")
    },
    OrderCase("Sandbox, family and foreign purchases are no sales") {
      $0.reports()
      $0.settings.bundleIDs = ["ours"]
      $0.transaction("T1", sandbox: true)
      $0.transaction("T2", family: true)
      $0.transaction("T3", bundle: "theirs")
    },
    OrderCase("restores are no sales") {
      $0.reports()
      $0.pair("1", sku: "noads")
      $0.transaction("T9", sku: "noads", at: "2023-06-11T12:00:00", original: "T1")
      $0.sale("noads", type: "IA1")
      $0.sale("noads", on: "2023-06-11", price: "0", currency: nil, type: "IA3")
    },
    OrderCase("a trial is a unit at price zero, whatever currency the row leaves blank") {
      $0.reports()
      $0.order("O1", sku: "monthly", transaction: "T1", price: "0")
      $0.transaction("T1", sku: "monthly", price: nil, trial: true)
      $0.sale("monthly", price: "0", currency: nil, type: "IAY")
    },
    OrderCase("a trial is missing, not a sale", "not-in-report CN CNY 2023-06-10 monthly 1 - | T1")
    {
      $0.reports()
      $0.order("O1", sku: "monthly", transaction: "T1", price: "0")
      $0.transaction("T1", sku: "monthly", price: "0", trial: true)
      $0.pair("2", sku: "monthly")
      $0.sale("monthly", type: "IAY")
    },
    OrderCase("a renewal counts with its own price") {
      $0.reports()
      $0.order("O1", sku: "monthly", at: "2023-06-01T12:00:00", transaction: "T1", price: "0")
      $0.transaction(
        "T1", sku: "monthly", at: "2023-06-01T12:00:30", price: nil, currency: nil, storefront: nil,
        trial: true)
      $0.transaction(
        "T2", sku: "monthly", at: "2023-06-08T12:00:30", price: nil, currency: nil, storefront: nil,
        original: "T1")
      $0.sale("monthly", on: "2023-06-01", price: "0", currency: nil, type: "IAY")
      $0.sale("monthly", on: "2023-06-08", type: "IAY")
    },
    OrderCase(
      "two currencies in one storefront", "not-in-ledger CN USD 2023-06-10 gems 1 4.99",
      "not-in-report CN CNY 2023-06-11 gems 1 -30.00 | T2",
      "currency-unexpected CN USD 2023-06-10 gems 1 -"
    ) {
      $0.reports()
      $0.booked("1")
      $0.pair("2", at: "2023-06-11T20:00:00")
      $0.sale(price: "4.99", currency: "USD")
    },
    OrderCase("an unknown SKU", "unknown-sku CN CNY 2023-06-10 ghost 2 60.00") {
      $0.reports()
      $0.sale("ghost", units: 2)
    },
    OrderCase(
      "an unknown SKU that the ledger has too", "unknown-sku CN CNY 2023-06-10 ghost 1 -",
      "unknown-sku CN CNY 2023-06-11 ghost 1 -30.00"
    ) {
      $0.reports()
      $0.booked("1", sku: "ghost")
      $0.pair("2", sku: "ghost", at: "2023-06-11T20:00:00")
    },
    OrderCase("without a catalogue no SKU is unknown") {
      $0.facts.products = []
      $0.reports()
      $0.booked("1", sku: "ghost")
    },
    OrderCase("apps, updates and downloads") {
      $0.reports()
      $0.sale("app", units: 3, type: "1F")
      $0.sale("app", units: 9, price: "0", currency: nil, type: "7F")
      $0.sale("app", units: 5, price: "0", currency: nil, type: "3F")
    },
  ]

  static let rowCases: [OrderCase] = [
    OrderCase(
      "not the tier's price", "price-not-in-tier CN CNY 2023-06-10 gems 2 -10.00"
    ) {
      $0.reports()
      $0.booked("1", price: "25.00", quantity: 2)
    },
    OrderCase("preserved, an offer's, or zero") {
      $0.reports()
      $0.pair("1", price: "25.00")
      $0.sale(price: "25.00", preserved: true)
      $0.pair("2", price: "24.00")
      $0.sale(price: "24.00", offer: "Pay As You Go Intro Offer")
      $0.booked("3", price: "0")
    },
    OrderCase("no tier, no check") {
      $0.reports()
      $0.booked("1", sku: "loose", price: "12.00")
    },
    OrderCase("half of the price", "proceeds-unexpected CN CNY 2023-06-10 gems 1 -5.63") {
      $0.reports()
      $0.pair("1")
      $0.sale(proceeds: "15.00")
    },
    OrderCase("inside the band", "proceeds-off-rule CN CNY 2023-06-10 gems 1 0.27") {
      $0.reports()
      $0.pair("1")
      $0.sale(proceeds: "20.90")
    },
    OrderCase("a cent more or less") {
      $0.reports()
      $0.pair("1")
      $0.pair("2")
      $0.sale(proceeds: "20.62")
      $0.sale(proceeds: "20.64")
    },
    OrderCase("a refund has positive proceeds and a negative price") {
      $0.reports()
      $0.pair("1", revoked: "2023-06-12T12:00:00")
      $0.sale()
      $0.sale(on: "2023-06-12", units: -1)
    },
    OrderCase("at 15% without a reason", "proceeds-unexpected CN CNY 2023-06-10 gems 1 4.64") {
      $0.reports()
      $0.pair("1")
      $0.sale(proceeds: "25.27")
    },
    OrderCase("after a year") {
      $0.reports()
      $0.pair("1", sku: "monthly")
      $0.sale("monthly", type: "IAY", reason: "Rate After One Year")
    },
    OrderCase("one finding for rows alike", "proceeds-unexpected CN CNY 2023-06-10 gems 2 -11.26") {
      $0.reports()
      $0.pair("1", quantity: 2)
      $0.sale(proceeds: "15.00")
      $0.sale(proceeds: "15.00")
    },
    OrderCase("another currency", "currency-unexpected CN USD 2023-06-10 gems 1 -") {
      $0.reports()
      $0.pair("1", price: "4.99", currency: "USD")
      $0.sale(price: "4.99", currency: "USD")
    },
    OrderCase(
      "a refund in a former currency, and a sale in it",
      "currency-unexpected BG BGN 2026-01-10 gems 1 -"
    ) {
      $0.period = Period("2026-01")!
      $0.asOf = Day("2026-02-10")!
      $0.reports("2025-12-31", "2026-02-01")
      $0.pair(
        "1", at: "2025-12-28T20:00:00", price: "21.99", currency: "BGN", storefront: "BG",
        revoked: "2026-01-03T20:00:00")
      $0.sale(on: "2026-01-03", units: -1, price: "21.99", storefront: "BG", currency: "BGN")
      $0.pair("2", at: "2026-01-10T20:00:00", price: "4.49", currency: "BGN", storefront: "BG")
      $0.sale(on: "2026-01-10", price: "4.49", storefront: "BG", currency: "BGN")
    },
    OrderCase("a row without units", "partial-refund CN CNY 2023-06-10 gems 0 -12.00") {
      $0.reports()
      $0.sale(units: 0, price: "12.00")
    },
    OrderCase("a prorated refund", "partial-refund CN CNY 2023-06-12 monthly -1 20.00") {
      $0.reports()
      $0.pair("1", sku: "monthly", revoked: "2023-06-12T12:00:00")
      $0.sale("monthly", type: "IAY")
      $0.sale("monthly", on: "2023-06-12", units: -1, price: "10.00", type: "IAY")
    },
    OrderCase("proceeds in another currency are not judged by the rule") {
      $0.reports()
      $0.pair("1")
      $0.sale(proceeds: "2.80", paidIn: "USD")
    },
  ]

  static let reportCases: [OrderCase] = [
    OrderCase(
      "a day without a report", "report-missing - - 2023-06-10 - -1 -"
    ) {
      $0.reports("2023-05-31", "2023-06-09")
      $0.reports("2023-06-11", "2023-07-01")
      $0.pair("1")
    },
    OrderCase("a day that is not due yet", "report-missing - - 2023-06-28 - - -") {
      $0.asOf = Day("2023-07-01")!
      $0.reports("2023-05-31", "2023-06-27")
    },
    OrderCase("a monthly report covers its days") {
      $0.report($0.period.first, $0.period.last)
      $0.pair("1")
      $0.pair("2", at: "2023-06-20T12:00:00")
      $0.sale(on: "2023-06-01", to: "2023-06-30", units: 2)
    },
    OrderCase(
      "a monthly report, two too many", "not-in-ledger CN CNY 2023-06-01 gems 2 60.00"
    ) {
      $0.report($0.period.first, $0.period.last)
      $0.pair("1")
      $0.sale(on: "2023-06-01", to: "2023-06-30", units: 3)
    },
    OrderCase("daily reports go before the monthly one") {
      $0.report($0.period.first, $0.period.last)
      $0.reports()
      $0.booked("1", at: "2023-06-01T20:00:00", on: "2023-06-01")
      $0.sale(on: "2023-06-01", to: "2023-06-30", units: 1)
    },
    OrderCase("weekly reports fill what daily ones leave") {
      $0.report(Day("2023-06-05")!, Day("2023-06-11")!)
      $0.reports("2023-05-31", "2023-06-04")
      $0.reports("2023-06-12", "2023-07-01")
      $0.pair("1")
      $0.sale(on: "2023-06-05", to: "2023-06-11")
    },
    OrderCase(
      "a report was replaced", "report-restated - - 2023-06-10 - -1 -"
    ) {
      $0.reports()
      $0.facts.restatements = [
        Restatement(
          begin: Day("2023-06-10")!, end: Day("2023-06-10")!, vendor: "8", oldFile: "a",
          newFile: "b",
          changes: [
            .init(
              storefront: Storefront("CN")!, currency: Currency("CNY"), sku: "gems", units: -1,
              gross: -30_000_000)
          ])
      ]
    },
    OrderCase("no report at all, and none due", "report-missing - - 2023-06-10 - -1 -") {
      $0.asOf = Day("2023-06-02")!
      $0.pair("1")
    },
    OrderCase("a period of one day") {
      $0.period = Period("2023-06-10..2023-06-10")!
      $0.reports("2023-06-09", "2023-06-11")
      $0.booked("1")
      $0.booked("2", at: "2023-06-11T20:00:00", on: "2023-06-11")
      $0.booked("3", at: "2023-06-09T20:00:00", on: "2023-06-09")
    },
    OrderCase("a fiscal month", "not-in-report CN CNY 2023-06-04 gems 1 -30.00 | T1 T2") {
      $0.period = Period("FY2023-P09")!
      $0.reports("2023-06-03", "2023-07-02")
      $0.booked("1", at: "2023-06-04T20:00:00", on: "2023-06-04")
      $0.pair("2", at: "2023-06-04T20:10:00")
      $0.booked("3", at: "2023-07-01T20:10:00", on: "2023-07-01")
      $0.pair("4", at: "2023-06-03T20:10:00")
    },
  ]

  static let timingCases: [OrderCase] = [
    OrderCase("booked a day later", "timing CN CNY 2023-06-11 gems 1 - | T1") {
      $0.reports()
      // Midnight of Los Angeles is seven in the morning.
      $0.booked("1", at: "2023-06-11T06:50:00", on: "2023-06-11")
    },
    OrderCase("booked a day earlier", "timing CN CNY 2023-06-10 gems 1 - | T1") {
      $0.reports()
      $0.booked("1", at: "2023-06-11T07:10:00", on: "2023-06-10")
    },
    OrderCase(
      "too far from the boundary", "not-in-ledger CN CNY 2023-06-11 gems 1 30.00",
      "not-in-report CN CNY 2023-06-10 gems 1 -30.00 | T1"
    ) {
      $0.reports()
      $0.booked("1", at: "2023-06-11T03:59:00", on: "2023-06-11")
    },
    OrderCase(
      "out of the period", "timing CN CNY 2023-07-01 gems 1 -30.00 | T1"
    ) {
      $0.reports()
      $0.booked("1", at: "2023-07-01T06:50:00", on: "2023-07-01")
      $0.booked("2", at: "2023-07-01T18:00:00", on: "2023-07-01")
    },
    OrderCase("into the period", "timing CN CNY 2023-06-01 gems 1 30.00 | T1") {
      $0.reports()
      $0.booked("1", at: "2023-06-01T06:50:00", on: "2023-06-01")
      $0.booked("2", at: "2023-05-31T18:00:00", on: "2023-05-31")
    },
    OrderCase(
      "the day beside the period, of which the ledger has nothing",
      "not-in-report CN CNY 2023-06-30 gems 1 -30.00 | T1"
    ) {
      $0.reports()
      $0.pair("1", at: "2023-07-01T06:50:00")
      $0.sale(on: "2023-07-01", units: 9)
    },
    OrderCase("a refund within the window", "timing CN CNY 2023-06-12 gems 1 - | T1") {
      $0.reports()
      $0.pair("1", revoked: "2023-06-12T06:30:00")
      $0.sale()
      $0.sale(on: "2023-06-12", units: -1)
    },
    OrderCase(
      "two late in a row", "timing CN CNY 2023-06-11 gems 1 - | T1",
      "timing CN CNY 2023-06-12 gems 1 - | T2"
    ) {
      $0.reports()
      $0.booked("1", at: "2023-06-11T06:50:00", on: "2023-06-11")
      $0.booked("2", at: "2023-06-12T06:50:00", on: "2023-06-12")
    },
    OrderCase(
      "trade near every boundary explains nothing away",
      "not-in-ledger CN CNY 2023-06-13 gems 1 30.00",
      "not-in-report CN CNY 2023-06-10 gems 1 -30.00 | T10 T9"
    ) {
      $0.reports()
      for day in 10...13 {
        $0.booked("\(day)", at: "2023-06-\(day + 1)T06:50:00", on: "2023-06-\(day)")
      }
      $0.pair("9", at: "2023-06-10T12:00:00")
      $0.sale(on: "2023-06-13")
    },
    OrderCase(
      "the unit whose price is missing moves, whichever is nearest",
      "timing CN CNY 2023-06-11 monthly 1 - | T1 T2"
    ) {
      $0.reports()
      $0.pair("1", sku: "monthly", at: "2023-06-11T06:30:00")
      $0.sale("monthly", on: "2023-06-11", type: "IAY")
      $0.order("O2", sku: "monthly", at: "2023-06-11T06:50:00", transaction: "T2", price: "0")
      $0.transaction(
        "T2", sku: "monthly", at: "2023-06-11T06:50:30", price: "0", trial: true)
      $0.sale("monthly", on: "2023-06-10", price: "0", type: "IAY")
    },
    OrderCase(
      "no report on the other side", "report-missing - - 2023-06-11 - - -",
      "not-in-report CN CNY 2023-06-10 gems 1 -30.00 | T1"
    ) {
      $0.reports("2023-05-31", "2023-06-10")
      $0.reports("2023-06-12", "2023-07-01")
      $0.pair("1", at: "2023-06-11T06:50:00")
    },
  ]

  private func isSalesLine(_ line: String) -> Bool {
    FindingCode.allCases.contains { $0.level == 2 && line.hasPrefix($0.rawValue + " ") }
  }
}

extension World {
  /// A pair and Apple's row for it, at noon of Los Angeles unless told.
  mutating func booked(
    _ number: String, sku: String = "gems", at time: String = "2023-06-10T19:00:00",
    on day: String = "2023-06-10", price: String = "30.00", quantity: Int32 = 1
  ) {
    pair(number, sku: sku, at: time, price: price, quantity: quantity)
    sale(sku, on: day, units: quantity, price: price)
  }
}

/// Bridges add up without a remainder, and units are accounted for once.
func expectClosed(_ tieOut: TieOut) {
  for bridge in tieOut.bridges {
    #expect(bridge.unexplained.isZero)
    for step in bridge.steps where step.cause == .unexplained {
      #expect(step.units ?? 0 == 0 && step.amount.isZero, "\(bridge)")
    }
  }
}
