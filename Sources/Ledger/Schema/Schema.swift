import GRDB

/// The shape of the ledger file, as a list of numbered migrations that is only ever appended to.
enum Schema {
  /// `TOUT`: marks an SQLite file as a ledger of this program.
  static let applicationID: Int32 = 0x544F_5554

  /// Each migration's statements; its number is its place, from 1, and the file's `user_version`
  /// after it.
  static let migrations: [[String]] = [
    [Self.sources, Self.facts, Self.catalogue, Self.keys, Self.views],
    [Self.purchases, Self.purchaseViews],
    [Self.settlement, Self.settlementViews, Self.subscriptions, Self.subscriptionViews],
    [Self.closes],
    [Self.findings, Self.findingView],
    [Self.appVersions],
    [Self.cutoffs],
  ]

  /// The newest version that this program reads and writes.
  static var version: Int { migrations.count }

  /// Brings the file up to date in one transaction, so that a process killed in between leaves what
  /// was there; another process may have done it since the caller looked. (GRDB's migrator creates
  /// its own table first, in a transaction of its own, and would leave a file that is neither empty
  /// nor a ledger.)
  static func migrate(_ queue: DatabaseQueue) throws {
    try queue.writeWithoutTransaction { db in
      // A table that others refer to is rebuilt under another name; what refers to what is checked
      // before the end.
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
      try db.inTransaction(.immediate) {
        let done = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        for (index, statements) in migrations.enumerated().dropFirst(done) {
          for sql in statements { try db.execute(sql: sql) }
          try db.execute(sql: "PRAGMA application_id = \(applicationID)")
          try db.execute(sql: "PRAGMA user_version = \(index + 1)")
        }
        try db.checkForeignKeys()
        return .commit
      }
    }
  }
}
