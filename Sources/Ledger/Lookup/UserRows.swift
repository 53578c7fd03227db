package import Billing
import GRDB

/// Where a user is named.
package struct UserRows: Sendable {
  /// Ascending by row; so are the others.
  package var orders: [OrderRow.ID]
  package var transactions: [TransactionRow.ID]
  package var messages: [MessageRow.ID]
  /// Whether a movement of coins names the user.
  package var hasCoins: Bool
  package var isEmpty: Bool {
    orders.isEmpty && transactions.isEmpty && messages.isEmpty && !hasCoins
  }
}

extension Ledger {
  /// The rows whose user is `id`, and the ids of orders and transactions that begin with `id`, at
  /// most `limit` of each. No index leads to them: each order and transaction is looked at once.
  ///
  /// - Parameters:
  ///   - days: the user's orders, transactions and coins are looked for only in blocks that touch
  ///     these; nil for all. Messages are looked for in all.
  ///   - limit: 0 where only the user is looked for.
  package func search(
    _ id: String, days: ClosedRange<Day>?, limit: Int
  ) throws -> (user: UserRows, orders: [String], transactions: [String]) {
    try read { db in
      let (orders, rest) = try readBoth(
        db, { try Self.search(id, "order_id", [.orders], .orders, days, limit, $0) },
        { other in
          (
            try Self.search(
              id, "transaction_id", [.transactions, .purchases], .transactions, days, limit, other),
            try Self.search(id, nil, [], .messages, nil, 0, other),
            try Self.search(id, nil, [.coinMovements], .coinMovements, days, 0, other)
          )
        })
      let user = UserRows(
        orders: orders.user, transactions: rest.0.user, messages: rest.1.user,
        hasCoins: !rest.2.user.isEmpty)
      return (user, orders.ids, rest.0.ids)
    }
  }

  /// The rows of a table whose user is `id`, and the ids in `column` that begin with it, ascending.
  ///
  /// - Parameters:
  ///   - column: the column whose ids are looked for; nil for none.
  ///   - kinds: the kinds of blocks that the table has, by which those of `days` are found.
  ///   - days: rows of the user are looked for only in blocks that touch these; nil for all.
  ///   - limit: how many ids are found at most.
  private static func search<Table>(
    _ id: String, _ column: String?, _ kinds: [BlockKind], _ table: FactRowTable<Table>,
    _ days: ClosedRange<Day>?, _ limit: Int, _ db: Database
  ) throws -> (user: [RowID<Table>], ids: [String]) {
    let times = days.map { days in
      days.lowerBound.startUTC.seconds...days.upperBound.advanced(by: 1).startUTC.seconds
    }
    let ofDays = try times.map { times in try kinds.map { try RowRanges($0, touching: times, db) } }
    let (user, beginning) = (SoughtID(id), SoughtID(beginning: id))
    var rows: [RowID<Table>] = []
    var ids: Set<String> = []
    try BlockScan.forEachBlock(of: table.blocks, db) { block in
      if ofDays?.contains(where: { $0.touches(block.rows) }) ?? true {
        try block.forEach(user, in: "user_id") { row, _ in rows.append(RowID(row)) }
      }
      guard let column, ids.count < limit else { return }
      try block.forEach(beginning, in: column) { _, cell in
        if ids.count < limit { ids.insert(cell.text) }
      }
    }
    return (rows, ids.sorted())
  }
}
