import Billing

extension PurchaseCountRow: TimedRow {
  static let tableName = "unit_count_row"

  var times: (first: Int64, last: Int64) { (at.seconds, at.seconds) }

  @inline(__always)
  mutating func columns(_ column: inout some RowVisitor) {
    var thing = Int32(counted.rawValue)
    column("counted", &thing)
    column("order_terms_id", code: &terms, of: .terms)
    column("transaction_terms_id", code: &transactionTerms, of: .products)
    column("at", &at)
    column("seconds", &seconds)
    column("name", id: &name)
    column("count", &count)
    column("line", &line)
  }
}
