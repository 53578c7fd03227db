import GRDB

/// Inserts rows of one table, many with each run of a statement: a run costs as much as several
/// rows, most where a check looks its value up in a list.
final class RowInserter {
  private let statement: RawStatement
  private let columns: Int32
  private let rowsAtOnce: Int32
  private var rows: Int32 = 0
  private var place: Int32 = 0

  /// Prepares inserts into a table.
  ///
  /// - Parameters:
  ///   - names: of the columns that are given; nil for all of the table's.
  ///   - columns: how many these are.
  ///   - expected: how many rows there will be, where they may be few: a statement for many costs
  ///     more to prepare.
  init(
    _ db: Database, _ table: String, _ names: [String]? = nil, columns: Int32, expected: Int = 64
  ) throws {
    rowsAtOnce = Int32(min(max(expected, 1), 64))
    /// The text `count` times, with commas between.
    func list(_ text: String, _ count: Int32) -> String {
      Array(repeating: text, count: Int(count)).joined(separator: ", ")
    }
    let values = list("(\(list("?", columns)))", rowsAtOnce)
    let named = names.map { " (\($0.joined(separator: ", ")))" } ?? ""
    // The limit leaves out the rows of the last run that were not filled. Where a row is refused
    // all is taken back, so that SQLite need not copy each page before it changes.
    statement = try RawStatement(
      db,
      """
      INSERT OR ROLLBACK INTO \(table)\(named)
      SELECT * FROM (VALUES \(values)) LIMIT ?
      """)
    self.columns = columns
  }

  /// Begins a row, whose values follow by ``put(_:)`` in the order of the table's columns.
  func begin() throws {
    precondition(place == rows * columns, "the row before is not whole")
    if rows == rowsAtOnce { try flush() }
    rows += 1
  }

  /// Adds the next value of the row that was begun.
  func put(_ value: some CellValue) {
    place += 1
    statement.bind(value, at: place)
  }

  /// Inserts the rows that were added since the last call.
  func flush() throws {
    precondition(place == rows * columns, "the last row is not whole")
    if rows == 0 { return }
    statement.bind(Int64(rows), at: rowsAtOnce * columns + 1)
    try statement.run()
    (rows, place) = (0, 0)
  }
}
