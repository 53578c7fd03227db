import Billing
import Conclusions
import Foundation
import Reporting
import Simulation
import Support
import Testing
import Workflow
@testable import Matching

/// The first close begins with what Apple owed by what is loaded: months that are loaded and paid,
/// and not closed, come to the same as if they had been.
@Suite struct FirstCloseTests {
  private static let (may, june, july) = (
    FiscalMonth(year: 2023, number: 8)!, FiscalMonth(year: 2023, number: 9)!,
    FiscalMonth(year: 2023, number: 10)!
  )

  /// Two fiscal months, of which the first is paid in the second; of the month before, which was
  /// paid in the first, only the last day's sales are loaded.
  private struct World {
    let run: SettledRun

    init(
      seed: UInt64, faults: Int = 0, from first: String = "2023-06-04", maxLag: Int = 10
    ) throws {
      var parameters = SettledRun.parameters(seed: seed, orders: 2000)
      parameters.period = Period("\(first)..2023-08-05")!
      parameters.settlement!.faults = faults
      parameters.settlement!.maxLag = maxLag
      run = try SettledRun(parameters)
    }

    func request(_ period: Period) -> ReconcileRequest {
      var request = run.request(period)
      request.settings.paymentDays = [may: Day("2023-06-29")!, june: Day("2023-07-20")!]
      return request
    }

    /// A ledger of only some of the files.
    func ledger(_ name: String, _ isLoaded: (String) -> Bool) throws -> String {
      let ledger = run.inputs.folder.path + "/" + name
      try load(ledger, isLoaded)
      return ledger
    }

    func load(_ ledger: String, _ isLoaded: (String) -> Bool) throws {
      let (files, folder) = (FileManager.default, ledger + ".files")
      try? files.removeItem(atPath: folder)
      try files.copyItem(atPath: run.inputs.path, toPath: folder)
      for name in try files.subpathsOfDirectory(atPath: folder)
      where name.contains(".") && !isLoaded(name) {
        try files.removeItem(atPath: folder + "/" + name)
      }
      let summary = try importFiles(
        ImportRequest(
          paths: [folder], ledgerPath: ledger, importedAt: Instant(seconds: 1_692_000_000)))
      #expect(summary.errorCount == 0, "\(summary.allDiagnostics)")
    }

    func close(_ request: ReconcileRequest) throws {
      let errors = try reconcile(request).findings.filter { $0.severity == .error }
      let outcome = try Workflow.close(
        CloseRequest(
          reconcile: request, accepted: errors.map { (id: $0.id, reason: "known") }, by: "ann",
          at: Instant(seconds: 1_695_000_000), version: "test"))
      guard case .closed = outcome else {
        Issue.record("\(request.period) is not closed")
        return
      }
    }
  }

  private func movements(_ result: Reconciliation) -> [Currency: [Int64]] {
    Dictionary(
      uniqueKeysWithValues: result.receivable.map { line in
        let own = line.own
        return (line.currency, [own.opening, own.paid, own.closing].map(\.micros))
      })
  }

  private func negative(_ result: Reconciliation) -> [Finding] {
    result.findings.filter { $0.code == .receivableNegative }
  }

  /// Also where some last days of the month before are loaded, which nothing settles.
  @Test(
    arguments: [
      (61, 0, "2023-06-04"), (63, 2, "2023-06-04"), (70, 0, "2023-06-04"), (61, 0, "2023-05-28"),
      (63, 2, "2023-05-28"), (70, 0, "2023-05-31"),
    ] as [(UInt64, Int, String)])
  func aFiscalMonthBeginsAsIfTheOneBeforeWereClosed(
    seed: UInt64, faults: Int, from: String
  ) throws {
    let world = try World(seed: seed, faults: faults, from: from)
    let first = try reconcile(world.request(Self.july.period))
    #expect(first.openingBasis == .loaded)
    #expect(negative(first) == [])
    let truths = try #require(world.run.truth.settlement)
    // What June came to, and what July leaves: owed and not paid, sold and not settled.
    var expected: [Currency: [Int64]] = [:]
    func add(_ currency: Currency, _ parts: [Int64]) {
      let known = expected[currency] ?? [0, 0, 0]
      expected[currency] = zip(known, parts).map(+)
    }
    for line in truths[0].storefronts {
      add(line.currency, [line.reportedProceeds + line.carryIn + line.difference, 0, 0])
    }
    for region in truths[0].regions {
      add(
        region.currency,
        region.proceeds == nil ? [region.changes, 0, region.owed] : [0, region.owed, 0])
    }
    for line in truths[1].storefronts { add(line.currency, [0, 0, line.settled - line.carryOut]) }
    for region in truths[1].regions where region.proceeds == nil {
      add(region.currency, [0, 0, region.changes])
    }
    if faults == 0 {
      let isAnything = { (parts: [Int64]) in parts.contains { $0 != 0 } }
      #expect(movements(first).filter { isAnything($1) } == expected.filter { isAnything($1) })
    }
    try world.close(world.request(Self.june.period))
    let second = try reconcile(world.request(Self.july.period))
    #expect(second.openingBasis == .close)
    #expect(movements(first) == movements(second))
  }

