import Billing
import GRDB

/// What `OrderEntry.init(reading:)` reads, after `id`.
private let entryColumns = "terms_id, order_id, transaction_id, placed_at, fulfilled_at"
private let detailColumns = "user_id, app_account_token"

extension OrderEntry {
  /// The entry of a row of `entryColumns`.
  fileprivate init(reading row: ScannedRow) {
    self.init(
      row: row.id(), terms: row.int32(1) - 1, key: row.key(2), transaction: row.key(3),
      placedAt: row.seconds(4), fulfilledAt: row.seconds(5))
  }
}

extension OrderDetail {
  /// The user and the app account token of an order's row.
  ///
  /// - Parameter column: where `detailColumns` begin.
  fileprivate init(reading row: ScannedRow, at column: Int32) {
    self.init(row: row.id(), user: row.key(column), token: row.tokenKey(column + 1))
  }
}

extension Ledger {
  /// Orders placed in the range, ascending by row; with the details of those that name no
  /// transaction.
  ///
  /// - Parameter sources: files whose rows count; nil for all.
  static func orders(
    placed: ClosedRange<Instant>, of sources: Set<Int64>?, _ db: Database
  ) throws -> ([OrderEntry], [OrderDetail]) {
    let times = placed.lowerBound.seconds...placed.upperBound.seconds
    let ranges = try RowRanges(.orders, touching: times, of: sources, db)
    var entries: [OrderEntry] = []
    var details: [OrderDetail] = []
    entries.reserveCapacity(ranges.count)
    // As many as all: what is not used costs nothing.
    details.reserveCapacity(ranges.count)
    try ranges.forEach(db, "\(entryColumns), \(detailColumns)", from: .orders) { row in
      guard times.contains(row.int64(4)) else { return }
      let entry = OrderEntry(reading: row)
      entries.append(entry)
      if entry.transaction.isNone { details.append(OrderDetail(reading: row, at: 6)) }
    }
    return (entries, details)
  }

  /// Orders placed before or after `outside` whose id is one of `keys`, or that name one of
  /// `transactions`; ascending by row.
  ///
  /// - Parameters:
  ///   - keys: raw ``IDKey``s of orders, ascending, none twice, none 0.
  ///   - transactions: those of transactions, likewise.
  static func orders(
    keys: [UInt64], claiming transactions: [UInt64], outside: ClosedRange<Instant>, _ db: Database
  ) throws -> [OrderEntry] {
    let times = outside.lowerBound.seconds...outside.upperBound.seconds
    let rows = try
      (IDLookup.rows(.order, keys: keys, outside: times, db)
      + IDLookup.rows(.orderTransaction, keys: transactions, outside: times, db)).sortedOnce()
    var entries: [OrderEntry] = []
    try forEachRow(rows, db, entryColumns, from: .orders) { row in
      if !times.contains(row.int64(4)) { entries.append(OrderEntry(reading: row)) }
    }
    return entries
  }

  /// The orders of these rows, which ascend, in their order.
  static func orders(rows: [OrderRow.ID], _ db: Database) throws -> [OrderEntry] {
    var entries: [OrderEntry] = []
    try forEachRow(rows, db, entryColumns, from: .orders) { row in
      entries.append(OrderEntry(reading: row))
    }
    return entries
  }

  /// The users and app account tokens of these rows, which ascend, in their order.
  static func orderDetails(_ rows: [OrderRow.ID], _ db: Database) throws -> [OrderDetail] {
    var details: [OrderDetail] = []
    details.reserveCapacity(rows.count)
    try forEachRow(rows, db, detailColumns, from: .orders) { row in
      details.append(OrderDetail(reading: row, at: 1))
    }
    return details
  }
}
