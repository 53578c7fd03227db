package import Billing
import GRDB
import GRDBSQLite

/// A table of facts, which is read column by column through its view.
package struct FactRowTable<Table>: Sendable {
  let blocks: BlockTables
  /// With the rows of superseded files.
  fileprivate let view: LedgerView
  fileprivate let kinds: [InputKind]

  /// Names a table of facts, and the view that shows its rows.
  ///
  /// - Parameter kinds: the kinds of files whose rows it has; nil for all kinds that the table of
  ///   blocks has rows of.
  private init(_ blocks: BlockTables, _ view: LedgerView, _ kinds: [InputKind]? = nil) {
    self.blocks = blocks
    self.view = view.whole
    self.kinds = kinds ?? InputKind.sharing(table: blocks.table.name)
  }

  var name: String { blocks.table.name }

  /// The kinds as SQL lists them, in quotation marks.
  var kindList: String { kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ") }
}

extension FactRowTable<OrderRow> {
  package static var orders: Self { Self(.orders, .order) }
}

extension FactRowTable<TransactionRow> {
  package static var transactions: Self { Self(.transactions, .transaction) }
}

extension FactRowTable<SalesRow> {
  package static var sales: Self { Self(.sales, .reportRow) }
}

extension FactRowTable<FinanceRow> {
  package static var finance: Self { Self(.finance, .finance) }
}

extension FactRowTable<PurchaseEventRow> {
  package static var events: Self { Self(.events, .event) }
}

extension FactRowTable<CoinBalance> {
  package static var coinBalances: Self { Self(.coinBalances, .coinBalance) }
}

extension FactRowTable<CoinMovementRow> {
  package static var coinMovements: Self { Self(.coinMovements, .coinMovement) }
}

extension FactRowTable<MessageRow> {
  package static var messages: Self {
    Self(.messages, .message, [.receipts, .notifications, .history])
  }
}

extension FactRowTable<RenewalRow> {
  package static var renewals: Self {
    Self(.renewals, .renewal, [.receipts, .notifications, .history])
  }
}

extension FactRowTable<PaymentLine> {
  package static var payments: Self { Self(.payments, .payment) }
}

extension FactRowTable<Payout> {
  package static var payouts: Self { Self(.payouts, .payout, [.payments]) }
}

extension Ledger {
  /// The rows with these numbers, each with its file and line and with every field that says
  /// something, in the order of `rows`.
  package func factRows<Table>(_ rows: [RowID<Table>], of table: FactRowTable<Table>) throws
    -> [FactRow]
  {
    try read { db in
      let select = try RawStatement(db, "SELECT * FROM (\(table.view.select)) WHERE id = ?")
      let places = try PlaceOfRow(table, db)
      return try rows.map { row in
        select.bind(row.number, at: 1)
        guard try select.step() else { throw StrangeValue("row \(row.number) is missing") }
        let fields = Self.fields(of: select)
        select.reset()
        return try places.place(of: row).factRow(row.number, fields)
      }
    }
  }

  /// The fields that say something of the row that a statement of a view is on; amounts as exact
  /// text.
  private static func fields(of select: borrowing RawStatement) -> [FactRow.Field] {
    // What others said of a row is told beside it.
    let unsaid = Set(
      ["id", "source", "source_kind", "file_status"] + LedgerView.Column.resolved.map(\.name))
    let columns = (0..<sqlite3_column_count(select.handle)).map { column in
      (String(cString: sqlite3_column_name(select.handle, column)), select.text(column))
    }
    let values = Dictionary(uniqueKeysWithValues: columns)
    return columns.compactMap { name, text in
      if LedgerView.isExactForm(name) { return nil }
      // Of an amount the exact text is told, under the amount's name.
      let value = values[LedgerView.exactForm(of: name)] ?? text
      // That something is not the case is what nearly every row says.
      if value.isEmpty || unsaid.contains(name) || (name.hasPrefix("is_") && value == "0") {
        return nil
      }
      return FactRow.Field(name: name, value: value)
    }
  }

  /// The rows on a line of a file, at most 100: found by halving the file's rows, which stand in
  /// the order of their lines. None where no file has the name, or it keeps no such rows.
  package func rows<Table>(
    at source: Source, of table: FactRowTable<Table>
  ) throws -> [RowID<Table>] {
    try read { db in
      guard let span = try Self.span(of: source.file, table, db) else { return [] }
      let lines = try RawStatement(db, "SELECT line FROM \(table.name) WHERE id = ?")
      /// The line of a row; the greatest number for one that is not there.
      func line(_ row: Int64) throws -> Int64 {
        lines.bind(row, at: 1)
        defer { lines.reset() }
        return try lines.step() ? lines.int64(0) : .max
      }
      var row = try (span.lowerBound..<span.upperBound + 1)
        .partitioningIndex { try line($0) >= Int64(source.line) }
      var rows: [RowID<Table>] = []
      while rows.count < 100, row <= span.upperBound, try line(row) == Int64(source.line) {
        rows.append(RowID(row))
        row += 1
      }
      return rows
    }
  }

  /// The first and the last row of a file, of several versions of that name the last that was
  /// imported; nil where no such file has rows in the table.
  private static func span<Table>(
    of file: String, _ table: FactRowTable<Table>, _ db: Database
  ) throws -> ClosedRange<Int64>? {
    let span = try Row.fetchOne(
      db,
      sql: """
        SELECT min(first_row), max(last_row) FROM \(table.blocks.table.blocks)
        WHERE source_id = (
          SELECT id FROM source WHERE file = ? AND kind IN (\(table.kindList))
          ORDER BY id DESC LIMIT 1)
        """, arguments: [file])
    guard let span, let first = span[0] as Int64?, let last = span[1] as Int64?, first <= last
    else { return nil }
    return first...last
  }
}

/// Where rows of a table came from.
private struct PlaceOfRow<Table>: ~Copyable {
  struct Place {
    var kind: InputKind
    var source: Source
    var isSuperseded: Bool

    /// The row with this number and these fields, at this place.
    func factRow(_ row: Int32, _ fields: [FactRow.Field]) -> FactRow {
      FactRow(row: row, kind: kind, source: source, isSuperseded: isSuperseded, fields: fields)
    }
  }

  private let select: RawStatement

  /// Prepares to look up where rows of a table came from.
  init(_ table: FactRowTable<Table>, _ db: Database) throws {
    select = try RawStatement(
      db,
      """
      SELECT s.kind, s.file, r.line, s.status
      FROM \(table.name) r JOIN source s ON s.id = r.source_id
      WHERE r.id = ?
      """)
  }

  /// The file of a row, its kind, and the row's line.
  ///
  /// - Throws: `StrangeValue` where the row is of no file.
  func place(of row: RowID<Table>) throws -> Place {
    select.bind(row.number, at: 1)
    guard try select.step() else { throw StrangeValue("row \(row.number) is of no file") }
    defer { select.reset() }
    return Place(
      kind: try select.known(0, InputKind.init(rawValue:)),
      source: Source(file: select.text(1), line: Int(select.int64(2))),
      isSuperseded: select.text(3) == "superseded")
  }
}
