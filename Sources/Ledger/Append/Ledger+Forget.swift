package import Billing
import GRDB

/// What taking a file out of the ledger came to.
package enum ForgetOutcome: Hashable, Sendable {
  /// It is gone; the older report that counts again in its place, as given, and whether it is one
  /// of those that were fetched, which is to be imported again then.
  case forgotten(InputFile, restored: String?, isFetched: Bool)
  /// A close in force was made when it was there.
  case closed(InputFile)
  /// So many files have that name or digest: none, or several.
  case unclear(Int)
}

extension Ledger {
  /// Takes a file out again, with all that was read from it, in one transaction.
  ///
  /// - Parameters:
  ///   - name: its name as given, or the begin of its digest.
  ///   - lastClosed: the newest file that a close in force was made with.
  package func forget(_ name: String, lastClosed: Int64) throws -> ForgetOutcome {
    var outcome = ForgetOutcome.unclear(0)
    try write(patience: 600) { db in
      let found = try Row.fetchAll(
        db,
        sql: """
          SELECT id, sha256, superseded_by FROM source
          WHERE file = :name OR (length(:name) >= 8 AND substr(sha256, 1, length(:name)) = :name)
          """, arguments: ["name": name])
      guard found.count == 1, let source = found.first else {
        outcome = .unclear(found.count)
        return .rollback
      }
      let (id, digest): (Int64, String) = (source[0], source[1])
      guard let input = try inputs(db).first(where: { $0.sha256 == digest }) else {
        outcome = .unclear(0)
        return .rollback
      }
      guard id > lastClosed else {
        outcome = .closed(input)
        return .rollback
      }
      let restored = try Self.uncover(id, by: source[2], db)
      // What a run said of rows names them by numbers that others may get.
      if [.orders, .transactions].contains(input.kind.tables) {
        for table in [BlockTables.resolved.table.blocks, "finding_sale_terms"] {
          try db.execute(sql: "DELETE FROM \(table)")
        }
      }
      for table in try Self.tablesByFile(db) {
        try db.execute(sql: "DELETE FROM \(table) WHERE source_id = ?", arguments: [id])
      }
      try db.execute(sql: "DELETE FROM source WHERE id = ?", arguments: [id])
      try db.execute(
        sql: "UPDATE apple_file SET is_imported = 0 WHERE path = ?", arguments: [input.file])
      outcome = .forgotten(input, restored: restored, isFetched: db.changesCount > 0)
      return .commit
    }
    return outcome
  }

  /// The names of the ledger's tables whose rows name the file that they were imported from.
  static func tablesByFile(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
        WHERE m.type = 'table' AND c.name = 'source_id' ORDER BY m.name
        """
    ).filter { Schema.ownTables.contains($0) && $0 != BlockTables.resolved.table.blocks }
  }

  /// Undoes that a file, which is about to be forgotten, superseded others: where the file counts,
  /// the newest report that it superseded counts again; else `newer` supersedes them from now on.
  ///
  /// - Parameters:
  ///   - id: the file's number.
  ///   - newer: the number of the file that superseded it; nil where it counts.
  /// - Returns: the name of the report that counts again; nil for none.
  private static func uncover(_ id: Int64, by newer: Int64?, _ db: Database) throws -> String? {
    if let newer {
      try db.execute(
        sql: "UPDATE source SET superseded_by = ? WHERE superseded_by = ?", arguments: [newer, id])
      return nil
    }
    // Of several that it stands over by now, the one imported last counts.
    let row = try Row.fetchOne(
      db, sql: "SELECT id, file FROM source WHERE superseded_by = ? ORDER BY id DESC",
      arguments: [id])
    guard let row else { return nil }
    let older: Int64 = row[0]
    try db.execute(
      sql: """
        UPDATE source SET superseded_by = NULL,
          status = CASE WHEN rejected > 0 THEN 'partial' ELSE 'current' END
        WHERE id = ?
        """, arguments: [older])
    try db.execute(
      sql: "UPDATE source SET superseded_by = ? WHERE superseded_by = ?", arguments: [older, id])
    return row[1]
  }
}
