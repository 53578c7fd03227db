import Billing
import GRDB
import GRDBSQLite

/// A statement of the C API, for rows by the thousand or million: a row costs what SQLite itself
/// needs for it.
struct RawStatement: ~Copyable {
  let handle: OpaquePointer
  private let connection: OpaquePointer

  /// Prepares `sql` on the connection of `db`.
  ///
  /// - Parameter values: bound to the parameters, from the first on.
  init<each Value: CellValue>(
    _ db: Database, _ sql: String, _ values: repeat each Value
  ) throws {
    guard let connection = db.sqliteConnection else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
    }
    try self.init(connection, sql)
    bind(all: repeat each values)
  }

  /// Prepares `sql` on a connection.
  init(_ connection: OpaquePointer, _ sql: String) throws {
    self.init(try Self.prepare(connection, sql), of: connection)
  }

  /// Takes over a prepared statement of a connection, which ends with this value.
  init(_ handle: OpaquePointer, of connection: OpaquePointer) {
    (self.handle, self.connection) = (handle, connection)
  }

  /// Prepares `sql`; the statement that it returns is the caller's to finalize.
  static func prepare(_ connection: OpaquePointer, _ sql: String) throws -> OpaquePointer {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v2(connection, sql, -1, &handle, nil)
    guard code == SQLITE_OK, let handle else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code),
        message: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }
    return handle
  }

  deinit { sqlite3_finalize(handle) }

  /// Moves to the next row; false at the end.
  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw failure()
    }
  }

  /// Steps to the end, and returns what `value` makes of each row that is left.
  func all<Value>(_ value: () throws -> Value) throws -> [Value] {
    var values: [Value] = []
    while try step() { values.append(try value()) }
    return values
  }

  /// Runs the statement to its end and makes it ready for other bindings.
  func run() throws {
    while try step() {}
    sqlite3_reset(handle)
  }

  /// Binds `values` to the parameters from the first on, and runs the statement to its end.
  func run<each Value: CellValue>(with values: repeat each Value) throws {
    bind(all: repeat each values)
    try run()
  }

  func reset() { sqlite3_reset(handle) }

  /// The connection's last error.
  func failure() -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
      message: String(cString: sqlite3_errmsg(connection)))
  }

  // MARK: Binding, from 1

  func bind(_ value: some CellValue, at index: Int32) {
    value.content.bind(to: handle, at: index)
  }

  /// Binds values to the parameters, from the first on.
  private func bind<each Value: CellValue>(all values: repeat each Value) {
    var index: Int32 = 0
    for value in repeat each values {
      index += 1
      bind(value, at: index)
    }
  }

  /// Binds bytes, which SQLite copies.
  func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
    sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), copied)
  }

  /// Binds bytes without a copy: they must stay where they are until the statement has run.
  func bindInPlace(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
    sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), nil)
  }

  // MARK: Reading a row, from 0

  /// The column's value as SQLite has it, valid until the next row.
  func value(_ column: Int32) -> OpaquePointer { sqlite3_column_value(handle, column) }

  var columnCount: Int32 { sqlite3_column_count(handle) }
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
  func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
  func int32(_ column: Int32) -> Int32 { sqlite3_column_int(handle, column) }
  func optionalInt64(_ column: Int32) -> Int64? { isNull(column) ? nil : int64(column) }
  func day(_ column: Int32) -> Day { Day(number: int32(column)) }
  func optionalDay(_ column: Int32) -> Day? { isNull(column) ? nil : day(column) }

  /// The column's text; empty for none.
  func text(_ column: Int32) -> String { Self.text(handle, column) }

  /// What `meaning` makes of the column's text.
  ///
  /// - Throws: `StrangeValue` where it makes nothing of it.
  func known<Value>(_ column: Int32, _ meaning: (String) -> Value?) throws -> Value {
    let text = text(column)
    guard let value = meaning(text) else { throw StrangeValue(text) }
    return value
  }

  /// The range of row numbers from that in column `first` to that in column `last`.
  ///
  /// - Throws: `StrangeValue` where the columns hold no such range.
  func rows<Number: FixedWidthInteger>(_ first: Int32, _ last: Int32) throws -> ClosedRange<Number>
  {
    let (begin, end) = (Number(exactly: int64(first)), Number(exactly: int64(last)))
    guard let begin, let end, begin <= end else {
      throw StrangeValue("rows \(int64(first)) to \(int64(last))")
    }
    return begin...end
  }

  /// The text in a column, from 0 on, of the row that a statement is on; empty for none.
  static func text(_ handle: OpaquePointer, _ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// The column's bytes, valid until the next row.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }
}
