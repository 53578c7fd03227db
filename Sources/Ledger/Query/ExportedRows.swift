package import Billing
import GRDB
import GRDBSQLite
import Synchronization

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

/// Orders, transactions or movements of coins as an export has them, read from their blocks without
/// a statement for each row: what small tables say of them is worked out once, for any number of
/// threads.
package final class ExportedRows: Sendable {
  /// What is exported.
  package enum Table: Sendable {
    case orders, transactions, coinMovements

    /// Columns of the company's table as its view has them, and the line last. Amounts are
    /// micro-units, times Unix seconds; an original that is the transaction itself is given as
    /// such. Transactions have what reconcile found, too.
    package var columns: [String] {
      let own =
        switch self {
        case .orders: OrderTerms.tableColumns.map(\.name)
        case .transactions:
          TransactionTerms.tableColumns.map(\.name) + ["witness", "app_version"]
            + LedgerView.Column.resolved.map(\.name)
        case .coinMovements: CoinMovementTerms.tableColumns.map(\.name)
        }
      return view.columns.map(\.name).filter(own.contains) + ["line"]
    }

    /// How a column of the company's table is written; nil for others.
    package func form(of column: String) -> ColumnForm? {
      switch self {
      case .orders: OrderTerms.tableColumns.first { $0.name == column }?.form
      case .transactions: TransactionTerms.tableColumns.first { $0.name == column }?.form
      case .coinMovements: CoinMovementTerms.tableColumns.first { $0.name == column }?.form
      }
    }

    /// The view that shows the same rows.
    private var view: LedgerView {
      switch self {
      case .orders: .order
      case .transactions: .transaction
      case .coinMovements: .coinMovement
      }
    }

    /// The table that has the rows in blocks.
    fileprivate var blocks: BlockTables {
      switch self {
      case .orders: .orders
      case .transactions: .transactions
      case .coinMovements: .coinMovements
      }
    }
  }

  /// Runs of columns that follow from a row's terms alone.
  package let ofTerms: [Range<Int>]
  private let tables: BlockTables
  private let forms: [Form]
  /// Of columns that a row has itself their places, of others -1.
  private let own: [Int]
  /// What other tables say, by the connection that reads them.
  private let others = Mutex<[UInt: OtherTables]>([:])
  private let storefront: Form
  private let time: Int
  private let terms: Int

  /// Rows of one file that follow one another: a block's.
  package struct Run: Sendable {
    package let file: String
    package let rows: ClosedRange<Int64>
  }

  /// Where a column's value is made from; tables of blocks by their columns' places.
  fileprivate indirect enum Form: Sendable {
    case own(Int)
    case original(Int, own: Int)
    case beside(BlockTables, Int)
    /// What a small table says of the row whose number another value is.
    case listed(Form, Listed)
    /// What another table says of the row whose number another value is.
    case ofRow(Form, BlockTables, Int)
    /// The first of them that is something.
    case first([Form])
    /// A word where one of some values is something.
    case word(Word, ofAny: [Form], else: Form)
    /// A time, of which only the day is known where another column is 1.
    case moment(Int, isDay: Int)
    /// Nothing to pay where the first value is 1.
    case zero(where: Form, else: Form)
    case nothing
  }

  /// A word, in memory for good.
  fileprivate struct Word: Sendable {
    let text: StaticString

    /// The word as the text of a cell.
    var cell: ScannedCell { .text(text.utf8Start, count: text.utf8CodeUnitCount) }
  }

  /// Finds out where each column comes from, and reads the small tables that columns are looked up
  /// in.
  package init(_ ledger: Ledger, _ exported: Table) throws {
    tables = exported.blocks
    let table = tables.table
    (terms, time) = (table.place(of: "terms_id"), table.place(of: table.spans[0]))
    let terms = terms
    (forms, storefront) = try ledger.read { db in
      let maker = FormMaker(table: table, db: db)
      let forms = try exported.columns.map { try maker.form(of: $0) }
      let found = Form.first([
        try maker.form(of: "storefront"),
        exported == .transactions ? try maker.form(found: "sale_storefront") : .nothing,
      ])
      return (forms, found)
    }
    own = forms.map { if case .own(let place) = $0 { place } else { -1 } }
    let areOfTerms = forms.map { form in
      if case .listed(.own(let key), _) = form { key == terms } else { false }
    }
    var runs: [Range<Int>] = []
    for (column, isOfTerms) in areOfTerms.enumerated() where isOfTerms {
      let isNext = runs.last?.upperBound == column
      let start = isNext ? runs.removeLast().lowerBound : column
      runs.append(start..<(column + 1))
    }
    ofTerms = runs
  }

  /// Makes forms of columns.
  private struct FormMaker {
    let table: BlockTable
    let db: Database

    /// Where an exported column is made from.
    func form(of column: String) throws -> Form {
      switch column {
      case "date": return .moment(place("at"), isDay: place("is_day"))
      case "original_transaction_id":
        return .original(place(column), own: place("transaction_id"))
      case "matched_order": return try derived("matched_text")
      case "matched_by": return try form(found: "sale_rule")
      case "resolved_user": return .first([try form(of: "user_id"), try derived("matched_user")])
      case "user_by":
        return .word(
          Word(text: "transaction"), ofAny: [try form(of: "user_id")],
          else: .word(Word(text: "order"), ofAny: [try derived("matched_user")], else: .nothing))
      case "resolved_storefront": return try saidOrFound("storefront", else: "sale_storefront")
      case "storefront_by":
        return .word(
          Word(text: "transaction"), ofAny: [try valueOfTerms("storefront")],
          else: try form(found: "sale_storefront_by"))
      case "resolved_price":
        return .zero(
          where: try valueOfTerms("is_trial"),
          else: try saidOrFound("unit_price", else: "sale_price"))
      case "resolved_currency": return try saidOrFound("currency", else: "sale_currency")
      case "price_by":
        return .word(
          Word(text: "transaction"), ofAny: [try trial(), try valueOfTerms("unit_price")],
          else: try form(found: "sale_price_by"))
      default: break
      }
      let name = ViewRows.prefix + column
      for name in [name + LedgerView.Column.sumSuffix, name] {
        if let value = value(name), case .listed = value { return try form(value) }
      }
      return .own(place(column))
    }

    /// What the last run found of a row, by the column of `finding_sale_terms` that has it.
    func form(found name: String) throws -> Form {
      try listed("sale_terms_id", "finding_sale_terms", "t." + name)
    }

    /// The form that reads a column of the row's transaction terms.
    private func valueOfTerms(_ name: String) throws -> Form {
      try listed("terms_id", "transaction_terms", "t." + name)
    }

    /// A value where the row's terms are those of a trial, else nothing.
    private func trial() throws -> Form {
      try listed("terms_id", "transaction_terms", "iif(t.is_trial = 1, 1, NULL)")
    }

    /// The form that reads a column of the row's transaction terms, or where that has nothing the
    /// column `found` of what the last run found.
    private func saidOrFound(_ name: String, else found: String) throws -> Form {
      .first([try valueOfTerms(name), try form(found: found)])
    }

    /// The form that reads the table's derived column of this name; the table must have one.
    private func derived(_ name: String) throws -> Form {
      guard let value = value(name) else { preconditionFailure("\(table.name) has no \(name)") }
      return try form(value)
    }

    /// What the table's derived column of this name says; nil where there is none.
    private func value(_ name: String) -> DerivedColumn.Value? {
      table.derived.first { $0.name == name }?.value
    }

    /// The form that reads a derived column, by what the column says.
    private func form(_ value: DerivedColumn.Value) throws -> Form {
      switch value {
      case .beside(let tables, let column):
        return .beside(tables, tables.table.place(of: column))
      case .ofRow(let key, let tables, let column):
        return .ofRow(try derived(key), tables, tables.table.place(of: column))
      case .listed(let key, let list, let expression):
        return try listed(key, list, expression)
      case .text(let column): return .own(place(column))
      case .textOrOwn(let column, let own): return .original(place(column), own: place(own))
      case .place, .moment: preconditionFailure("written by the export itself")
      }
    }

    /// The form that looks a value up in a small table, all of whose values are read now.
    ///
    /// - Parameters:
    ///   - key: the row's column, derived or not, that has the number of the small table's row.
    ///   - list: the small table.
    ///   - expression: SQL of the value, over a row `t` of the small table.
    private func listed(_ key: String, _ list: String, _ expression: String) throws -> Form {
      let values = try Listed(ListedValues(db.sqliteConnection!, expression, of: list))
      return .listed(value(key) == nil ? .own(place(key)) : try derived(key), values)
    }

    private func place(_ column: String) -> Int { table.place(of: column) }
  }

  /// Values of a small table, which nothing changes once they are read.
  fileprivate struct Listed: @unchecked Sendable {
    let values: ListedValues

    init(_ values: ListedValues) { self.values = values }
  }

  // MARK: Rows

  /// Runs of all imported rows that may pass a filter, in the order in which files were imported
  /// and of the rows in them.
  package func runs(_ ledger: Ledger, _ filter: RowFilter) throws -> [Run] {
    try ledger.read { db in
      let time = tables.table.spans[0]
      let blocks = try RawStatement(
        db,
        """
        SELECT b.first_row, b.last_row, s.file
        FROM \(tables.table.blocks) b JOIN source s ON s.id = b.source_id
        WHERE b.first_\(time) <= ? AND b.last_\(time) >= ? AND s.status <> 'superseded'
        ORDER BY b.first_row
        """, filter.times.upperBound.seconds, filter.times.lowerBound.seconds)
      return try blocks.all { Run(file: blocks.text(2), rows: blocks.int64(0)...blocks.int64(1)) }
    }
  }

  /// Calls `body` on each row of runs that passes a filter, with its file.
  package func forEach(
    _ runs: some Sequence<Run>, _ filter: RowFilter, _ ledger: Ledger,
    _ body: (borrowing Row, _ file: String) throws -> Void
  ) throws {
    let times = filter.times.lowerBound.seconds...filter.times.upperBound.seconds
    let wanted = filter.storefront.map { Array($0.code.utf8) }
    try ledger.read { db in
      let table = tables.table
      let select = try RawStatement(db, BlockScan.query(table, "first_row = ?"))
      let others = others(db.sqliteConnection!)
      for run in runs {
        select.bind(run.rows.lowerBound, at: 1)
        guard try select.step() else { throw BlockContent.broken(table) }
        var row = Row(self, try LoadedBlock(select, table), others)
        select.reset()
        for place in 0..<row.block.rowCount {
          row.place = place
          let moment = try row.block.cell(time, place)
          guard !moment.isNull, times.contains(moment.number) else { continue }
          if let wanted {
            let found = try row.value(storefront)
            guard found.isText, found.bytes.elementsEqual(wanted) else { continue }
          }
          try body(row, run.file)
        }
      }
    }
  }

  /// What reads other tables on a connection, made when the connection is first used.
  private func others(_ connection: OpaquePointer) -> OtherTables {
    let key = UInt(bitPattern: connection)
    let made = OtherTables(connection)
    return others.withLock { known in
      let found = known[key] ?? made
      known[key] = found
      return found
    }
  }

  /// What other tables of blocks say, as one connection reads them: one thread at a time has it.
  fileprivate final class OtherTables: @unchecked Sendable {
    private let connection: OpaquePointer
    private var known: [BlockTables: [Int: BlockLookup]] = [:]

    init(_ connection: OpaquePointer) { self.connection = connection }

    /// The value in a column of a row of another table; null where there is no such row.
    func cell(_ tables: BlockTables, _ column: Int, ofRow number: Int64) throws -> ScannedCell {
      if let lookup = known[tables]?[column] { return try lookup.cell(ofRow: number) }
      let made = BlockLookup(connection, tables.table, column)
      known[tables, default: [:]][column] = made
      return try made.cell(ofRow: number)
    }
  }

  /// A row, valid until the next one.
  package struct Row: ~Copyable {
    package enum Value {
      case nothing
      case number(Int64)
      case day(Day)
      case text(UnsafeRawBufferPointer)
    }

    private let table: ExportedRows
    fileprivate let block: LoadedBlock
    private let others: OtherTables
    fileprivate var place = 0

    fileprivate init(_ table: ExportedRows, _ block: LoadedBlock, _ others: OtherTables) {
      (self.table, self.block, self.others) = (table, block, others)
    }

    /// The id of its terms.
    package var terms: Int {
      get throws { Int(try block.cell(table.terms, place).number) }
    }

    /// The row's value in an exported column, by its index; empty text is ``Value/nothing``.
    package func value(_ column: Int) throws -> Value {
      let own = table.own[column]
      if own < 0, case .moment(let column, let isDay) = table.forms[column] {
        let seconds = try block.cell(column, place).number
        return try block.cell(isDay, place).number == 1
          ? .day(Instant(seconds: seconds).day()) : .number(seconds)
      }
      let cell = own < 0 ? try value(table.forms[column]) : try block.cell(own, place)
      if cell.isText { return cell.bytes.isEmpty ? .nothing : .text(cell.bytes) }
      return cell.isNull ? .nothing : .number(cell.number)
    }

    /// The row's value as a form reads it; NULL for none.
    fileprivate func value(_ form: Form) throws -> ScannedCell {
      switch form {
      case .own(let column), .moment(let column, _): return try block.cell(column, place)
      case .original(let column, let own):
        let told = try block.cell(column, place)
        return told.isText && told.bytes.isEmpty ? try block.cell(own, place) : told
      case .beside(let tables, let column):
        return try others.cell(tables, column, ofRow: block.first + Int64(place))
      case .listed(let key, let listed):
        let number = try value(key)
        return number.isNull ? .null : listed.values.cell(number.number)
      case .ofRow(let key, let tables, let column):
        let number = try value(key)
        return number.isNull ? .null : try others.cell(tables, column, ofRow: number.number)
      case .first(let forms):
        for form in forms {
          let cell = try value(form)
          if !cell.isNull { return cell }
        }
        return .null
      case .word(let word, let any, let otherwise):
        for form in any where try !value(form).isNull { return word.cell }
        return try value(otherwise)
      case .zero(let condition, let otherwise):
        return try value(condition).number == 1 ? .integer(0) : value(otherwise)
      case .nothing: return .null
      }
    }
  }
}
