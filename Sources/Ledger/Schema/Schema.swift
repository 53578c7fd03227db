import GRDB

/// The shape of the ledger file: ordinary tables, and a table of blocks for each kind of rows that
/// files bring. Nothing in it needs this program: other programs can list, copy and dump it.
enum Schema {
  /// `TOUT`: says to other programs whose file it is.
  static let applicationID: Int32 = 0x544F_5554
  /// What ledgers have that were made before rows lay in blocks.
  static let olderIDs: [Int32] = [applicationID, 0x544F_5553]

  /// The version that this program reads and writes. Those below 34 were made of migrations.
  static let version = 35

  /// What the file says of itself; unlike what its first page says, every copy has it.
  private static let ledger = """
    CREATE TABLE ledger (version INTEGER NOT NULL) STRICT;
    INSERT INTO ledger VALUES (\(version));
    """

  private static let blocks = BlockTables.allCases.map(\.table.statement).joined(separator: "\n")

  private static let statements = [
    ledger, TableDigests.statement, sources, blocks, terms, coinTerms, closes, findings, requests,
  ]

  /// The tables of this version; others in the file are somebody else's.
  static let ownTables: Set<String> = {
    let parts = statements.joined(separator: "\n").split(separator: "CREATE TABLE ").dropFirst()
    return Set(parts.map { String($0.prefix { $0 != " " }) })
  }()

  /// The tables that people and programs could have written row by row, ascending by name: not
  /// those of blocks, of digests and of sorted ids.
  static var ordinaryTables: [String] {
    ownTables.subtracting(
      BlockTables.allCases.map(\.table.blocks) + ["ledger", "table_digest", "id_run", "id_page"]
    ).sorted()
  }

  /// The version of the ledger that a file is; nil where it is none.
  static func version(_ db: Database) throws -> Int? {
    // GRDB would remember the answer of an empty file.
    let table = """
      SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = 'ledger' COLLATE NOCASE
      """
    guard try Int.fetchOne(db, sql: table) != nil else { return nil }
    return try Int.fetchOne(db, sql: "SELECT version FROM main.ledger")
  }

  /// Makes a ledger of an empty file in one transaction; another process may have done it since the
  /// caller looked.
  static func make(_ queue: DatabaseQueue) throws {
    try queue.writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0 else {
          return .rollback
        }
        for sql in statements { try db.execute(sql: sql) }
        try db.execute(
          sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
        try TableDigests.note(db)
        return .commit
      }
    }
  }
}
