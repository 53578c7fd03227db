import Billing
import Ledger
import Matching

/// A few orders and transactions, matched: what explanations about them are told from.
struct MatchEvidence {
  let explainer: Explainer
  let matched: MatchedRows
  /// Ids, users and places of the rows, by row.
  private let orders: [OrderRow.ID: ResolvedRow<OrderRow>]
  private let transactions: [TransactionRow.ID: ResolvedRow<TransactionRow>]

  /// Matches these rows and all rows that their ids lead to. Unless they are many, those that have
  /// no counterpart by id are matched with other rows of their product from around their time.
  ///
  /// - Parameter widens: whether such other rows are added; false where only matches by id matter.
  init(
    _ explainer: Explainer, orders: [OrderRow.ID] = [], transactions: [TransactionRow.ID] = [],
    widens: Bool = true
  ) throws {
    var near = RelatedRows(explainer.ledger, explainer.tables)
    try near.add(orders: orders)
    try near.add(transactions: transactions)
    try near.followIDs()
    let context = explainer.context(explainer.period(of: near.firstDay))
    var matched = try near.matched(context)
    if widens, orders.count + transactions.count <= Explainer.eventLimit,
      try near.widen(around: matched, context, orders: orders, transactions: transactions)
    {
      matched = try near.matched(context)
    }
    try self.init(explainer, matched)
  }

  /// Keeps rows that are matched already, and looks up their ids, users and places.
  init(_ explainer: Explainer, _ matched: MatchedRows) throws {
    self.explainer = explainer
    self.matched = matched
    /// The rows by their numbers.
    func byRow<Table>(_ rows: [ResolvedRow<Table>]) -> [RowID<Table>: ResolvedRow<Table>] {
      Dictionary(rows.map { ($0.row, $0) }) { first, _ in first }
    }
    orders = byRow(try explainer.ledger.resolveOrders(matched.table.orders.map(\.row).sorted()))
    transactions = byRow(
      try explainer.ledger.resolveTransactions(matched.table.transactions.map(\.row).sorted()))
  }

  /// The table in which orders and transactions have their positions.
  var table: MatchTable { matched.table }

  /// Whether an order of Apple's channel is paid or fulfilled, and no transaction belongs to it.
  ///
  /// - Parameter order: its position in the match table, as in all functions here.
  func isUnpaid(order: Int) -> Bool {
    let terms = table.terms(ofOrder: order)
    return terms.isApple && (terms.status == .paid || terms.status == .fulfilled)
      && matched.transactions(of: order).isEmpty
  }

  /// Whether a transaction that needs an order has none.
  func isUnclaimed(transaction: Int) -> Bool {
    let terms = table.terms(ofTransaction: transaction)
    return table.owner(of: transaction) == nil && table.isOpen(transaction: transaction)
      && !terms.isSandbox && !terms.isNoPurchase && !terms.isTrial
  }

  /// The id, user and source of an order.
  func resolved(order: Int) -> ResolvedRow<OrderRow> { orders[matched.table.orders[order].row]! }

  /// The id, user and source of a transaction.
  func resolved(transaction: Int) -> ResolvedRow<TransactionRow> {
    transactions[matched.table.transactions[transaction].row]!
  }

  /// The id of the order that a row tells of; empty where that was not matched.
  func orderID(row: OrderRow.ID) -> String { orders[row]?.id ?? "" }
  /// The id of the transaction that a row tells of; empty where that was not matched.
  func transactionID(row: TransactionRow.ID) -> String { transactions[row]?.id ?? "" }

  /// When an order was placed, by its position in the match table.
  func placedAt(_ order: Int) -> Instant {
    Instant(seconds: Int64(matched.table.orders[order].placedAt))
  }

  /// When a transaction was bought, by its position in the match table.
  func purchasedAt(_ transaction: Int) -> Instant {
    Instant(seconds: Int64(matched.table.transactions[transaction].purchasedAt))
  }

  /// When Apple revoked a transaction; nil where it did not.
  func revokedAt(_ transaction: Int) -> Instant? {
    let seconds = matched.table.transactions[transaction].revokedAt
    return seconds == 0 ? nil : Instant(seconds: Int64(seconds))
  }
}

extension RelatedRows {
  /// The earliest day of any row; without rows the last day there is.
  fileprivate var firstDay: Day {
    let facts = facts
    let moments =
      facts.orders.map { Int64($0.placedAt) } + facts.transactions.map { Int64($0.purchasedAt) }
    return Instant(seconds: moments.min() ?? 0).day()
  }
}
