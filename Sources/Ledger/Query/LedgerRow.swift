package import Billing
import GRDBSQLite

/// A row as SQLite hands it over, valid until the next one.
package struct LedgerRow {
  package enum Kind: Sendable { case null, integer, real, text, bytes }

  let handle: OpaquePointer

  package func kind(_ column: Int) -> Kind {
    switch sqlite3_column_type(handle, Int32(column)) {
    case SQLITE_NULL: .null
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    default: .bytes
    }
  }

  package func int64(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

  /// The column's text, of a number its decimal spelling, valid until the next row; nil for none.
  package func text(_ column: Int) -> UnsafeRawBufferPointer? {
    guard let bytes = sqlite3_column_text(handle, Int32(column)) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return UnsafeRawBufferPointer(start: bytes, count: count)
  }

  package func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, Int32(column))
    return UnsafeRawBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
  }
}

/// Which orders or transactions are wanted.
package struct RowFilter: Sendable {
  /// When they were placed or bought, both ends included.
  package var times: ClosedRange<Instant>
  /// Nil for all; rows that name none, also of transactions by what reconcile found, are then left
  /// out.
  package var storefront: Storefront?

  package init(times: ClosedRange<Instant>, storefront: Storefront?) {
    self.times = times
    self.storefront = storefront
  }
}

extension Ledger {
  /// Columns of ``eachOrder(_:_:_:)``: those of the company's table as the view has them; amounts
  /// are micro-units, times Unix seconds.
  package static let orderColumns = columns(of: .order, OrderTerms.tableColumns.map(\.name))

  /// Columns of ``eachTransaction(_:_:_:)``, likewise. An original that is the transaction itself
  /// is told as such.
  package static let transactionColumns = columns(
    of: .transaction,
    TransactionTerms.tableColumns.map(\.name) + ["witness", "app_version"]
      + resolvedColumns.map(\.name))

  private static func columns(of view: LedgerView, _ names: [String]) -> [String] {
    view.columns.map(\.name).filter(names.contains) + ["line"]
  }

  private static let resolvedColumns = LedgerView.Column.resolved.map { column in
    // Amounts are told as they are stored.
    (name: column.name, sql: LedgerView.transactionRows.sql(column.exact.last ?? column).sql)
  }

  /// Rows of one file that follow one another.
  package struct RowRun: Sendable {
    package let file: String
    package let rows: ClosedRange<Int64>
  }

  /// Runs of all imported order rows that may pass, in the order in which files were imported and
  /// of the rows in them.
  package func orderRuns(_ filter: RowFilter) throws -> [RowRun] { try runs(.orders, filter) }

  /// The same of transactions, by whomever they were told.
  package func transactionRuns(_ filter: RowFilter) throws -> [RowRun] {
    try runs(.transactions, filter)
  }

  /// Calls `body` on each order row of runs with its file, one at a time, whatever their number.
  package func eachOrder(
    _ runs: some Sequence<RowRun>, _ filter: RowFilter,
    _ body: (LedgerRow, _ file: String) throws -> Void
  ) throws {
    try eachRow(
      """
      SELECT \(Self.list(Self.orderColumns, .order)) FROM order_row r
      """,
      storefront: "r.view_storefront", of: .orders, runs, filter, body)
  }

  /// The same of transactions.
  package func eachTransaction(
    _ runs: some Sequence<RowRun>, _ filter: RowFilter,
    _ body: (LedgerRow, _ file: String) throws -> Void
  ) throws {
    try eachRow(
      """
      SELECT \(Self.list(Self.transactionColumns, .transaction)) FROM transaction_row r
      """,
      storefront: "ifnull(r.view_storefront, r.view_y_sale_storefront)", of: .transactions, runs,
      filter, body)
  }

  /// What a row says of its terms stands among its own columns, as the view has it.
  private static func list(_ columns: [String], _ view: LedgerView) -> String {
    let listed = Set(
      view.derived.compactMap { column in
        if case .listed = column.value { column.name } else { nil }
      })
    return columns.map { column in
      let name = ViewRows.prefix + column
      let stored = name + LedgerView.Column.sumSuffix
      if listed.contains(stored) { return "r." + stored }
      if listed.contains(name) { return "r." + name }
      return switch column {
      case "original_transaction_id":
        "CASE WHEN r.\(column) = '' THEN r.transaction_id ELSE r.\(column) END"
      default: resolvedColumns.first { $0.name == column }?.sql ?? "r." + column
      }
    }.joined(separator: ", ")
  }

  private func runs(_ tables: BlockTables, _ filter: RowFilter) throws -> [RowRun] {
    try read { db in
      let time = tables.table.spans[0]
      let blocks = try RawStatement(
        db,
        """
        SELECT b.first_row, b.last_row, s.file
        FROM \(tables.table.blocks) b JOIN source s ON s.id = b.source_id
        WHERE b.first_\(time) <= ? AND b.last_\(time) >= ? AND s.status <> 'superseded'
        ORDER BY b.first_row
        """)
      blocks.bind(filter.times.upperBound.seconds, at: 1)
      blocks.bind(filter.times.lowerBound.seconds, at: 2)
      var runs: [RowRun] = []
      while try blocks.step() {
        runs.append(RowRun(file: blocks.text(2), rows: blocks.int64(0)...blocks.int64(1)))
      }
      return runs
    }
  }

  private func eachRow(
    _ sql: String, storefront: String, of tables: BlockTables, _ runs: some Sequence<RowRun>,
    _ filter: RowFilter, _ body: (LedgerRow, _ file: String) throws -> Void
  ) throws {
    try read { db in
      let time = tables.table.spans[0]
      let rows = try RawStatement(
        db,
        """
        \(sql) WHERE r.id BETWEEN ?1 AND ?2 AND r.\(time) BETWEEN ?3 AND ?4
          AND (?5 IS NULL OR \(storefront) = ?5) ORDER BY r.id
        """)
      for run in runs {
        rows.bind(run.rows.lowerBound, at: 1)
        rows.bind(run.rows.upperBound, at: 2)
        rows.bind(filter.times.lowerBound.seconds, at: 3)
        rows.bind(filter.times.upperBound.seconds, at: 4)
        rows.bind(filter.storefront?.code, at: 5)
        while try rows.step() { try body(LedgerRow(handle: rows.handle), run.file) }
        rows.reset()
      }
    }
  }
}
