import Billing
import Support
import Testing

@testable import Matching

/// Lists of a month's rows by key, into which rows of other months are merged.
struct KeyOrderTests {
  @Test func `what is merged in stands as if all had been sorted at once`() {
    var random = SplitMix64(seed: 3)
    for round in 0..<300 {
      let count = Int.random(in: 0...200, using: &random)
      let greatest = UInt64(1 + round % 90)
      let keys = (0..<count).map { _ in UInt64.random(in: 0...greatest, using: &random) }
      let first = Int.random(in: 0...count, using: &random)
      // For some of the others there is room.
      let room = Int.random(in: 0...20, using: &random)
      var order = sortedByKey(count: first, room: room) { keys[$0] }
      KeyOrder.add(&order, upTo: count) { keys[$0] }
      let all = sortedByKey(count: count) { keys[$0] }
      #expect(order.map(\.key) == all.map(\.key), "round \(round)")
      #expect(order.map(\.index) == all.map(\.index), "round \(round)")
    }
  }

  /// Numbers of Apple's stand close together, hashes of other ids anywhere, and some are equal.
  @Test func `keys of any kind are sorted, equal ones in their order`() {
    var random = SplitMix64(seed: 8)
    for round in 0..<60 {
      let count = [0, 1, 2, 25, 300, 20_000, 70_000].randomElement(using: &random)!
      let width = UInt64(1) << UInt64(Int.random(in: 0...20, using: &random))
      let keys = (0..<count).map { _ in
        switch (round + Int.random(in: 0...1, using: &random)) % 3 {
        case 0: UInt64.random(in: 0...UInt64.max, using: &random)
        case 1: 350_000_000_000_000 + UInt64.random(in: 0..<width, using: &random)
        default: [0, 1, UInt64.max, UInt64.max - 1, 1 << 63].randomElement(using: &random)!
        }
      }
      let sorted = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
      #expect(sortedByKey(count: count) { keys[$0] }.map { Int($0.index) } == sorted, "\(round)")
    }
  }

  /// So many that two threads sort them: keys all over, and nearly all in one range.
  @Test(arguments: [1, 1 << 44]) func `very many are sorted as few are`(_ step: UInt64) {
    var random = SplitMix64(seed: step)
    let count = 1 << 20 + 11
    let keys = (0..<count).map { place in
      place == 7 ? UInt64.max : step * UInt64.random(in: 0..<(1 << 19), using: &random)
    }
    let sorted = sortedByKey(count: count) { keys[$0] }
    let isSorted = zip(sorted, sorted.dropFirst()).allSatisfy {
      ($0.key, $0.index) < ($1.key, $1.index)
    }
    #expect(isSorted && sorted.allSatisfy { $0.key == keys[Int($0.index)] })
  }

  @Test func `numbers of pairs are those of first use`() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<40 {
      var (table, known) = (PairTable(), [[Int32]: Int]())
      // Codes below zero are asked for too, and most of the others meet one code again and again.
      let greatest = Int32.random(in: 0...600, using: &random)
      for _ in 0..<2_000 {
        let pair = [
          Int32.random(in: -3...greatest, using: &random),
          Int32.random(in: -2...Int32.random(in: 0...greatest, using: &random), using: &random),
        ]
        if pair == [-1, -1] { continue }
        let number = known[pair] ?? known.count
        known[pair] = number
        #expect(table.number(pair[0], pair[1]) == number)
      }
      #expect(table.count == known.count)
    }
  }

  @Test func `what is equal and was there stays first`() {
    var pairs = [2, 4, 4, 6].map { NamedPair(transaction: $0, order: 0) }
    pairs.merge([1, 4, 6, 7].map { NamedPair(transaction: $0, order: 1) }) {
      $0.transaction < $1.transaction
    }
    #expect(pairs.map(\.transaction) == [1, 2, 4, 4, 4, 6, 6, 7])
    #expect(pairs.map(\.order) == [1, 0, 0, 0, 1, 0, 1, 1])
  }

  @Test func `what is removed at once is what is removed one by one`() {
    var random = SplitMix64(seed: 5)
    for count in 0..<40 {
      let all = Array(0..<count)
      let places = all.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
      var kept = all
      kept.remove(ascending: places)
      #expect(kept == all.filter { !places.contains($0) })
    }
  }
}
