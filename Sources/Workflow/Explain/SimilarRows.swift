import Billing
import Ledger
import Matching

extension RelatedRows {
  /// Adds rows that matching by likeness needs for those of `orders` and `transactions` that no id
  /// matches: unmatched rows of the same product, rows that compete for these, and a few from
  /// around the same time.
  ///
  /// - Parameter matched: all rows so far, matched.
  /// - Returns: whether `orders` or `transactions` had one that no id matches.
  mutating func widen(
    around matched: MatchedRows, _ context: MatchingContext, orders: [OrderRow.ID],
    transactions: [TransactionRow.ID]
  ) throws -> Bool {
    let table = matched.table
    let purchases = Set(transactions.compactMap { matched.transaction(row: $0) })
      .filter { table.isOpen(transaction: $0) || table.isInferred(transaction: $0) }
    for position in purchases {
      let terms = table.terms(ofTransaction: position)
      let isUserKnown = !matched.user(ofTransaction: position).isNone
      try addOrders(
        like: Goods(
          terms.sku, terms.place, at: table.transactions[position].purchasedAt,
          slack: matched.clockSlack), isUserKnown: isUserKnown, context)
    }
    let placed = Set(orders.compactMap { matched.order(row: $0) }).filter { order in
      table.isOpen(order: order)
        || matched.transactions(of: order).contains { table.isInferred(transaction: $0) }
    }
    for position in placed {
      let terms = table.terms(ofOrder: position)
      try addTransactions(
        like: Goods(
          terms.sku, terms.place, at: table.orders[position].placedAt, slack: matched.clockSlack),
        context)
    }
    return !purchases.isEmpty || !placed.isEmpty
  }

  /// Adds unmatched orders that a purchase may be traced back to, the other purchases that compete
  /// for them, and a few orders from around its time.
  ///
  /// - Parameters:
  ///   - goods: what was bought, where and when.
  ///   - isUserKnown: whether the purchase's user is known.
  private mutating func addOrders(
    like goods: Goods, isUserKnown: Bool, _ context: MatchingContext
  ) throws {
    let reach = -Rules.traceBack...Rules.clockTolerance
    try addOpen(ordersLike: goods, reach, context)
    let table = try matched(context).table
    let open = table.orders.indices.filter { table.isOpen(order: $0) }
      .map { Int64(table.orders[$0].placedAt) - goods.at }.filter(reach.contains)
    if let first = open.min() {
      // Purchases of known users go first, whenever they were; of equals the earlier.
      let last = isUserKnown ? Rules.clockTolerance : Rules.traceBack
      try addOpen(transactionsLike: goods, first...last)
    }
    var near: [(Int64, OrderRow.ID)] = []
    try add(orders: goods.rows(goods.nearby)) { entry, _ in
      near.append((abs(Int64(entry.placedAt) - goods.at), entry.row))
      return false
    }
    try add(orders: near.sorted(by: <).prefix(Rules.nearbyShown).map(\.1))
    try followIDs()
  }

  /// Adds unmatched purchases that may be traced back to an order, the other orders that compete
  /// for them, and a few purchases from around its time.
  ///
  /// - Parameter goods: what was ordered, where and when.
  private mutating func addTransactions(like goods: Goods, _ context: MatchingContext) throws {
    let reach = -Rules.clockTolerance...Rules.traceBack
    try addOpen(transactionsLike: goods, reach)
    let table = try matched(context).table
    let open = table.transactions.indices.filter { table.isOpen(transaction: $0) }
      .map { Int64(table.transactions[$0].purchasedAt) - goods.at }.filter(reach.contains)
    if let last = open.max() { try addOpen(ordersLike: goods, -Rules.traceBack...last, context) }
    var near: [(Int64, TransactionRow.ID)] = []
    try add(transactions: goods.rows(goods.nearby)) { entry, _ in
      near.append((abs(Int64(entry.purchasedAt) - goods.at), entry.row))
      return false
    }
    try add(transactions: near.sorted(by: <).prefix(Rules.nearbyShown).map(\.1))
    try followIDs()
  }

  /// Adds orders that name no transaction and may be of these goods, and transactions that name
  /// such an order.
  ///
  /// - Parameter span: seconds before (negative) or after the goods' time.
  private mutating func addOpen(
    ordersLike goods: Goods, _ span: ClosedRange<Int64>, _ context: MatchingContext
  ) throws {
    let repeated = try repeatedIDs(context)
    try add(orders: goods.rows(span, isOpen: repeated.isEmpty)) { entry, terms in
      (entry.transaction.isNone || repeated.contains(entry.transaction))
        && !goods.place.contradicts(terms.place) && terms.isApple
    }
    try followNames()
  }

  /// Adds transactions that name no order and may be of these goods, and orders that name such a
  /// transaction.
  ///
  /// - Parameter span: seconds before (negative) or after the goods' time.
  private mutating func addOpen(transactionsLike goods: Goods, _ span: ClosedRange<Int64>) throws {
    try add(
      transactions: goods.rows(span, isOpen: true),
      where: { !goods.place.contradicts($1.place) })
    try followNames()
  }
}

/// What another row must be like: of the same product, nowhere else, around the time.
private struct Goods {
  let sku: String
  let place: SalePlace
  /// Seconds since 1970.
  let at: Int64
  /// Seconds by which a clock may have told it earlier or later.
  let slack: Int64
  let nearby = -Rules.nearby...Rules.nearby

  /// The product, place and time of a row, whose like is looked for.
  ///
  /// - Parameters:
  ///   - at: in seconds since 1970.
  ///   - slack: seconds by which a clock may have told it earlier or later.
  init(_ sku: String, _ place: SalePlace, at: UInt32, slack: Int64) {
    (self.sku, self.place, self.at, self.slack) = (sku, place, Int64(at), slack)
  }

  /// The look-up of the product's rows in a span of time, widened by what clocks may be off.
  ///
  /// - Parameters:
  ///   - span: seconds before (negative) or after `at`.
  ///   - isOpen: whether only rows that name no counterpart are looked up.
  func rows(_ span: ClosedRange<Int64>, isOpen: Bool = false) -> SKURows {
    SKURows(
      sku, in: place.storefront,
      Instant(
        seconds: at + span.lowerBound - slack)...Instant(seconds: at + span.upperBound + slack),
      isOpen: isOpen)
  }
}

extension MatchTable {
  /// Whether the transaction's order was matched by likeness.
  fileprivate func isInferred(transaction: Int) -> Bool {
    owner(of: transaction)?.rule.isInferred == true
  }
}
