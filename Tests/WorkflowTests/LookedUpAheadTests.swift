import Billing
import Simulation
import Support
import Testing

@testable import Ledger
@testable import Matching
@testable import Workflow

/// What is looked up for one table is what the next one would look up itself.
///
/// Taken for granted elsewhere, and broken here: that the next one asks for most of it, and for
/// little else.
@Suite struct LookedUpAheadTests {
  private static let june = Period("2023-06")!
  private let inputs: SimulatedInputs

  init() throws {
    var parameters = SimulationParameters()
    parameters.orders = 300
    parameters.faults = SimulationParameters.everyFault()
    inputs = try SimulatedInputs(parameters)
    try inputs.importing()
  }

  /// Some of the rows, with what belongs to them.
  private func part(of all: MonthFacts, _ share: Int, _ random: inout SplitMix64) -> MonthFacts {
    var facts = all
    facts.orders.removeAll { _ in Int.random(in: 0..<10, using: &random) >= share }
    facts.transactions.removeAll { _ in Int.random(in: 0..<10, using: &random) >= share }
    let kept = Set(facts.transactions.map(\.row))
    facts.chainDetails.removeAll { !kept.contains($0.row) }
    facts.observations.removeAll { !kept.contains($0.row) }
    return facts
  }

  @Test func `the next table gets what it would get without`() throws {
    let request = ReconcileRequest(
      ledgerPath: inputs.folder.ledger, period: Self.june, settings: Settings(),
      asOf: Day("2023-07-05")!)
    var random = SplitMix64(seed: 7)
    var (rowsLookedUp, chainsGoingOn) = (0, 0)
    try Ledger.reading(inputs.folder.ledger, connections: 2) { ledger in
      let all = try ledger.facts(
        purchases: purchaseWindow(Self.june), reportDays: reportDays(Self.june))
      let context = matchingContext(request, all)
      for round in 0..<24 {
        let first = part(of: all, round % 4 * 3, &random)
        let next = part(of: all, round % 3 * 4 + 2, &random)
        func table(_ facts: MonthFacts) -> MatchTable {
          MatchTable(facts, catalogue: context.catalogue, requiresSigned: false)
        }
        let ahead = try LookedUpAhead(asking: table(first), context)
          .lookedUp(ledger, first, context)
        let asking = table(next)
        rowsLookedUp += asking.rowsNeedingDetail().transactions.count
        let known = next.unnamedOrderDetails
        let details = try ahead.matchDetails(ledger, asking, known: known)
        let history = try ahead.chainHistory(ledger, asking, context)
        if !history.isEmpty { chainsGoingOn += 1 }
        let without = LookedUpAhead.nothing
        #expect(
          try "\(details)" == "\(without.matchDetails(ledger, asking, known: known))", "\(round)")
        #expect(
          try "\(history)" == "\(without.chainHistory(ledger, asking, context))", "\(round)")
      }
    }
    #expect(rowsLookedUp > 100 && chainsGoingOn > 4)
  }
}
