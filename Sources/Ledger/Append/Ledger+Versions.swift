import GRDB

extension Ledger {
  /// Makes superseded files that an import was given once more current again, each in place of the
  /// file that counts for it now; not where the import was also given a file that superseded it,
  /// be it by way of others.
  ///
  /// - Parameters:
  ///   - again: SHA-256 of given contents that the ledger already had, in the order given.
  ///   - named: SHA-256 of all given contents.
  ///   - isKept: whether the change is committed; else it is only found out what would change.
  /// - Returns: by the SHA-256 of each file that counts again, the name of the file it replaces.
  package func countAgain(
    _ again: [String], named: Set<String>, isKept: Bool
  ) throws -> [String: String] {
    var replaced: [String: String] = [:]
    if again.isEmpty { return replaced }
    try write { db in
      for sha256 in again {
        guard let newest = try newest(over: sha256, unless: named, db) else { continue }
        replaced[sha256] = newest.file
        try db.execute(
          sql: """
            UPDATE source SET status = 'superseded',
              superseded_by = (SELECT id FROM source WHERE sha256 = ?2)
            WHERE id = ?1
            """, arguments: [newest.id, sha256])
        try db.execute(
          sql: """
            UPDATE source SET superseded_by = NULL,
              status = CASE WHEN rejected > 0 THEN 'partial' ELSE 'current' END
            WHERE sha256 = ?
            """, arguments: [sha256])
      }
      return isKept && !replaced.isEmpty ? .commit : .rollback
    }
    return replaced
  }

  /// The number and name of the current file that superseded a file, be it by way of others; nil
  /// where nothing superseded that file, and where one of those that did is `named`.
  ///
  /// - Parameter sha256: of the superseded file.
  private func newest(
    over sha256: String, unless named: Set<String>, _ db: Database
  ) throws -> (id: Int64, file: String)? {
    let select = "SELECT n.id, n.sha256, n.superseded_by, n.file FROM source n "
    var next = try Row.fetchOne(
      db, sql: select + "JOIN source o ON n.id = o.superseded_by WHERE o.sha256 = ?",
      arguments: [sha256])
    while let newer = next, !named.contains(newer[1]) {
      guard let above = newer[2] as Int64? else { return (newer[0], newer[3]) }
      next = try Row.fetchOne(db, sql: select + "WHERE n.id = ?", arguments: [above])
    }
    return nil
  }
}
