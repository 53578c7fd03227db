import Billing
import Ledger
import Matching

/// A few orders and transactions, matched: what stories about them are told from.
struct Scene {
  let desk: StoryDesk
  let trace: ClaimTrace
  /// Ids, users and places of the rows, by row.
  private let orders: [RowID: ResolvedRow]
  private let transactions: [RowID: ResolvedRow]

  /// Seconds around a purchase in which orders and other purchases may matter to back-tracing.
  private static let reach: Int64 = 2 * 86_400

  /// Matches the rows and those that their ids lead to. Where the order of `orders` or the
  /// transaction of `transactions` stays alone, all of its product around it are matched too.
  init(
    _ desk: StoryDesk, orders: [RowID] = [], transactions: [RowID] = []
  ) throws {
    var near = Neighbourhood(desk.ledger, desk.tables)
    try near.add(orders: orders)
    try near.add(transactions: transactions)
    try near.followIDs()
    let context = desk.context(desk.period(of: near.firstDay))
    var trace = near.trace(context)
    if orders.count + transactions.count <= StoryDesk.toldLimit {
      let isWider = try near.widen(
        around: trace, orders: orders, transactions: transactions, reach: Self.reach)
      if isWider { trace = near.trace(context) }
    }
    try self.init(desk, trace)
  }

  init(_ desk: StoryDesk, _ trace: ClaimTrace) throws {
    self.desk = desk
    self.trace = trace
    func byRow(_ rows: [ResolvedRow]) -> [RowID: ResolvedRow] {
      Dictionary(rows.map { ($0.row, $0) }) { first, _ in first }
    }
    orders = byRow(try desk.ledger.resolveOrders(trace.book.orders.map(\.row).sorted()))
    transactions = byRow(
      try desk.ledger.resolveTransactions(trace.book.transactions.map(\.row).sorted()))
  }

  func resolved(order: Int) -> ResolvedRow { orders[trace.book.orders[order].row]! }

  func resolved(transaction: Int) -> ResolvedRow {
    transactions[trace.book.transactions[transaction].row]!
  }

  func orderID(row: RowID) -> String { orders[row]?.id ?? "" }
  func transactionID(row: RowID) -> String { transactions[row]?.id ?? "" }

  func placedAt(_ order: Int) -> Instant {
    Instant(seconds: Int64(trace.book.orders[order].placedAt))
  }

  func purchasedAt(_ transaction: Int) -> Instant {
    Instant(seconds: Int64(trace.book.transactions[transaction].purchasedAt))
  }

  /// Nil where Apple did not revoke it.
  func revokedAt(_ transaction: Int) -> Instant? {
    let seconds = trace.book.transactions[transaction].revokedAt
    return seconds == 0 ? nil : Instant(seconds: Int64(seconds))
  }
}

extension Neighbourhood {
  /// The earliest day of any row; without rows the last day there is.
  fileprivate var firstDay: Day {
    let facts = facts
    let moments =
      facts.orders.map { Int64($0.placedAt) } + facts.transactions.map { Int64($0.purchasedAt) }
    return Instant(seconds: moments.min() ?? 0).day()
  }

  /// Adds what is like an order or a transaction that no id ties to anything; whether there was one.
  fileprivate mutating func widen(
    around trace: ClaimTrace, orders: [RowID], transactions: [RowID], reach: Int64
  ) throws -> Bool {
    var isWider = false
    for case let position? in Set(transactions.map { trace.transaction(row: $0) }) {
      let terms = trace.terms(ofTransaction: position)
      guard trace.book.isOpen(transaction: position) || trace.owner(of: position)?.route.isLoose == true
      else { continue }
      let at = Int64(trace.book.transactions[position].purchasedAt)
      try widen(terms.sku, at, reach, terms.storefront, terms.currency)
      isWider = true
    }
    for case let position? in Set(orders.map { trace.order(row: $0) }) {
      let terms = trace.terms(ofOrder: position)
      guard
        trace.book.isOpen(order: position)
          || trace.transactions(of: position).contains(where: {
            trace.owner(of: $0)?.route.isLoose == true
          })
      else { continue }
      let at = Int64(trace.book.orders[position].placedAt)
      try widen(terms.sku, at, reach, terms.storefront, terms.currency)
      isWider = true
    }
    if isWider { try followIDs() }
    return isWider
  }

  private mutating func widen(
    _ sku: String, _ at: Int64, _ reach: Int64, _ storefront: Storefront?, _ currency: Currency?
  ) throws {
    try add(
      sku: sku, placed: Instant(seconds: at - reach)...Instant(seconds: at + reach),
      purchased: Instant(seconds: at - reach)...Instant(seconds: at + reach)
    ) { other, paidIn in
      (storefront == nil || other == nil || other == storefront)
        && (currency == nil || paidIn == nil || paidIn == currency)
    }
  }
}

extension ClaimRoute {
  /// Whether the claim depends on what else there is.
  fileprivate var isLoose: Bool { self == .token || self == .backTracing }
}
