import Billing
import GRDB

/// What `TransactionEntry.init(reading:)` reads, after `id`.
private let entryColumns = "terms_id, transaction_id, order_id, purchased_at, revoked_at"
/// And what a detail needs beside it.
private let detailColumns =
  "original_transaction_id, web_order_line_item_id, expires_at, user_id, app_account_token"

extension TransactionEntry {
  fileprivate init(reading row: ScannedRow) {
    self.init(
      row: row.int32(0), terms: row.int32(1) - 1, key: row.key(2), order: row.key(3),
      purchasedAt: row.seconds(4), revokedAt: row.seconds(5))
  }
}

extension TransactionDetail {
  /// - Parameters:
  ///   - key: of the row's own id, which it stands for as original where the ledger has ''.
  ///   - column: where `detailColumns` begin.
  fileprivate init(reading row: ScannedRow, key: IDKey, at column: Int32) {
    let original = row.key(column)
    let isOwn = original.isNone && !row.isNull(column)
    self.init(
      row: row.int32(0), original: isOwn ? key : original, webOrderLineItem: row.key(column + 1),
      token: row.key(column + 4), user: row.key(column + 3), expiresAt: row.seconds(column + 2))
  }
}

extension Ledger {
  /// Transactions purchased in the range, and those purchased before and revoked in it, ascending
  /// by row; with the details of those that may belong to a chain.
  ///
  /// - Parameter mayChain: for each of the terms, whether all its transactions may.
  static func transactions(
    purchased: ClosedRange<Instant>, mayChain: [Bool], _ db: Database
  ) throws -> ([TransactionEntry], [TransactionDetail]) {
    let times = purchased.lowerBound.seconds...purchased.upperBound.seconds
    let ranges = try RowRanges(.transactions, touching: times, db)
    var entries: [TransactionEntry] = []
    var details: [TransactionDetail] = []
    entries.reserveCapacity(ranges.count)
    func take(_ row: ScannedRow) {
      let entry = TransactionEntry(reading: row)
      entries.append(entry)
      let isChained =
        mayChain[Int(entry.terms)] || !row.isNull(7) || !row.isNull(8)
        || row.isOtherOriginal(6, than: entry.key)
      if isChained { details.append(TransactionDetail(reading: row, key: entry.key, at: 6)) }
    }
    let columns = "\(entryColumns), \(detailColumns)"
    try ranges.forEach(db, columns, from: "transaction_row") { row in
      if times.contains(row.int64(4)) { take(row) }
    }
    let inRange = entries.count
    try scan(
      db, "id, \(columns)",
      """
      FROM transaction_row INDEXED BY transaction_revoked
      WHERE revoked_at BETWEEN ?1 AND ?2 AND purchased_at < ?1
      """,
      [[times.lowerBound, times.upperBound]], take)
    if entries.count > inRange {
      entries.sort { $0.row < $1.row }
      details.sort { $0.row < $1.row }
    }
    return (entries, details)
  }

  /// For each of `terms`, whether the product is known to be anything but a consumable, or not
  /// known at all: by the transaction, else by the catalogue.
  static func mayChain(_ terms: [TransactionTerms], _ products: [Product]) -> [Bool] {
    var kinds: [String: Set<ProductKind>] = [:]
    for product in products { kinds[product.sku, default: []].insert(product.kind) }
    return terms.map { terms in
      let kinds = terms.kind.map { [$0] } ?? kinds[terms.sku] ?? []
      return kinds != [.consumable]
    }
  }

  /// Transactions purchased at any other time whose id is one of `keys`, or that name one of
  /// `orders`; ascending by row.
  static func transactions(
    keys: [UInt64], claiming orders: [UInt64], outside: ClosedRange<Instant>, _ db: Database
  ) throws -> [TransactionEntry] {
    let times = outside.lowerBound.seconds...outside.upperBound.seconds
    let rows = sortedOnce(
      try IDLookup.rows(.transaction, keys: keys, outside: times, db)
        + IDLookup.rows(.transactionOrder, keys: orders, outside: times, db))
    var entries: [TransactionEntry] = []
    try forEachRow(rows, db, entryColumns, from: "transaction_row") { row in
      if !times.contains(row.int64(4)) { entries.append(TransactionEntry(reading: row)) }
    }
    return entries
  }

  /// Transactions of the chains that begin with `originals`, purchased in the first range and not
  /// in the second; ascending by row.
  static func chainTransactions(
    _ originals: [UInt64], purchased: ClosedRange<Instant>, outside: ClosedRange<Instant>,
    _ db: Database
  ) throws -> [(TransactionEntry, TransactionDetail)] {
    let times = purchased.lowerBound.seconds...purchased.upperBound.seconds
    let known = outside.lowerBound.seconds...outside.upperBound.seconds
    let rows = sortedOnce(
      try IDLookup.rows(.chain, keys: originals, outside: known, touching: times, db))
    var found: [(TransactionEntry, TransactionDetail)] = []
    let columns = "\(entryColumns), \(detailColumns)"
    try forEachRow(rows, db, columns, from: "transaction_row") { row in
      guard times.contains(row.int64(4)), !known.contains(row.int64(4)) else { return }
      let entry = TransactionEntry(reading: row)
      found.append((entry, TransactionDetail(reading: row, key: entry.key, at: 6)))
    }
    return found
  }

  static func transactionDetails(_ rows: [RowID], _ db: Database) throws -> [TransactionDetail] {
    var details: [TransactionDetail] = []
    details.reserveCapacity(rows.count)
    let columns = "transaction_id, \(detailColumns)"
    try forEachRow(rows, db, columns, from: "transaction_row") { row in
      details.append(TransactionDetail(reading: row, key: row.key(1), at: 2))
    }
    return details
  }
}

extension ScannedRow {
  /// Whether the column names an original that is another transaction.
  @inline(__always)
  fileprivate func isOtherOriginal(_ column: Int32, than own: IDKey) -> Bool {
    let original = key(column)
    return !original.isNone && original != own
  }
}
