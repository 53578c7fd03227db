/// How many sets of candidates account for the whole of a difference, and the one of them whose
/// members rank first.
package struct Combinations: Hashable, Sendable {
  /// Units, and micro-units where money is compared too.
  package struct Weight: Hashable, Sendable {
    package var units: Int64
    package var amount: Int64
  }

  /// Sets that come to exactly the difference; at most `countLimit`.
  package let count: Int
  /// Indices of the members of the set whose members rank first, ascending; empty where none does.
  package let first: [Int]
  /// Not every set was looked at: the candidates are too many.
  package let isCut: Bool

  /// Where counting stops.
  package static let countLimit = 1_000_000
  /// Different sums that are held at once, over all candidates.
  private static let stateLimit = 400_000

  /// Counts the sets of candidates whose weights add up to `target`, each candidate used once: from
  /// the last candidate to the first, how many sets of those behind reach each sum.
  ///
  /// - Parameter candidates: the best first; units and amounts are positive or zero.
  package init(of candidates: [Weight], reaching target: Weight) {
    precondition(candidates.allSatisfy { $0.units >= 0 && $0.amount >= 0 })
    var reach: [[Weight: Int]] = [[Weight(units: 0, amount: 0): 1]]
    var states = 1
    var isCut = false
    for weight in candidates.reversed() {
      var sums = reach[reach.count - 1]
      for (sum, ways) in reach[reach.count - 1] {
        let next = Weight(units: sum.units + weight.units, amount: sum.amount + weight.amount)
        guard next.units <= target.units, next.amount <= target.amount else { continue }
        sums[next] = min((sums[next] ?? 0) + ways, Self.countLimit)
      }
      states += sums.count
      guard states <= Self.stateLimit else {
        isCut = true
        break
      }
      reach.append(sums)
    }
    self.isCut = isCut
    guard !isCut, target.units > 0 else {
      (count, first) = (0, [])
      return
    }
    count = reach[reach.count - 1][target] ?? 0
    first = count == 0 ? [] : Self.first(candidates, reach, target)
  }

  private init(count: Int, first: [Int], isCut: Bool) {
    (self.count, self.first, self.isCut) = (count, first, isCut)
  }

  /// The same with other indices for the candidates.
  ///
  /// - Parameters:
  ///   - numbers: the new index of each.
  ///   - leavesOut: whether there are candidates beside them, of which no set was looked at.
  func renumbered(_ numbers: [Int], leavesOut: Bool) -> Combinations {
    leavesOut
      ? Combinations(count: 0, first: [], isCut: true)
      : Combinations(count: count, first: first.map { numbers[$0] }, isCut: isCut)
  }

  /// Finds, of the sets that come to `target`, the one whose members rank first; returns their
  /// indices, ascending. From the best candidate on it takes each one where candidates after it
  /// reach what is then left of the target.
  ///
  /// - Parameters:
  ///   - candidates: the best first.
  ///   - reach: `reach[n]` has the sums that the last n candidates reach, and in how many ways.
  ///   - target: a sum that some set comes to.
  private static func first(
    _ candidates: [Weight], _ reach: [[Weight: Int]], _ target: Weight
  ) -> [Int] {
    var rest = target
    var members: [Int] = []
    for (index, weight) in candidates.enumerated() {
      if rest == Weight(units: 0, amount: 0) { break }
      let less = Weight(units: rest.units - weight.units, amount: rest.amount - weight.amount)
      guard reach[candidates.count - index - 1][less] != nil else { continue }
      members.append(index)
      rest = less
    }
    precondition(rest == Weight(units: 0, amount: 0), "a set that was counted is found")
    return members
  }
}
