package import Billing

/// Orders and transactions by the keys of their ids. It stays true while rows are only added.
package struct KeyOrder: Sendable {
  private(set) var orders: [KeyedIndex] = []
  private(set) var transactions: [KeyedIndex] = []
  /// Of orders that were put in step, for each the position of the transaction that it names;
  /// negative where there is none.
  private(set) var named: [Int32] = []
  /// The same of orders that are still to be put in step, and how many transactions there are.
  private var found: (named: [Int32], transactions: Int)?

  private init() {}

  /// Sorts the positions of orders and transactions by the keys of their ids.
  ///
  /// - Parameter findsNamed: whether to find the transaction that each order names, so that
  ///   ``sortByTransaction(_:)`` can sort orders by them; not done where most stand so already.
  package init(_ facts: MonthFacts, findsNamed: Bool = false) {
    // Memory that was touched is worth more than a core: each is sorted by both.
    let room = UnsafeMutableBufferPointer<KeyedIndex>.allocate(
      capacity: max(facts.orders.count, facts.transactions.count))
    defer { room.deallocate() }
    orders = Self.sorted(facts.orders, in: room) { $0.key.raw }
    transactions = Self.sorted(facts.transactions, in: room) { $0.key.raw }
    if findsNamed, !isSortedByTransaction(facts) {
      found = (named(in: facts, room), facts.transactions.count)
    }
  }

  /// Returns all that it has and leaves itself empty, so that whoever has it changes no copy.
  mutating func move() -> KeyOrder {
    var moved = KeyOrder()
    swap(&moved, &self)
    return moved
  }

  /// Whether orders wait for ``sortByTransaction(_:)``.
  var waits: Bool { found != nil }

  /// Puts orders into the order of the transactions that they name, those that name none of them
  /// last. Whatever goes through the transactions of a month then finds the orders of neighbours
  /// beside each other, whichever order an export has.
  ///
  /// - Parameter entries: those of the facts.
  mutating func sortByTransaction(_ entries: inout [OrderEntry]) {
    guard let newPlaces = newPlaces() else { return }
    let count = entries.count
    entries = [OrderEntry](unsafeUninitializedCapacity: count + count / 16) {
      buffer, initialized in
      for (old, entry) in entries.enumerated() {
        buffer.initializeElement(at: Int(newPlaces[old]), to: entry)
      }
      initialized = count
    }
    for place in orders.indices {
      orders[place].index = UInt32(newPlaces[Int(orders[place].index)])
    }
  }

  /// Whether at least half of the first 4,096 orders find the transaction that they name near that
  /// of the order before.
  private func isSortedByTransaction(_ facts: MonthFacts) -> Bool {
    var (cursor, hits, misses) = (0, 0, 0)
    for entry in facts.orders.prefix(4096) where !entry.transaction.isNone {
      if let found = MatchTable.step(to: entry.transaction, from: cursor, in: facts.transactions) {
        cursor = found + 1
        hits += 1
        continue
      }
      misses += 1
      let place = misses % 16 == 0 ? transactions.lowerBound(entry.transaction.raw) : .max
      if place < transactions.count, transactions[place].key == entry.transaction.raw {
        cursor = Int(transactions[place].index) + 1
      }
    }
    return hits >= misses
  }

  /// The new position of each order that is put in step; nil where none waits. Orders that name one
  /// transaction stay in their order, and so do those that name none. What they name there is kept
  /// in `named`.
  private mutating func newPlaces() -> [Int32]? {
    // What an order names, and then where it comes to stand.
    guard let last = found?.transactions else { return nil }
    var found: [Int32] = []
    swap(&found, &self.found!.named)
    self.found = nil
    var places = [Int32](repeating: 0, count: last + 2)
    for transaction in found { places[Int(transaction) + 1] += 1 }
    for place in 0...last { places[place + 1] += places[place] }
    named = Array(repeating: -1, count: found.count)
    for transaction in 0..<last {
      for place in places[transaction]..<places[transaction + 1] {
        named[Int(place)] = Int32(transaction)
      }
    }
    for old in found.indices {
      let transaction = Int(found[old])
      found[old] = places[transaction]
      places[transaction] += 1
    }
    return found
  }

  /// For each order the position of the transaction that it names, or the number of transactions
  /// where there is none. Of rows that tell of one transaction it is the one that will most likely
  /// be kept.
  ///
  /// - Parameter room: for sorting the orders.
  private func named(
    in facts: MonthFacts, _ room: UnsafeMutableBufferPointer<KeyedIndex>
  ) -> [Int32] {
    var named = [Int32](repeating: Int32(facts.transactions.count), count: facts.orders.count)
    let isApple = facts.orderTerms.map(\.isApple)
    let byNamed = Self.sorted(facts.orders, in: room) {
      isApple[Int($0.terms)] ? $0.transaction.raw : 0
    }
    let sources = facts.transactionTerms.map(\.factSource)
    named.withUnsafeMutableBufferPointer { named in
      // Each thread has orders of its own.
      nonisolated(unsafe) let named = named
      /// Finds what the orders of a part of `byNamed` name.
      @Sendable func find(_ part: Range<Int>) {
        join(byNamed[part], facts.transactions, sources) { named[$0] = $1 }
      }
      let half = byNamed.count / 2
      if byNamed.count < 1 << 20 { return find(0..<byNamed.count) }
      _ = inTwoThreads({ find(0..<half) }, { find(half..<byNamed.count) })
    }
    return named
  }

  /// Reports for orders the position of the transaction that each names, of several rows that of
  /// the strongest source; nothing where it is not here.
  ///
  /// - Parameters:
  ///   - byNamed: positions of orders, ascending by the key that they name.
  ///   - sources: per transaction terms.
  ///   - report: called with the order's and the transaction's position.
  private func join(
    _ byNamed: ArraySlice<KeyedIndex>, _ entries: [TransactionEntry], _ sources: [FactSource],
    _ report: (Int, Int32) -> Void
  ) {
    /// The source of the transaction at a place in the order of keys.
    func source(_ place: Int) -> FactSource {
      sources[Int(entries[Int(transactions[place].index)].terms)]
    }
    // Each row is looked at once, however many orders name its transaction.
    var next = byNamed.first.map { transactions.lowerBound($0.key) } ?? 0
    var kept = next
    for order in byNamed where order.key != 0 {
      while next < transactions.count, transactions[next].key <= order.key {
        let isFurther = kept < next && transactions[kept].key == transactions[next].key
        if !isFurther || source(next) > source(kept) { kept = next }
        next += 1
      }
      guard kept < next, transactions[kept].key == order.key else { continue }
      report(Int(order.index), Int32(transactions[kept].index))
    }
  }

  /// Adds the rows that the facts have beyond those that are known.
  package mutating func add(_ facts: MonthFacts) {
    Self.add(&orders, upTo: facts.orders.count) { facts.orders[$0].key.raw }
    Self.add(&transactions, upTo: facts.transactions.count) { facts.transactions[$0].key.raw }
  }

  /// Positions of entries, ascending by key, with room for rows of other periods. Those of very
  /// many rows are written by two threads: it is the first time that their memory is touched.
  ///
  /// - Parameter room: for sorting.
  private static func sorted<Entry: Sendable>(
    _ entries: [Entry], in room: UnsafeMutableBufferPointer<KeyedIndex>,
    _ key: @escaping @Sendable (Entry) -> UInt64
  ) -> [KeyedIndex] {
    let count = entries.count
    return [KeyedIndex](unsafeUninitializedCapacity: count + count / 16) { buffer, initialized in
      // Each thread has places of its own.
      nonisolated(unsafe) let items = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
      /// Writes the keys and positions of the entries at some positions into `items`.
      @Sendable func fill(_ places: Range<Int>) {
        for place in places {
          let item = KeyedIndex(key: key(entries[place]), index: UInt32(place))
          items.initializeElement(at: place, to: item)
        }
      }
      if count < 1 << 20 {
        fill(0..<count)
      } else {
        _ = inTwoThreads({ fill(0..<count / 2) }, { fill(count / 2..<count) })
      }
      sortByKey(items, in: room)
      initialized = count
    }
  }

  /// Merges positions that are not known yet into a list that ascends by key.
  ///
  /// - Parameters:
  ///   - count: of all positions; those from `known.count` on are added.
  ///   - key: of the row at a position.
  static func add(_ known: inout [KeyedIndex], upTo count: Int, _ key: (Int) -> UInt64) {
    let first = known.count
    let more = sortedByKey(count: count - first) { key(first + $0) }
    known.merge(more.map { KeyedIndex(key: $0.key, index: $0.index + UInt32(first)) }) {
      $0.key < $1.key
    }
  }
}
