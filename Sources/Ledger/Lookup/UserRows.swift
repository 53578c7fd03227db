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
    try ids("order_text", of: .orders, beginning, limit)
  }

  /// The same of transactions.
  package func transactionIDs(beginning: String, limit: Int) throws -> [String] {
    try ids("transaction_text", of: .transactions, beginning, limit)
  }

  private func ids<Table>(
    _ column: String, of table: FactRowTable<Table>, _ beginning: String, _ limit: Int
  ) throws -> [String] {
    try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT \(column) FROM \(table.name)
          WHERE substr(\(column), 1, length(?1)) = ?1 LIMIT ?2
          """, arguments: [beginning, limit])
    }
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
    of user: String, _ kinds: [BatchKind], _ table: FactRowTable<Table>, _ days: ClosedRange<Day>?,
    _ db: Database
  ) throws -> [RowID<Table>] {
    var user = user
    let number = user.withUTF8 { canonicalNumber(UnsafeRawBufferPointer($0)) }
    let select = try RawStatement(
      db, "SELECT id FROM \(table.name) WHERE id BETWEEN ? AND ? AND user_id = ?")
    if let number { select.bind(number, at: 3) } else { select.bind(user, at: 3) }
    var ranges: [ClosedRange<Int64>] = [0...Int64.max]
    if let days {
      let end = days.upperBound.advanced(by: 1).startUTC.seconds
      ranges = try kinds.flatMap {
        try RowRanges($0, touching: days.lowerBound.startUTC.seconds...end, db).ranges
      }
    }
    var rows: [RowID<Table>] = []
    for range in ranges {
      select.bind(range.lowerBound, at: 1)
      select.bind(range.upperBound, at: 2)
      while try select.step() { rows.append(RowID(select.int64(0))) }
      select.reset()
    }
    return rows.sorted()
  }
}
