package import Billing
import GRDB
import Synchronization

extension Ledger {
  /// Imports one file in one transaction, which is rolled back when `body` throws or discards, and
  /// when the ledger already has the same content.
  ///
  /// - Parameters:
  ///   - shown: is called with the first rows of the file as the ledger has them.
  ///   - body: appends the file's rows, and says what becomes of them.
  /// - Throws: `LedgerError`, or what `body` throws.
  package func importFile(
    _ header: FileHeader, shown: ((FirstRows) -> Void)? = nil,
    body: (inout FileAppender) throws -> FileClosing
  ) throws -> FileOutcome {
    var outcome = FileOutcome.discarded
    var committed: Dictionaries?
    // A conclusion reads one state to its end: a finished import waits rather than be lost.
    try write(patience: 600) { db in
      var appender = try FileAppender(db, kind: header.kind, dictionaries: takeDictionaries())
      let closing = try body(&appender)
      guard let trailer = closing.trailer else { return .rollback }
      if let name = try Self.file(withSHA256: trailer.sha256, db) {
        outcome = .alreadyImported(as: name)
        return .rollback
      }
      outcome = .imported(superseding: try appender.finish(header, trailer))
      if let shown { shown(try appender.firstRows()) }
      if case .look = closing {
        outcome = .discarded
        return .rollback
      }
      committed = appender.dictionaries
      return .commit
    }
    if let committed { dictionaries.withLock { $0 = committed } }
    return outcome
  }

  /// Takes what this process knows of the dictionaries; it is put back only by an import that
  /// commits: so a rollback has nothing to undo in memory.
  private func takeDictionaries() -> Dictionaries {
    dictionaries.withLock { known in
      defer { known = Dictionaries() }
      return known
    }
  }

  /// Records that Apple had no sales for `vendor` on `day`; saying it again changes nothing.
  package func recordNoSales(_ day: Day, vendor: String) throws {
    try write { db in
      try db.execute(
        sql: "INSERT OR IGNORE INTO no_sales (day, vendor) VALUES (?, ?)",
        arguments: [day.number, vendor])
      return .commit
    }
  }

  /// Takes back that Apple had no sales on `day`.
  ///
  /// - Parameter vendor: nil takes it back for all.
  /// - Returns: the vendors for which it was recorded.
  package func forgetNoSales(_ day: Day, vendor: String?) throws -> [String] {
    var vendors: [String] = []
    try write { db in
      vendors = try String.fetchAll(
        db,
        sql: "DELETE FROM no_sales WHERE day = ?1 AND vendor = ifnull(?2, vendor) RETURNING vendor",
        arguments: [day.number, vendor])
      return vendors.isEmpty ? .rollback : .commit
    }
    return vendors.sorted()
  }

  /// How many transactions outside the Sandbox were bought at these times, each id once.
  package func purchaseCount(_ times: Range<Instant>) throws -> Int {
    try read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT count(DISTINCT r.transaction_text) FROM transaction_row r
            JOIN transaction_terms t ON t.id = r.terms_id
          WHERE r.purchased_at >= ? AND r.purchased_at < ? AND t.environment IS NOT 'Sandbox'
          """, arguments: [times.lowerBound.seconds, times.upperBound.seconds])!
    }
  }

  /// Vendors that sales reports in the ledger name, ascending.
  package func reportVendors() throws -> [String] {
    try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT vendor FROM source WHERE vendor <> '' AND kind = 'sales' ORDER BY 1
          """)
    }
  }

  /// The name of the file in the ledger with this content; nil for none.
  static func file(withSHA256 sha256: String, _ db: Database) throws -> String? {
    try String.fetchOne(db, sql: "SELECT file FROM source WHERE sha256 = ?", arguments: [sha256])
  }
}
