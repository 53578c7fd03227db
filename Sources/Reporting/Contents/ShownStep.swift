import Billing
import Languages
import Conclusions

/// A step that has a row.
struct ShownStep: Hashable, Sendable {
  /// Its place among all that a bridge may have, from 1.
  var number: Int
  var cause: BridgeCause

  /// The bridge steps that have a row, in their order. Steps without money are left out, but for
  /// what nothing explains, and what a finding is about.
  ///
  /// - Parameters:
  ///   - found: the codes of all findings.
  ///   - inBase: what an amount is worth in base currency; nil without a rate.
  static func steps(
    of bridges: [Bridge], found: Set<FindingCode>, inBase: (Money) -> Money?
  ) -> [ShownStep] {
    var shown: Set<ShownStep> = []
    if bridges.contains(where: \.isSummary) {
      let rounded = bridges.filter { !$0.isSummary }.flatMap { $0.roundedTotals(inBase) }
      for total in Set(rounded) {
        let number = BridgePlace.inOrder[..<(total - 1)].lastIndex { $0.cause == .rounding }
        if let number { shown.insert(ShownStep(number: number + 1, cause: .rounding)) }
      }
    }
    for bridge in bridges {
      for (number, step) in zip(bridge.stepNumbers, bridge.steps)
      where step.isTotal || !step.amount.isZero || step.cause == .unexplained
        || step.cause.findingCode.map(found.contains) == true
      {
        shown.insert(ShownStep(number: number, cause: step.cause))
      }
    }
    return shown.sorted { $0.number < $1.number }
  }
}

extension Bridge {
  /// Numbers of the totals that, converted and rounded by themselves, are not what the rounded
  /// amounts before them come to; none where an amount has no rate.
  fileprivate func roundedTotals(_ inBase: (Money) -> Money?) -> [Int] {
    var (numbers, running): ([Int], Money?) = ([], nil)
    for (number, step) in zip(stepNumbers, steps) {
      guard let amount = inBase(step.amount) else { return [] }
      guard step.isTotal, let before = running else {
        running = running.map { $0 + amount } ?? amount
        continue
      }
      if before != amount { numbers.append(number) }
      running = amount
    }
    return numbers
  }
}

/// Bridges as their sheet has them side by side, put in order once for all that leads there.
struct ShownBridges: Sendable {
  /// Over all storefronts, in base currency; nil where a currency has no rate.
  let summary: Bridge?
  /// Those of the storefronts, a column each.
  let parts: [Bridge]
  let steps: [ShownStep]
  /// Steps by their places, of each part and of the summary.
  let stepsOfParts: [[Int: BridgeStep]]
  let stepsOfAll: [Int: BridgeStep]

  /// Puts bridges side by side; nil without any.
  ///
  /// - Parameter steps: those that have a row.
  init?(_ all: [Bridge], steps: [ShownStep]) {
    if all.isEmpty { return nil }
    let parts = all.filter { !$0.isSummary }
    summary = parts.isEmpty ? nil : all.first(where: \.isSummary)
    self.parts = parts.isEmpty ? all : parts
    self.steps = steps
    /// A bridge's steps by their numbers among all that a bridge may have.
    func byNumber(_ bridge: Bridge) -> [Int: BridgeStep] {
      Dictionary(uniqueKeysWithValues: zip(bridge.stepNumbers, bridge.steps))
    }
    stepsOfParts = self.parts.map(byNumber)
    stepsOfAll = summary.map(byNumber) ?? [:]
  }
}

/// What the difference between the ledger and Apple is made of, in the order of the rows.
enum BridgePart: Int { case explained, open, unexplained }
