/// A column that statements see beside those that a block has.
struct DerivedColumn: Sendable {
  enum Value: Sendable {
    /// An id as text, whatever it is stored as.
    case text(of: String)
    /// The same of an id that is empty where it is the row's own.
    case textOrOwn(of: String, own: String)
    /// What a sparse table has beside the row, under its number.
    case beside(BlockTables, String)
    /// What another table says of the row whose number a derived column has.
    case ofRow(String, BlockTables, String)
    /// An SQL expression over the row of a small table, under `t`, whose number a column has. It is
    /// worked out once for each row of that table.
    case listed(of: String, String, String)
    /// File and line of the row.
    case place
    /// A time as ISO 8601 in UTC.
    case moment(of: String)
  }

  var name: String
  var value: Value
  /// Whether only a view asks for it: `SELECT *` does not.
  var isOfView = false

  /// The type affinity by which SQLite compares the column's values with others; empty for none.
  var affinity: String {
    switch value {
    case .text, .textOrOwn, .ofRow, .place, .moment: "TEXT"
    case .beside, .listed: ""
    }
  }

  /// The column that is 1 where the file of the row is not superseded, else 0.
  static let isCurrent = DerivedColumn(
    name: "is_current", value: .listed(of: "source_id", "source", "t.status <> 'superseded'"),
    isOfView: true)
}
