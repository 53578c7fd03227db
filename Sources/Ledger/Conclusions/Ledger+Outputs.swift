import GRDB

extension Ledger {
  /// What SQLite files of this program have for their application's number.
  package static let applicationIDs = [Schema.applicationID] + Schema.olderIDs

  /// Whether a command wrote a file of these bytes for this ledger, or a close keeps it.
  ///
  /// - Parameter sha256: lower-case hex.
  package func wrote(_ sha256: String) throws -> Bool {
    try read { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (SELECT 1 FROM output WHERE sha256 = ?1)
            OR EXISTS (SELECT 1 FROM close_document WHERE sha256 = ?1)
          """, arguments: [sha256])!
    }
  }

  /// Keeps the digests of files that were written; those that it has stay as they are.
  ///
  /// - Throws: `LedgerError` where the ledger is in use or cannot be written.
  package func note(written digests: [String]) throws {
    try write(turn: Self.notingTurn) { db in
      for digest in digests {
        try db.execute(
          sql: "INSERT OR IGNORE INTO output VALUES (?)", arguments: [digest])
      }
      return .commit
    }
  }

  /// A file that was not noted is asked about once more: no reason to wait for an import's end.
  private static let notingTurn = 2

  /// Whether the file is a copy of this ledger, of whatever day: it has the same secret.
  package func isCopy(_ file: String) throws -> Bool {
    let own = try secret()
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try? DatabaseQueue(path: file, configuration: configuration)
    return (try? queue?.read(Self.secret)) == own
  }
}
