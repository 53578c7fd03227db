import Billing
import Ledger
import Matching

/// Seconds before a purchase in which an order may be traced back to.
private let traceBack: Int64 = 86_400
/// Seconds by which the company's clock may be ahead of Apple's.
private let clockTolerance: Int64 = 300
/// Seconds around an order or a purchase in which others are shown, however they came out.
private let nearby: Int64 = 3600
/// Orders or transactions nearby that are shown.
private let nearbyLimit = 5

extension Neighbourhood {
  /// Adds what an order or a transaction that no id ties to another may be tied to by likeness:
  /// open ones of its product, what competes for them, and some nearby.
  ///
  /// - Returns: whether there was such an order or transaction.
  mutating func widen(
    around trace: ClaimTrace, _ context: MatchingContext, orders: [RowID], transactions: [RowID]
  ) throws -> Bool {
    var isWider = false
    for case let position? in Set(transactions.map { trace.transaction(row: $0) })
    where trace.isLoose(transaction: position) {
      let terms = trace.terms(ofTransaction: position)
      let place = Likeness(
        sku: terms.sku, storefront: terms.storefront, currency: terms.currency,
        at: Int64(trace.book.transactions[position].purchasedAt))
      try addOrders(
        like: place, isUserKnown: !trace.user(ofTransaction: position).isNone, context)
      isWider = true
    }
    for case let position? in Set(orders.map { trace.order(row: $0) })
    where trace.isLoose(order: position) {
      let terms = trace.terms(ofOrder: position)
      let place = Likeness(
        sku: terms.sku, storefront: terms.storefront, currency: terms.currency,
        at: Int64(trace.book.orders[position].placedAt))
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
      orders: place.rows(-traceBack...clockTolerance, isOpen: true),
      where: { place.fits($1.storefront, $1.currency) && $1.isApple })
    try followClaims()
    let book = trace(context).book
    let reach = -traceBack...clockTolerance
    let open = book.orders.indices.filter { book.isOpen(order: $0) }
      .map { Int64(book.orders[$0].placedAt) - place.at }.filter(reach.contains)
    if let first = open.min() {
      // Purchases of known users go first, whenever they were; of equals the earlier.
      let last = isUserKnown ? clockTolerance : traceBack
      try add(
        transactions: place.rows(first...last, isOpen: true),
        where: { place.fits($1.storefront, $1.currency) })
      try followClaims()
    }
    var near: [(Int64, RowID)] = []
    try add(orders: place.rows(-nearby...nearby)) { entry, terms in
      near.append((abs(Int64(entry.placedAt) - place.at), entry.row))
      return false
    }
    try add(orders: near.sorted(by: <).prefix(nearbyLimit).map(\.1))
    try followIDs()
  }

  /// Open purchases that may be traced back to an order, and the orders that compete for them.
  private mutating func addTransactions(like place: Likeness, _ context: MatchingContext) throws {
    try add(
      transactions: place.rows(-clockTolerance...traceBack, isOpen: true),
      where: { place.fits($1.storefront, $1.currency) })
    try followClaims()
    let book = trace(context).book
    let reach = -clockTolerance...traceBack
    let open = book.transactions.indices.filter { book.isOpen(transaction: $0) }
      .map { Int64(book.transactions[$0].purchasedAt) - place.at }.filter(reach.contains)
    if let last = open.max() {
      try add(
        orders: place.rows(-traceBack...last, isOpen: true),
        where: { place.fits($1.storefront, $1.currency) && $1.isApple })
      try followClaims()
    }
    var near: [(Int64, RowID)] = []
    try add(transactions: place.rows(-nearby...nearby)) { entry, terms in
      near.append((abs(Int64(entry.purchasedAt) - place.at), entry.row))
      return false
    }
    try add(transactions: near.sorted(by: <).prefix(nearbyLimit).map(\.1))
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

extension ClaimTrace {
  /// Whether only likeness may tie a transaction to an order.
  fileprivate func isLoose(transaction: Int) -> Bool {
    book.isOpen(transaction: transaction) || owner(of: transaction)?.route.isLoose == true
  }

  fileprivate func isLoose(order: Int) -> Bool {
    book.isOpen(order: order)
      || transactions(of: order).contains { owner(of: $0)?.route.isLoose == true }
  }
}

extension ClaimRoute {
  /// Whether the claim depends on what else there is.
  fileprivate var isLoose: Bool { self == .token || self == .backTracing }
}
