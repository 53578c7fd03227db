import Billing
import Ledger
import Matching

extension RelatedRows {
  /// Adds what an order or a transaction that no id ties to another may be tied to by likeness:
  /// open ones of its product, what competes for them, and some nearby.
  ///
  /// - Returns: whether there was such an order or transaction.
  mutating func widen(
    around matched: MatchedRows, _ context: MatchingContext, orders: [RowID], transactions: [RowID]
  ) throws -> Bool {
    var isWider = false
    for case let position? in Set(transactions.map { matched.transaction(row: $0) })
    where matched.isLoose(transaction: position) {
      let terms = matched.table.terms(ofTransaction: position)
      let place = Likeness(
        sku: terms.sku, storefront: terms.storefront, currency: terms.currency,
        at: Int64(matched.table.transactions[position].purchasedAt))
      try addOrders(
        like: place, isUserKnown: !matched.user(ofTransaction: position).isNone, context)
      isWider = true
    }
    for case let position? in Set(orders.map { matched.order(row: $0) })
    where matched.isLoose(order: position) {
      let terms = matched.table.terms(ofOrder: position)
      let place = Likeness(
        sku: terms.sku, storefront: terms.storefront, currency: terms.currency,
        at: Int64(matched.table.orders[position].placedAt))
      try addTransactions(like: place, context)
      isWider = true
    }
    return isWider
  }

  /// Open orders that a purchase may be traced back to, and the purchases that compete for them.
  private mutating func addOrders(
    like place: Likeness, isUserKnown: Bool, _ context: MatchingContext
  ) throws {
    try add(
      orders: place.rows(-Rules.traceBack...Rules.clockTolerance, isOpen: true),
      where: { place.fits($1.storefront, $1.currency) && $1.isApple })
    try followClaims()
    let table = matched(context).table
    let reach = -Rules.traceBack...Rules.clockTolerance
    let open = table.orders.indices.filter { table.isOpen(order: $0) }
      .map { Int64(table.orders[$0].placedAt) - place.at }.filter(reach.contains)
    if let first = open.min() {
      // Purchases of known users go first, whenever they were; of equals the earlier.
      let last = isUserKnown ? Rules.clockTolerance : Rules.traceBack
      try add(
        transactions: place.rows(first...last, isOpen: true),
        where: { place.fits($1.storefront, $1.currency) })
      try followClaims()
    }
    var near: [(Int64, RowID)] = []
    try add(orders: place.rows(-Rules.nearby...Rules.nearby)) { entry, terms in
      near.append((abs(Int64(entry.placedAt) - place.at), entry.row))
      return false
    }
    try add(orders: near.sorted(by: <).prefix(Rules.nearbyShown).map(\.1))
    try followIDs()
  }

  /// Open purchases that may be traced back to an order, and the orders that compete for them.
  private mutating func addTransactions(like place: Likeness, _ context: MatchingContext) throws {
    try add(
      transactions: place.rows(-Rules.clockTolerance...Rules.traceBack, isOpen: true),
      where: { place.fits($1.storefront, $1.currency) })
    try followClaims()
    let table = matched(context).table
    let reach = -Rules.clockTolerance...Rules.traceBack
    let open = table.transactions.indices.filter { table.isOpen(transaction: $0) }
      .map { Int64(table.transactions[$0].purchasedAt) - place.at }.filter(reach.contains)
    if let last = open.max() {
      try add(
        orders: place.rows(-Rules.traceBack...last, isOpen: true),
        where: { place.fits($1.storefront, $1.currency) && $1.isApple })
      try followClaims()
    }
    var near: [(Int64, RowID)] = []
    try add(transactions: place.rows(-Rules.nearby...Rules.nearby)) { entry, terms in
      near.append((abs(Int64(entry.purchasedAt) - place.at), entry.row))
      return false
    }
    try add(transactions: near.sorted(by: <).prefix(Rules.nearbyShown).map(\.1))
    try followIDs()
  }
}

/// What another row must be like.
private struct Likeness {
  var sku: String
  var storefront: Storefront?
  var currency: Currency?
  /// Seconds since 1970.
  var at: Int64

  func rows(_ span: ClosedRange<Int64>, isOpen: Bool = false) -> SKURows {
    SKURows(
      sku, in: storefront,
      Instant(seconds: at + span.lowerBound)...Instant(seconds: at + span.upperBound),
      isOpen: isOpen)
  }

  /// Whether neither storefront nor currency contradicts.
  func fits(_ other: Storefront?, _ paidIn: Currency?) -> Bool {
    (storefront == nil || other == nil || other == storefront)
      && (currency == nil || paidIn == nil || paidIn == currency)
  }
}

extension MatchedRows {
  /// Whether only likeness may tie a transaction to an order.
  fileprivate func isLoose(transaction: Int) -> Bool {
    table.isOpen(transaction: transaction) || table.owner(of: transaction)?.rule.isInferred == true
  }

  fileprivate func isLoose(order: Int) -> Bool {
    table.isOpen(order: order)
      || transactions(of: order).contains { table.owner(of: $0)?.rule.isInferred == true }
  }
}
