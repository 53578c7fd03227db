import GRDB

extension Ledger {
  /// Lets superseded files count again that an import was given once more, where it was given none
  /// of the files that stand over them.
  ///
  /// - Parameters:
  ///   - again: SHA-256 of contents that the ledger had, in the order of the call.
  ///   - named: of all contents of the call.
  ///   - isKept: whether it stays so; else it is only found out.
  /// - Returns: by its SHA-256, which file each that counts again replaces.
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

  /// The number and name of the file that counts in place of a superseded one; nil where that
  /// counts itself, and where a file between them was named.
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
