import Billing

extension OrderTerms: TableValue {
  static let tableName = "order_terms"
  static let blank = OrderTerms(sku: "", status: .created)

  mutating func values(_ column: inout some ValueVisitor) {
    column("sku", &sku)
    column("status", &status)
    column("quantity", &saidQuantity)
    column("unit_price", &unitPrice)
    column("currency", &currency)
    column("storefront", &storefront)
    column("bundle_id", &bundleID)
    column("channel", &channel)
    column("coins", &coins)
    column("app_version", &appVersion)
    column("device", &device)
  }
}

extension OrderRow: TimedRow {
  static let tableName = "order_row"

  var times: (first: Int64, last: Int64) { (placedAt.seconds, placedAt.seconds) }

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
