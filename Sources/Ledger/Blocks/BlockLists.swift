import GRDB
import GRDBSQLite

/// What a statement of a connection sees of a small table: a value for each of its rows, by their
/// numbers, as SQLite worked it out. SQLite's own values would be copied by way of its one
/// allocator for each cell, for which threads wait.
final class ListedValues {
  private enum Value {
    case nothing
    case integer(Int64)
    case real(Double)
    /// Where a text stands among the bytes.
    case text(Place)
    case bytes(Place)
  }

  private struct Place {
    var start: UInt32
    var end: UInt32
  }

  private var values: [Value] = []
  private var bytes: [UInt8] = []

  /// Works out an SQL expression over the rows of a table, under `t`.
  init(_ connection: OpaquePointer, _ expression: String, of table: String) throws {
    let select = try BlockModule.prepare(
      connection, "SELECT t.id, \(expression) FROM \(table) t ORDER BY t.id")
    while try select.step() {
      // Rows are numbered from 1 without gaps, but for files that were forgotten.
      let number = Int(select.int64(0))
      guard number >= 0, number < values.count + 1_000_000 else {
        throw DatabaseError(resultCode: .damaged, message: "\(table) has the row \(number)")
      }
      while values.count < number { values.append(.nothing) }
      values.append(value(of: select))
    }
  }

  /// The value in the second column of the row that a statement is on.
  private func value(of select: borrowing RawStatement) -> Value {
    let value = select.value(1)
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: return .nothing
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case let type:
      let start = bytes.count
      bytes += select.bytes(1)
      let place = Place(start: UInt32(start), end: UInt32(bytes.count))
      return type == SQLITE_TEXT ? .text(place) : .bytes(place)
    }
  }

  /// How many numbers there are from 0 to that of the last row, and one more that no row has.
  var count: Int { values.count + 1 }

  /// A row's value; nothing where there is no such row.
  private func value(_ number: Int) -> Value {
    values.indices.contains(number) ? values[number] : .nothing
  }

  /// Whether a row's value stands before another's, as SQLite sorts: nothing, numbers, texts,
  /// bytes. Nil where they are the same.
  func isBefore(_ one: Int, _ other: Int) -> Bool? {
    switch (value(one), value(other)) {
    case (.nothing, .nothing): return nil
    case (.integer(let one), .integer(let other)): return one == other ? nil : one < other
    case (.text(let one), .text(let other)), (.bytes(let one), .bytes(let other)):
      return slice(at: one).elementsEqual(slice(at: other))
        ? nil : slice(at: one).lexicographicallyPrecedes(slice(at: other))
    case (let one, let other):
      let kinds = (Self.kind(one), Self.kind(other))
      guard kinds.0 == kinds.1 else { return kinds.0 < kinds.1 }
      let numbers = (Self.number(one), Self.number(other))
      return numbers.0 == numbers.1 ? nil : numbers.0 < numbers.1
    }
  }

  /// The bytes at a place.
  private func slice(at place: Place) -> ArraySlice<UInt8> {
    bytes[Int(place.start)..<Int(place.end)]
  }

  /// A row's value; nothing for one that is no whole number and no text.
  @inline(__always)
  func cell(_ number: Int64) -> ScannedCell {
    switch value(Int(truncatingIfNeeded: number)) {
    case .integer(let number): .integer(number)
    case .text(let place):
      // The list is kept as it is from its making on.
      bytes.withUnsafeBytes {
        $0.baseAddress.map { .text($0 + Int(place.start), count: Int(place.end - place.start)) }
          ?? .emptyText
      }
    case .nothing, .real, .bytes: .null
    }
  }

  /// Lends the bytes at a place to `body`.
  private func withBytes(at place: Place, _ body: (UnsafeRawBufferPointer) -> Void) {
    bytes.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[Int(place.start)..<Int(place.end)]))
    }
  }

  /// Where SQLite sorts values of this kind: nothing, numbers, texts, bytes.
  private static func kind(_ value: Value) -> Int {
    switch value {
    case .nothing: 0
    case .integer, .real: 1
    case .text: 2
    case .bytes: 3
    }
  }

  /// The value as a number; 0 for texts, bytes and nothing.
  private static func number(_ value: Value) -> Double {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .nothing, .text, .bytes: 0
    }
  }

  /// Gives SQLite a row's value.
  func show(_ number: Int64, to context: OpaquePointer) {
    switch value(Int(truncatingIfNeeded: number)) {
    case .nothing: sqlite3_result_null(context)
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    case .text(let place): withBytes(at: place) { give(text: $0, to: context) }
    case .bytes(let place):
      withBytes(at: place) { sqlite3_result_blob(context, $0.baseAddress, Int32($0.count), copied) }
    }
  }

  /// Calls `body` with a row's text, and returns true; false where it has none.
  func withText(_ number: Int64, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard case .text(let place) = value(Int(truncatingIfNeeded: number)) else { return false }
    withBytes(at: place, body)
    return true
  }
}

extension ScannedCell {
  /// Gives SQLite the value.
  func show(to context: OpaquePointer) {
    if isNull { return sqlite3_result_null(context) }
    guard isText else { return sqlite3_result_int64(context, number) }
    give(text: bytes, to: context)
  }

  /// Gives SQLite an id as text, whatever it is stored as.
  func showText(to context: OpaquePointer) {
    if isNull || isText { return show(to: context) }
    var text = String(number)
    text.withUTF8 { give(text: UnsafeRawBufferPointer($0), to: context) }
  }
}

/// Gives SQLite a text, which it copies.
func give(text bytes: UnsafeRawBufferPointer, to context: OpaquePointer) {
  guard let start = bytes.baseAddress else {
    return sqlite3_result_text(context, "", 0, nil)
  }
  sqlite3_result_text(
    context, start.assumingMemoryBound(to: CChar.self), Int32(bytes.count), copied)
}
