import Billing
import Conclusions
import Matching
import Simulation
import Testing
import Workflow

/// Goal: in a month that has all of it at once nothing is missed and nothing is false. Method:
/// months of Britain, France, Italy, Spain, Malaysia, Bosnia and others with effective rates that
/// no table has, a storefront without a row, a tax that changes unannounced, wrong rows, a
/// storefront at the wrong commission, nights of price changes, and outages of which at least two
/// are behind findings of one code; by reports of days, of the month alone, and both.
@Suite struct AllTogetherMonthsTests {
  enum Reports: String, CaseIterable, Sendable { case daily, both, monthly }

  private static func shop(_ code: String) -> Storefront { Storefront(code)! }

  private static func parameters(_ seed: UInt64) -> SimulationParameters {
    var parameters = SimulationParameters()
    parameters.seed = seed
    parameters.orders = 9000
    parameters.period = Period("2026-02")!
    parameters.dayRule = .territory
    parameters.gzip = false
    parameters.tellsApps = true
    parameters.spreadsFaults = true
    parameters.storefronts = SimulationParameters.taxedStorefronts
    parameters.trueRates = [
      TrueRates(storefront: shop("GB"), deduction: 11_000),
      TrueRates(storefront: shop("FR"), deduction: 14_000),
      TrueRates(storefront: shop("ES"), deduction: 0),
      TrueRates(storefront: shop("MY"), tax: 100_000),
      TrueRates(storefront: shop("RS"), tax: 200_000),
      TrueRates(storefront: shop("BA"), commission: 220_000),
    ]
    parameters.taxChanges = [
      TaxChange(storefront: shop("DE"), day: Day("2026-02-12")!, tax: 160_000)
    ]
    parameters.priceRises = [
      shop("US"): Day("2026-02-14")!, shop("CN"): Day("2026-02-20")!,
      shop("MY"): Day("2026-02-09")!, shop("IT"): Day("2026-02-17")!,
    ]
    parameters.faults = [.proceedsUnexpected: 1, .priceNotInTier: 1, .refundNotReversed: 6]
    parameters.patterns = [.outage, .outage, .outage]
    return parameters
  }

  private static let told: [String: String] = [
    "GB": "Apple deducts 1.1% of the net price", "FR": "Apple deducts 1.4% of the net price",
    "ES": "Apple deducts 0% of the net price", "MY": "the tax inside the price is 10%",
    "RS": "the tax inside the price is 20%",
  ]

  /// Codes that judge Apple's rows.
  private static let ofRows: Set<FindingCode> = [
    .priceNotInTier, .proceedsUnexpected, .proceedsOffRule, .priceDiffers, .termsNotAsConfigured,
    .currencyUnexpected, .taxAsReported, .deductionChanged,
  ]

  @Test(arguments: [121, 122, 123] as [UInt64], Reports.allCases)
  func nothingIsMissedAndNothingFalse(seed: UInt64, reports: Reports) throws {
    let parameters = Self.parameters(seed)
    let inputs = try SimulatedInputs(parameters)
    if reports != .daily { try inputs.addMonthsReport(keepingDays: reports == .both) }
    let run = try SimulatedRun(
      inputs, asOf: parameters.period.last.advanced(by: 5),
      settings: { settings in
        // A month's report shows nothing of where Apple's days begin.
        for boundary in inputs.truth.boundaries where reports == .monthly {
          settings.dayBoundary[boundary.storefront] = zone(named: boundary.zone)
        }
      })
    expectTaxes(run, reports)
    expectPatterns(run)
    let (missed, unexpected) = run.matching
    let isOrders: (FindingCode) -> Bool = { $0.level == 1 }
    #expect(missed.filter { isOrders($0.code) }.map { "\($0)" } == [])
    #expect(unexpected.filter { isOrders($0.code) }.map(SimulatedRun.words) == [])
    for bridge in run.result.bridges { #expect(bridge.unexplained.isZero) }
    if reports == .monthly {
      expectRows(run)
      return
    }
    // Rows that show one commission are one finding where the truth has one for each.
    let alike: Set = [Self.shop("DE"), Self.shop("BA")]
    func isAlike(_ code: FindingCode, _ storefront: Storefront?) -> Bool {
      code == .proceedsUnexpected && storefront.map(alike.contains) == true
    }
    #expect(run.result.findings.contains { isAlike($0.code, $0.storefront) })
    #expect(missed.filter { !isAlike($0.code, $0.storefront) }.map { "\($0)" } == [])
    let others = unexpected.filter {
      $0.code != .taxAsReported && $0.code != .proceedsTolerated
        && !isAlike($0.code, $0.storefront)
    }
    #expect(others.map(SimulatedRun.words) == [])
  }

  /// A month's report does not show when a tax changed: the rows since agree on another one.
  private func expectTaxes(_ run: SimulatedRun, _ reports: Reports) {
    var expected = Self.told
    if reports == .monthly { expected["DE"] = "the tax inside the price is 16%" }
    let told = run.result.findings.filter { $0.code == .taxAsReported }
    #expect(Set(told.map { $0.storefront?.code ?? "" }) == Set(expected.keys))
    for (code, words) in expected {
      let all = told.filter { $0.storefront?.code == code }.map(\.explanation.english)
      #expect(all.contains { $0.contains(words) }, "\(code): \(all)")
    }
    let changes = run.result.findings.filter { $0.code == .deductionChanged }
    #expect(changes.map(\.storefront) == (reports == .monthly ? [] : [Self.shop("DE")]))
  }

  private func expectPatterns(_ run: SimulatedRun) {
    func name(_ code: FindingCode, _ words: String) -> String { "\(code.rawValue) \(words)" }
    // Rows of a storefront whose tax changed have it in common, which is true.
    let found = run.result.patterns.filter {
      !($0.codes == [.proceedsOffRule] && $0.value == "DE")
    }.map { name($0.codes[0], "\($0.dimension.rawValue) \($0.value)") }
    let expected = run.truth.patterns.map {
      name($0.code, "\($0.dimension.rawValue) \($0.value)")
    }
    #expect(found.sorted() == expected.sorted())
    let codes = run.truth.patterns.map(\.code)
    #expect(Set(codes).count < codes.count)
  }

  /// Of the month's rows those that are wrong are found by storefront and product, and no others.
  private func expectRows(_ run: SimulatedRun) {
    func line(_ code: FindingCode, _ storefront: Storefront?, _ sku: String?) -> String {
      "\(code.rawValue) \(storefront?.code ?? "-") \(sku ?? "-")"
    }
    let ofProceeds: Set<FindingCode> = [.proceedsUnexpected, .proceedsOffRule]
    func isAlike(_ code: FindingCode, _ storefront: Storefront?) -> Bool {
      ofProceeds.contains(code) && ["DE", "BA"].contains(storefront?.code)
    }
    let expected = run.truth.expected.filter {
      Self.ofRows.contains($0.code) && $0.code != .deductionChanged
        && !isAlike($0.code, $0.storefront)
    }
    let found = run.result.findings.filter {
      Self.ofRows.contains($0.code) && $0.code != .taxAsReported
    }
    let others = found.filter { !isAlike($0.code, $0.storefront) }
    #expect(
      Set(others.map { line($0.code, $0.storefront, $0.sku) })
        == Set(expected.map { line($0.code, $0.storefront, $0.sku) }))
    let rest = found.filter { isAlike($0.code, $0.storefront) }
    #expect(
      Set(rest.map { $0.storefront?.code ?? "" }) == ["BA"], "\(rest.map(SimulatedRun.words))")
    #expect(rest.allSatisfy { $0.code == .proceedsUnexpected })
  }
}
