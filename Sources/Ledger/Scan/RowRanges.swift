import Billing
import GRDB

/// Which rows of a table a period may need.
struct RowRanges {
  /// Ascending, apart from each other.
  private(set) var ranges: [ClosedRange<Int64>] = []
  /// Whether each number in the ranges is a row's.
  private let areDense: Bool

  /// Rows of all ranges.
  var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// The rows of the batches of `kind` that span some of `times`, and of `sources` where given.
  init(
    _ kind: BatchKind, touching times: ClosedRange<Int64>, of sources: Set<Int64>? = nil,
    _ db: Database
  ) throws {
    areDense = true
    let select = try RawStatement(
      db,
      """
      SELECT first_row, last_row, source_id FROM batch
      WHERE kind = ? AND first_at <= ? AND last_at >= ? AND \(countedOut) ORDER BY first_row
      """)
    select.bind(kind.rawValue, at: 1)
    select.bind(times.upperBound, at: 2)
    select.bind(times.lowerBound, at: 3)
    while try select.step() {
      guard sources?.contains(select.int64(2)) ?? true else { continue }
      append(select.int64(0)...select.int64(1))
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

  /// The same in two parts of as many rows.
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
    let place = ranges.partitioningIndex { $0.upperBound >= row }
    return place < ranges.count && ranges[place].contains(row)
  }

  private mutating func append(_ range: ClosedRange<Int64>) {
    if let last = ranges.last, last.upperBound + 1 == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound...range.upperBound
    } else {
      ranges.append(range)
    }
  }

  /// Calls `body` on each row of the ranges, ascending. `columns` stand after `id`, which is
  /// column 0.
  func forEach(
    _ db: Database, _ columns: String, from table: String,
    _ body: (ScannedRow) -> Void
  ) throws {
    var found = 0
    func take(_ row: ScannedRow) {
      found += 1
      body(row)
    }
    if let pages = try TablePages(db, columns, of: table) {
      for range in ranges { try pages.forEach(range, take) }
    } else {
      try scan(
        db, "id, \(columns)", "FROM \(table) WHERE id BETWEEN ? AND ?",
        ranges.map { [$0.lowerBound, $0.upperBound] }, take)
    }
    guard !areDense || found == count else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "\(table) has other rows than its files brought")
    }
  }
}

/// Calls `body` on each of `rows`, which are ascending (a row may stand twice).
func forEachRow<Table>(
  _ rows: [RowID<Table>], _ db: Database, _ columns: String, from table: FactRowTable<Table>,
  _ body: (ScannedRow) -> Void
) throws {
  // A damaged file may lack a row that another one names; it ends the command, not the process.
  let missing = DatabaseError(
    resultCode: .SQLITE_CORRUPT, message: "\(table.name) lacks a row that is referred to")
  var next = 0
  var isWhole = true
  try RowRanges(holding: rows).forEach(db, columns, from: table.name) { row in
    let id: RowID<Table> = row.id()
    if next < rows.count, rows[next] < id { isWhole = false }
    while next < rows.count, rows[next] == id {
      body(row)
      next += 1
    }
  }
  guard isWhole, next == rows.count else { throw missing }
}
