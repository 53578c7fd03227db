package import Billing
import GRDB

extension Ledger {
  /// Lets the rates of a file that the ledger has count again, before those of later files that
  /// have other rates of the same days and pairs of currencies; nothing changes where one of these
  /// files is `named` too.
  ///
  /// - Parameters:
  ///   - sha256: of the file.
  ///   - named: digests of the files that are imported with it.
  ///   - isTrial: whether it is only asked what would count no longer.
  /// - Returns: the files that count before it no longer, ascending by when they came.
  package func countRatesAgain(
    of sha256: String, named: Set<String>, at now: Instant, isTrial: Bool
  ) throws -> [String] {
    var files: [String] = []
    try write(patience: 600) { db in
      let newer = try Row.fetchAll(
        db,
        sql: """
          SELECT DISTINCT n.id, n.file, n.sha256 FROM source s
          JOIN rate r ON r.source_id = s.id
          JOIN rate o ON (o.base, o.quote, o.day) = (r.base, r.quote, r.day)
          JOIN source n ON n.id = o.source_id
          WHERE s.sha256 = ? AND o.id IN (SELECT max(id) FROM rate GROUP BY base, quote, day)
            AND n.id <> s.id AND (o.rate, o.places) <> (r.rate, r.places)
          ORDER BY n.id
          """, arguments: [sha256])
      guard !newer.isEmpty, !newer.contains(where: { named.contains($0["sha256"]) }) else {
        return .rollback
      }
      files = newer.map { $0["file"] }
      if isTrial { return .rollback }
      try Self.putLast(.rates, ofFile: sha256, db)
      // What rests on the file tells by its row that it changed.
      try db.execute(
        sql: "UPDATE source SET imported_at = max(imported_at + 1, ?) WHERE sha256 = ?",
        arguments: [now.seconds, sha256])
      return .commit
    }
    return files
  }

  /// Gives the rows of a file the last numbers of their table, in the order in which they stood.
  private static func putLast(
    _ tables: BlockTables, ofFile sha256: String, _ db: Database
  ) throws {
    let table = tables.table
    let condition = "source_id = (SELECT id FROM source WHERE sha256 = ?)"
    let select = try RawStatement(db, BlockScan.query(table, condition), sha256)
    let old = try select.all { try LoadedBlock(select, table) }
    let blocks = BlockAppender(db)
    for block in old {
      try blocks.appendAgain(block, to: tables)
      try db.execute(
        sql: "DELETE FROM \(table.blocks) WHERE first_row = ?", arguments: [block.first])
    }
  }
}
