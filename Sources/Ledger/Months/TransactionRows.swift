import Billing
import GRDB

/// What `TransactionEntry.init(reading:)` reads, after `id`.
private let entryColumns = "terms_id, transaction_id, order_id, purchased_at, revoked_at"
/// And what a detail needs beside it.
private let detailColumns =
  "original_transaction_id, web_order_line_item_id, expires_at, user_id, app_account_token"

/// And what `TransactionObservation.init(reading:at:)` reads, of rows that Apple told.
private let tellingColumns = "told_at, receipt_size"

extension TransactionEntry {
  /// The entry of a row of `entryColumns`.
  fileprivate init(reading row: ScannedRow) {
    self.init(
      row: row.id(), terms: row.int32(1) - 1, key: row.key(2), order: row.key(3),
      purchasedAt: row.seconds(4), revokedAt: row.seconds(5))
  }
}

extension TransactionObservation {
  /// When Apple reported a row, by its `tellingColumns`, which begin at `column`; nil for a row of
  /// the company's own.
  fileprivate init?(reading row: ScannedRow, at column: Int32) {
    if row.isNull(column), row.isNull(column + 1) { return nil }
    self.init(
      row: row.id(), at: row.seconds(column), receiptSize: row.int32(column + 1))
  }
}

extension TransactionDetail {
  /// The details of a row.
  ///
  /// - Parameters:
  ///   - key: of the row's own id, which it stands for as original where the ledger has ''.
  ///   - column: where `detailColumns` begin.
  fileprivate init(reading row: ScannedRow, key: IDKey, at column: Int32) {
    let original = row.key(column)
    let isOwn = original.isNone && !row.isNull(column)
    self.init(
      row: row.id(), original: isOwn ? key : original, webOrderLineItem: row.key(column + 1),
      token: row.tokenKey(column + 4), user: row.key(column + 3), expiresAt: row.seconds(column + 2)
    )
  }
}

/// Transaction rows of a period, ascending by row.
struct ToldTransactions {
  var entries: [TransactionEntry] = []
  /// Of those that may belong to a chain.
  var chainDetails: [TransactionDetail] = []
  /// Of those that Apple told.
  var observations: [TransactionObservation] = []
  /// Those bought in the range that name no user.
  var unnamed: [TransactionRow.ID] = []

  /// Adds a row, with its details where it may belong to a chain.
  ///
  /// - Parameters:
  ///   - mayChain: for each of the terms, whether all its transactions may.
  ///   - hasObservation: whether the row has `tellingColumns`, of which its observation is read.
  @inline(__always)
  fileprivate mutating func append(_ row: ScannedRow, _ mayChain: [Bool], hasObservation: Bool) {
    let entry = TransactionEntry(reading: row)
    entries.append(entry)
    let isChained =
      mayChain[Int(entry.terms)] || !row.isNull(7) || !row.isNull(8)
      || row.isOtherOriginal(6, than: entry.key)
    if isChained {
      chainDetails.append(TransactionDetail(reading: row, key: entry.key, at: 6))
    }
    if hasObservation, let observation = TransactionObservation(reading: row, at: 11) {
      observations.append(observation)
    }
  }

  /// Adds the rows of another part, so that all ascend; both parts do.
  fileprivate mutating func merge(_ more: ToldTransactions) {
    entries.merge(more.entries) { $0.row < $1.row }
    chainDetails.merge(more.chainDetails) { $0.row < $1.row }
    observations.merge(more.observations) { $0.row < $1.row }
    unnamed.merge(more.unnamed) { $0 < $1 }
  }

  /// Adds a row that has all columns (`entryColumns`, `detailColumns`, `tellingColumns`) with its
  /// details, also where it can belong to no chain.
  fileprivate mutating func appendWithDetails(_ row: ScannedRow) {
    let entry = TransactionEntry(reading: row)
    entries.append(entry)
    chainDetails.append(TransactionDetail(reading: row, key: entry.key, at: 6))
    if let observation = TransactionObservation(reading: row, at: 11) {
      observations.append(observation)
    }
  }

