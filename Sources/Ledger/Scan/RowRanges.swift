import Billing
import GRDB

/// Which rows of a table a period may need.
struct RowRanges {
  /// Ascending, apart from each other.
  private(set) var ranges: [ClosedRange<Int64>] = []
  /// Whether each number in the ranges is a row's.
  private let areDense: Bool

  /// How many rows all ranges have.
  var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Finds the rows of the blocks of `kind` that have rows near some of `times`.
  ///
  /// - Parameters:
  ///   - times: seconds since 1970; of sales reports numbers of days.
  ///   - sources: the files whose blocks are meant; nil for all.
  init(
    _ kind: BlockKind, touching times: ClosedRange<Int64>, of sources: Set<Int64>? = nil,
    _ db: Database
  ) throws {
    areDense = true
    let table = kind.tables.table
    let select = try RawStatement(
      db,
      """
      SELECT first_row, last_row, source_id FROM \(table.blocks)
      WHERE first_\(table.spans[0]) <= ?1 AND last_\(table.spans[kind.lastSpan]) >= ?2
        AND \(countedOut)\(kind.condition) ORDER BY first_row
      """, times.upperBound, times.lowerBound)
    while try select.step() {
      guard sources?.contains(select.int64(2)) ?? true else { continue }
      append(try select.rows(0, 1))
    }
  }

  /// Ranges that hold all of `rows`, which are ascending; rows near each other share one.
  init<Table>(holding rows: [RowID<Table>]) {
    areDense = false
    for row in rows {
      let row = Int64(row.number)
      precondition(ranges.last.map { $0.upperBound <= row } ?? true, "rows are ascending")
      if let last = ranges.last, row - last.upperBound < 6 {
        ranges[ranges.count - 1] = last.lowerBound...row
      } else {
        ranges.append(row...row)
      }
    }
  }

  /// The ranges divided in two lists with as many rows each; one that lies across the middle is
  /// cut.
  var halves: ([ClosedRange<Int64>], [ClosedRange<Int64>]) {
    var rest = count / 2
    var (first, second): ([ClosedRange<Int64>], [ClosedRange<Int64>]) = ([], [])
    for range in ranges {
      let taken = Int64(min(rest, range.count))
      rest -= Int(taken)
      if taken > 0 { first.append(range.lowerBound...range.lowerBound + taken - 1) }
      if taken < range.count { second.append(range.lowerBound + taken...range.upperBound) }
    }
    return (first, second)
  }

  func contains(_ row: Int64) -> Bool {
    let index = ranges.partitioningIndex { $0.upperBound >= row }
    return index < ranges.count && ranges[index].contains(row)
  }

  /// Whether some of `rows` are in the ranges.
  func touches(_ rows: ClosedRange<Int64>) -> Bool {
    let index = ranges.partitioningIndex { $0.upperBound >= rows.lowerBound }
    return index < ranges.count && ranges[index].overlaps(rows)
  }

  /// Adds a range behind the others, or lengthens the last one that it follows on.
  private mutating func append(_ range: ClosedRange<Int64>) {
    if let last = ranges.last, last.upperBound + 1 == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound...range.upperBound
    } else {
      ranges.append(range)
    }
  }

  /// Calls `body` on each row of the ranges, ascending. `columns`, names with commas between, stand
  /// after `id`, which is column 0.
  ///
  /// - Throws: where the ranges are a file's blocks, and a row of theirs lacks.
  func forEach(
    _ db: Database, _ columns: String, from tables: BlockTables,
    _ body: (ScannedRow) -> Void
  ) throws {
    var found = 0
    /// Notes that a row was found, and calls `body` on it.
    func countAndPassOn(_ row: ScannedRow) {
      found += 1
      body(row)
    }
    let names = columns.split { $0 == "," || $0 == " " || $0 == "\n" }.map(String.init)
    let rows = try BlockScan(db, names, of: tables)
    for range in ranges { try rows.forEach(range, countAndPassOn) }
    guard !areDense || found == count else {
      throw DatabaseError(
        resultCode: .damaged,
        message: "\(tables.table.name) has other rows than its files brought")
    }
  }
}

/// What blocks span of time, as statements read it: `kind` (of ``BlockKind``, `unit_counts` or
/// `coin_movements`),
/// `source_id`, `first_at` and `last_at`, days for sales reports.
let blockTimes: String = {
  /// A query that gives for each block of a table its kind, its file, and its first and last time.
  ///
  /// - Parameters:
  ///   - kind: SQL of the kind's name.
  ///   - last: the index of the table's span whose end is the last time.
  func part(_ kind: String, _ tables: BlockTables, _ last: Int = 0) -> String {
    let table = tables.table
    return """
      SELECT \(kind) AS kind, source_id, first_\(table.spans[0]) AS first_at, \
      last_\(table.spans[last]) AS last_at FROM \(table.blocks)
      """
  }
  let own = "(SELECT id FROM source WHERE kind = 'transactions')"
  let parts = [
    part("'sales'", .sales, 1), part("'orders'", .orders), part("'events'", .events),
    part("iif(source_id IN \(own), 'transactions', 'purchases')", .transactions),
    part("'renewals'", .renewals), part("'unit_counts'", .counts),
    part("'coin_movements'", .coinMovements),
  ]
  return "(\(parts.joined(separator: " UNION ALL ")))"
}()

/// Rows whose blocks a period finds by their times.
enum BlockKind {
  case sales, orders, transactions, events, coinMovements
  /// Transactions of receipts, notifications and history.
  case purchases
  case renewals

  /// The table that has the rows.
  var tables: BlockTables {
    switch self {
    case .sales: .sales
    case .orders: .orders
    case .transactions, .purchases: .transactions
    case .events: .events
    case .coinMovements: .coinMovements
    case .renewals: .renewals
    }
  }

  /// Which of the table's spans has the ends of blocks: the second for sales reports, whose rows
  /// have two days, else the first.
  fileprivate var lastSpan: Int { self == .sales ? 1 : 0 }

  /// The SQL that finds the blocks of the kind alone, because transactions of the company and of
  /// Apple are in one table; empty for kinds that have a table of their own.
  fileprivate var condition: String {
    let own = "(SELECT id FROM source WHERE kind = 'transactions')"
    return switch self {
    case .transactions: " AND source_id IN \(own)"
    case .purchases: " AND source_id NOT IN \(own)"
    case .sales, .orders, .events, .coinMovements, .renewals: ""
    }
  }
}

/// Calls `body` on each of `rows`, which are ascending (a row may stand twice), with `columns`,
/// names with commas between, after `id`, which is column 0.
///
/// - Throws: where a row is not in the table.
func forEachRow<Table>(
  _ rows: [RowID<Table>], _ db: Database, _ columns: String, from table: FactRowTable<Table>,
  _ body: (ScannedRow) -> Void
) throws {
  // A damaged file may lack a row that another one names; it ends the command, not the process.
  let missing = DatabaseError(
    resultCode: .damaged, message: "\(table.name) lacks a row that is referred to")
  var next = 0
  var isWhole = true
  try RowRanges(holding: rows).forEach(db, columns, from: table.blocks) { row in
    let id: RowID<Table> = row.id()
    if next < rows.count, rows[next] < id { isWhole = false }
    while next < rows.count, rows[next] == id {
      body(row)
      next += 1
    }
  }
  guard isWhole, next == rows.count else { throw missing }
}
