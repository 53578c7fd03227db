package import Billing
import GRDB

/// When an order was placed, paid and fulfilled, as one row tells it; seconds since 1970, 0 for
/// not said.
package struct OrderMoments: Sendable {
  /// Of its id: overlapping files have rows of the same order.
  package var key: IDKey
  package var status: OrderStatus
  package var placedAt: Int64
  package var paidAt: Int64
  package var fulfilledAt: Int64
}

/// When a transaction was bought and taken back, as one row tells it.
package struct TransactionMoments: Sendable {
  /// Of its id.
  package var key: IDKey
  package var isSandbox: Bool
  package var isNoPurchase: Bool
  package var purchasedAt: Int64
  /// 0 where nothing was given back.
  package var refundedAt: Int64
}

extension Ledger {
  /// The latest moment at which an order was placed or something bought; nil in a ledger without
  /// any. Blocks have their times beside them, no row is read.
  package func latestPurchase() throws -> Instant? {
    try read { db in
      let last = try Int64.fetchOne(
        db,
        sql: """
          SELECT max(last_at) FROM \(blockTimes)
          WHERE kind IN ('orders', 'transactions', 'purchases')
          """)
      return last.map { Instant(seconds: $0) }
    }
  }

  /// Calls `order` on each row of an order of Apple's channel that was placed in the range, and
  /// `transaction` on each row of one that was bought or taken back in it; of other times only what
  /// shares a block with them is read.
  ///
  /// - Parameters:
  ///   - requiresSigned: what claims to be Apple's word without a signature is left out.
  ///   - bundleIDs: transactions that name another app are left out; none for every app's.
  package func forEachPurchase(
    in range: ClosedRange<Instant>, requiresSigned: Bool, bundleIDs: Set<String>,
    order: (OrderMoments) -> Void,
    transaction: (TransactionMoments) -> Void
  ) throws {
    let times = range.lowerBound.seconds...range.upperBound.seconds
    try read { db in
      let orderTerms = try TermsDictionary<OrderTerms>.all(db).map { ($0.status, $0.isApple) }
      let ranges = try RowRanges(.orders, touching: times, db)
      let columns = "terms_id, placed_at, fulfilled_at, paid_at, order_id"
      try ranges.forEach(db, columns, from: .orders) { row in
        let (status, isApple) = orderTerms[Int(row.int32(1)) - 1]
        guard isApple, times.contains(row.int64(2)) else { return }
        order(
          OrderMoments(
            key: row.key(5), status: status, placedAt: row.int64(2), paidAt: row.int64(4),
            fulfilledAt: row.int64(3)))
      }
      try Self.forEachTransaction(
        in: times, of: bundleIDs, requiresSigned: requiresSigned, db, transaction)
    }
  }

  /// Calls `body` on each row of a transaction that was bought or revoked in the times, in seconds
  /// since 1970.
  ///
  /// - Parameters:
  ///   - bundleIDs: transactions of another app are left out; none for every app's.
  ///   - requiresSigned: whether what claims to be Apple's word without a signature is left out.
  private static func forEachTransaction(
    in times: ClosedRange<Int64>, of bundleIDs: Set<String>, requiresSigned: Bool, _ db: Database,
    _ body: (TransactionMoments) -> Void
  ) throws {
    let terms = try TermsDictionary<TransactionTerms>.all(db).map { terms in
      (
        counts: (!requiresSigned || !terms.factSource.isUnprovenClaim)
          && (bundleIDs.isEmpty || terms.bundleID.isEmpty || bundleIDs.contains(terms.bundleID)),
        isSandbox: terms.isSandbox, isNoPurchase: terms.isNoPurchase,
        givesBack: terms.revocationIsRefund && !terms.isRefundReversed
      )
    }
    /// Calls `body` with the times of a row of `columns`, unless its terms are left out.
    func passOn(_ row: ScannedRow) {
      let own = terms[Int(row.int32(1)) - 1]
      guard own.counts else { return }
      body(
        TransactionMoments(
          key: row.key(4), isSandbox: own.isSandbox, isNoPurchase: own.isNoPurchase,
          purchasedAt: row.int64(2), refundedAt: own.givesBack ? row.int64(3) : 0))
    }
    let columns = "terms_id, purchased_at, revoked_at, transaction_id"
    for kind in [BlockKind.transactions, .purchases] {
      let ranges = try RowRanges(kind, touching: times, db)
      try ranges.forEach(db, columns, from: .transactions) { row in
        if times.contains(row.int64(2)) { passOn(row) }
      }
    }
    let replaced = try replacedTransactions(db)
    try scan(
      db, "id, \(columns)",
      """
      FROM transaction_row
      WHERE revoked_at BETWEEN ?1 AND ?2 AND purchased_at < ?1
      """,
      [[times.lowerBound, times.upperBound]]
    ) { row in
      if !replaced.contains(where: { $0.contains(row.int64(0)) }) { passOn(row) }
    }
  }
}
