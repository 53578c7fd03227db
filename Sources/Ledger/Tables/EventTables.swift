import Billing

extension EventOutcome: NamedValue {}

extension PurchaseEventRow: TimedRow {
  static let tableName = "event_row"
  static let blank = PurchaseEventRow(
    line: 0, terms: 0, orderID: .none, transactionID: .none, userID: .none,
    at: Instant(seconds: 0), duration: nil)

  var time: Int64 { at.seconds }

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
