import Support
import Testing

@testable import Matching

/// Goal: sets that account for a difference are counted exactly. Method: small cases by hand, and
/// every subset of random candidates.
@Suite struct CombinationsTests {
  private func weight(_ units: Int64, _ amount: Int64) -> Combinations.Weight {
    Combinations.Weight(units: units, amount: amount)
  }

  @Test func `a single set is named, whatever else there is`() {
    let found = Combinations(
      of: [weight(1, 5), weight(2, 60), weight(1, 30)], reaching: weight(3, 90))
    #expect(found.count == 1)
    #expect(found.first == [1, 2])
  }

  @Test func `of several sets the one whose members rank first is named`() {
    let found = Combinations(
      of: [weight(1, 30), weight(1, 30), weight(1, 30)], reaching: weight(2, 60))
    #expect(found.count == 3)
    #expect(found.first == [0, 1])
  }

  @Test func `units without their money are no set`() {
    let found = Combinations(of: [weight(1, 6), weight(1, 6)], reaching: weight(2, 60))
    #expect(found.count == 0)
    #expect(found.first == [])
  }

  @Test func `counting stops where nobody counts any more`() {
    let found = Combinations(
      of: Array(repeating: weight(1, 6), count: 60), reaching: weight(30, 180))
    #expect(found.count == Combinations.countLimit)
    #expect(found.first == Array(0..<30))
  }

  @Test func `too many sums are given up, and said to be`() {
    let candidates = (0..<200).map { weight(1, 1 << Int64($0 % 40)) }
    let found = Combinations(of: candidates, reaching: weight(100, 1 << 45))
    #expect(found.isCut)
    #expect(found.first == [])
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func `as many as there are`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let candidates = (0..<Int.random(in: 0...9, using: &random)).map { _ in
      weight(Int64.random(in: 1...3, using: &random), Int64.random(in: 0...4, using: &random) * 6)
    }
    let target = weight(
      Int64.random(in: 1...8, using: &random), Int64.random(in: 0...10, using: &random) * 6)
    let sets = (0..<(1 << candidates.count)).filter { set in
      let members = candidates.indices.filter { set >> $0 & 1 == 1 }
      return members.reduce(0) { $0 + candidates[$1].units } == target.units
        && members.reduce(0) { $0 + candidates[$1].amount } == target.amount
    }.map { set in candidates.indices.filter { set >> $0 & 1 == 1 } }
    let found = Combinations(of: candidates, reaching: target)
    #expect(found.count == sets.count)
    let firsts = sets.sorted { left, right in
      // The first in which a better candidate is a member.
      for index in candidates.indices where left.contains(index) != right.contains(index) {
        return left.contains(index)
      }
      return false
    }
    #expect(found.first == firsts.first ?? [])
  }
}
