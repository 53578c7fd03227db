package import Billing
import GRDB

extension Ledger {
  /// Orders of a SKU placed in `times`, ascending by row, with their details: read from the blocks
  /// that touch the times, whose other rows are passed over inside SQLite.
  package func orders(
    of sku: String, placed times: ClosedRange<Instant>
  ) throws -> [(entry: OrderEntry, detail: OrderDetail)] {
    try read { db in
      guard let terms = try Self.terms(of: sku, in: "order_terms", db) else { return [] }
      let span = times.lowerBound.seconds...times.upperBound.seconds
      let rows = try Self.rows(
        in: RowRanges(.orders, touching: span, db), of: "order_row", terms, time: "placed_at", span,
        db)
      return Array(
        zip(try Self.orders(rows: rows, db), try Self.orderDetails(rows, db))
      ).map { (entry: $0, detail: $1) }
    }
  }

  /// Transactions of a SKU purchased in `times`, ascending by row; as `orders(of:placed:)`.
  package func transactions(
    of sku: String, purchased times: ClosedRange<Instant>
  ) throws -> [ToldTransaction] {
    try read { db in
      guard let terms = try Self.terms(of: sku, in: "transaction_terms", db) else { return [] }
      let span = times.lowerBound.seconds...times.upperBound.seconds
      var rows: [RowID] = []
      for kind in [BatchKind.transactions, .purchases] {
        rows += try Self.rows(
          in: RowRanges(kind, touching: span, db), of: "transaction_row", terms,
          time: "purchased_at", span, db)
      }
      return try Self.told(rows.sorted(), db)
    }
  }

  /// Transactions of a SKU revoked in `times`, ascending by row.
  package func transactions(
    of sku: String, revoked times: ClosedRange<Instant>
  ) throws -> [ToldTransaction] {
    try read { db in
      guard let terms = try Self.terms(of: sku, in: "transaction_terms", db) else { return [] }
      var rows: [RowID] = []
      try scan(
        db, "id",
        """
        FROM transaction_row INDEXED BY transaction_revoked
        WHERE revoked_at BETWEEN ? AND ? AND terms_id IN (\(terms))
        """, [[times.lowerBound.seconds, times.upperBound.seconds]]
      ) { rows.append($0.int32(0)) }
      return try Self.told(rows.sorted(), db)
    }
  }

  /// Transactions by row, with all that may be asked of them.
  ///
  /// - Precondition: `rows` are ascending and in the ledger.
  package func toldTransactions(_ rows: [RowID]) throws -> [ToldTransaction] {
    try read { try Self.told(rows, $0) }
  }

  /// Orders by row, in their order; as `toldTransactions`.
  package func orders(rows: [RowID]) throws -> [OrderEntry] {
    try read { try Self.orders(rows: rows, $0) }
  }

  private static func told(_ rows: [RowID], _ db: Database) throws -> [ToldTransaction] {
    let entries = try transactions(rows: rows, db)
    let details = try transactionDetails(rows, db)
    var tellings: [RowID: Telling] = [:]
    for telling in try Self.tellings(rows, db) { tellings[telling.row] = telling }
    return zip(entries, details).map {
      ToldTransaction(entry: $0, detail: $1, telling: tellings[$0.row])
    }
  }

  /// Ids of the terms that a SKU has, as SQL lists them; nil where it has none.
  private static func terms(of sku: String, in table: String, _ db: Database) throws -> String? {
    let ids = try Int64.fetchAll(
      db, sql: "SELECT id FROM \(table) WHERE sku = ? ORDER BY id", arguments: [sku])
    return ids.isEmpty ? nil : ids.map(String.init).joined(separator: ",")
  }

  private static func rows(
    in ranges: RowRanges, of table: String, _ terms: String, time: String,
    _ span: ClosedRange<Int64>, _ db: Database
  ) throws -> [RowID] {
    var rows: [RowID] = []
    try scan(
      db, "id",
      """
      FROM \(table) WHERE id BETWEEN ? AND ? AND \(time) BETWEEN ? AND ?
        AND terms_id IN (\(terms))
      """,
      ranges.ranges.map { [$0.lowerBound, $0.upperBound, span.lowerBound, span.upperBound] }
    ) { rows.append($0.int32(0)) }
    return rows
  }
}
