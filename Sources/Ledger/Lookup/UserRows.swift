package import Billing
import GRDB

/// Where a user is named.
package struct UserRows: Sendable {
  /// Ascending by row; so are the others.
  package var orders: [OrderRow.ID]
  package var transactions: [TransactionRow.ID]
  package var messages: [MessageRow.ID]
  package var isEmpty: Bool { orders.isEmpty && transactions.isEmpty && messages.isEmpty }
}

extension Ledger {
  /// Ids of orders that begin so, at most `limit`. No index leads to them: unless so many are
  /// found, every order is looked at.
  package func orderIDs(beginning: String, limit: Int) throws -> [String] {
    try ids("order_id", of: .orders, beginning, limit)
  }

  /// The same of transactions.
  package func transactionIDs(beginning: String, limit: Int) throws -> [String] {
    try ids("transaction_id", of: .transactions, beginning, limit)
  }

  private func ids<Table: Sendable>(
    _ column: String, of table: FactRowTable<Table>, _ beginning: String, _ limit: Int
  ) throws -> [String] {
    let beginning = SoughtID(beginning: beginning)
    return try read { db in
      let last = try Int64.fetchOne(
        db, sql: "SELECT ifnull(max(last_row), 0) FROM \(table.blocks.table.blocks)")!
      let middle = last / 2
      let (first, second) = try readBoth(
        db, { try Self.ids(column, table, beginning, limit, 0...middle, $0) },
        { try Self.ids(column, table, beginning, limit, middle + 1...max(last, middle + 1), $0) })
      return Array(first.union(second).sorted().prefix(limit))
    }
  }

  private static func ids<Table>(
    _ column: String, _ table: FactRowTable<Table>, _ beginning: SoughtID, _ limit: Int,
    _ rows: ClosedRange<Int64>, _ db: Database
  ) throws -> Set<String> {
    var found: Set<String> = []
    try BlockScan(db, [column], of: table.blocks).forEach(rows) { row in
      if found.count < limit, beginning.begins(row.cells[1]) { found.insert(row.text(1)) }
    }
    return found
  }

  /// The rows that name a user. No index leads to them: every order and transaction is looked at,
  /// or of `days`, where given, the blocks that touch them.
  package func rows(ofUser user: String, days: ClosedRange<Day>?) throws -> UserRows {
    try read { db in
      let (orders, rest) = try readBoth(
        db, { try Self.rows(of: user, [.orders], .orders, days, $0) },
        { other in
          (
            try Self.rows(of: user, [.transactions, .purchases], .transactions, days, other),
            try Self.rows(of: user, [], .messages, nil, other)
          )
        })
      return UserRows(orders: orders, transactions: rest.0, messages: rest.1)
    }
  }

  private static func rows<Table>(
    of user: String, _ kinds: [BlockKind], _ table: FactRowTable<Table>, _ days: ClosedRange<Day>?,
    _ db: Database
  ) throws -> [RowID<Table>] {
    var ranges: [ClosedRange<Int64>] = [0...Int64(Int32.max)]
    if let days {
      let end = days.upperBound.advanced(by: 1).startUTC.seconds
      ranges = try kinds.flatMap {
        try RowRanges($0, touching: days.lowerBound.startUTC.seconds...end, db).ranges
      }.sorted { $0.lowerBound < $1.lowerBound }
    }
    let wanted = SoughtID(user)
    var rows: [RowID<Table>] = []
    let scan = try BlockScan(db, ["user_id"], of: table.blocks)
    for range in ranges {
      try scan.forEach(range) { if wanted.isIn($0.cells[1]) { rows.append($0.id()) } }
    }
    return rows
  }
}

/// An id, or how one begins, as rows are held against it: numbers as numbers, since spelling each
/// of a month's would take longer than reading it.
private struct SoughtID {
  private let text: [UInt8]
  /// Numbers whose decimal spelling it is, or begins.
  private let numbers: [ClosedRange<Int64>]

  init(_ id: String) {
    text = Array(id.utf8)
    numbers = Int64(id).flatMap { String($0) == id ? [$0...$0] : nil } ?? []
  }

  init(beginning: String) {
    text = Array(beginning.utf8)
    var found: [ClosedRange<Int64>] = []
    if let first = Int64(beginning), String(first) == beginning, first >= 0 {
      var (lower, upper) = (first, first)
      found = [lower...upper]
      while first > 0, let next = Self.tenfold(lower, plus: 0) {
        lower = next
        upper = Self.tenfold(upper, plus: 9) ?? .max
        found.append(lower...upper)
      }
    }
    numbers = found
  }

  private static func tenfold(_ number: Int64, plus digit: Int64) -> Int64? {
    let (tenfold, isTooLarge) = number.multipliedReportingOverflow(by: 10)
    let (sum, exceeds) = tenfold.addingReportingOverflow(digit)
    return isTooLarge || exceeds ? nil : sum
  }

  func isIn(_ cell: ScannedCell) -> Bool {
    cell.isText ? cell.bytes.elementsEqual(text) : matches(cell)
  }

  func begins(_ cell: ScannedCell) -> Bool {
    cell.isText ? cell.bytes.starts(with: text) : matches(cell)
  }

  private func matches(_ cell: ScannedCell) -> Bool {
    if cell.isNull { return false }
    for range in numbers where range.contains(cell.number) { return true }
    return false
  }
}
