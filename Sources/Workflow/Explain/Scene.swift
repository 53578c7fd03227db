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

  /// Matches the rows and those that their ids lead to. Where the order of `orders` or the
  /// transaction of `transactions` stays alone, all of its product around it are matched too.
  ///
  /// - Parameter widens: whether it matters to which rows likeness may tie them.
  init(
    _ desk: StoryDesk, orders: [RowID] = [], transactions: [RowID] = [], widens: Bool = true
  ) throws {
    var near = Neighbourhood(desk.ledger, desk.tables)
    try near.add(orders: orders)
    try near.add(transactions: transactions)
    try near.followIDs()
    let context = desk.context(desk.period(of: near.firstDay))
    var trace = near.trace(context)
    if widens, orders.count + transactions.count <= StoryDesk.toldLimit,
      try near.widen(around: trace, context, orders: orders, transactions: transactions)
    {
      trace = near.trace(context)
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
}
