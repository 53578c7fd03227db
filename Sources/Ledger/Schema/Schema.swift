import GRDB

/// The shape of the ledger file, as a list of numbered migrations that is only ever appended to.
enum Schema {
  /// `TOUT`: marks an SQLite file as a ledger of this program.
  static let applicationID: Int32 = 0x544F_5554

  /// Each migration's statements; its number is its place, from 1, and the file's `user_version`
  /// after it.
  static let migrations: [[String]] = [
    [Self.sources, Self.facts, Self.catalogue, Self.keys, Self.views]
  ]

  /// The newest version that this program reads and writes.
  static var version: Int { migrations.count }

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for (index, statements) in migrations.enumerated() {
      migrator.registerMigration(String(index + 1)) { db in
        for sql in statements { try db.execute(sql: sql) }
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
        try db.execute(sql: "PRAGMA user_version = \(index + 1)")
      }
    }
    return migrator
  }
}