  /// Puts each list in the order of its rows.
  fileprivate mutating func sort() {
    entries.sort { $0.row < $1.row }
    chainDetails.sort { $0.row < $1.row }
    observations.sort { $0.row < $1.row }
    unnamed.sort()
  }
}

/// What a row says of its end and its user.
struct EndingRow {
  fileprivate let row: ScannedRow

  /// The index of its terms in their dictionary.
  var terms: Int { Int(row.int32(1)) - 1 }
  /// Whether it has a web order line item, as subscriptions do.
  var hasLineItem: Bool { !row.isNull(7) }
  /// Seconds since 1970; nil where it is not said.
  var expiresAt: Int64? { row.isNull(8) ? nil : row.int64(8) }
  var user: IDKey { row.key(9) }
}

extension Ledger {
  /// Transactions purchased in the range, and those purchased before and revoked in it.
  ///
  /// - Parameters:
  ///   - mayChain: for each of the terms, whether all its transactions may belong to a chain.
  ///   - sources: files whose rows count; nil for all.
  func transactions(
    purchased: ClosedRange<Instant>, mayChain: [Bool], of sources: Set<Int64>?, _ db: Database
  ) throws -> ToldTransactions {
    let times = purchased.lowerBound.seconds...purchased.upperBound.seconds
    let company = try RowRanges(.transactions, touching: times, of: sources, db)
    let apple = try RowRanges(.purchases, touching: times, db)
    var (told, (byApple, others)) = try readBoth(
      db,
      { db in
        try Self.rows(
          in: company, times, mayChain, areApples: false, room: company.count + apple.count, db)
      },
      { [self] db in
        try readBoth(
          db,
          { try Self.rows(in: apple, times, mayChain, areApples: true, room: apple.count, $0) },
          { try Self.revoked(times, mayChain, beside: [company, apple], $0) })
      })
    told.merge(byApple)
    byApple = ToldTransactions()
    told.merge(others)
    return told
  }

  /// Rows bought before the times that were revoked in them, or of which Apple said in them that it
  /// took the refund back; ascending.
  ///
  /// - Parameters:
  ///   - times: seconds since 1970.
  ///   - mayChain: for each of the terms, whether all its transactions may belong to a chain.
  ///   - ranges: what is read as a whole, so that the revoked ones in it are not looked up.
  private static func revoked(
    _ times: ClosedRange<Int64>, _ mayChain: [Bool], beside ranges: [RowRanges], _ db: Database
  ) throws -> ToldTransactions {
    var told = ToldTransactions()
    let columns = "\(entryColumns), \(detailColumns), \(tellingColumns)"
    let replaced = try replacedTransactions(db)
    /// Whether a row is in none of the `replaced` ranges: those of superseded files.
    func isNotReplaced(_ row: ScannedRow) -> Bool {
      !replaced.contains { $0.contains(row.int64(0)) }
    }
    var revoked: [TransactionRow.ID] = []
    try scan(
      db, "id",
      """
      FROM transaction_row WHERE revoked_at BETWEEN ? AND ?
      """,
      [[times.lowerBound, times.upperBound]]
    ) { row in
      if isNotReplaced(row), !ranges.contains(where: { $0.contains(row.int64(0)) }) {
        revoked.append(row.id())
      }
    }
    try forEachRow(revoked.sortedOnce(), db, columns, from: .transactions) { row in
      if row.int64(4) < times.lowerBound { told.append(row, mayChain, hasObservation: true) }
    }
    try forEachRow(reversals(told: times, db), db, columns, from: .transactions) { row in
      if !(isRevoked(row, in: times) && isNotReplaced(row)) {
        told.append(row, mayChain, hasObservation: true)
      }
    }
    told.sort()
    return told
  }

  /// Whether a row, of `entryColumns`, was revoked in the times, in seconds since 1970.
  private static func isRevoked(_ row: ScannedRow, in times: ClosedRange<Int64>) -> Bool {
    !row.isNull(5) && times.contains(row.int64(5))
  }