  @Test func aCalendarMonthBeginsAsIfThoseBeforeWereClosed() throws {
    // A fiscal month more: what was sold in its days of May is paid in July.
    let world = try World(seed: 62, from: "2023-05-07")
    let august = Period("2023-08")!
    let first = try reconcile(world.run.request(august))
    // The days of July that fall in a fiscal month whose report is not there yet are sold.
    #expect(first.openingBasis == .loaded)
    #expect(first.receivable.contains { !$0.own.opening.isZero && !$0.own.paid.isZero })
    #expect(negative(first) == [])
    for month in ["2023-06", "2023-07"] {
      try world.close(world.run.request(Period(month)!))
    }
    let second = try reconcile(world.run.request(august))
    #expect(second.openingBasis == .close)
    // What July's close booked of deductions before they were paid, August books with the payment.
    func deducted(_ result: Reconciliation) -> [Currency: [Int64]] {
      let own = result.receivable.map(\.own)
      return Dictionary(
        uniqueKeysWithValues: own.map {
          let opening = $0.opening + $0.adjustment + $0.inputTax + $0.withholding
          return ($0.opening.currency, [opening, $0.paid, $0.closing].map(\.micros))
        })
    }
    #expect(deducted(first) == deducted(second))
  }

  /// What is loaded of a month of which neither all sales nor the payment are: what was carried
  /// into the month that is closed counts, all else is left out and said.
  @Test(arguments: ["2023-05-28", "2023-05-31", "2023-06-03"])
  func aMonthLoadedInPartCountsOnNeitherSide(from: String) throws {
    let world = try World(seed: 61, from: from)
    // The day before is loaded too, as for any period.
    let loaded = Day(from)!.advanced(by: -1)
    let before = try reconcile(world.request(Period("\(loaded)..2023-06-03")!))
    let truths = try #require(world.run.truth.settlement)
    var carried: [Currency: Int64] = [:]
    for line in truths[0].storefronts { carried[line.currency, default: 0] += line.carryIn }
    var sold: [Currency: Int64] = [:]
    for line in before.products {
      sold[line.proceedsCurrency, default: 0] += line.net.proceeds.micros
    }

    let result = try reconcile(world.request(Self.june.period))
    #expect(negative(result) == [])
    #expect(result.openingBasis == .loadedInPart)
    let openings = movements(result).mapValues { $0[0] }.filter { $0.value != 0 }
    #expect(openings == carried.filter { $0.value != 0 })
    let gaps = result.openingGaps.filter { $0.month == Self.may && $0.part == .leftOut }
    let leftOut = sold.merging(carried) { $0 - $1 }.filter { $0.value != 0 }
    #expect(!leftOut.isEmpty)
    #expect(
      Dictionary(uniqueKeysWithValues: gaps.compactMap(\.amount).map { ($0.currency, $0.micros) })
        == leftOut)
    let said = try #require(result.openingGaps.remarks(result.period).first).english
    #expect(said.contains("excludes FY2023-P08, loaded only in part"))
    #expect(reconciliationJSON(result).contains("\"left_out\""))

