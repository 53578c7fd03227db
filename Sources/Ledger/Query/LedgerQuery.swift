import Billing
import GRDB
import GRDBSQLite

/// Why a query was not run.
package enum QueryError: Error, Hashable, Sendable {
  /// It holds no statement.
  case empty
  /// It holds more than one statement.
  case several
  /// It would change something, open another file, or set something of the connection.
  case writes
  /// It ran longer than these seconds.
  case tooLong(seconds: Int)
  /// SQLite needed more memory than this.
  case tooLarge(megabytes: Int)
  /// SQLite does not understand it, or stopped in it.
  case refused(String)
}

/// What a query may use; 0 is no limit.
package struct QueryLimits: Sendable {
  package var seconds: Int
  /// Of all that SQLite holds in the process.
  package var megabytes: Int

  /// Sets the limits; 0 is no limit.
  package init(seconds: Int = 0, megabytes: Int = 0) {
    self.seconds = seconds
    self.megabytes = megabytes
  }
}

/// A connection of its own on which somebody's SQL runs; it can only read.
///
/// With a mask, columns of user ids and of the tokens that stand for users are hidden: the views
/// give the masked text, the tables null, and rows that were not understood have no text. That
/// keeps ids out of what is handed on; it is no lock, since whoever has the file can read it
/// without this program.
package final class LedgerQuery {
  package typealias Mask = (String) -> String

  private static let masked: Set<String> = [
    "user_id", "user_text", "user_figures", "resolved_user", "matched_user", "app_account_token",
    "app_transaction_id",
  ]
  /// What was said of rows that were not understood; what it quotes of them is left out.
  private static let quoting = "message"
  /// Whole rows of files, in which users may stand anywhere: left out with a mask.
  private static let withheld = "raw_text"
  private let path: String
  private let connection: OpaquePointer
  private let guardian: QueryGuard
  private let limits: QueryLimits
  private var stopwatch = Stopwatch()

  /// Opens a connection that can only read, with the ledger's views.
  ///
  /// - Parameter mask: what stands for a user's id or token; nil where they are shown.
  /// - Throws: `LedgerError`.
  package convenience init(
    path: String, mask: Mask? = nil, limits: QueryLimits = QueryLimits()
  ) throws {
    try self.init(path: path, opening: path, SQLITE_OPEN_READONLY, mask, limits)
    try makeViews()
    sqlite3_set_authorizer(
      connection,
      { context, action, first, second, _, view in
        let guardian = Unmanaged<QueryGuard>.fromOpaque(context!).takeUnretainedValue()
        return guardian.verdict(
          action, first.map { String(cString: $0) }, second.map { String(cString: $0) },
          within: view.map { String(cString: $0) })
      }, Unmanaged.passUnretained(guardian).toOpaque())
  }

  /// Opens a connection, once the ledger at `path` was found sound.
  ///
  /// - Parameters:
  ///   - file: what the connection opens: the ledger, or another file beside it.
  ///   - flags: of `sqlite3_open_v2`.
  private init(
    path: String, opening file: String, _ flags: Int32, _ mask: Mask?, _ limits: QueryLimits
  ) throws {
    // Says what is wrong with the file, and rolls back what a killed process left.
    _ = try Ledger(path: path, mode: .snapshot())
    self.path = path
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(file, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle else {
      sqlite3_close_v2(handle)
      throw LedgerError.unreadable(path: file, detail: String(cString: sqlite3_errstr(code)))
    }
    connection = handle
    guardian = QueryGuard(mask)
    self.limits = limits
    // Sorting leaves no file behind, and is bounded with all else.
    sqlite3_exec(connection, "PRAGMA temp_store = MEMORY", nil, nil, nil)
    sqlite3_busy_timeout(connection, 1000)
    do { try BlockModule.install(connection) } catch let error as DatabaseError {
      throw LedgerError(error, path: path)
    }
    if mask != nil { addMasks() }
  }

  deinit { sqlite3_close_v2(connection) }

  /// Writes what each view of the ledger shows to a new SQLite file, as a plain table of the view's
  /// name: for programs that know nothing of blocks.
  ///
  /// - Parameter file: of a file that is not there.
  /// - Throws: `LedgerError`, ``QueryError``.
  package static func writePlainTables(
    of path: String, to file: String, mask: Mask? = nil
  ) throws {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let query = try LedgerQuery(path: path, opening: file, flags, mask, QueryLimits())
    // It is made anew where it breaks off: nothing of it need be safe before all of it is.
    try query.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    try query.execute("ATTACH '\(path.replacing("'", with: "''"))' AS ledger; BEGIN")
    try query.makeViews()
    for view in LedgerView.all {
      try query.execute("CREATE TABLE main.\(view.name) AS SELECT * FROM temp.\(view.name)")
    }
    try query.execute("COMMIT")
  }

  /// Runs statements that give no rows.
  private func execute(_ sql: String) throws {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  /// Runs one statement and hands over the names of its columns, then each row.
  ///
  /// - Throws: ``QueryError``, and what the closures throw.
  package func run(
    _ sql: String, columns: ([String]) throws -> Void, row: (LedgerRow) throws -> Void
  ) throws {
    beginLimits()
    defer { endLimits() }
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    try columns(
      (0..<sqlite3_column_count(statement)).map {
        sqlite3_column_name(statement, $0).map { String(cString: $0) } ?? ""
      })
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: try row(LedgerRow(handle: statement))
      case SQLITE_DONE: return
      default: throw failure
      }
    }
  }

  /// When a query must end.
  private struct Stopwatch {
    var deadline = ContinuousClock.now
    var hasRung = false
  }

  /// Sets the limits of memory and time for the statement that follows.
  private func beginLimits() {
    if limits.megabytes > 0 { sqlite3_hard_heap_limit64(Int64(limits.megabytes) << 20) }
    guard limits.seconds > 0 else { return }
    stopwatch = Stopwatch(deadline: .now + .seconds(limits.seconds))
    sqlite3_progress_handler(
      connection, 10_000,
      { context in
        let query = Unmanaged<LedgerQuery>.fromOpaque(context!).takeUnretainedValue()
        if ContinuousClock.now > query.stopwatch.deadline { query.stopwatch.hasRung = true }
        return query.stopwatch.hasRung ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Takes the limits of memory and time away again.
  private func endLimits() {
    if limits.megabytes > 0 { sqlite3_hard_heap_limit64(0) }
    sqlite3_progress_handler(connection, 0, nil, nil)
  }

  /// The error of the statement that just failed: its own fault, or the ledger's.
  private var failure: any Error {
    let code = sqlite3_extended_errcode(connection)
    if stopwatch.hasRung { return QueryError.tooLong(seconds: limits.seconds) }
    if code & 0xFF == SQLITE_NOMEM { return QueryError.tooLarge(megabytes: limits.megabytes) }
    guard [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR].contains(code & 0xFF) else {
      return QueryError.refused(message)
    }
    let error = DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    return LedgerError(error, path: path)
  }

  private var message: String { String(cString: sqlite3_errmsg(connection)) }

  /// Prepares the only statement of `sql`, which reads; it is the caller's to finalize.
  private func prepare(_ sql: String) throws -> OpaquePointer {
    var found: OpaquePointer?
    do {
      try sql.withCString { text in
        var next: UnsafePointer<CChar>? = text
        while let start = next, start.pointee != 0 {
          var statement: OpaquePointer?
          guardian.refused = false
          let code = sqlite3_prepare_v2(connection, start, -1, &statement, &next)
          guard code == SQLITE_OK else {
            // Of rows in blocks SQLite itself says so.
            let writes = guardian.refused || message.hasSuffix("may not be modified")
            throw writes ? QueryError.writes : failure
          }
          // What is only space or a comment is no statement.
          guard let statement else { continue }
          guard found == nil else {
            sqlite3_finalize(statement)
            throw QueryError.several
          }
          found = statement
        }
      }
      guard let found else { throw QueryError.empty }
      guard sqlite3_stmt_readonly(found) != 0 else { throw QueryError.writes }
      return found
    } catch {
      sqlite3_finalize(found)
      throw error
    }
  }

  /// Whether a mask hides a column.
  ///
  /// - Parameter column: its name in a table or view; a derived column that rows have for a view is
  ///   judged by the name of the view's column.
  private static func isHidden(_ column: String) -> Bool {
    let name =
      column.hasPrefix(ViewRows.prefix) ? column.dropFirst(ViewRows.prefix.count) : column[...]
    return masked.contains(String(name)) || name == quoting
  }

  /// Gives the connection the functions by which views hide users: `without_quoted`, which takes
  /// quoted values out of a message, and `mask_user`.
  private func addMasks() {
    sqlite3_create_function_v2(
      connection, "without_quoted", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, values in
        guard let value = values?[0], let text = sqlite3_value_text(value) else {
          return sqlite3_result_null(context)
        }
        sqlite3_result_text(context, Wording.withoutQuoted(String(cString: text)), -1, copied)
      }, nil, nil, nil)
    sqlite3_create_function_v2(
      connection, "mask_user", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
      Unmanaged.passUnretained(guardian).toOpaque(),
      { context, _, values in
        let guardian = Unmanaged<QueryGuard>.fromOpaque(sqlite3_user_data(context)!)
          .takeUnretainedValue()
        guard let value = values?[0], let text = sqlite3_value_text(value) else {
          return sqlite3_result_null(context)
        }
        sqlite3_result_text(context, guardian.mask(String(cString: text)), -1, copied)
      }, nil, nil, nil)
  }

  /// Makes the ledger's views for this connection, masked where users are to be hidden.
  private func makeViews() throws {
    for view in LedgerView.all {
      let list = view.columns.map(\.name).map { column in
        switch column {
        case Self.withheld: "NULL AS \(column)"
        case Self.quoting: "without_quoted(\(column)) AS \(column)"
        case _ where Self.masked.contains(column): "mask_user(\(column)) AS \(column)"
        default: "\"\(column)\""
        }
      }
      // A view that is read as it is gives nothing of what a table hides.
      let hides = view.columns.contains { Self.isHidden($0.name) || $0.name == Self.withheld }
      guard guardian.isMasking, hides else {
        try execute("CREATE TEMP VIEW \(view.name) AS \(view.select)")
        continue
      }
      // What a view reads is told from what a statement reads by the view's name.
      let unmasked = "unmasked_\(view.name)"
      try execute("CREATE TEMP VIEW \(unmasked) AS \(view.select)")
      guardian.views.insert(unmasked)
      guardian.masked.insert(view.name)
      let columns = list.joined(separator: ", ")
      try execute("CREATE TEMP VIEW \(view.name) AS SELECT \(columns) FROM \(unmasked)")
      guardian.views.insert(view.name)
    }
  }

  /// What statements may do.
  private final class QueryGuard {
    private let masking: Mask?
    var views: Set<String> = []
    /// Views that show users as the mask has them.
    var masked: Set<String> = []
    /// Whether the statement being prepared asked for something that it may not do.
    var refused = false

    init(_ mask: Mask?) { masking = mask }

    var isMasking: Bool { masking != nil }

    /// What the mask makes of a user's id or token; an empty one stays.
    func mask(_ text: String) -> String {
      guard !text.isEmpty else { return text }
      return masking?(text) ?? text
    }

    /// SQLite's code for whether a statement may do something: it may, it is given NULL instead, or
    /// it is refused.
    ///
    /// - Parameters:
    ///   - action: SQLite's code for what it does.
    ///   - first: what it is done to, of reads the table or view.
    ///   - second: of reads the column.
    ///   - view: the view for whose sake it is done; nil where the statement itself does it.
    func verdict(
      _ action: Int32, _ first: String?, _ second: String?, within view: String?
    ) -> Int32 {
      switch action {
      case SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_RECURSIVE: return SQLITE_OK
      case SQLITE_READ:
        // The checksums of blocks begin with it; nothing else may know it.
        if first == "ledger_secret", !BlockModule.isReading { return SQLITE_IGNORE }
        // Blocks have users among their bytes.
        if masking != nil, second == "content", !BlockModule.isReading { return SQLITE_IGNORE }
        if masking != nil, second == LedgerQuery.withheld { return SQLITE_IGNORE }
        guard masking != nil, let second, LedgerQuery.isHidden(second), !BlockModule.isReading
        else { return SQLITE_OK }
        // A masked view is the connection's own; a table gives null.
        let isMasked = view.map(views.contains) == true || masked.contains(first ?? "")
        return isMasked ? SQLITE_OK : SQLITE_IGNORE
      case SQLITE_PRAGMA where Self.pragmas.contains(first ?? ""): return SQLITE_OK
      // A function that gives rows makes its shape known so, once; nothing is stored.
      case SQLITE_UPDATE where first == "sqlite_master": return SQLITE_OK
      default:
        refused = true
        return SQLITE_DENY
      }
    }

    /// Those that only tell the shape of the ledger.
    private static let pragmas: Set<String> = [
      "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
      "foreign_key_list", "database_list", "user_version", "application_id",
    ]
  }
}
