import Billing

extension EventOutcome: NamedValue {}

extension PurchaseEventRow: TimedRow {
  static let tableName = "event_row"

  var times: (first: Int64, last: Int64) { (at.seconds, at.seconds) }

  @inline(__always)
  mutating func columns(_ column: inout some RowVisitor) {
    column(terms: &terms)
    column("at", &at)
    column("duration_ms", &duration)
    column("order_id", id: &orderID)
    column("transaction_id", id: &transactionID)
    column("user_id", id: &userID)
    column("line", &line)
  }
}
