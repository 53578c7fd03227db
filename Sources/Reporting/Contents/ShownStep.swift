import Billing
import Languages
import Matching

/// A step that has a row.
struct ShownStep: Hashable, Sendable {
  /// Its place among all that a bridge may have, from 1.
  var number: Int
  var cause: BridgeCause

  /// Steps without money are left out, but for what nothing explains, and what a finding is about.
  ///
  /// - Parameters:
  ///   - found: the codes of all findings.
  ///   - inBase: what an amount is worth in base currency.
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
  /// amounts before them come to.
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

/// What the difference between the ledger and Apple is made of, in the order of the rows.
enum BridgePart: Int { case explained, open, unexplained }
