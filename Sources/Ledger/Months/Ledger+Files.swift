package import Billing
import GRDB

/// A file in the ledger, with what only `status` tells of it.
package struct LedgerFile: Hashable, Sendable {
  package var input: InputFile
  /// Empty when unknown.
  package var vendor: String
  /// Of financial reports; empty for all other files.
  package var region: String
  /// Of the inflated file.
  package var byteCount: Int
  package var importedAt: Instant
  /// The file that replaced it, as given.
  package var supersededBy: String?
}

extension Ledger {
  /// All files, sorted by kind, days, name and content, whatever the order of their import.
  package func files() throws -> [LedgerFile] { try read(list) }

  /// All files as a reconciliation shows them, in the order of `files()`.
  func inputs(_ db: Database) throws -> [InputFile] { try list(db).map(\.input) }

  /// All files, sorted by kind, days, name and content.
  private func list(_ db: Database) throws -> [LedgerFile] {
    let select = try RawStatement(
      db,
      """
      SELECT s.kind, s.file, s.sha256, s.rows, s.rejected, s.begin_day, s.end_day, s.status,
        s.vendor, s.byte_count, s.imported_at, n.file, s.region
      FROM source s LEFT JOIN source n ON n.id = s.superseded_by
      ORDER BY s.kind, s.begin_day, s.end_day, s.file, s.sha256
      """)
    return try select.all {
      let input = InputFile(
        kind: try select.known(0, InputKind.init(rawValue:)), file: select.text(1),
        sha256: select.text(2), rows: Int(select.int64(3)), rejected: Int(select.int64(4)),
        from: select.optionalDay(5), to: select.optionalDay(6),
        status: try select.known(7, InputFile.Status.init(rawValue:)))
      return LedgerFile(
        input: input, vendor: select.text(8), region: select.text(12),
        byteCount: Int(select.int64(9)),
        importedAt: Instant(seconds: select.int64(10)),
        supersededBy: select.isNull(11) ? nil : select.text(11))
    }
  }

  /// All files as a reconciliation shows them, in the order of `files()`.
  package func inputs() throws -> [InputFile] { try files().map(\.input) }

  /// Whether a file in the ledger starts with the same first 64 KiB (inflated).
  package func hasHead(_ headSHA256: String) throws -> Bool {
    try read { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM source WHERE head_sha256 = ?)",
        arguments: [headSHA256])!
    }
  }

  /// The ledger's secret, by which digests of users are keyed.
  package func secret() throws -> [UInt8] { try read(Self.secret) }

  /// The ledger's secret; empty where it has none.
  static func secret(_ db: Database) throws -> [UInt8] {
    let select = try RawStatement(db, "SELECT bytes FROM ledger_secret")
    return try select.step() ? Array(select.bytes(0)) : []
  }

  /// The name, as given, of the file in the ledger with this content.
  package func file(withSHA256 sha256: String) throws -> String? {
    try read { try Self.file(withSHA256: sha256, $0) }
  }

  /// The kind that the file in the ledger with this content was read as, and the mapping by which;
  /// nil for a file whose mapping was not noted.
  package func reading(ofSHA256 sha256: String) throws -> (kind: String, mapping: String)? {
    try read { db in
      let select = try RawStatement(db, "SELECT kind, mapping FROM source WHERE sha256 = ?", sha256)
      guard try select.step(), !select.isNull(1) else { return nil }
      return (select.text(0), select.text(1))
    }
  }

  /// Days for which it was recorded that Apple had no sales, ascending.
  package func noSales() throws -> [(day: Day, vendor: String)] {
    try read { db in
      let select = try RawStatement(db, "SELECT day, vendor FROM no_sales ORDER BY day, vendor")
      return try select.all { (select.day(0), select.text(1)) }
    }
  }

  /// The rows that were not understood, by file and in file order, at most `limit`.
  package func rejects(limit: Int) throws -> [Reject] {
    try read { db in
      let select = try RawStatement(
        db,
        """
        SELECT s.file, r.line, r."column", r.topic, r.message, r.help, r.raw_text
        FROM reject r JOIN source s ON s.id = r.source_id
        ORDER BY s.file, s.sha256, r.id LIMIT ?
        """, Int64(limit))
      return try select.all {
        let location = SourceLocation(
          file: select.text(0), line: Int(select.int64(1)), column: Int(select.int64(2)))
        let diagnostic = Diagnostic(
          topic: select.text(3), at: location, Wording(verbatim: select.text(4)),
          help: Wording(verbatim: select.text(5)))
        return Reject(diagnostic: diagnostic, rawText: select.text(6))
      }
    }
  }
}
