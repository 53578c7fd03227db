import Billing

extension ClaimBook {
  /// An order claims a transaction by `transaction_id`; of several the earliest placed keeps it.
  mutating func claimByTransactionID() {
    let left = claimInStep()
    let claiming = sortedByKey(count: left.count) { orders[Int(left[$0])].transaction.raw }
    var claimants: [Int: [Int32]] = [:]
    var next = 0
    for item in claiming {
      let order = left[Int(item.index)]
      while next < transactionsByKey.count,
        transactionsByKey[next].key < item.key
          || (transactionsByKey[next].key == item.key
            && orderOf[Int(transactionsByKey[next].index)] == Self.merged)
      { next += 1 }
      guard next < transactionsByKey.count, transactionsByKey[next].key == item.key else {
        continue
      }
      let found = Int(transactionsByKey[next].index)
      claimants[chains.earlier(of: found) ?? found, default: []].append(order)
    }
    for (transaction, orders) in claimants.sorted(by: { $0.key < $1.key }) {
      settle(orders, on: transaction)
    }
    noteContradictingIDs()
  }

  /// Claims where orders and transactions stand in the same order, as exports mostly do: looks for
  /// each order's transaction near that of the order before. Returns the orders that name a
  /// transaction and did not find it so.
  private mutating func claimInStep() -> [Int32] {
    var left: [Int32] = []
    var cursor = 0
    var (hits, misses) = (0, 0)
    for index in orders.indices {
      let entry = orders[index]
      if entry.transaction.isNone || transactionOf[index] == Self.merged
        || !isApple[Int(entry.terms)]
      {
        continue
      }
      // Files in different orders are not worth the search.
      if misses < 4096 + hits, let found = step(to: entry.transaction, from: cursor),
        orderOf[found] == Self.unclaimed, chains.role(of: found) != .restore,
        !chains.hasRestores(found)
      {
        orderOf[found] = Int32(index)
        transactionOf[index] = Int32(found)
        cursor = found + 1
        hits += 1
      } else {
        misses += 1
        if misses % 64 == 0, misses < 4096 + hits, let found = position(of: entry.transaction) {
          cursor = found + 1
        }
        left.append(Int32(index))
      }
    }
    return left
  }

  private func step(to key: IDKey, from cursor: Int) -> Int? {
    for place in cursor..<min(cursor + 16, transactions.count)
    where transactions[place].key == key { return place }
    for place in max(cursor - 8, 0)..<min(cursor, transactions.count)
    where transactions[place].key == key { return place }
    return nil
  }

  /// Gives the transaction to the earliest placed of its claimants, the present one among them.
  mutating func settle(_ claimants: [Int32], on transaction: Int) {
    var claimants = claimants
    if let known = reuses.firstIndex(where: { $0.transaction == Int32(transaction) }) {
      claimants += reuses.remove(at: known).others
    }
    if orderOf[transaction] >= 0 {
      claimants.append(orderOf[transaction])
      transactionOf[Int(orderOf[transaction])] = Self.unclaimed
      orderOf[transaction] = Self.unclaimed
    }
    let ranked = claimants.sorted {
      (orders[Int($0)].placedAt, orders[Int($0)].key) < (
        orders[Int($1)].placedAt, orders[Int($1)].key
      )
    }
    claim(order: Int(ranked[0]), transaction: transaction)
    guard ranked.count > 1 else { return }
    for other in ranked.dropFirst() {
      transactionOf[Int(other)] = Self.outdone
      outdoneOrders.insert(other)
    }
    reuses.append(
      Reuse(
        transaction: Int32(transaction), keeper: ranked[0], others: Array(ranked.dropFirst())))
  }

  /// The order names the transaction, the transaction names another order. Where that one claims
  /// it too, the transaction is reused, which says it all.
  private mutating func noteContradictingIDs() {
    var claimed: Set<Claim> = []
    for reuse in reuses {
      for other in reuse.others {
        claimed.insert(Claim(transaction: reuse.transaction, order: orders[Int(other)].key))
      }
    }
    for index in transactions.indices {
      let order = orderOf[index]
      guard order >= 0, !transactions[index].order.isNone,
        transactions[index].order != orders[Int(order)].key, !chains.isRenewal(index),
        !claimed.contains(Claim(transaction: Int32(index), order: transactions[index].order))
      else { continue }
      contradictions.append(
        Contradiction(
          transaction: Int32(index), orders: [order], rows: [transactions[index].row],
          what: "an order names the transaction, the transaction names another order"))
    }
  }

  private struct Claim: Hashable {
    var transaction: Int32
    var order: IDKey
  }

  /// A transaction claims an order by its own `order_id`, purchases before renewals, the earlier
  /// purchase first.
  mutating func claimByOrderID() {
    let naming = transactions.indices.filter {
      orderOf[$0] == Self.unclaimed && !transactions[$0].order.isNone
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
        claim(order: Int(ordersByKey[place].index), naming: best)
        place += 1
      }
    }
  }

  private func goesFirst(_ left: Int, before right: Int) -> Bool {
    if chains.isRenewal(left) != chains.isRenewal(right) { return chains.isRenewal(right) }
    let (a, b) = (transactions[left], transactions[right])
    return (a.purchasedAt, a.key) < (b.purchasedAt, b.key)
  }

  /// Claims the order that the transaction names, where no other transaction has it.
  private mutating func claim(order: Int, naming transaction: Int) {
    let isOutdone = transactionOf[order] == Self.outdone
    guard isOpen(order: order) || isOutdone else { return }
    claim(order: order, transaction: transaction)
    guard !isOutdone, !orders[order].transaction.isNone,
      orders[order].transaction != transactions[transaction].key
    else { return }
    contradictions.append(
      Contradiction(
        transaction: Int32(transaction), orders: [Int32(order)],
        rows: [transactions[transaction].row],
        what: "the transaction names the order, the order names another transaction"))
  }
}
