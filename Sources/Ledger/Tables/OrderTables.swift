import Billing

extension OrderRow: TimedRow {
  static let tableName = "order_row"
  static let blank = OrderRow(
    line: 0, terms: 0, orderID: .none, userID: .none, transactionID: .none, appAccountToken: .none,
    placedAt: Instant(seconds: 0), paidAt: nil, fulfilledAt: nil)

  var time: Int64 { placedAt.seconds }

  @inline(__always)
  mutating func columns(_ column: inout some RowVisitor) {
    column(terms: &terms)
    column("placed_at", &placedAt)
    column("fulfilled_at", &fulfilledAt)
    column("order_id", id: &orderID)
    column("transaction_id", id: &transactionID)
    column("user_id", id: &userID)
    column("app_account_token", id: &appAccountToken)
    column("paid_at", &paidAt)
    column("line", &line)
  }
}
