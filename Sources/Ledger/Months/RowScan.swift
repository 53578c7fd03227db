import Billing
import GRDB
import GRDBSQLite

/// One row of a scan: the values as SQLite hands them to a function, valid until the call returns.
///
/// A row read so costs half of what it costs by stepping a statement and asking for each column,
/// because no lock and no check of the statement stands between.
struct ScannedRow {
  fileprivate let values: UnsafeMutablePointer<OpaquePointer?>

  @inline(__always)
  func isNull(_ column: Int32) -> Bool {
    sqlite3_value_type(values[Int(column)]) == SQLITE_NULL
  }

  @inline(__always)
  func int64(_ column: Int32) -> Int64 { sqlite3_value_int64(values[Int(column)]) }

  @inline(__always)
  func int32(_ column: Int32) -> Int32 { Int32(truncatingIfNeeded: int64(column)) }

  /// - Parameter Table: the table that the column numbers the rows of.
  @inline(__always)
  func id<Table>(_ column: Int32 = 0) -> RowID<Table> { RowID(int64(column)) }

  func day(_ column: Int32) -> Day { Day(number: int32(column)) }

  /// The column's text, of a number its decimal spelling; empty for none.
  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_value_text(values[Int(column)]) else { return "" }
    let count = Int(sqlite3_value_bytes(values[Int(column)]))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// The key of an id that is stored as a number, as text, or not at all.
  @inline(__always)
  func key(_ column: Int32) -> IDKey {
    let value = values[Int(column)]
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER:
      return IDKey(number: sqlite3_value_int64(value))
    case SQLITE_NULL:
      return .none
    default:
      let text = UnsafeRawPointer(sqlite3_value_text(value))
      return IDKey(
        text: UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))))
    }
  }

  /// The key of an app account token: a UUID, which companies write in capitals and Apple does not.
  @inline(__always)
  func tokenKey(_ column: Int32) -> IDKey {
    let value = values[Int(column)]
    guard sqlite3_value_type(value) == SQLITE_TEXT else { return key(column) }
    let text = UnsafeRawBufferPointer(
      start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value)))
    guard text.contains(where: { $0 &- 0x41 < 26 }) else { return IDKey(text: text) }
    return text.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }.withUnsafeBytes { IDKey(text: $0) }
  }

  /// A time as the 32 bits that matching keeps, 0 for none. What lies outside 1970–2106 (a
  /// subscription that never expires) becomes the nearest time inside.
  @inline(__always)
  func seconds(_ column: Int32) -> UInt32 {
    isNull(column) ? 0 : UInt32(clamping: max(1, int64(column)))
  }
}

/// Calls `body` on each row of a query, in its order.
///
/// The query must not run while another statement of the connection is under way: SQLite takes a
/// function's new definition only between statements.
///
/// - Parameters:
///   - columns: what a row has, from column 0.
///   - rest: the query from `FROM` on, with `?` for `arguments`.
func scan(
  _ db: Database, _ columns: String, _ rest: String, _ arguments: [[Int64]],
  _ body: (ScannedRow) -> Void
) throws {
  try withoutActuallyEscaping(body) { body in
    let sink = Unmanaged.passRetained(RowSink(body))
    defer { sink.release() }
    let name = "tieout_row"
    let code = sqlite3_create_function_v2(
      db.sqliteConnection, name, -1, SQLITE_UTF8, sink.toOpaque(), nil,
      { context, _, values in
        Unmanaged<RowSink>.fromOpaque(sqlite3_user_data(context)!)
          ._withUnsafeGuaranteedRef { $0.body(ScannedRow(values: values!)) }
      },
      { _ in }, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    let select = try RawStatement(db, "SELECT \(name)(\(columns)) \(rest)")
    for values in arguments {
      for (index, value) in values.enumerated() { select.bind(value, at: Int32(index + 1)) }
      try select.run()
    }
  }
}

private final class RowSink {
  let body: (ScannedRow) -> Void
  init(_ body: @escaping (ScannedRow) -> Void) { self.body = body }
}
