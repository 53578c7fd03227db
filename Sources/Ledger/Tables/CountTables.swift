import Billing

extension PurchaseCountRow: BlockRow {
  static let tableName = "unit_count_row"
  static let blank = PurchaseCountRow(
    line: 0, counted: CountedThing.allCases[0], at: Instant(seconds: 0), count: 0)

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