    // The same in a calendar month: what it sold itself in that month stays owed, and no more.
    let calendar = try reconcile(world.run.request(Period("2023-08")!))
    try world.close(world.run.request(Period("2023-06")!))
    try world.close(world.run.request(Period("2023-07")!))
    let chained = try reconcile(world.run.request(Period("2023-08")!))
    #expect(negative(calendar) + negative(chained) == [])
    let owed = chained.openingGaps.filter { $0.part == .owed }.compactMap(\.amount)
    #expect(!owed.isEmpty)
    var differing: [Currency: Int64] = [:]
    for line in chained.receivable {
      differing[line.currency, default: 0] += line.own.closing.micros
    }
    for line in calendar.receivable {
      differing[line.currency, default: 0] -= line.own.closing.micros
    }
    for amount in owed { differing[amount.currency, default: 0] -= amount.micros }
    #expect(differing.filter { $0.value != 0 } == [:])
  }

  /// A month that is loaded in part counts by its payment, else by its financial reports: to the
  /// cent as if it were whole.
  @Test(arguments: ["20230528", "20230515"], [true, false])
  func aMonthLoadedInPartCountsByItsPayment(from: String, isPaid: Bool) throws {
    let world = try World(seed: 65, from: "2023-05-07")
    let ledger = try world.ledger("part.sqlite") { name in
      let day = name.contains("S_D_") ? name.split(separator: "_").last!.prefix(8) : "9"
      return day >= from && (isPaid || !name.contains("financial_report-0523"))
    }
    for period in [Self.june.period, Period("2023-06")!] {
      var request = world.run.request(period)
      let whole = movements(try reconcile(request))
      request.ledgerPath = ledger
      let part = try reconcile(request)
      #expect(part.openingGaps.filter { $0.month == Self.may } == [])
      #expect(negative(part) == [])
      let openings = [movements(part), whole].map {
        $0.mapValues { $0[0] }.filter { $0.value != 0 }
      }
      #expect(openings[0] == openings[1], "\(period)")
      if isPaid { #expect(movements(part) == whole, "\(period)") }
    }
  }

  /// A payment of a month that the first close left out lowers nothing; where the journal has to
  /// book it, what is missing is said.
  @Test func thePaymentOfAMonthThatWasLeftOutIsNotDeducted() throws {
    let world = try World(seed: 65, from: "2023-05-07")
    let ledger = try world.ledger("part.sqlite") { name in
      let day = name.contains("S_D_") ? name.split(separator: "_").last!.prefix(8) : "9"
      return day >= "20230528" && !name.contains("0523")
    }
    func request(_ period: Period) -> ReconcileRequest {
      var request = world.run.request(period)
      request.ledgerPath = ledger
      return request
    }
    try world.close(request(Self.june.period))
    try world.close(request(Period("2023-06")!))
    let without = try reconcile(request(Self.july.period))
    try world.load(ledger) { $0.contains("financial_report-0523") }
    let with = try reconcile(request(Self.july.period))
    #expect(movements(with) == movements(without))
    #expect(negative(with) == [])
    #expect(with.notes.contains { $0.english.contains("paid for FY2023-P08 is not deducted") })
    let calendar = try reconcile(request(Period("2023-07")!))
    #expect(calendar.notes.contains { $0.english.contains("for FY2023-P08 is booked") })
  }

  /// Without the first month's sales reports, its payment says what was owed for it.
  @Test func aPaymentWithoutItsSalesIsNoDebt() throws {
    let world = try World(seed: 61)
    let whole = movements(try reconcile(world.request(Self.july.period)))
    let ledger = try world.ledger("later.sqlite") { name in
      !name.contains("S_D_") || name.split(separator: "_").last!.prefix(8) >= "20230702"
    }
    var request = world.request(Self.july.period)
    request.ledgerPath = ledger
    let result = try reconcile(request)
    #expect(negative(result) == [])
    for (currency, parts) in movements(result) {
      #expect(parts[1] == whole[currency]?[1], "\(currency): paid")
      #expect(parts[2] >= 0, "\(currency): \(parts)")
    }
  }

  /// The assumption stands in the figures, the text, the JSON and the sheet. The reports of the day
  /// before the month are no month before it; what the detail says was carried in was owed.
  @Test(arguments: [
    ("2023-07-02", 0, "assumed-zero"), ("2023-07-02", 10, "loaded-in-part"),
    ("2023-06-20", 10, "loaded-in-part"),
  ])
  func whatIsNotLoadedIsAssumedAndSaid(from: String, maxLag: Int, basis: String) throws {
    let world = try World(seed: 66, from: from, maxLag: maxLag)
    let request = world.request(Self.july.period)
    let result = try reconcile(request)
    #expect(result.openingBasis?.rawValue == basis)
    let assumption = try #require(result.openingBasis?.assumption).english
    #expect(reconciliationJSON(result).contains("\"assumption\": \"\(assumption)\""))
    try world.close(request)
    let rows = try closedRows("figures.csv", request.period, ledger: request.ledgerPath)
    #expect(rows.allSatisfy { $0["opening_basis"] == basis })
    let summary = try closeDocument(
      "summary.txt", of: request.period, number: nil, ledgerPath: request.ledgerPath)
    let text = String(decoding: summary, as: UTF8.self)
    let printed = text.replacing(#/\s+/#, with: " ")
    #expect(printed.contains(assumption), "\(text)")
    for remark in result.openingGaps.remarks(request.period, most: 3) {
      #expect(printed.contains(remark.english), "\(text)")
    }
  }

  /// A configured opening with the wrong sign: what Apple paid is more than it owed.
  @Test func lessThanNothingIsAnError() throws {
    let world = try World(seed: 61, from: "2023-05-28")
    var request = world.request(Self.july.period)
    request.settings.openingReceivable = [Currency("CNY")!: -100_000_000_000]
    let result = try reconcile(request)
    #expect(result.openingBasis == .configuration)
    let below = result.receivable.filter { $0.own.closing.micros < 0 }
    #expect(!negative(result).isEmpty && negative(result).count <= below.count)
    for finding in negative(result) {
      let closing = below.first { $0.currency == finding.currency }?.own.closing
      #expect(finding.amount == closing?.micros && finding.severity == .error)
    }
  }
}

extension TrueRegionPayment {
  fileprivate var changes: Int64 { adjustment + withholding + inputTax }
}
