import Billing

/// A transaction, and an order that names it.
struct NamedPair: BitwiseCopyable {
  var transaction: Int32
  var order: Int32
}

extension MatchTable {
  /// Matches each order with the transaction that it names by `transaction_id`; of several orders
  /// the earliest placed keeps it.
  ///
  /// - Parameter repeated: IDs that stand for nothing, as `known` of
  ///   ``takeRepeatedIDs(from:known:)``.
  mutating func matchByTransactionID(repeated: Set<IDKey>?) {
    // One statement for each: within one expression the table would be copied before it changes.
    let left = matchSorted()
    named = []
    // Of rows in other orders nearly all are left: pairs in a flat table, and no work for a
    // transaction that a single order names.
    let naming = orders(byNamed: left)
    takeRepeatedIDs(from: naming, known: repeated)
    var pairs = pairs(orders: naming)
    // What names a restored transaction by its restore stands elsewhere.
    let restored = takeRestores(from: &pairs)
    /// The key of a pair's transaction: ordered by it, pairs that name one stand together.
    func transactionKey(_ pair: NamedPair) -> UInt64 {
      transactions[Int(pair.transaction)].key.raw
    }
    let byKey = sortedByKey(count: restored.count) { transactionKey(restored[$0]) }
    pairs.merge(byKey.map { restored[Int($0.index)] }) { transactionKey($0) < transactionKey($1) }
    matchNamed(pairs, by: .transactionID)
    noteContradictingIDs()
  }

  /// Pairs of orders with the transactions that they name, ascending by the transactions' keys; an
  /// order whose transaction is not here has no pair.
  ///
  /// - Parameter naming: positions of orders, ascending by the key that they name.
  private func pairs(orders naming: [KeyedIndex]) -> [NamedPair] {
    var named: [NamedPair] = []
    named.reserveCapacity(naming.count)
    var next = 0
    for item in naming {
      while next < transactionsByKey.count,
        transactionsByKey[next].key < item.key
          || (transactionsByKey[next].key == item.key
            && orderOf[Int(transactionsByKey[next].index)] == .merged)
      { next += 1 }
      guard next < transactionsByKey.count, transactionsByKey[next].key == item.key else {
        continue
      }
      named.append(
        NamedPair(
          transaction: Int32(bitPattern: transactionsByKey[next].index),
          order: Int32(bitPattern: item.index)))
    }
    return named
  }

  /// Removes pairs whose transaction is a restore, and returns them as pairs of the transaction
  /// that is restored.
  ///
  /// - Parameter named: ascending by the transactions' keys.
  private func takeRestores(from named: inout [NamedPair]) -> [NamedPair] {
    var taken: [Int] = []
    var restored: [NamedPair] = []
    for (restore, earlier) in chains.restores {
      let key = transactions[restore].key
      var place = named.partitioningIndex { transactions[Int($0.transaction)].key >= key }
      while place < named.count, named[place].transaction == restore {
        taken.append(place)
        restored.append(NamedPair(transaction: Int32(earlier), order: named[place].order))
        place += 1
      }
    }
    let order = sortedByKey(count: taken.count) { UInt64(taken[$0]) }
    named.remove(ascending: order.map { Int($0.key) })
    return order.map { restored[Int($0.index)] }
  }

  /// Positions of orders, ascending by the key of the transaction that they name, those that name
  /// the same one in their order.
  ///
  /// - Parameter naming: positions of orders that name a transaction.
  private func orders(byNamed naming: [Int32]) -> [KeyedIndex] {
    sortedByKey(count: naming.count) { orders[Int(naming[$0])].transaction.raw }
      .map { KeyedIndex(key: $0.key, index: UInt32(naming[Int($0.index)])) }
  }

  /// Gives each transaction to the earliest placed of the orders that name it.
  ///
  /// - Precondition: pairs of one transaction stand together.
  mutating func matchNamed(_ named: [NamedPair], by rule: MatchRule) {
    var start = matchSingles(named, from: 0, by: rule)
    while start < named.count {
      let transaction = Int(named[start].transaction)
      var end = start + 1
      while end < named.count, named[end].transaction == transaction { end += 1 }
      keepEarliest(of: named[start..<end].map(\.order), on: transaction, by: rule)
      start = matchSingles(named, from: end, by: rule)
    }
  }

  /// Matches orders that stand in the order of their transactions, and returns the positions of
  /// those that name a transaction and did not find it so. Orders that were sorted
  /// (``KeyOrder/sortByTransaction(_:)``) are matched with what they were found to name, others
  /// with what is found near the transaction of the order before.
  private mutating func matchSorted() -> [Int32] {
    var left: [Int32] = []
    var cursor = 0
    var (hits, misses, inARow) = (0, 0, 0)
    for index in orders.indices {
      let entry = orders[index]
      if entry.transaction.isNone || transactionOf[index] == .merged
        || !isApple[Int(entry.terms)]
      {
        continue
      }
      if index < named.count {
        let found = Int(named[index])
        if found >= 0, transactions[found].key == entry.transaction, isFree(found) {
          match(order: index, transaction: found, by: .transactionID)
        } else {
          left.append(Int32(index))
        }
        continue
      }
      // Files in different orders are not worth the search.
      if misses < 4096 + hits,
        let found = Self.step(to: entry.transaction, from: cursor, in: transactions),
        isFree(found)
      {
        match(order: index, transaction: found, by: .transactionID)
        cursor = found + 1
        hits += 1
        inARow = 0
      } else {
        misses += 1
        inARow += 1
        if inARow <= 4 || misses % 64 == 0, misses < 4096 + hits,
          let found = position(of: entry.transaction)
        {
          cursor = found + 1
        }
        left.append(Int32(index))
      }
    }
    return left
  }

