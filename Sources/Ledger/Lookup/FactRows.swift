package import Billing
import GRDB
import GRDBSQLite

/// A table of facts that is read column by column through its view.
package enum FactRowTable: Sendable {
  case orders, transactions, sales, finance, messages, payments, payouts

  fileprivate var view: String {
    switch self {
    case .orders: "v_order"
    case .transactions: "v_transaction"
    case .sales: "v_report_row"
    case .finance: "v_finance"
    case .messages: "v_message"
    case .payments: "v_payment"
    case .payouts: "v_payout"
    }
  }

  fileprivate var table: String {
    switch self {
    case .orders: "order_row"
    case .transactions: "transaction_row"
    case .sales: "sales_row"
    case .finance: "finance_row"
    case .messages: "message_row"
    case .payments: "payment_line"
    case .payouts: "payout"
    }
  }

  /// Whether a row names its file itself; of the others the file's span of rows tells.
  fileprivate var namesSource: Bool {
    switch self {
    case .messages, .payments, .payouts: true
    default: false
    }
  }

  fileprivate var kinds: [InputKind] {
    switch self {
    case .payouts: [.payments]
    case .messages: [.receipts, .notifications, .history]
    default: InputKind.sharing(table: table)
    }
  }
}

extension Ledger {
  /// Rows with all that they say, in the order asked for.
  package func factRows(_ rows: [RowID], of table: FactRowTable) throws -> [FactRow] {
    try read { db in
      let select = try RawStatement(db, "SELECT * FROM \(table.view) WHERE id = ?")
      let places = try PlaceOfRow(table, db)
      return try rows.map { row in
        select.bind(row, at: 1)
        guard try select.step() else { preconditionFailure("the ledger has every row asked for") }
        let fields = Self.fields(of: select)
        select.reset()
        return try places.place(of: row).row(row, fields)
      }
    }
  }

  private static func fields(of select: borrowing RawStatement) -> [FactRow.Field] {
    let unsaid: Set<String> = ["id", "source", "source_kind", "file_status"]
    return (0..<sqlite3_column_count(select.handle)).compactMap { column in
      let name = String(cString: sqlite3_column_name(select.handle, column))
      let value = select.text(column)
      // That something is not the case is what nearly every row says.
      if value.isEmpty || unsaid.contains(name) || (name.hasPrefix("is_") && value == "0") {
        return nil
      }
      return FactRow.Field(name: name, value: value)
    }
  }

  /// The rows on a line of a file, at most 100: found by halving the file's rows, which stand in
  /// the order of their lines. None where no file has the name, or it keeps no such rows.
  package func rows(at source: Source, of table: FactRowTable) throws -> [RowID] {
    try read { db in
      guard let span = try Self.span(of: source.file, table, db) else { return [] }
      let lines = try RawStatement(db, "SELECT line FROM \(table.table) WHERE id = ?")
      func line(_ row: Int64) throws -> Int64 {
        lines.bind(row, at: 1)
        defer { lines.reset() }
        return try lines.step() ? lines.int64(0) : .max
      }
      var row = try (span.lowerBound..<span.upperBound + 1)
        .partitioningIndex { try line($0) >= Int64(source.line) }
      var rows: [RowID] = []
      while rows.count < 100, row <= span.upperBound, try line(row) == Int64(source.line) {
        rows.append(RowID(row))
        row += 1
      }
      return rows
    }
  }

  /// The rows of a file; of several versions of that name the last that was imported.
  private static func span(of file: String, _ table: FactRowTable, _ db: Database) throws
    -> ClosedRange<Int64>?
  {
    let kinds = table.kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let source = try Row.fetchOne(
      db,
      sql: """
        SELECT id, first_row, last_row FROM source
        WHERE file = ? AND kind IN (\(kinds)) ORDER BY id DESC LIMIT 1
        """, arguments: [file])
    guard let source else { return nil }
    if table.namesSource {
      let span = try Row.fetchOne(
        db, sql: "SELECT min(id), max(id) FROM \(table.table) WHERE source_id = ?",
        arguments: [source[0] as Int64])
      guard let span, let first = span[0] as Int64?, let last = span[1] as Int64? else {
        return nil
      }
      return first...last
    }
    guard let first = source[1] as Int64?, let last = source[2] as Int64? else { return nil }
    return first...last
  }
}

/// Where rows of a table came from.
private struct PlaceOfRow: ~Copyable {
  struct Place {
    var kind: InputKind
    var source: Source
    var isSuperseded: Bool

    func row(_ row: RowID, _ fields: [FactRow.Field]) -> FactRow {
      FactRow(row: row, kind: kind, source: source, isSuperseded: isSuperseded, fields: fields)
    }
  }

  private let select: RawStatement

  init(_ table: FactRowTable, _ db: Database) throws {
    let kinds = table.kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let join =
      table.namesSource
      ? "s.id = r.source_id"
      : """
      s.id = (SELECT id FROM source WHERE kind IN (\(kinds)) AND first_row <= r.id
        ORDER BY first_row DESC LIMIT 1)
      """
    select = try RawStatement(
      db,
      """
      SELECT s.kind, s.file, r.line, s.status FROM \(table.table) r JOIN source s ON \(join)
      WHERE r.id = ?
      """)
  }

  func place(of row: RowID) throws -> Place {
    select.bind(row, at: 1)
    guard try select.step() else { preconditionFailure("every row came from a file") }
    defer { select.reset() }
    return Place(
      kind: InputKind(rawValue: select.text(0))!,
      source: Source(file: select.text(1), line: Int(select.int64(2))),
      isSuperseded: select.text(3) == "superseded")
  }
}
