package import Billing

/// Orders and transactions by the keys of their ids. It stays true while rows are only added.
package struct KeyOrder: Sendable {
  private(set) var orders: [KeyedIndex] = []
  private(set) var transactions: [KeyedIndex] = []

  package init(_ facts: MonthFacts) { add(facts) }

  /// Takes in what the facts have beyond the rows that are known.
  package mutating func add(_ facts: MonthFacts) {
    let known = self
    (orders, transactions) = inTwoThreads(
      { Self.joined(known.orders, facts.orders.count) { facts.orders[$0].key.raw } },
      {
        Self.joined(known.transactions, facts.transactions.count) { facts.transactions[$0].key.raw }
      })
  }

  /// Known rows and those after them; of equal keys the known come first, as they would if all were
  /// sorted at once.
  static func joined(
    _ known: [KeyedIndex], _ count: Int, _ key: (Int) -> UInt64
  ) -> [KeyedIndex] {
    let first = known.count
    if first == count { return known }
    let more = sortedByKey(count: count - first) { key(first + $0) }
    if known.isEmpty { return more }
    var joined: [KeyedIndex] = []
    joined.reserveLarge(count)
    var next = 0
    for item in more {
      let end = (next..<first).partitioningIndex { known[$0].key > item.key }
      joined += known[next..<end]
      joined.append(KeyedIndex(key: item.key, index: item.index + UInt32(first)))
      next = end
    }
    return joined + known[next...]
  }
}
