import GRDB

/// The shape of the ledger file: numbered migrations of its tables, a list that is only ever
/// appended to, and the views (``LedgerView``), which are made anew after each migration.
enum Schema {
  /// `TOUT`: marks an SQLite file as a ledger of this program, made before pages had seals.
  static let applicationID: Int32 = 0x544F_5554
  /// `TOUS`: the same with seals, which a program that knows nothing of them must not write to.
  static let sealedID: Int32 = 0x544F_5553

  /// Each migration's statements; its number is its place, from 1, and the file's `user_version`
  /// after it.
  static let migrations: [[String]] = [
    [Self.sources, Self.facts, Self.catalogue, Self.keys],
    [Self.purchases],
    [Self.settlement, Self.subscriptions],
    [Self.closes],
    [Self.findings],
    [Self.appVersions],
    [Self.dayBoundaries],
    [Self.closeFigures],
    [Self.environments],
    [Self.findingParts],
    [Self.bank],
    [Self.closeBasis],
    [Self.answerPages],
    [Self.extras],
    [Self.secret],
    [Self.items, Self.clocks],
    [Self.appleAnswers],
    [Self.terms],
    [Self.runBasis],
    [Self.idTexts],
    [Self.recordedLists],
    [Self.resolvedSales],
    [Self.events],
    [Self.unitCounts],
    [Self.outputs],
    [Self.formerFindings],
    [Self.ratePlaces],
    [Self.taxes],
    [Self.unknownWords],
    [Self.findingUsers],
    [Self.tierCommissions],
    [Self.signatures],
    [Self.sourceMapping],
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
        guard done < version else { return .rollback }
        // A table cannot be rebuilt under a view that reads it.
        for view in LedgerView.all { try db.execute(sql: "DROP VIEW IF EXISTS \(view.name)") }
        for (index, statements) in migrations.enumerated().dropFirst(done) {
          for sql in statements { try db.execute(sql: sql) }
          try db.execute(sql: "PRAGMA user_version = \(index + 1)")
        }
        if done == 0 { try db.execute(sql: "PRAGMA application_id = \(sealedID)") }
        for view in LedgerView.all { try db.execute(sql: view.statement) }
        try db.checkForeignKeys()
        return .commit
      }
    }
  }
}
