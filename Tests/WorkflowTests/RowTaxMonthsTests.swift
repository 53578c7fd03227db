import Billing
import Conclusions
import Matching
import Simulation
import Testing
import Workflow

/// Months of storefronts whose taxes no list of Apple's tells, by a truth that is written apart
/// from the program's tables: what rows agree on decides, and nothing else is said of them.
@Suite struct RowTaxMonthsTests {
  private static func parameters(_ seed: UInt64) -> SimulationParameters {
    var parameters = SimulationParameters()
    parameters.seed = seed
    parameters.orders = 9000
    parameters.period = Period("2026-02")!
    parameters.dayRule = .territory
    parameters.storefronts = SimulationParameters.taxedStorefronts
    return parameters
  }

  private static func run(_ parameters: SimulationParameters) throws -> SimulatedRun {
    try SimulatedRun(
      SimulatedInputs(parameters), asOf: parameters.period.last.advanced(by: 5))
  }

  /// By the tables, where they are right; the storefront that has no row is untaxed.
  @Test(arguments: [101, 102] as [UInt64]) func whatTheTablesSayRaisesNothing(seed: UInt64) throws {
    let run = try Self.run(Self.parameters(seed))
    #expect(run.missed == [])
    #expect(run.unexpected.filter { !$0.hasPrefix("proceeds-tolerated ") } == [])
  }

  /// Unknown effective rates, a storefront without a row, a tax that changes, wrong rows, and a
  /// storefront paid at a commission that nobody documents.
  @Test(arguments: [111, 112, 113] as [UInt64]) func eachIsToldAsWhatItIs(seed: UInt64) throws {
    var parameters = Self.parameters(seed)
    func shop(_ code: String) -> Storefront { Storefront(code)! }
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
    parameters.faults = [.proceedsUnexpected: 3, .timing: 1]
    let run = try Self.run(parameters)
    let told = run.result.findings.filter { $0.code == .taxAsReported }
    let byStorefront = Dictionary(grouping: told, by: \.storefront).mapValues { findings in
      findings.map(\.explanation.english)
    }
    let expected: [String: String] = [
      "GB": "Apple deducts 1.1% of the net price", "FR": "Apple deducts 1.4% of the net price",
      "ES": "Apple deducts 0% of the net price", "MY": "the tax inside the price is 10%",
      "RS": "the tax inside the price is 20%",
    ]
    #expect(Set(byStorefront.keys) == Set(expected.keys.map(shop)))
    for (code, words) in expected {
      let all = byStorefront[shop(code)] ?? []
      #expect(all.contains { $0.contains(words) }, "\(code): \(all)")
    }
    let changes = run.result.findings.filter { $0.code == .deductionChanged }
    #expect(changes.map(\.storefront) == [shop("DE")])
    #expect(changes.map(\.date) == [Day("2026-02-12")])
    for bridge in run.result.bridges { #expect(bridge.unexplained.isZero) }
    // Rows that show one commission are one finding where the truth has one for each.
    let alike: Set = [shop("DE"), shop("BA")]
    let (missed, unexpected) = run.matching
    let joined = run.result.findings.filter {
      $0.code == .proceedsUnexpected && alike.contains($0.storefront ?? shop("CN"))
    }
    #expect(Set(joined.map(\.storefront)).contains(shop("BA")))
    let rest = missed.filter {
      !($0.code == .proceedsUnexpected && alike.contains($0.storefront ?? shop("CN")))
    }
    #expect(rest.map { "\($0)" } == [])
    let others = unexpected.filter {
      $0.code != .taxAsReported && $0.code != .proceedsTolerated && !joined.contains($0)
    }
    #expect(others.map(SimulatedRun.words) == [])
  }
}
