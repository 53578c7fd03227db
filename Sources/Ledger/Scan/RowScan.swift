import Billing
import GRDB
import GRDBSQLite

/// One value of a row: a number, bytes of text, or nothing. A number of a record is read when it is
/// asked for: which of a row's values are numbers, and how long, changes from row to row less than
/// from column to column.
struct ScannedCell {
  /// As the record says how it is written (sqlite.org/fileformat2.html#record_format): nothing, a
  /// whole number, or a text; or a number that `place` holds.
  private let form: UInt32
  /// Of a text, in bytes.
  private let count: UInt32
  /// Where it is written.
  private let place: Int

  private static var ownForm: UInt32 { 10 }
  private static var textForm: UInt32 { 13 }

  static var null: Self { Self(form: 0, count: 0, place: 0) }

  @inline(__always)
  static func integer(_ number: Int64) -> Self {
    Self(form: ownForm, count: 0, place: Int(number))
  }

  /// - Parameters:
  ///   - form: below 128, or that of any text.
  ///   - place: behind which there are eight bytes.
  @inline(__always)
  init(form: UInt32, count: Int, at place: UnsafeRawPointer) {
    self.init(
      form: form, count: UInt32(truncatingIfNeeded: count), place: Int(bitPattern: place))
  }

  /// A value as SQLite hands it to a function.
  fileprivate init(_ value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: self = .null
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    default:
      let text = UnsafeRawPointer(sqlite3_value_text(value))
      let count = UInt32(sqlite3_value_bytes(value))
      self.init(form: Self.textForm, count: count, place: Int(bitPattern: text))
    }
  }

  private init(form: UInt32, count: UInt32, place: Int) {
    (self.form, self.count, self.place) = (form, count, place)
  }

  @inline(__always)
  var isNull: Bool { form == 0 }
  @inline(__always)
  var isText: Bool { form >= 12 }

  /// 0 for what is no number.
  @inline(__always)
  var number: Int64 {
    if form &- 1 < 6 {
      // How many bytes numbers have that are written as 1 to 6, four bits each.
      let size = 0x864_3210 as UInt32 >> (4 &* form) & 0xF
      let bytes = UnsafeRawPointer(bitPattern: place)!.loadUnaligned(as: Int64.self)
      return Int64(bigEndian: bytes) >> Int64(64 &- 8 &* size)
    }
    if form == Self.ownForm { return Int64(place) }
    return form == 9 ? 1 : 0
  }

  /// None for what is no text.
  @inline(__always)
  var bytes: UnsafeRawBufferPointer {
    isText
      ? UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: place), count: Int(count))
      : UnsafeRawBufferPointer(start: nil, count: 0)
  }
}

/// One row of a scan: its values, valid until the call that gets them returns.
struct ScannedRow {
  let cells: UnsafePointer<ScannedCell>

  @inline(__always)
  func isNull(_ column: Int32) -> Bool { cells[Int(column)].isNull }

  @inline(__always)
  func int64(_ column: Int32) -> Int64 { cells[Int(column)].number }

  @inline(__always)
  func int32(_ column: Int32) -> Int32 { Int32(truncatingIfNeeded: int64(column)) }

  /// - Parameter Table: the table that the column numbers the rows of.
  @inline(__always)
  func id<Table>(_ column: Int32 = 0) -> RowID<Table> { RowID(int64(column)) }

  func day(_ column: Int32) -> Day { Day(number: int32(column)) }

  /// The column's text, of a number its decimal spelling; empty for none.
  func text(_ column: Int32) -> String {
    let cell = cells[Int(column)]
    if cell.isText { return String(decoding: cell.bytes, as: UTF8.self) }
    return cell.isNull ? "" : String(cell.number)
  }

  /// The key of an id that is stored as a number, as text, or not at all.
  @inline(__always)
  func key(_ column: Int32) -> IDKey {
    let cell = cells[Int(column)]
    if cell.isNull { return .none }
    return cell.isText ? IDKey(text: cell.bytes) : IDKey(number: cell.number)
  }

  /// The key of an app account token: a UUID, which companies write in capitals and Apple does not.
  @inline(__always)
  func tokenKey(_ column: Int32) -> IDKey {
    let text = cells[Int(column)].bytes
    guard text.contains(where: { $0 &- 0x41 < 26 }) else { return key(column) }
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
      { context, count, values in
        Unmanaged<RowSink>.fromOpaque(sqlite3_user_data(context)!)
          ._withUnsafeGuaranteedRef { $0.take(values!, count) }
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

  func take(_ values: UnsafeMutablePointer<OpaquePointer?>, _ count: Int32) {
    cells.removeAll(keepingCapacity: true)
    for place in 0..<Int(count) { cells.append(ScannedCell(values[place])) }
    cells.withUnsafeBufferPointer { body(ScannedRow(cells: $0.baseAddress!)) }
  }
}
