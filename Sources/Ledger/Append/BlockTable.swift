import Billing
import GRDB
import GRDBSQLite

/// The block that a bulk insert reads at the moment, as raw pointers that are valid while it runs.
struct BlockWindow {
  var rows: UnsafeRawPointer?
  var count = 0
  var text: UnsafeRawPointer?
  /// Ledger ids of the file's dictionary codes: terms, and on sales rows product and condition.
  var terms: UnsafePointer<Int32>?
  var products: UnsafePointer<Int32>?
  var conditions: UnsafePointer<Int32>?
}

/// Holds the window for the virtual table that `INSERT … SELECT` reads.
final class BlockFeed {
  var window = BlockWindow()
}

/// A virtual table over the rows of one block: SQLite takes the values from where the reader put
/// them, without a statement per row and without copies.
struct BlockTable {
  private var base = sqlite3_vtab()
  private var feed: Unmanaged<BlockFeed>

  /// Makes the table `name` of the kind's rows known to the connection, for as long as it is open
  /// or until `remove`.
  static func register(_ feed: BlockFeed, _ kind: InputKind, as name: String, _ db: Database) throws
  {
    let module =
      switch kind {
      case .sales: BlockModules.sales
      case .finance, .financeDetail: BlockModules.finance
      case .orders: BlockModules.orders
      case .transactions, .receipts, .notifications, .history: BlockModules.transactions
      case .payments, .subscription, .subscriptionEvent, .subscriber, .products, .tiers, .rates,
        .taxes:
        preconditionFailure("small tables have no blocks")
      }
    let code = sqlite3_create_module_v2(
      db.sqliteConnection, name, module, Unmanaged.passRetained(feed).toOpaque(),
      { Unmanaged<BlockFeed>.fromOpaque($0!).release() })
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  static func remove(_ name: String, _ db: Database) {
    sqlite3_create_module_v2(db.sqliteConnection, name, nil, nil, nil)
  }

  static let connect:
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, Int32,
      UnsafePointer<UnsafePointer<CChar>?>?,
      UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
      UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Int32 = { connection, feed, _, _, result, _ in
      let columns = (0..<13).map { "c\($0)" }.joined(separator: ", ")
      let code = sqlite3_declare_vtab(connection, "CREATE TABLE block (\(columns))")
      guard code == SQLITE_OK else { return code }
      let table = UnsafeMutablePointer<BlockTable>.allocate(capacity: 1)
      table.initialize(to: BlockTable(feed: .fromOpaque(feed!)))
      result!.pointee = UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_vtab.self)
      return SQLITE_OK
    }

  static let disconnect: @convention(c) (UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 = {
    UnsafeMutableRawPointer($0!).assumingMemoryBound(to: BlockTable.self).deallocate()
    return SQLITE_OK
  }

  fileprivate static func window(of table: UnsafeMutablePointer<sqlite3_vtab>) -> BlockWindow {
    UnsafeMutableRawPointer(table).assumingMemoryBound(to: BlockTable.self)
      .pointee.feed.takeUnretainedValue().window
  }

  private init(feed: Unmanaged<BlockFeed>) { self.feed = feed }
}

/// A scan over a block, first row to last.
struct BlockCursor {
  private var base = sqlite3_vtab_cursor()
  private(set) var window = BlockWindow()
  private(set) var index = 0

  /// The row that the cursor is on.
  @inline(__always)
  func row<Row>(_: Row.Type) -> UnsafePointer<Row> {
    window.rows!.assumingMemoryBound(to: Row.self) + index
  }

  @inline(__always)
  static func at(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?)
    -> UnsafeMutablePointer<BlockCursor>
  {
    UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: BlockCursor.self)
  }

  static let open:
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vtab>?,
      UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
    ) -> Int32 = { _, result in
      let cursor = UnsafeMutablePointer<BlockCursor>.allocate(capacity: 1)
      cursor.initialize(to: BlockCursor())
      result!.pointee = UnsafeMutableRawPointer(cursor)
        .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }

  static let close: @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 = {
    at($0).deallocate()
    return SQLITE_OK
  }

  static let filter:
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vtab_cursor>?, Int32, UnsafePointer<CChar>?, Int32,
      UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32 = { cursor, _, _, _, _ in
      at(cursor).pointee.window = BlockTable.window(of: cursor!.pointee.pVtab)
      at(cursor).pointee.index = 0
      return SQLITE_OK
    }

  static let next: @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 = {
    at($0).pointee.index += 1
    return SQLITE_OK
  }

  static let isAtEnd: @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 = {
    at($0).pointee.index < at($0).pointee.window.count ? 0 : 1
  }

  static let rowID:
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vtab_cursor>?, UnsafeMutablePointer<sqlite3_int64>?
    ) -> Int32 = { cursor, result in
      result!.pointee = sqlite3_int64(at(cursor).pointee.index)
      return SQLITE_OK
    }
}
