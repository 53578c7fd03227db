import GRDBSQLite

/// A row as SQLite hands it over, valid until the next one.
package struct LedgerRow {
  package enum Kind: Sendable { case null, integer, real, text, bytes }

  let handle: OpaquePointer

  package func kind(_ column: Int) -> Kind {
    switch sqlite3_column_type(handle, Int32(column)) {
    case SQLITE_NULL: .null
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    default: .bytes
    }
  }

  package func int64(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

  /// The column's text, of a number its decimal spelling, valid until the next row; nil for none.
  package func text(_ column: Int) -> UnsafeRawBufferPointer? {
    guard let bytes = sqlite3_column_text(handle, Int32(column)) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return UnsafeRawBufferPointer(start: bytes, count: count)
  }

  /// The column's bytes, valid until the next row.
  package func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, Int32(column))
    return UnsafeRawBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
  }
}
