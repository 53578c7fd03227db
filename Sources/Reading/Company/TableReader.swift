internal import Billing

/// A row of a company's table that is read by the list of its columns, and what holds beside it.
protocol CompanyRow: ListedRow {
  associatedtype Said: SaidRows
  static func rows(_ rows: [(line: Int32, Self)]) -> FactBlock.Rows
  /// The days that it is of; nil where it is of no days of its own.
  var days: ClosedRange<Day>? { get }
  /// Reads what the list of columns does not give, and throws a diagnostic for a row that
  /// contradicts itself or a row before.
  ///
  /// - Parameter said: what the rows before said; this row's is added.
  mutating func complete(
    _ record: Record, _ columns: ListedColumns<Self>, _ said: inout Said
  ) throws(RecordDiagnostic)
}

extension CompanyRow {
  var days: ClosedRange<Day>? { nil }
}

/// What rows of one file said, as far as later ones may contradict it.
protocol SaidRows {
  init()
  /// How many rows are of which sort, where people want to know.
  var tallies: [Tally] { get }
}

extension SaidRows {
  var tallies: [Tally] { [] }
}

/// Of tables whose rows cannot contradict each other.
struct NothingSaid: SaidRows {}

/// What rows said of days, from one to the other: on a day, one thing has one value.
struct DaysSaid<Key: Hashable, Value: Equatable>: SaidRows {
  private var said: [Key: [(days: ClosedRange<Int32>, value: Value, line: Int32)]] = [:]

  /// The value and the line of an earlier row that says otherwise of the same thing on one of the
  /// days; nil where there is none, and then this row is kept. An open end is nil.
  ///
  /// - Parameter key: what the row says a value of.
  mutating func clash(
    _ key: Key, _ value: Value, from: Day?, to: Day?, line: Int32
  ) -> (value: Value, line: Int32)? {
    let days = (from?.number ?? .min)...(to?.number ?? .max)
    if let clash = said[key]?.first(where: { $0.days.overlaps(days) && $0.value != value }) {
      return (clash.value, clash.line)
    }
    said[key, default: []].append((days, value, line))
    return nil
  }
}

/// Reads a company's table that has few rows, by the list of its columns.
struct TableReader<Row: CompanyRow>: RowReader {
  private let columns: ListedColumns<Row>
  private var rows: [(line: Int32, Row)] = []
  private var said = Row.Said()
  private var first: Day?
  private var last: Day?

  /// - Parameter map: where the file has the columns of the table.
  init(_ map: ColumnMap, _ table: CompanyTable, _ storefronts: StorefrontLookup) {
    columns = ListedColumns(storefronts) { map.fields[table.index($0)] }
  }

  var pending: Int { rows.count }

  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    var row = try columns.read(record)
    try row.complete(record, columns, &said)
    rows.append((record.line, row))
    if let days = row.days {
      first = min(first ?? days.lowerBound, days.lowerBound)
      last = max(last ?? days.upperBound, days.upperBound)
    }
    return 1
  }

  mutating func takeBlock() -> FactBlock {
    defer { rows = [] }
    return FactBlock(rows: Row.rows(rows))
  }

  func summary(_ log: ReadingLog) -> RowSummary {
    RowSummary(begin: first, end: last, tallies: said.tallies)
  }
}