  /// Whether an order that names the transaction at a position may have it without a look at any
  /// other: no order has it, and it neither restores another nor is restored.
  private func isFree(_ transaction: Int) -> Bool {
    orderOf[transaction] == .open && chains.role(of: transaction) != .restore
      && !chains.hasRestores(transaction)
  }

  /// The position of the transaction with a key, looked for in the 16 places from the cursor on and
  /// the 8 before it; nil where it is in none of them.
  static func step(
    to key: IDKey, from cursor: Int, in transactions: [TransactionEntry]
  ) -> Int? {
    for place in cursor..<min(cursor + 16, transactions.count)
    where transactions[place].key == key { return place }
    for place in max(cursor - 8, 0)..<min(cursor, transactions.count)
    where transactions[place].key == key { return place }
    return nil
  }

  /// Gives a transaction to the earliest placed of the orders that name it, the one that has it now
  /// among them; the others are superseded, and noted as a reuse.
  ///
  /// - Parameter claimants: positions of orders that name the transaction.
  mutating func keepEarliest(of claimants: [Int32], on transaction: Int, by rule: MatchRule) {
    var claimants = claimants
    if let known = reuse(of: transaction) { claimants += known.others }
    let present = unmatch(transaction: transaction)
    if let present { claimants.append(Int32(present.order)) }
    let ranked = claimants.sorted {
      (orders[Int($0)].placedAt, orders[Int($0)].key) < (
        orders[Int($1)].placedAt, orders[Int($1)].key
      )
    }
    let keeper = Int(ranked[0])
    match(
      order: keeper, transaction: transaction,
      by: present?.order == keeper ? present!.rule : rule)
    guard ranked.count > 1 else { return }
    // One that got another transaction since it was superseded keeps that.
    for other in ranked.dropFirst() where !transactionOf[Int(other)].isMatched {
      markSuperseded(order: Int(other))
    }
    note(
      Reuse(
        transaction: Int32(transaction), keeper: ranked[0], others: Array(ranked.dropFirst())))
  }

  /// Notes a contradiction where an order names its transaction and the transaction names another
  /// order. Where that one names it too, the transaction is reused, which says it all.
  private mutating func noteContradictingIDs() {
    var reused: Set<Naming> = []
    for reuse in reuses {
      for other in reuse.others {
        reused.insert(Naming(transaction: reuse.transaction, order: orders[Int(other)].key))
      }
    }
    for index in transactions.indices {
      guard let order = orderOf[index].position, !transactions[index].order.isNone,
        transactions[index].order != orders[order].key, !chains.isRenewal(index),
        !reused.contains(Naming(transaction: Int32(index), order: transactions[index].order))
      else { continue }
      contradictions.append(
        Contradiction(
          transaction: Int32(index), orders: [Int32(order)], rows: [transactions[index].row],
          what: "@match.order-names-the-transaction"))
    }
  }

  /// A transaction's position, and the key of an order that names it.
  private struct Naming: Hashable {
    var transaction: Int32
    var order: IDKey
  }

  /// Matches each transaction without an order with the order that it names by its own `order_id`;
  /// of several that name one order purchases go before renewals, then the earlier purchase.
  mutating func matchByOrderID() {
    let naming = transactions.indices.filter {
      orderOf[$0] == .open && !transactions[$0].order.isNone
        && chains.role(of: $0) != .restore
    }
    let byOrder = sortedByKey(count: naming.count) { transactions[naming[$0]].order.raw }
    var next = 0
    var position = 0
    while position < byOrder.count {
      let key = byOrder[position].key
      var best = naming[Int(byOrder[position].index)]
      position += 1
      while position < byOrder.count, byOrder[position].key == key {
        let other = naming[Int(byOrder[position].index)]
        if goesFirst(other, before: best) { best = other }
        position += 1
      }
      while next < ordersByKey.count, ordersByKey[next].key < key { next += 1 }
      var place = next
      while place < ordersByKey.count, ordersByKey[place].key == key {
        match(order: Int(ordersByKey[place].index), naming: best)
        place += 1
      }
    }
  }

  /// Whether a transaction goes before another that names the same order: a purchase before a
  /// renewal, then the earlier purchase.
  private func goesFirst(_ left: Int, before right: Int) -> Bool {
    if chains.isRenewal(left) != chains.isRenewal(right) { return chains.isRenewal(right) }
    let (a, b) = (transactions[left], transactions[right])
    return (a.purchasedAt, a.key) < (b.purchasedAt, b.key)
  }

  /// Matches an order with a transaction that names it, where the order has none; notes a
  /// contradiction where it names another.
  private mutating func match(order: Int, naming transaction: Int) {
    let isSuperseded = transactionOf[order] == .superseded
    guard isOpen(order: order) || isSuperseded else { return }
    match(order: order, transaction: transaction, by: .orderID)
    guard !isSuperseded, !orders[order].transaction.isNone,
      orders[order].transaction != transactions[transaction].key
    else { return }
    contradictions.append(
      Contradiction(
        transaction: Int32(transaction), orders: [Int32(order)],
        rows: [transactions[transaction].row],
        what: "@match.transaction-names-the-order-but"))
  }
}
