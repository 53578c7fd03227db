/// What a row of a transaction does not say itself, as the ledger keeps it.
struct SaleRecord: SparseRow {
  static let tableName = "finding_sale"
  static let numberName = "id"
  static let blank = SaleRecord(order: nil, terms: 0)

  /// The row of the order that it was matched with.
  var order: Int64?
  /// The number of its `finding_sale_terms`.
  var terms: Int64

  @inline(__always)
  mutating func columns(_ column: inout some RowVisitor) {
    column("sale_order", &order)
    column("terms_id", &terms)
  }
}
