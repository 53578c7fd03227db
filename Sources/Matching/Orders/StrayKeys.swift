package import Billing

/// Ids by which rows left over in a period may belong to rows of another one.
package struct StrayKeys: Sendable {
  /// Orders that open transactions name.
  package var ordersNamed: [IDKey] = []
  /// Open transactions, which orders elsewhere may name.
  package var transactions: [IDKey] = []
  /// Transactions that open orders name.
  package var transactionsNamed: [IDKey] = []
  /// Open orders, which transactions elsewhere may name.
  package var orders: [IDKey] = []

  package var isEmpty: Bool {
    ordersNamed.isEmpty && transactions.isEmpty && transactionsNamed.isEmpty && orders.isEmpty
  }
}

extension ClaimBook {
  /// The keys to look up in the rest of the ledger: of transactions bought or refunded in the
  /// period and of paid orders placed in it that no id claims yet.
  package func strayKeys(_ context: MatchingContext) -> StrayKeys {
    var stray = StrayKeys()
    func isInPeriod(_ seconds: UInt32) -> Bool {
      seconds != 0 && context.period.contains(context.businessDay(seconds))
    }
    for index in transactions.indices where isOpen(transaction: index) {
      let entry = transactions[index]
      guard isInPeriod(entry.purchasedAt) || isInPeriod(entry.revokedAt) else { continue }
      stray.transactions.append(entry.key)
      if !entry.order.isNone { stray.ordersNamed.append(entry.order) }
    }
    addOriginals(&stray, isInPeriod)
    for index in orders.indices where isOpen(order: index) {
      let entry = orders[index]
      let status = orderTerms[Int(entry.terms)].status
      guard status == .paid || status == .fulfilled, isInPeriod(entry.placedAt) else { continue }
      stray.orders.append(entry.key)
      if !entry.transaction.isNone { stray.transactionsNamed.append(entry.transaction) }
    }
    return stray
  }

  /// A renewal refunded in the period belongs to the order of an original that may be long ago.
  private func addOriginals(_ stray: inout StrayKeys, _ isInPeriod: (UInt32) -> Bool) {
    for (place, position) in chains.positions.enumerated() {
      let index = Int(position)
      guard transactions[index].revokedAt != 0, orderOf[index] == Self.unclaimed,
        chains.isRenewal(index), isInPeriod(transactions[index].revokedAt)
      else { continue }
      let original = chains.details[place].original
      if chains.original(of: index) == nil { stray.transactionsNamed.append(original) }
      if owningOrder(of: index) == nil { stray.transactions.append(original) }
    }
  }
}
