import Billing
import GRDB
import GRDBSQLite
import Glibc

extension Ledger {
  /// Makes a ledger of this version from one of 0.2.0 or later, which is only read, by SQL:
  /// files, rows, closes, remarks, requests, and what runs recorded, under the numbers that they
  /// had.
  ///
  /// - Parameter path: of a file that is not there.
  /// - Throws: `LedgerError`; what is at `path` then is of no use.
  package static func upgrade(_ older: String, to path: String) throws {
    do {
      var configuration = Configuration()
      configuration.readonly = true
      let old = try DatabaseQueue(path: older, configuration: configuration)
      if let version = try old.read(Schema.version) {
        if version == 34 { return try extend(old, to: path) }
        throw version == Schema.version
          ? LedgerError.current(path: older, version: version)
          : version < Schema.version
            ? LedgerError.older(path: older, version: version)
            : LedgerError.newer(path: older, version: version, supported: Schema.version)
      }
      guard let version = try old.read({ try Schema.older($0) }) else {
        throw LedgerError.corrupt(path: older, detail: "")
      }
      guard Schema.upgradable.contains(version) else {
        throw LedgerError.older(path: older, version: version)
      }
      let ledger = try Ledger(path: path, mode: .readWrite)
      defer { ledger.close() }
      try old.read { old in
        try ledger.write { db in
          try Upgrade(old, db).run()
          return .commit
        }
      }
    } catch let error as DatabaseError {
      throw LedgerError(error, path: older)
    }
  }
}

extension Ledger {
  /// Copies a ledger of version 34, whose rows lie in blocks as they do now, to a file at `path`,
  /// and adds what it lacks.
  private static func extend(_ old: DatabaseQueue, to path: String) throws {
    // Nobody else may read it, as nobody may read the old one.
    let created = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if created >= 0 { Glibc.close(created) }
    try old.writeWithoutTransaction { db in
      try db.execute(sql: "VACUUM INTO ?", arguments: [path])
    }
    let new = try DatabaseQueue(path: path)
    defer { try? new.close() }
    try new.writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        try db.execute(sql: Schema.sinceVersion34.blocks)
        try TableDigests.check(db)
        try db.execute(sql: Schema.sinceVersion34.terms)
        for check in TermsCheck.all { try check.renew(db) }
        try db.execute(
          sql: """
            UPDATE ledger SET version = \(Schema.version);
            DELETE FROM table_digest;
            PRAGMA application_id = \(Schema.applicationID);
            PRAGMA user_version = \(Schema.version);
            """)
        try TableDigests.note(db)
        return .commit
      }
    }
  }
}

extension Schema {
  /// Versions that can be read once more: from 0.2.0 on.
  static let upgradable = 24...33

  /// The version of a ledger whose rows do not lie in blocks; nil for any other file.
  static func older(_ db: Database) throws -> Int? {
    let id = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard olderIDs.contains(id), version > 0, version < Self.version else { return nil }
    return try db.tableExists("source") ? version : nil
  }
}

/// Reads an older ledger into a new one.
private struct Upgrade {
  let old: Database
  let db: Database
  let blocks: BlockAppender

  /// Prepares to copy the ledger `old` into the new ledger `db`.
  init(_ old: Database, _ db: Database) {
    (self.old, self.db) = (old, db)
    blocks = BlockAppender(db)
  }

  /// Copies everything that the older ledger has, the ordinary tables first.
  func run() throws {
    // One row may name another that comes later.
    try db.execute(sql: "PRAGMA defer_foreign_keys = ON; DELETE FROM ledger_secret")
    for table in Schema.ordinaryTables { try copy(table) }
    for check in TermsCheck.all { try check.renew(db) }
    try Ledger.renewFindingDigests(db)
    for tables in BlockTables.allCases { try append(tables) }
    try copyRuns()
    let all = (BlockTables.allCases.filter { $0 != .resolved }.map(\.table.blocks) + ["id_run"])
      .map { "SELECT source_id FROM \($0)" }.joined(separator: " UNION ALL ")
    try db.execute(
      sql: """
        CREATE TEMP TABLE brought AS
          SELECT source_id AS id, count(*) AS blocks FROM (\(all)) GROUP BY source_id;
        UPDATE source SET blocks = (SELECT b.blocks FROM brought b WHERE b.id = source.id)
          WHERE id IN (SELECT id FROM brought);
        DROP TABLE brought;
        """)
  }

