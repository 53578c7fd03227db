import GRDB
import GRDBSQLite
import Glibc

/// What a statement of a connection sees of a small table: a value for each of its rows, by their
/// numbers, as SQLite worked it out.
final class ListedValues {
  /// Values of the connection's own, by number; nil where there is no row.
  private var values: [OpaquePointer?] = []

  init(_ connection: OpaquePointer, _ expression: String, of table: String) throws {
    let select = try BlockModule.prepare(
      connection, "SELECT t.id, \(expression) FROM \(table) t ORDER BY t.id")
    while try select.step() {
      // Rows are numbered from 1 without gaps, but for files that were forgotten.
      let number = Int(select.int64(0))
      guard number >= 0, number < values.count + 1_000_000 else {
        throw DatabaseError(resultCode: .damaged, message: "\(table) has the row \(number)")
      }
      while values.count <= number { values.append(nil) }
      values[number] = sqlite3_value_dup(select.value(1))
    }
  }

  deinit { for case let value? in values { sqlite3_value_free(value) } }

  /// Numbers of rows, and one behind them that has no row.
  var count: Int { values.count + 1 }

  /// Whether a row's value stands before another's, as SQLite sorts: nothing, numbers, texts,
  /// bytes. Nil where they are the same.
  func isBefore(_ one: Int, _ other: Int) -> Bool? {
    let (one, other) = (value(one), value(other))
    let kinds = (Self.kind(one), Self.kind(other))
    guard kinds.0 == kinds.1 else { return kinds.0 < kinds.1 }
    let order: Int
    switch kinds.0 {
    case 0: return nil
    case 1:
      let integers = (sqlite3_value_int64(one), sqlite3_value_int64(other))
      let numbers = (sqlite3_value_double(one), sqlite3_value_double(other))
      order =
        numbers.0 != numbers.1
        ? (numbers.0 < numbers.1 ? -1 : 1)
        : integers.0 == integers.1 ? 0 : integers.0 < integers.1 ? -1 : 1
    default:
      let counts = (Int(sqlite3_value_bytes(one)), Int(sqlite3_value_bytes(other)))
      let common = min(counts.0, counts.1)
      let same =
        common == 0
        ? 0 : memcmp(sqlite3_value_blob(one), sqlite3_value_blob(other), common)
      order = same == 0 ? (counts.0 - counts.1).signum() : Int(same)
    }
    return order == 0 ? nil : order < 0
  }

  private func value(_ number: Int) -> OpaquePointer? {
    values.indices.contains(number) ? values[number] : nil
  }

  private static func kind(_ value: OpaquePointer?) -> Int {
    switch value.map(sqlite3_value_type) ?? SQLITE_NULL {
    case SQLITE_NULL: 0
    case SQLITE_INTEGER, SQLITE_FLOAT: 1
    case SQLITE_TEXT: 2
    default: 3
    }
  }

  func show(_ number: Int64, to context: OpaquePointer) {
    guard number >= 0, number < values.count, let value = values[Int(number)] else {
      return sqlite3_result_null(context)
    }
    sqlite3_result_value(context, value)
  }

  func text(_ number: Int64) -> UnsafeRawBufferPointer? {
    guard number >= 0, number < values.count, let value = values[Int(number)],
      let text = sqlite3_value_text(value)
    else { return nil }
    return UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
  }
}

extension ScannedCell {
  func show(to context: OpaquePointer) {
    if isNull { return sqlite3_result_null(context) }
    guard isText else { return sqlite3_result_int64(context, number) }
    give(text: bytes, to: context)
  }

  /// Shows an id as text, whatever it is stored as.
  func showText(to context: OpaquePointer) {
    if isNull || isText { return show(to: context) }
    var text = String(number)
    text.withUTF8 { give(text: UnsafeRawBufferPointer($0), to: context) }
  }
}

/// Hands a text to SQLite, which copies it.
func give(text bytes: UnsafeRawBufferPointer, to context: OpaquePointer) {
  guard let start = bytes.baseAddress else {
    return sqlite3_result_text(context, "", 0, nil)
  }
  sqlite3_result_text(
    context, start.assumingMemoryBound(to: CChar.self), Int32(bytes.count), copied)
}
