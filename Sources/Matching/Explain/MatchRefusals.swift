package import Billing

/// An order beside a transaction, or a transaction beside an order, that was considered.
package struct MatchCandidate: Hashable, Sendable {
  /// The number of the candidate's row that counts, which decides between equals.
  var row: Int32
  /// Its position in the table.
  package var position: Int
  /// When it was placed or bought.
  package var at: Instant
  /// Seconds from the order to the purchase.
  package var delay: Int64
  package var refusal: MatchRefusal

  /// Whether this candidate came nearer to a match than another: by the rule that refused it, then
  /// by the side of the purchase on which it lies, then by time.
  fileprivate func isLikelier(than other: MatchCandidate) -> Bool {
    let (a, b) = (refusal.distance, other.refusal.distance)
    if a != b { return a < b }
    // An order that was placed after a purchase is hardly its order.
    if (delay < 0) != (other.delay < 0) { return other.delay < 0 }
    return (abs(delay), at, row) < (abs(other.delay), other.at, other.row)
  }
}

extension MatchedRows {
  /// Why the transaction at a position is no unit sold; nil where it is billable.
  package func unbillable(_ transaction: Int) -> Unbillable? {
    context.unbillable(table.terms(ofTransaction: transaction))
  }

  /// Orders like those of the transaction at a position that it does not have, with why, the
  /// likeliest first.
  package func orders(beside transaction: Int) -> [MatchCandidate] {
    let owner = table.owningOrder(of: transaction)
    return table.orders.indices.compactMap { order in
      guard order != owner, table.transactionOf[order] != .merged, isAlike(order, transaction)
      else { return nil }
      let row = table.orders[order]
      return MatchCandidate(
        row: row.row.number, position: order, at: Instant(seconds: Int64(row.placedAt)),
        delay: delay(order, transaction),
        refusal: refusalOfOrder(order, transaction) ?? refusal(order, transaction))
    }.sorted { $0.isLikelier(than: $1) }
  }

  /// Transactions like those of the order at a position that it does not have, with why, the
  /// likeliest first.
  package func transactions(beside order: Int) -> [MatchCandidate] {
    let own = Set(transactions(of: order))
    return table.transactions.indices.compactMap { transaction in
      guard !own.contains(transaction), table.orderOf[transaction] != .merged,
        isAlike(order, transaction)
      else { return nil }
      let row = table.transactions[transaction]
      return MatchCandidate(
        row: row.row.number, position: transaction, at: Instant(seconds: Int64(row.purchasedAt)),
        delay: delay(order, transaction),
        refusal: refusalOfTransaction(order, transaction) ?? refusal(order, transaction))
    }.sorted { $0.isLikelier(than: $1) }
  }

  /// Whether an order and a transaction, by position, have the product in common, or one names the
  /// other.
  private func isAlike(_ order: Int, _ transaction: Int) -> Bool {
    let (ours, theirs) = (table.orders[order], table.transactions[transaction])
    return ours.transaction == theirs.key || theirs.order == ours.key
      || AppProduct.mayBeSame(
        table.terms(ofOrder: order).sku, table.terms(ofTransaction: transaction).sku)
  }

  /// Seconds from an order to a purchase; less than 0 where the order came later.
  private func delay(_ order: Int, _ transaction: Int) -> Int64 {
    Int64(table.transactions[transaction].purchasedAt) - Int64(table.orders[order].placedAt)
  }

  /// Why an order is not free to be a transaction's, both by position; nil where it is.
  private func refusalOfOrder(_ order: Int, _ transaction: Int) -> MatchRefusal? {
    let (entry, terms) = (table.orders[order], table.terms(ofOrder: order))
    if !terms.isApple { return .otherChannel(terms.channel) }
    if reuse(of: transaction)?.others.contains(order) == true { return .cameLater }
    if let other = table.transactionOf[order].position {
      return .hasTransaction(table.transactions[other].row)
    }
    let names = entry.transaction
    return names.isNone || names == table.transactions[transaction].key ? nil : .namesAnother
  }

  /// Why a transaction is not free to be an order's, both by position; nil where it is.
  private func refusalOfTransaction(_ order: Int, _ transaction: Int) -> MatchRefusal? {
    let role = table.chains.role(of: transaction)
    if role != .original { return .needsNone(role) }
    if let owner = table.owningOrder(of: transaction) { return .hasOrder(table.orders[owner].row) }
    let names = table.transactions[transaction].order
    return names.isNone || names == table.orders[order].key ? nil : .namesAnother
  }

  /// Why an order and a transaction, by position, that are both free were not matched with each
  /// other.
  private func refusal(_ order: Int, _ transaction: Int) -> MatchRefusal {
    if let why = unbillable(transaction) { return .notBillable(why) }
    return table.refusalToTraceBack(transaction, to: order, details) ?? .another
  }
}