  /// The transactions in `ranges` of rows that were bought in `times`, or before and revoked in
  /// `times`.
  ///
  /// - Parameters:
  ///   - times: seconds since 1970.
  ///   - mayChain: for each of the terms, whether all its transactions may belong to a chain.
  ///   - areApples: whether Apple reported the rows: then their observations are read, too.
  ///   - room: how many rows space is reserved for: what is not used costs nothing, and a list that
  ///     grows is written twice.
  private static func rows(
    in ranges: RowRanges, _ times: ClosedRange<Int64>, _ mayChain: [Bool], areApples: Bool,
    room: Int, _ db: Database
  ) throws -> ToldTransactions {
    var told = ToldTransactions()
    told.entries.reserveCapacity(room)
    told.chainDetails.reserveCapacity(room)
    // As other lists have it, also for rows of other periods.
    if areApples { told.observations.reserveCapacity(room + room / 16) }
    let columns = "\(entryColumns), \(detailColumns)" + (areApples ? ", \(tellingColumns)" : "")
    try ranges.forEach(db, columns, from: .transactions) { row in
      let purchasedAt = row.int64(4)
      if times.contains(purchasedAt) {
        told.append(row, mayChain, hasObservation: areApples)
        if row.isNull(9) { told.unnamed.append(row.id()) }
      } else if purchasedAt < times.lowerBound, isRevoked(row, in: times) {
        told.append(row, mayChain, hasObservation: areApples)
      }
    }
    return told
  }

  /// Rows of transactions bought before `times` in which Apple said, within `times` (seconds since
  /// 1970), that it took their refund back; ascending. Refunds are few, and those that were taken
  /// back fewer.
  private static func reversals(
    told times: ClosedRange<Int64>, _ db: Database
  ) throws -> [TransactionRow.ID] {
    let reversed = Set(
      try Int64.fetchAll(db, sql: "SELECT id FROM transaction_terms WHERE is_refund_reversed"))
    if reversed.isEmpty { return [] }
    var keys: [UInt64] = []
    try scan(
      db, "id, transaction_id",
      """
      FROM transaction_row
      WHERE revoked_at BETWEEN ?1 AND ?2 AND purchased_at < ?2
      """,
      [[times.lowerBound - longestDispute, times.upperBound]]
    ) { keys.append($0.key(1).raw) }
    let rows: [TransactionRow.ID] = try IDLookup.rows(
      .transaction, keys: keys.sortedOnce().filter { $0 != 0 }, outside: times, db
    ).sortedOnce()
    var found: [TransactionRow.ID] = []
    try forEachRow(
      rows, db, "terms_id, purchased_at, told_at", from: .transactions
    ) { row in
      if reversed.contains(row.int64(1)), row.int64(2) < times.lowerBound, !row.isNull(3),
        times.contains(row.int64(3))
      {
        found.append(row.id())
      }
    }
    return found
  }

  /// Seconds after a refund in which a dispute about it is looked for: half a year.
  private static let longestDispute: Int64 = 183 * 86_400

  /// For each of `terms`, whether its transactions may belong to a subscription chain: all may but
  /// those of products known as consumables, from the terms or else the catalogue (`products`).
  static func mayChain(_ terms: [TransactionTerms], _ products: [Product]) -> [Bool] {
    var kinds: [String: Set<ProductKind>] = [:]
    for product in products { kinds[product.sku, default: []].insert(product.kind) }
    let consumables = Set(kinds.lazy.filter { $0.value == [.consumable] }.map(\.key))
    return terms.map { terms in
      terms.kind.map { $0 != .consumable } ?? !consumables.contains(terms.sku)
    }
  }

  /// Transactions purchased before or after `outside` whose id is one of `keys`, or that name one
  /// of `orders`; ascending by row.
  ///
  /// - Parameters:
  ///   - keys: raw ``IDKey``s of transactions, ascending, none twice, none 0.
  ///   - orders: those of orders, likewise.
  static func transactions(
    keys: [UInt64], claiming orders: [UInt64], outside: ClosedRange<Instant>, _ db: Database
  ) throws -> [TransactionEntry] {
    let times = outside.lowerBound.seconds...outside.upperBound.seconds
    let rows = try
      (IDLookup.rows(.transaction, keys: keys, outside: times, db)
      + IDLookup.rows(.transactionOrder, keys: orders, outside: times, db)).sortedOnce()
    var entries: [TransactionEntry] = []
    try forEachRow(rows, db, entryColumns, from: .transactions) { row in
      if !times.contains(row.int64(4)) { entries.append(TransactionEntry(reading: row)) }
    }
    return entries
  }

