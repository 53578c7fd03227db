package import Billing

/// Orders and transactions by the keys of their ids. It stays true while rows are only added.
package struct KeyOrder: Sendable {
  private(set) var orders: [KeyedIndex]
  private(set) var transactions: [KeyedIndex]

  package init(_ facts: MonthFacts) {
    (orders, transactions) = inTwoThreads(
      { Self.sorted(facts.orders.count) { facts.orders[$0].key.raw } },
      { Self.sorted(facts.transactions.count) { facts.transactions[$0].key.raw } })
  }

  /// Takes in what the facts have beyond the rows that are known.
  package mutating func add(_ facts: MonthFacts) {
    Self.add(&orders, upTo: facts.orders.count) { facts.orders[$0].key.raw }
    Self.add(&transactions, upTo: facts.transactions.count) { facts.transactions[$0].key.raw }
  }

  /// Positions by key, with room for rows of other periods.
  static func sorted(_ count: Int, _ key: (Int) -> UInt64) -> [KeyedIndex] {
    sortedByKey(count: count, room: count / 16, key)
  }

  /// Takes in the positions after those that are known.
  static func add(_ known: inout [KeyedIndex], upTo count: Int, _ key: (Int) -> UInt64) {
    let first = known.count
    let more = sortedByKey(count: count - first) { key(first + $0) }
    known.merge(more.map { KeyedIndex(key: $0.key, index: $0.index + UInt32(first)) }) {
      $0.key < $1.key
    }
  }
}
