import Support
import Testing

@testable import Matching

/// Timing moves against all there could be.
struct TimingMovesTests {
  /// Every flow over the boundaries of at most four slots: the best has the least of what is left,
  /// each unit left counting ten and each move nine, so that a unit crosses two boundaries at most.
  private func least(_ differences: [Int64?], _ late: [Int64], _ early: [Int64]) -> Int64 {
    var least = Int64.max
    func walk(_ boundary: Int, _ rest: [Int64?], _ moves: Int64) {
      if boundary == rest.count {
        let left = rest.reduce(0) { $0 + abs($1 ?? 0) }
        least = min(least, left * 10 + moves * 9)
        return
      }
      for flow in -early[boundary]...late[boundary] {
        if flow != 0, rest[boundary - 1] == nil || rest[boundary] == nil { continue }
        var next = rest
        if flow != 0 {
          next[boundary - 1]! += flow
          next[boundary]! -= flow
        }
        walk(boundary + 1, next, moves + abs(flow))
      }
    }
    walk(1, differences, 0)
    return least
  }

  private func check(_ differences: [Int64?], _ late: [Int64], _ early: [Int64]) -> String? {
    let moves = timingMoves(differences: differences, late: late, early: early)
    var rest = differences
    for move in moves {
      let proof = move.isLate ? late[move.boundary] : early[move.boundary]
      guard move.units > 0, move.units <= proof, abs(move.from - move.to) == 1,
        rest[move.from] != nil, rest[move.to] != nil
      else { return "beyond proof: \(move)" }
      rest[move.from]! += move.units
      rest[move.to]! -= move.units
    }
    for (before, after) in zip(differences, rest) {
      guard let before, let after else { continue }
      if abs(after) > abs(before) || after * before < 0 { return "further from zero" }
    }
    let left = rest.reduce(0) { $0 + abs($1 ?? 0) }
    let cost = left * 10 + moves.reduce(0) { $0 + $1.units } * 9
    let least = least(differences, late, early)
    return cost == least ? nil : "cost \(cost), least \(least)"
  }

  @Test func smallest() {
    // All differences of three slots with all proofs, then samples of four.
    func numbers(_ count: Int, _ range: ClosedRange<Int64>) -> [[Int64]] {
      (0..<count).reduce([[]]) { all, _ in all.flatMap { some in range.map { some + [$0] } } }
    }
    for differences in numbers(3, -2...2) {
      for proof in numbers(4, 0...2) {
        let (late, early) = ([0, proof[0], proof[1]], [0, proof[2], proof[3]])
        if let wrong = check(differences, late, early) {
          Issue.record("\(differences) \(late) \(early): \(wrong)")
          return
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func fourSlots(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<6000 {
      var differences: [Int64?] = (0..<4).map { _ in Int64.random(in: -2...2, using: &random) }
      if Bool.random(using: &random) { differences[Int.random(in: 0..<4, using: &random)] = nil }
      let late = [0] + (0..<3).map { _ in Int64.random(in: 0...2, using: &random) }
      let early = [0] + (0..<3).map { _ in Int64.random(in: 0...2, using: &random) }
      if let wrong = check(differences, late, early) {
        Issue.record("\(differences) \(late) \(early): \(wrong)")
        return
      }
    }
  }

  @Test func nothingTravelsThreeDays() {
    let proof = [Int64](repeating: 9, count: 4)
    #expect(timingMoves(differences: [-1, 0, 0, 1], late: proof, early: proof).isEmpty)
    #expect(timingMoves(differences: [-1, 0, 1, 0], late: proof, early: proof).count == 2)
    #expect(timingMoves(differences: [-1, nil, 1, 0], late: proof, early: proof).isEmpty)
  }
}