  /// The transactions of these rows, which ascend, in their order.
  static func transactions(rows: [TransactionRow.ID], _ db: Database) throws -> [TransactionEntry] {
    var entries: [TransactionEntry] = []
    try forEachRow(rows, db, entryColumns, from: .transactions) { row in
      entries.append(TransactionEntry(reading: row))
    }
    return entries
  }

  /// What `link` makes of each transaction of the chains that begin with `originals`, purchased in
  /// the first range and not in the second; ascending by row.
  static func chainTransactions<Link>(
    _ originals: [UInt64], purchased: ClosedRange<Instant>, outside: ClosedRange<Instant>,
    _ db: Database, _ link: (TransactionEntry, TransactionDetail) -> Link
  ) throws -> [Link] {
    let times = purchased.lowerBound.seconds...purchased.upperBound.seconds
    let known = outside.lowerBound.seconds...outside.upperBound.seconds
    let rows = try IDLookup.rows(
      .chain, keys: originals, outside: known, touching: times, db
    ).sortedOnce()
    var found: [Link] = []
    found.reserveCapacity(rows.count)
    let columns = "\(entryColumns), \(detailColumns)"
    try forEachRow(rows, db, columns, from: .transactions) { row in
      guard times.contains(row.int64(4)), !known.contains(row.int64(4)) else { return }
      let entry = TransactionEntry(reading: row)
      found.append(link(entry, TransactionDetail(reading: row, key: entry.key, at: 6)))
    }
    return found
  }

  /// Transactions bought in the times (seconds since 1970) of which some row is wanted, with all
  /// rows about them: what one source says of an end or a refund another may take back.
  ///
  /// Each row of the blocks that touch the times is looked at, because no index leads to ends,
  /// users or terms; what is kept and looked up again is what was wanted.
  static func toldTransactions(
    _ times: ClosedRange<Int64>, _ db: Database, where isWanted: (EndingRow) -> Bool
  ) throws -> ToldTransactions {
    var told = ToldTransactions()
    let columns = "\(entryColumns), \(detailColumns), \(tellingColumns)"
    for kind in [BlockKind.transactions, .purchases] {
      try RowRanges(kind, touching: times, db).forEach(db, columns, from: .transactions) {
        if times.contains($0.int64(4)), isWanted(EndingRow(row: $0)) { told.appendWithDetails($0) }
      }
    }
    let known = Set(told.entries.map(\.row))
    // Nothing is outside of the one moment before all.
    let others: [TransactionRow.ID] = try IDLookup.rows(
      .transaction, keys: told.entries.map(\.key.raw).sortedOnce().filter { $0 != 0 },
      outside: Int64.min...Int64.min, touching: times, db
    ).sortedOnce().filter { !known.contains($0) }
    try forEachRow(others, db, columns, from: .transactions) { told.appendWithDetails($0) }
    told.sort()
    return told
  }

  /// What Apple said of the next renewals of subscriptions in the thirteen months up to `end`, in
  /// which a yearly chain goes on without a word; where there may be more than three million such
  /// rows, only in the last hundred days.
  static func renewals(until end: Instant, _ db: Database) throws -> [RenewalEntry] {
    var times = end.seconds - 400 * 86_400...end.seconds
    if try RowRanges(.renewals, touching: times, db).count > 3_000_000 {
      times = end.seconds - 100 * 86_400...end.seconds
    }
    let ranges = try RowRanges(.renewals, touching: times, db)
    var entries: [RenewalEntry] = []
    entries.reserveCapacity(ranges.count)
    let columns = "terms_id, original_transaction_id, told_at, grace_expires_at"
    try ranges.forEach(db, columns, from: .renewals) { row in
      guard times.contains(row.int64(3)) else { return }
      entries.append(
        RenewalEntry(
          original: row.key(2), terms: row.int32(1) - 1, observedAt: row.seconds(3),
          graceExpiresAt: row.seconds(4)))
    }
    return entries
  }

