import Billing
import Pricing
import Testing

@testable import Reporting
@testable import Conclusions

/// The summary in base currency is calculated from the storefronts' own amounts, rates and steps.
@Suite struct BridgeSheetTests {
  /// Two storefronts whose amounts round apart from their totals.
  private static func month(yenRate: Int64?) -> Reconciliation {
    let base = Currency("CNY")!
    func bridge(_ storefront: String, _ code: String, _ amounts: [Int64]) -> Bridge {
      let currency = Currency(code)!
      let causes: [BridgeCause] = [
        .ledger, .timing, .price, .unexplained, .reportedGross, .tax, .unexplained,
        .reportedProceeds,
      ]
      return Bridge(
        storefront: storefront, currency: currency,
        steps: zip(causes, amounts).map {
          BridgeStep(
            cause: $0, units: $0 == .unexplained ? nil : 3, amount: Money(micros: $1, currency))
        })
    }
    let bridges = [
      bridge(
        "JP", "JPY",
        [
          1_001_000_000, -7_000_000, 3_000_000, 0, 997_000_000, -91_000_000, 2_000_000, 908_000_000,
        ]),
      bridge(
        "US", "USD",
        [
          90_010_000, -10_000, 30_000, 10_000, 90_040_000, -9_030_000, 0, 81_010_000,
        ]),
    ]
    var month = Reconciliation(
      period: Period("2023-06")!, baseCurrency: base, asOf: Day("2023-07-05")!)
    month.bridges = bridges
    let worth = [Currency("USD")!: 7_123_457, Currency("JPY")!: yenRate]
      .compactMapValues { $0.map(DecimalRate.init(micros:)) }
    month.rates = worth.mapValues { CurrencyRate($0) }
    let day = Day("2023-06-30")!
    let rates = worth.map {
      ExchangeRate(date: day, base: $0.key, quote: base, rate: $0.value)
    }
    if let all = Bridge.summary(of: bridges, in: base, rates: RateBook(rates), on: day) {
      month.bridges.insert(all, at: 0)
    }
    return month
  }

  @Test func eachRowOfTheSummaryIsAFormula() throws {
    let month = Self.month(yenRate: 51_234)
    let all = try #require(month.bridges.first { $0.isSummary })
    let roundings = all.steps.count { $0.cause == .rounding }
    #expect(roundings > 0, "the sample rounds apart")
    let sheet = try #require(WorkbookContents(month).bridgeSheet())
    for index in 0..<sheet.rows.count {
      guard case .formula = sheet.rows[index].cells[1] else {
        Issue.record("row \(index + 2) is a figure")
        continue
      }
    }
    #expect(SheetCalculation(sheet).differences == [])
  }

  /// A crossed rate stands as the two quotes that it is made from, a quote with all its places.
  @Test func aStepLeadsToItsFindings() throws {
    let contents = WorkbookContents(SampleMonth.reconciliation)
    let sheet = try #require(contents.bridgeSheet())
    let rows = (0..<sheet.rows.count).map { sheet.rows[$0].cells }
    let steps: [(String, FindingCode)] = [
      ("refund not in ledger", .refundNotInLedger), ("proceeds difference", .proceedsUnexpected),
    ]
    for (label, code) in steps {
      let row = try #require(rows.first { $0[0] == .text(label) })
      #expect(row[4] == .link(ifAny: contents.findingPlace(code)), "\(label)")
      #expect(row[4] != .blank, "\(label)")
    }
  }

  @Test func ratesAreWhatWasQuoted() throws {
    var month = Self.month(yenRate: 51_234)
    let crossed = CurrencyRate(
      DecimalRate(decimal: "7.8983")!, over: DecimalRate(decimal: "157.16")!)
    month.rates[Currency("JPY")!] = crossed
    month.rates[Currency("USD")!] = CurrencyRate(DecimalRate(decimal: "0.00043987")!)
    for code in ["JPY", "USD"] { month.rateDays[Currency(code)!] = Day("2023-06-30")! }
    let sheet = try #require(WorkbookContents(month).bridgeSheet())
    // The refunds' walk follows, with rates of its own.
    let dollar = Cell.exchange(Fraction(43_987, over: 100_000_000))
    let rates = try #require(sheet.totals.map(\.cells).first { $0.contains(dollar) })
    #expect(rates[5] == .formula("7.8983/157.16", .exchange(crossed.value)))
    #expect(rates[6] == dollar)
    let calculation = SheetCalculation(sheet)
    for (place, formula, cached) in calculation.formulas {
      let value = calculation.value(at: place).number
      #expect(abs(value - (cached.binary ?? .nan)) < 0.000001, "\(place) \(formula): \(value)")
    }
    let json = reconciliationJSON(month).filter { !$0.isWhitespace }
    for text in [
      #""rate":"0.05025642657","date":"2023-06-30","quotes":"7.8983/157.16""#,
      #""rate":"0.00043987","date":"2023-06-30","quotes":"0.00043987""#,
    ] {
      #expect(json.contains(text), "\(text)")
    }
  }

  @Test func withoutARateNothingIsAddedUp() throws {
    let month = Self.month(yenRate: nil)
    let summaries = month.bridges.count { $0.isSummary }
    #expect(summaries == 0)
    let sheet = try #require(WorkbookContents(month).bridgeSheet())
    #expect(!sheet.columns.map(\.title).contains("total, CNY"))
    let yen = Currency("JPY")!
    #expect(sheet.rows[0].cells[2] == .money(1_001_000_000, yen))
    guard case .formula(_, .money(997_000_000, yen)) = sheet.rows[4].cells[2] else {
      Issue.record("\(sheet.rows[4].cells)")
      return
    }
  }
}
