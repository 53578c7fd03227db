package import Billing

/// Ids by which rows left over in a period may belong to rows of another one.
package struct OutsideKeys: Sendable {
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

extension MatchTable {
  /// The keys to look up in the rest of the ledger: of transactions bought or refunded in the
  /// period and of paid orders placed in it that no id matches yet.
  package func keysOutsidePeriod(_ context: MatchingContext) -> OutsideKeys {
    var keys = OutsideKeys()
    /// Whether a moment in seconds since 1970, 0 for none, lies on one of the period's days.
    func isInPeriod(_ seconds: UInt32) -> Bool {
      seconds != 0 && context.period.contains(context.businessDay(seconds))
    }
    for index in transactions.indices where isOpen(transaction: index) {
      let entry = transactions[index]
      guard isInPeriod(entry.purchasedAt) || isInPeriod(entry.revokedAt) else { continue }
      keys.transactions.append(entry.key)
      if !entry.order.isNone { keys.ordersNamed.append(entry.order) }
    }
    for offer in offers where isOpen(transaction: Int(offer.transaction)) {
      let entry = transactions[Int(offer.transaction)]
      if isInPeriod(entry.purchasedAt) || isInPeriod(entry.revokedAt) {
        keys.ordersNamed.append(offer.order)
      }
    }
    addOriginals(&keys, context, isInPeriod)
    addRestored(&keys, isInPeriod)
    addReceiptOrders(&keys)
    for index in orders.indices where isOpen(order: index) {
      let entry = orders[index]
      let status = orderTerms[Int(entry.terms)].status
      guard status == .paid || status == .fulfilled, isInPeriod(entry.placedAt) else { continue }
      keys.orders.append(entry.key)
      if !entry.transaction.isNone { keys.transactionsNamed.append(entry.transaction) }
    }
    // Whether no transaction has them is known once all periods were asked.
    if !keys.orders.isEmpty { keys.transactionsNamed += repeatedIDs.map(\.id) }
    return keys
  }

  /// Adds originals of restores that were revoked in the period, where the table does not have what
  /// they restore: what a restore tells of a refund holds for a purchase that may be long ago.
  ///
  /// - Parameter isInPeriod: of seconds since 1970.
  private func addRestored(_ keys: inout OutsideKeys, _ isInPeriod: (UInt32) -> Bool) {
    for (place, position) in chains.positions.enumerated() {
      let index = Int(position)
      guard isInPeriod(transactions[index].revokedAt), chains.role(of: index) == .restore,
        chains.earlier(of: index) == nil
      else { continue }
      keys.transactionsNamed.append(chains.details[place].original)
      keys.transactions.append(chains.details[place].original)
    }
  }

  /// Adds orders of another period that are matched by a receipt of this one: they may have bought
  /// something then.
  private func addReceiptOrders(_ keys: inout OutsideKeys) {
    for offer in offers {
      if let order = orderOf[Int(offer.transaction)].position,
        !purchases.contains(orders[order].placedAt)
      {
        keys.orders.append(orders[order].key)
      }
    }
  }

  /// Adds originals of renewals that were refunded in the period or whose source does not tell what
  /// they were sold for, and the orders that these name: such a renewal belongs to the order of an
  /// original that may be long ago.
  ///
  /// - Parameter isInPeriod: of seconds since 1970.
  private func addOriginals(
    _ keys: inout OutsideKeys, _ context: MatchingContext, _ isInPeriod: (UInt32) -> Bool
  ) {
    // Apple's days may begin half a day before or after ours.
    let reported =
      context.period.first.advanced(by: -1).startUTC
      .seconds..<context.period.last.advanced(by: 2)
      .startUTC.seconds
    let incomplete = transactionTerms.map { EffectiveTerms.needsMore($0, context) }
    var begun: Set<Int32> = []
    for (place, position) in chains.positions.enumerated() {
      let index = Int(position)
      let entry = transactions[index]
      guard orderOf[index] == .open, chains.isRenewal(index),
        isInPeriod(entry.revokedAt)
          || (incomplete[Int(entry.terms)] && reported.contains(Int64(entry.purchasedAt)))
      else { continue }
      let original = chains.details[place].original
      if let known = chains.original(of: index) {
        if orderOf[known] != .open { continue }
        begun.insert(Int32(known))
        if !transactions[known].order.isNone { keys.ordersNamed.append(transactions[known].order) }
      } else {
        keys.transactionsNamed.append(original)
      }
      keys.transactions.append(original)
    }
    if begun.isEmpty { return }
    for offer in offers where begun.contains(offer.transaction) {
      keys.ordersNamed.append(offer.order)
    }
  }
}
