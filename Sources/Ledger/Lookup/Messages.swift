package import Billing
import GRDB

extension Ledger {
  /// The rows of Apple's records that stand on the lines of files, ascending; a line without one is
  /// left out.
  package func messages(at sources: [Source]) throws -> [MessageRow.ID] {
    var rows: Set<MessageRow.ID> = []
    for source in Set(sources).sorted() {
      rows.formUnion(try self.rows(at: source, of: .messages))
    }
    return rows.sorted()
  }

  /// The rows about next renewals that stand on the lines of files, ascending.
  package func renewals(at sources: [Source]) throws -> [RenewalRow.ID] {
    var rows: Set<RenewalRow.ID> = []
    for source in Set(sources).sorted() {
      rows.formUnion(try self.rows(at: source, of: .renewals))
    }
    return rows.sorted()
  }

  /// Receipts that Apple refused in `times` or at no known time; in the order of their rows.
  package func refusedReceipts(_ times: ClosedRange<Instant>) throws -> [RefusedReceipt] {
    try read { db in
      let terms = try Int64.fetchAll(
        db, sql: "SELECT id FROM message_terms WHERE status IS NOT NULL AND status <> 0")
      // No file of an older company holds any; then no row is looked at.
      if terms.isEmpty { return [] }
      var found: [(row: MessageRow.ID, RefusedReceipt)] = []
      let list = terms.map(String.init).joined(separator: ",")
      try scan(
        db, "m.id, m.order_id, m.user_id, t.status, m.told_at, s.file, m.line",
        """
        FROM message_row m JOIN message_terms t ON t.id = m.terms_id
          JOIN source s ON s.id = m.source_id
        WHERE m.terms_id IN (\(list)) AND (m.told_at IS NULL OR m.told_at BETWEEN ? AND ?)
        """, [[times.lowerBound.seconds, times.upperBound.seconds]]
      ) { row in
        found.append(
          (
            row.id(),
            RefusedReceipt(
              order: row.key(1), user: row.key(2), status: row.int32(3),
              observedAt: row.isNull(4) ? nil : Instant(seconds: row.int64(4)),
              source: Source(file: row.text(5), line: Int(row.int64(6))))
          ))
      }
      return found.sorted { $0.row < $1.row }.map(\.1)
    }
  }
}
