package import Billing
import GRDB

/// Rows of one product in a span of time.
package struct SKURows: Sendable {
  package var sku: String
  /// Only rows of this storefront, and those that name none; nil is all.
  package var storefront: Storefront?
  /// Of orders when they were placed, of transactions when they were bought.
  package var times: ClosedRange<Instant>
  /// Only orders that name no transaction, and transactions that name no order.
  package var isOpen: Bool
  /// Only orders of this status; nil is all.
  package var status: OrderStatus?

  /// Asks for rows of a product in `times`, of any status.
  ///
  /// - Parameters:
  ///   - storefront: only rows of this one, and those that name none; nil for all.
  ///   - isOpen: only orders that name no transaction, and transactions that name no order.
  package init(
    _ sku: String, in storefront: Storefront?, _ times: ClosedRange<Instant>, isOpen: Bool = false
  ) {
    self.sku = sku
    self.storefront = storefront
    self.times = times
    self.isOpen = isOpen
  }

  /// The times in seconds since 1970.
  fileprivate var span: ClosedRange<Int64> { times.lowerBound.seconds...times.upperBound.seconds }
}

extension Ledger {
  /// The wanted orders with their details, ascending by row: read from the blocks that touch the
  /// times, whose other rows are passed over inside SQLite.
  package func orders(_ wanted: SKURows) throws -> [(entry: OrderEntry, detail: OrderDetail)] {
    try read { db in
      guard let terms = try terms(wanted, in: OrderTerms.self, db) else { return [] }
      let rows = try rows(
        in: RowRanges(.orders, touching: wanted.span, db), of: .orders, terms,
        time: "placed_at", wanted.span, open: wanted.isOpen ? "transaction_id" : nil, db)
      return zip(try Self.orders(rows: rows, db), try Self.orderDetails(rows, db))
        .map { (entry: $0, detail: $1) }
    }
  }

  /// The wanted transactions with their details and when Apple reported them, ascending by row;
  /// read as `orders(_:)`.
  package func transactions(_ wanted: SKURows) throws -> [ObservedTransaction] {
    try read { db in
      guard let terms = try terms(wanted, in: TransactionTerms.self, db) else { return [] }
      var rows: [TransactionRow.ID] = []
      for kind in [BlockKind.transactions, .purchases] {
        rows += try self.rows(
          in: RowRanges(kind, touching: wanted.span, db), of: .transactions, terms,
          time: "purchased_at", wanted.span, open: wanted.isOpen ? "order_id" : nil, db)
      }
      return try Self.observed(rows.sorted(), db)
    }
  }

  /// Transactions of the wanted product and storefront that were revoked in the times, whenever
  /// they were bought; ascending by row.
  package func revokedTransactions(_ wanted: SKURows) throws -> [ObservedTransaction] {
    try read { db in
      guard let terms = try terms(wanted, in: TransactionTerms.self, db) else { return [] }
      let replaced = try Self.replacedTransactions(db)
      var rows: [TransactionRow.ID] = []
      try scan(
        db, "id",
        """
        FROM transaction_row
        WHERE revoked_at BETWEEN ? AND ? AND terms_id IN (\(terms))
        """, [[wanted.span.lowerBound, wanted.span.upperBound]]
      ) { row in
        if !replaced.contains(where: { $0.contains(row.int64(0)) }) { rows.append(row.id()) }
      }
      return try Self.observed(rows.sorted(), db)
    }
  }

  /// Transactions by row, with their details and when Apple reported them.
  ///
  /// - Precondition: `rows` are ascending and in the ledger.
  package func observedTransactions(_ rows: [TransactionRow.ID]) throws -> [ObservedTransaction] {
    try read { try Self.observed(rows, $0) }
  }

  /// Orders by row, in their order.
  ///
  /// - Precondition: `rows` are ascending and in the ledger.
  package func orders(rows: [OrderRow.ID]) throws -> [OrderEntry] {
    try read { try Self.orders(rows: rows, $0) }
  }

  /// The transactions of these rows, which ascend, with their details and when Apple reported them.
  private static func observed(_ rows: [TransactionRow.ID], _ db: Database) throws
    -> [ObservedTransaction]
  {
    let entries = try transactions(rows: rows, db)
    let details = try transactionDetails(rows, db)
    var observations: [TransactionRow.ID: TransactionObservation] = [:]
    for observation in try Self.observations(rows, db) {
      observations[observation.row] = observation
    }
    return zip(entries, details).map {
      ObservedTransaction(entry: $0, detail: $1, observation: observations[$0.row])
    }
  }

  /// The ids of the terms that wanted rows may have, as SQL lists them; nil where there are none.
  private func terms<Entry: DictionaryEntry & OfProduct>(
    _ wanted: SKURows, in dictionary: Entry.Type, _ db: Database
  ) throws -> String? {
    var condition =
      wanted.storefront.map { "(storefront IS NULL OR storefront = '\($0)')" } ?? "true"
    if let status = wanted.status { condition += " AND status = '\(status.name)'" }
    let ids = try ids(of: wanted.sku, in: dictionary, where: condition, db)
    return ids.isEmpty ? nil : ids.map(String.init).joined(separator: ",")
  }

  /// The rows of the ranges that have one of some terms and a time in a span, ascending.
  ///
  /// - Parameters:
  ///   - terms: ids as SQL lists them.
  ///   - time: the column whose time, in seconds since 1970, must be in `span`.
  ///   - column: one in which a row must have nothing; nil for none.
  private func rows<Table: Sendable>(
    in ranges: RowRanges, of table: FactRowTable<Table>, _ terms: String, time: String,
    _ span: ClosedRange<Int64>, open column: String?, _ db: Database
  ) throws -> [RowID<Table>] {
    /// The rows in some ranges of row numbers that have one of `terms`, a `time` in `span`, and
    /// nothing in `column`; ascending.
    @Sendable func scanned(
      _ ranges: [ClosedRange<Int64>], _ db: Database
    ) throws -> [RowID<Table>] {
      var rows: [RowID<Table>] = []
      try scan(
        db, "id",
        """
        FROM \(table.name) WHERE id BETWEEN ? AND ? AND \(time) BETWEEN ? AND ?
          AND terms_id IN (\(terms))\(column.map { " AND \($0) IS NULL" } ?? "")
        """,
        ranges.map { [$0.lowerBound, $0.upperBound, span.lowerBound, span.upperBound] }
      ) { rows.append($0.id()) }
      return rows
    }
    let (first, second) = ranges.halves
    let (rows, more) = try readBoth(db, { try scanned(first, $0) }, { try scanned(second, $0) })
    return rows + more
  }
}
