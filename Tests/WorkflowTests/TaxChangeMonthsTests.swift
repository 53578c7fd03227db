import Billing
import Conclusions
import Matching
import Simulation
import Testing
import Workflow

/// Months in the middle of which Apple takes another tax off one storefront's prices: the day and
/// the rate are named, and no other storefront is.
@Suite struct TaxChangeMonthsTests {
  struct World: CustomTestStringConvertible, Sendable {
    var seed: UInt64
    var storefront: String
    var day: String
    var tax: String
    /// As the finding says it.
    var words: String
    var period = "2023-06"
    var rule = DayRule.territory
    var faults = false
    var testDescription: String { "\(storefront) \(words) on \(day)\(faults ? ", faults" : "")" }
  }

  static let worlds = [
    World(
      seed: 71, storefront: "DE", day: "2023-06-11", tax: "0.16", words: "from 19% to 16%"),
    World(
      seed: 72, storefront: "DE", day: "2023-06-11", tax: "0.16", words: "from 19% to 16%",
      rule: .mixed, faults: true),
    World(
      seed: 73, storefront: "JP", day: "2025-06-20", tax: "0.08", words: "from 10% to 8%",
      period: "2025-06", rule: .local),
    World(
      seed: 74, storefront: "CN", day: "2023-06-15", tax: "0.015", words: "from 1.8% to 1.5%",
      rule: .pacific, faults: true),
    World(
      seed: 75, storefront: "GB", day: "2023-06-05", tax: "0.175", words: "from 20% to 17.5%"),
    World(seed: 76, storefront: "KR", day: "2023-06-26", tax: "0.12", words: "from 10% to 12%"),
    World(seed: 77, storefront: "HK", day: "2023-06-18", tax: "0.08", words: "from 0% to 8%"),
    World(
      seed: 78, storefront: "US", day: "2023-06-18", tax: "0.06", words: "from 0% to 6%",
      faults: true),
  ]

  @Test(arguments: worlds) func theDayAndTheRateAreNamedAndNoOtherStorefront(_ world: World) throws
  {
    var parameters = SimulationParameters()
    parameters.seed = world.seed
    parameters.orders = 8000
    parameters.period = Period(world.period)!
    parameters.dayRule = world.rule
    if world.faults { parameters.faults = SimulationParameters.everyFault() }
    parameters.taxChanges = [
      TaxChange(
        storefront: Storefront(world.storefront)!, day: Day(world.day)!,
        tax: micros(decimal: world.tax)!)
    ]
    let run = try SimulatedRun(
      SimulatedInputs(parameters), asOf: parameters.period.last.advanced(by: 5))
    expectNothingElse(run)
    for bridge in run.result.bridges { #expect(bridge.unexplained.isZero) }
    let found = run.result.findings.filter { $0.code == .deductionChanged }
    #expect(found.map(\.storefront) == [Storefront(world.storefront)])
    #expect(found.map(\.date) == [Day(world.day)])
    let words = found.first?.explanation.english ?? ""
    #expect(words.contains("goes \(world.words) "), "\(words)")
    #expect((10...40).contains(found.first?.sources.count ?? 0))
    // The list divides the storefront's month on that day, and no other's.
    let divided = run.result.deductions.filter { $0.taxBefore != nil }
    #expect(Set(divided.map(\.storefront)) == [Storefront(world.storefront)!])
    #expect(divided.allSatisfy { $0.firstDay >= Day(world.day)! })
  }

  /// Rows that show one rate are one finding, where the truth has one for each product and day:
  /// only in a storefront whose deduction changed, of no more rows and products than it tells, and
  /// on none of the days before it.
  private func expectNothingElse(_ run: SimulatedRun) {
    var (missed, unexpected) = run.matching
    let changed = Set(
      run.truth.expected.filter { $0.code == .deductionChanged }.map(\.storefront))
    let alike = #/^(\d+) rows of (\d+) products? show a commission of /#
    // One of a single product has the day and the product of its first row, as the truth has.
    let joined = run.result.findings.compactMap { finding -> Joined? in
      guard finding.code == .proceedsUnexpected,
        let told = finding.explanation.english.firstMatch(of: alike)
      else { return nil }
      return Joined(finding: finding, rows: Int(told.1)!, products: Int(told.2)!)
    }
    for (storefront, joined) in Dictionary(grouping: joined, by: \.finding.storefront) {
      #expect(changed.contains(storefront), "\(joined)")
      let first = joined.compactMap(\.finding.date).min()!
      let answered = missed.filter {
        $0.code == .proceedsUnexpected && $0.storefront == storefront && $0.date! >= first
      }
      #expect(!answered.isEmpty)
      #expect(answered.count <= joined.reduce(0) { $0 + $1.rows }, "\(joined)")
      let products = Set(answered.map(\.sku)).count
      #expect(products <= joined.reduce(0) { $0 + $1.products }, "\(joined)")
      missed.removeAll(where: answered.contains)
    }
    #expect(missed.map { "\($0)" } == [])
    let ids = Set(joined.map(\.finding.id))
    unexpected.removeAll { ids.contains($0.id) || $0.code == .proceedsTolerated }
    #expect(unexpected.map(SimulatedRun.words) == [])
  }

  private struct Joined {
    var finding: Finding
    var rows: Int
    var products: Int
  }

  /// Faults that are drawn, several at once.
  @Test(arguments: [81, 82, 83] as [UInt64]) func drawnChangesAreFound(seed: UInt64) throws {
    var parameters = SimulationParameters()
    parameters.seed = seed
    parameters.orders = 8000
    parameters.faults = [.deductionChanged: 3, .timing: 2, .proceedsUnexpected: 2]
    let run = try SimulatedRun(SimulatedInputs(parameters))
    expectNothingElse(run)
    #expect(run.result.findings.count { $0.code == .deductionChanged } == 3)
  }

  /// A change on the first day is known by the month before.
  @Test func theMonthBeforeTellsWhatHeld() throws {
    var parameters = SimulationParameters()
    parameters.seed = 91
    parameters.orders = 12_000
    parameters.period = Period("2023-05-01..2023-06-30")!
    parameters.taxChanges = [
      TaxChange(storefront: Storefront("DE")!, day: Day("2023-06-01")!, tax: 160_000)
    ]
    let inputs = try SimulatedInputs(parameters)
    let run = try SimulatedRun(inputs, period: Period("2023-06")!)
    let found = run.result.findings.filter { $0.code == .deductionChanged }
    #expect(found.map(\.date) == [Day("2023-06-01")])
    #expect(found.map(\.storefront) == [Storefront("DE")])
    #expect(Set(run.result.deductions.map(\.month.description)) == ["2023-05-01", "2023-06-01"])
    let earlier = try SimulatedRun(inputs, shuffle: 1, period: Period("2023-05")!)
    #expect(!earlier.result.findings.contains { $0.code == .deductionChanged })
  }
}
