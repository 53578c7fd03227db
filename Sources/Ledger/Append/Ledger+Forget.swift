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
          SELECT id, first_row, last_row, sha256, superseded_by FROM source
          WHERE file = :name OR (length(:name) >= 8 AND substr(sha256, 1, length(:name)) = :name)
          """, arguments: ["name": name])
      guard found.count == 1, let source = found.first else {
        outcome = .unclear(found.count)
        return .rollback
      }
      let (id, digest): (Int64, String) = (source[0], source[3])
      guard let input = try inputs(db).first(where: { $0.sha256 == digest }) else {
        outcome = .unclear(0)
        return .rollback
      }
      guard id > lastClosed else {
        outcome = .closed(input)
        return .rollback
      }
      let restored = try Self.uncover(id, by: source[4], db)
      let tables = try Self.tablesByFile(db)
      // Rows by the million do not name their file: their numbers lie between its first and last.
      if !tables.contains(input.kind.table), let first: Int64 = source[1],
        let last: Int64 = source[2]
      {
        try db.execute(
          sql: "DELETE FROM \(input.kind.table) WHERE id BETWEEN ? AND ?",
          arguments: [first, last])
        // What a run said of rows names them by numbers that others may get.
        if ["order_row", "transaction_row"].contains(input.kind.table) {
          for table in ["finding_sale", "finding_sale_terms"] {
            try db.execute(sql: "DELETE FROM \(table)")
          }
        }
        if input.kind.table == "transaction_row" {
          // What is said beside a transaction has its number.
          for (table, column) in [
            ("extra_row", "id"), ("item_row", "row_id"), ("item_refund_row", "row_id"),
          ] {
            try db.execute(
              sql: "DELETE FROM \(table) WHERE \(column) BETWEEN ? AND ?", arguments: [first, last])
          }
        }
      }
      try db.execute(
        sql: """
          DELETE FROM id_page WHERE id IN (
            SELECT p.id FROM id_run r JOIN id_page p
              ON p.id BETWEEN r.first_page AND r.first_page + length(r.fences) / 8 - 1
            WHERE r.source_id = ?)
          """, arguments: [id])
      for table in tables {
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

  /// Tables whose rows name their file.
  static func tablesByFile(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
        WHERE m.type = 'table' AND c.name = 'source_id' ORDER BY m.name
        """)
  }

  /// Lets reports that the file superseded count again, or the newer one stand over them.
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
