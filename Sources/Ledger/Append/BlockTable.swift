import Billing
import GRDB
import GRDBSQLite
import Glibc

/// A row that comes by the million: its block is a virtual table, from which SQLite takes values
/// where the reader put them, without a statement per row and without copies.
protocol BulkRow: TableRow {
  /// Made once, never changed and never freed: SQLite keeps the pointer.
  static var module: UnsafePointer<sqlite3_module> { get }
}

/// Appends whole blocks to a table with one statement: `INSERT … SELECT` from the block itself.
final class BulkInsert {
  private let feed: BlockFeed
  private let statement: RawStatement

  /// - Parameter row: any row of the file, which names the columns.
  init<Row: BulkRow>(_ db: Database, _ kind: InputKind, like row: Row) throws {
    var columns = row.columnNames
    feed = BlockFeed(columns: columns)
    let name = "block_of_\(kind.rawValue)"
    let code = sqlite3_create_module_v2(
      db.sqliteConnection, name, Row.module, Unmanaged.passRetained(feed).toOpaque(),
      { Unmanaged<BlockFeed>.fromOpaque($0!).release() })
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    if kind == .transactions, let told = columns.firstIndex(of: "told_at") {
      columns.removeSubrange(told...)
    }
    let list = columns.joined(separator: ", ")
    // Without an id in the list SQLite appends at the end instead of searching for the place.
    statement = try RawStatement(
      db, "INSERT INTO \(Row.tableName) (\(list)) SELECT \(list) FROM \(name)")
  }

  func run(_ window: BlockWindow) throws {
    feed.window = window
    defer { feed.window = BlockWindow() }
    try statement.run()
  }
}

/// What the virtual table reads at the moment.
private final class BlockFeed {
  let columns: [String]
  var window = BlockWindow()

  init(columns: [String]) { self.columns = columns }
}

/// A virtual table over the rows of one block.
private struct BlockTable {
  var base = sqlite3_vtab()
  let feed: Unmanaged<BlockFeed>
}

/// A scan over a block, first row to last.
private struct BlockCursor {
  var base = sqlite3_vtab_cursor()
  var window = BlockWindow()
  var index = 0
}

/// Gives SQLite the cell of one column.
private struct BlockCell: RowVisitor {
  let cursor: UnsafeMutablePointer<BlockCursor>
  let result: OpaquePointer?
  let wanted: Int32
  var place: Int32 = 0

  @inline(__always)
  mutating func callAsFunction(_ name: String, _ value: inout some CellValue) {
    if place == wanted { value.content.give(to: result) }
    place += 1
  }

  @inline(__always)
  mutating func callAsFunction(_ name: String, id: inout TextSlice, own: TextSlice) {
    if place == wanted { give(id, own: own) }
    place += 1
  }

  @inline(__always)
  mutating func callAsFunction(
    _ name: String, code: inout Int32, of dictionary: BlockDictionary
  ) {
    if place == wanted {
      sqlite3_result_int(result, cursor.pointee.window.id(code, of: dictionary))
    }
    place += 1
  }

  @inline(__always)
  private func give(_ id: TextSlice, own: TextSlice) {
    guard id.count > 0 else { return }
    let bytes = cursor.pointee.window.bytes(id)
    if own.count == id.count {
      let known = cursor.pointee.window.bytes(own)
      if own.start == id.start || memcmp(known.baseAddress!, bytes.baseAddress!, bytes.count) == 0 {
        return sqlite3_result_text(result, "", 0, copied)
      }
    }
    if let number = canonicalNumber(bytes) {
      sqlite3_result_int64(result, number)
    } else {
      sqlite3_result_text(
        result, bytes.baseAddress!.assumingMemoryBound(to: CChar.self), Int32(bytes.count), nil)
    }
  }
}

// MARK: - What SQLite calls

/// What a row's module says of a column, after inlining one jump to the column's line.
@inline(__always)
func giveColumn<Row: BulkRow>(
  of _: Row.Type, _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ result: OpaquePointer?,
  _ column: Int32
) -> Int32 {
  let cursor = block(cursor)
  var cell = BlockCell(cursor: cursor, result: result, wanted: column)
  let rows = cursor.pointee.window.rows!.assumingMemoryBound(to: Row.self)
  rows[cursor.pointee.index].columns(&cell)
  return SQLITE_OK
}

func blockModule(
  _ column:
    @escaping @convention(c) (
      UnsafeMutablePointer<sqlite3_vtab_cursor>?, OpaquePointer?, Int32
    ) -> Int32
) -> UnsafePointer<sqlite3_module> {
  var module = sqlite3_module()
  // Without xCreate the table exists by its name alone.
  module.xConnect = { connection, feed, _, _, result, _ in
    let feed = Unmanaged<BlockFeed>.fromOpaque(feed!)
    let columns = feed.takeUnretainedValue().columns.joined(separator: ", ")
    let code = sqlite3_declare_vtab(connection, "CREATE TABLE block (\(columns))")
    guard code == SQLITE_OK else { return code }
    let table = UnsafeMutablePointer<BlockTable>.allocate(capacity: 1)
    table.initialize(to: BlockTable(feed: feed))
    result!.pointee = UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
  }
  module.xBestIndex = { _, _ in SQLITE_OK }
  module.xDisconnect = { free($0) }
  module.xDestroy = { free($0) }
  module.xOpen = { _, result in
    let cursor = UnsafeMutablePointer<BlockCursor>.allocate(capacity: 1)
    cursor.initialize(to: BlockCursor())
    result!.pointee = UnsafeMutableRawPointer(cursor)
      .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
  }
  module.xClose = { free($0) }
  module.xFilter = { cursor, _, _, _, _ in
    let table = UnsafeMutableRawPointer(cursor!.pointee.pVtab)!
      .assumingMemoryBound(to: BlockTable.self)
    block(cursor).pointee.window = table.pointee.feed.takeUnretainedValue().window
    block(cursor).pointee.index = 0
    return SQLITE_OK
  }
  module.xNext = {
    block($0).pointee.index += 1
    return SQLITE_OK
  }
  module.xEof = { block($0).pointee.index < block($0).pointee.window.count ? 0 : 1 }
  module.xRowid = { cursor, result in
    result!.pointee = sqlite3_int64(block(cursor).pointee.index)
    return SQLITE_OK
  }
  module.xColumn = column
  let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
  pointer.initialize(to: module)
  return UnsafePointer(pointer)
}

@inline(__always)
private func block(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?)
  -> UnsafeMutablePointer<BlockCursor>
{
  UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: BlockCursor.self)
}

/// Tables and cursors hold nothing that must be released.
private func free(_ memory: UnsafeMutableRawPointer?) -> Int32 {
  memory!.deallocate()
  return SQLITE_OK
}