  /// Instalments of commitments that end in the times or later, as far as they were bought by the
  /// end of the times; ascending by row.
  static func instalments(_ times: ClosedRange<Instant>, _ db: Database) throws -> [Instalment] {
    var found: [Instalment] = []
    try scan(
      db,
      """
      r.id, r.terms_id, r.transaction_id, r.original_transaction_id, r.purchased_at, r.expires_at,
        r.revoked_at, x.commitment_ends_at, e.billing_period, e.billing_periods
      """,
      """
      FROM extra_row x JOIN extra_terms e ON e.id = x.terms_id
        JOIN transaction_row r ON r.id = x.id
      WHERE x.commitment_ends_at >= ? AND r.purchased_at <= ?
        AND e.billing_period <= e.billing_periods
      ORDER BY r.id
      """, [[times.lowerBound.seconds, times.upperBound.seconds]]
    ) { row in
      let (key, original) = (row.key(2), row.key(3))
      found.append(
        Instalment(
          row: row.id(), terms: row.int32(1) - 1, key: key,
          original: original.isNone ? key : original,
          number: row.int32(8), total: row.int32(9), purchasedAt: row.seconds(4),
          expiresAt: row.seconds(5), revokedAt: row.seconds(6), commitmentEndsAt: row.seconds(7)))
    }
    return found
  }

  /// The taxes that payloads name in purchases of the times; ascending by row. Where no terms of
  /// the ledger name a tax, no row is looked at.
  static func toldTaxes(_ times: ClosedRange<Instant>, _ db: Database) throws -> [ToldTax] {
    let tells = "estimated_tax IS NOT NULL OR price_without_tax IS NOT NULL"
    let terms = try Int64.fetchAll(db, sql: "SELECT id FROM extra_terms WHERE \(tells)")
    if terms.isEmpty { return [] }
    let times = times.lowerBound.seconds...times.upperBound.seconds
    let ranges = try RowRanges(.purchases, touching: times, db)
    var told: [ToldTax] = []
    try scan(
      db,
      """
      r.id, r.terms_id, r.transaction_id, r.purchased_at, e.tax_code, e.estimated_tax,
        e.price_without_tax
      """,
      """
      FROM extra_row x JOIN extra_terms e ON e.id = x.terms_id JOIN transaction_row r ON r.id = x.id
      WHERE x.id BETWEEN ? AND ? AND (\(tells))
      ORDER BY x.id
      """, ranges.ranges.map { [$0.lowerBound, $0.upperBound] }
    ) { row in
      guard times.contains(row.int64(3)) else { return }
      told.append(
        ToldTax(
          row: row.id(), terms: row.int32(1) - 1, key: row.key(2), purchasedAt: row.seconds(3),
          taxCode: row.text(4), tax: row.isNull(5) ? nil : row.int64(5),
          priceWithoutTax: row.isNull(6) ? nil : row.int64(6)))
    }
    return told
  }

  /// When Apple reported each of these transaction rows, ascending by row as `rows` must; the
  /// company's own rows are left out.
  static func observations(_ rows: [TransactionRow.ID], _ db: Database) throws
    -> [TransactionObservation]
  {
    var observations: [TransactionObservation] = []
    try forEachRow(rows, db, tellingColumns, from: .transactions) { row in
      if let observation = TransactionObservation(reading: row, at: 1) {
        observations.append(observation)
      }
    }
    return observations
  }

  /// The details of these rows, which ascend, in their order.
  ///
  /// - Parameter room: how many details the caller will add: space is reserved for them, too.
  static func transactionDetails(
    _ rows: [TransactionRow.ID], room: Int = 0, _ db: Database
  ) throws -> [TransactionDetail] {
    var details: [TransactionDetail] = []
    details.reserveCapacity(rows.count + room)
    let columns = "transaction_id, \(detailColumns)"
    try forEachRow(rows, db, columns, from: .transactions) { row in
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
