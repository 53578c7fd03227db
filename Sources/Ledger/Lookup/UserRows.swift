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
    let beginning = Array(beginning.utf8)
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
    _ column: String, _ table: FactRowTable<Table>, _ beginning: [UInt8], _ limit: Int,
    _ rows: ClosedRange<Int64>, _ db: Database
  ) throws -> Set<String> {
    var found: Set<String> = []
    try BlockScan(db, [column], of: table.blocks).forEach(rows) { row in
      if found.count < limit, row.begins(1, with: beginning) { found.insert(row.text(1)) }
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
    let wanted = Array(user.utf8)
    var rows: [RowID<Table>] = []
    let scan = try BlockScan(db, ["user_id"], of: table.blocks)
    for range in ranges {
      try scan.forEach(range) { if $0.isID(1, wanted) { rows.append($0.id()) } }
    }
    return rows
  }
}

extension ScannedRow {
  /// Whether a column's id has exactly these characters.
  fileprivate func isID(_ column: Int32, _ text: [UInt8]) -> Bool {
    if isNull(column) { return false }
    return withText(column) { $0.count == text.count && $0.elementsEqual(text) }
  }

  fileprivate func begins(_ column: Int32, with text: [UInt8]) -> Bool {
    if isNull(column) { return false }
    return withText(column) { $0.count >= text.count && $0.prefix(text.count).elementsEqual(text) }
  }

  /// The characters of an id; of a number its decimal spelling.
  private func withText(_ column: Int32, _ body: (Slice<UnsafeRawBufferPointer>) -> Bool) -> Bool {
    let cell = cells[Int(column)]
    if cell.isText { return body(cell.bytes[...]) }
    return withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
      var (rest, place) = (cell.number.magnitude, digits.count)
      repeat {
        place -= 1
        digits[place] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
        rest /= 10
      } while rest > 0
      return body(UnsafeRawBufferPointer(digits)[place...])
    }
  }
}