  /// Copies the rows of an ordinary table. In columns that the old ledger lacks, they get the
  /// column's default, and 0 in `digest` and `blocks`.
  private func copy(_ table: String) throws {
    let (oldColumns, newColumns) = try (columns(of: table, old), columns(of: table, db))
    if oldColumns.isEmpty { return }
    var common = newColumns.filter(oldColumns.contains)
    var values = common.map { "\"\($0)\"" }
    for late in ["digest", "blocks"] where newColumns.contains(late) && !oldColumns.contains(late) {
      common.append(late)
      values.append("0")
    }
    let select = try RawStatement(
      old, "SELECT \(values.joined(separator: ", ")) FROM \"\(table)\" ORDER BY 1")
    let list = common.map { "\"\($0)\"" }.joined(separator: ", ")
    let places = common.map { _ in "?" }.joined(separator: ", ")
    let insert = try RawStatement(db, "INSERT INTO \"\(table)\" (\(list)) VALUES (\(places))")
    while try select.step() {
      for column in 0..<Int32(common.count) {
        sqlite3_bind_value(insert.handle, column + 1, select.value(column))
      }
      try insert.run()
    }
  }

  /// The names of a table's columns in a ledger, in their order; none where it has no such table.
  private func columns(of table: String, _ db: Database) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_info(?) ORDER BY cid", arguments: [table])
  }

  // MARK: Rows

  /// Copies a table of the old ledger into blocks of the new one. The rows of a block are of one
  /// file, or run, and where the old ledger groups a file's rows by time, of one such group.
  private func append(_ tables: BlockTables) throws {
    let table = tables.table
    let oldColumns = try columns(of: table.name, old)
    if oldColumns.isEmpty { return }
    let number = table.isSparse ? table.columns[0] : "id"
    let names = table.columns.map { $0.replacing("\"", with: "") }
    let values = names.map { oldColumns.contains($0) ? "r.\"\($0)\"" : Self.missing($0) }
    let groups = try RawStatement(old, Self.groups(table, oldColumns))
    let select = try RawStatement(
      old,
      """
      SELECT r.\(number), \(values.joined(separator: ", ")) FROM \(table.name) r
      WHERE r.\(number) BETWEEN ? AND ?\(oldColumns.contains("run_id") ? " AND r.run_id = ?" : "")
      ORDER BY r.\(number)\(oldColumns.contains("place") ? ", r.place" : "")
      """)
    while try groups.step() {
      select.reset()
      select.bind(groups.int64(1), at: 1)
      select.bind(groups.int64(2), at: 2)
      if oldColumns.contains("run_id") { select.bind(groups.int64(0), at: 3) }
      try append(select, to: tables, source: groups.int64(0), columns: names.count)
    }
  }

  /// The SQL of what a row has in a column that its table got later.
  private static func missing(_ column: String) -> String {
    switch column {
    case "places": "6"
    case "payer", "coin": "''"
    default: "NULL"
    }
  }

  /// The SQL that selects which rows go into blocks together: the number of their file, or run, the
  /// first row and the last.
  ///
  /// - Parameter oldColumns: the columns of the table in the old ledger.
  private static func groups(_ table: BlockTable, _ oldColumns: [String]) -> String {
    if oldColumns.contains("run_id") {
      return "SELECT run_id, min(id), max(id) FROM \(table.name) GROUP BY run_id ORDER BY 2"
    }
    let kinds = InputKind.sharing(table: table.name).map { "'\($0.rawValue)'" }
      .joined(separator: ", ")
    let batches = """
      SELECT source_id, first_row, last_row FROM batch
      WHERE kind IN (\(Self.batches(of: table))) ORDER BY first_row
      """
    if !Self.batches(of: table).isEmpty { return batches }
    if oldColumns.contains("source_id") {
      return """
        SELECT source_id, min(id), max(id) FROM \(table.name) GROUP BY source_id ORDER BY 2
        """
    }
    let files =
      table.isSparse ? "'receipts', 'notifications', 'history', 'transactions'" : kinds
    return """
      SELECT id, first_row, last_row FROM source
      WHERE first_row IS NOT NULL AND kind IN (\(files)) ORDER BY first_row
      """
  }

  /// The kinds, as SQL lists them, under which the old ledger has runs of the table's rows that a
  /// period finds by their times; empty for none.
  private static func batches(of table: BlockTable) -> String {
    switch table.name {
    case SalesRow.tableName: "'sales'"
    case OrderRow.tableName: "'orders'"
    case TransactionRow.tableName: "'transactions', 'purchases'"
    case PurchaseEventRow.tableName: "'events'"
    case PurchaseCountRow.tableName: "'unit_counts'"
    case RenewalRow.tableName: "'renewals'"
    default: ""
    }
  }

  /// Appends the rows that a statement gives, a number and then the columns of each, as blocks.
  ///
  /// - Parameters:
  ///   - source: the number of their file, or run.
  ///   - columns: how many there are after the number.
  private func append(
    _ select: borrowing RawStatement, to tables: BlockTables, source: Int64, columns: Int
  ) throws {
    var rows = OlderRows(columns: columns)
    var first: Int64 = 0
    /// Appends the rows that were gathered as a block.
    func flush() throws {
      if rows.count == 0 { return }
      try blocks.append(
        rows: rows.count, to: tables, source: source,
        from: tables.table.isSparse ? nil : first
      ) { rows.cell($0, $1) }
      rows = OlderRows(columns: columns)
    }
    while try select.step() {
      let number = select.int64(0)
      // Rows of a file that was taken out again leave a gap.
      let isNext = tables.table.isSparse || number == first + Int64(rows.count)
      let isFull = rows.count >= FactBlock.rowLimit && number != rows.last
      if rows.count > 0, !isNext || isFull { try flush() }
      if rows.count == 0 { first = number }
      rows.add(select)
      rows.last = number
    }
    try flush()
  }

  // MARK: Ids

  /// Copies the runs of ids, whose pages were written otherwise.
  private func copyRuns() throws {
    let runs = try RawStatement(
      old,
      """
      SELECT key, source_id, first_at, last_at, first_page, length(fences) / 8 FROM id_run
      ORDER BY id
      """)
    let pages = try RawStatement(
      old, "SELECT entries FROM id_page WHERE id >= ? AND id < ? ORDER BY id")
    while try runs.step() {
      guard let column = IDColumn(rawValue: runs.text(0)) else { continue }
      var entries: [IDEntry] = []
      pages.reset()
      pages.bind(runs.int64(4), at: 1)
      pages.bind(runs.int64(4) + runs.int64(5), at: 2)
      while try pages.step() { entries += Self.entries(pages.bytes(0)) }
      if entries.isEmpty { continue }
      let span = runs.int64(2)...max(runs.int64(2), runs.int64(3))
      try IDRun(column: column, span: span, entries: entries).write(source: runs.int64(1), db)
    }
  }

  /// The entries of a page as older ledgers have it: all keys (8 bytes each), then all rows (4
  /// bytes each), little-endian.
  private static func entries(_ bytes: UnsafeRawBufferPointer) -> [IDEntry] {
    let count = bytes.count / 12
    return (0..<count).map { index in
      IDEntry(
        key: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)),
        row: Int32(
          littleEndian: bytes.loadUnaligned(
            fromByteOffset: count * 8 + index * 4, as: Int32.self)))
    }
  }
}

/// Rows of an older ledger, value by value, until a block is full.
private struct OlderRows {
  private enum Value {
    case nothing
    case number(Int64)
    case text(start: Int, count: Int)
  }

  private let columns: Int
  private var values: [Value] = []
  private var text: [UInt8] = [0]
  var last: Int64?

  init(columns: Int) { self.columns = columns }

  /// How many rows there are.
  var count: Int { values.count / max(columns, 1) }

  /// Adds the values of the row that a statement is on, after its number.
  mutating func add(_ row: borrowing RawStatement) {
    for column in 1...Int32(columns) {
      let cell = ScannedCell(row.handle, column)
      if cell.isNull {
        values.append(.nothing)
      } else if cell.isText {
        values.append(.text(start: text.count, count: cell.bytes.count))
        text += cell.bytes
      } else {
        values.append(.number(cell.number))
      }
    }
  }

  /// The value of a row in a column, by the index of each; valid until further rows are added.
  func cell(_ row: Int, _ column: Int) -> ScannedCell {
    switch values[row * columns + column] {
    case .nothing: .null
    case .number(let number): .integer(number)
    case .text(let start, let count):
      text.withUnsafeBytes { .text($0.baseAddress! + start, count: count) }
    }
  }
}
