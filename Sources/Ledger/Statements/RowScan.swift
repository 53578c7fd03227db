import Billing
import GRDB
import GRDBSQLite

/// One value of a row: a number, bytes of text, or nothing.
struct ScannedCell {
  /// How many bytes a text has; else ``nothing`` or ``ofNumber``.
  private let count: Int
  /// The number, or where the text begins.
  private let value: Int

  private static var nothing: Int { -1 }
  private static var ofNumber: Int { -2 }

  /// A cell whose `count` says what its `value` is: a number, where a text begins, or nothing.
  private init(count: Int, value: Int) { (self.count, self.value) = (count, value) }

  @inline(__always)
  static var null: Self { Self(count: nothing, value: 0) }
  static var emptyText: Self { Self(count: 0, value: 0) }

  /// A cell that holds a number.
  @inline(__always)
  static func integer(_ number: Int64) -> Self { Self(count: ofNumber, value: Int(number)) }

  /// A cell that holds the text of these bytes, which it does not copy.
  @inline(__always)
  static func text(_ start: UnsafeRawPointer, count: Int) -> Self {
    Self(count: count, value: Int(bitPattern: start))
  }

  /// Takes a value as SQLite hands it to a function.
  fileprivate init(_ value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: self = .null
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    default:
      let text = UnsafeRawPointer(sqlite3_value_text(value))
      self.init(
        count: Int(sqlite3_value_bytes(value)), value: Int(bitPattern: text))
    }
  }

  /// Reads a column, from 0 on, of the row that a statement is on.
  init(_ statement: OpaquePointer, _ column: Int32) {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_NULL: self = .null
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
    default:
      let text = UnsafeRawPointer(sqlite3_column_text(statement, column))
      self.init(
        count: Int(sqlite3_column_bytes(statement, column)), value: Int(bitPattern: text))
    }
  }

  @inline(__always)
  var isNull: Bool { count == Self.nothing }
  @inline(__always)
  var isText: Bool { count >= 0 }

  /// The number; 0 where the cell holds none.
  @inline(__always)
  var number: Int64 { count == Self.ofNumber ? Int64(value) : 0 }

  /// The text, or the decimal spelling of a number; empty for nothing.
  var text: String {
    if isText { return String(decoding: bytes, as: UTF8.self) }
    return isNull ? "" : String(number)
  }

  /// The bytes of the text; none where the cell holds no text.
  @inline(__always)
  var bytes: UnsafeRawBufferPointer {
    isText
      ? UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: value), count: count)
      : UnsafeRawBufferPointer(start: nil, count: 0)
  }
}

/// One row of a scan: its values, valid until the call that gets them returns.
struct ScannedRow {
  let cells: UnsafePointer<ScannedCell>

  @inline(__always)
  func isNull(_ column: Int32) -> Bool { cells[Int(column)].isNull }

  /// The column's number; 0 where it holds none.
  @inline(__always)
  func int64(_ column: Int32) -> Int64 { cells[Int(column)].number }

  @inline(__always)
  func int32(_ column: Int32) -> Int32 { Int32(truncatingIfNeeded: int64(column)) }

  /// The number of a row that a column holds, of the scanned row itself by default.
  ///
  /// - Parameter Table: the table that the column numbers the rows of.
  @inline(__always)
  func id<Table>(_ column: Int32 = 0) -> RowID<Table> { RowID(int64(column)) }

  func day(_ column: Int32) -> Day { Day(number: int32(column)) }

  /// The column's text, of a number its decimal spelling; empty for none.
  func text(_ column: Int32) -> String { cells[Int(column)].text }

  /// The key of an id that is stored as a number, as text, or not at all.
  @inline(__always)
  func key(_ column: Int32) -> IDKey {
    let cell = cells[Int(column)]
    if cell.isNull { return .none }
    return cell.isText ? IDKey(text: cell.bytes) : IDKey(number: cell.number)
  }

  /// The key of an app account token, its letters made small: a UUID, which companies write in
  /// capitals and Apple does not.
  @inline(__always)
  func tokenKey(_ column: Int32) -> IDKey {
    let text = cells[Int(column)].bytes
    guard text.contains(where: { $0 &- 0x41 < 26 }) else { return key(column) }
    return text.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }.withUnsafeBytes { IDKey(text: $0) }
  }

  /// A time as the 32 bits that matching keeps, in seconds since 1970; 0 for none. What lies
  /// outside 1970–2106 (a subscription that never expires) becomes the nearest time inside.
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
///   - arguments: values of the parameters; the query runs once for each list of them.
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
      { context, count, values in
        Unmanaged<RowSink>.fromOpaque(sqlite3_user_data(context)!)
          ._withUnsafeGuaranteedRef { $0.handOver(values!, count) }
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
  private let body: (ScannedRow) -> Void
  private var cells: [ScannedCell] = []

  init(_ body: @escaping (ScannedRow) -> Void) { self.body = body }

  /// Calls `body` with a row of `count` values, as SQLite hands them to a function.
  func handOver(_ values: UnsafeMutablePointer<OpaquePointer?>, _ count: Int32) {
    cells.removeAll(keepingCapacity: true)
    for index in 0..<Int(count) { cells.append(ScannedCell(values[index])) }
    cells.withUnsafeBufferPointer { body(ScannedRow(cells: $0.baseAddress!)) }
  }
}
