package import Billing
import GRDB

/// Leaves out rows that were handed over beside counts which later ones replaced.
let countedOut =
  "source_id NOT IN (SELECT id FROM source WHERE status = 'superseded' AND counted_period <> '')"

extension Ledger {
  /// The purchases of a period that Spark counted, as far as they are in the range.
  static func counts(
    of period: Period, _ purchases: ClosedRange<Instant>, _ db: Database
  ) throws -> PurchaseCounts {
    var counts = PurchaseCounts()
    let times = purchases.lowerBound.seconds...purchases.upperBound.seconds
    let select = try RawStatement(
      db,
      """
      SELECT first_row, last_row FROM source
      WHERE kind = 'unit_counts' AND counted_period = ? AND status <> 'superseded'
        AND first_row IS NOT NULL
      """, period.description)
    let ranges = try select.all { [select.int64(0), select.int64(1)] }
    let columns =
      "id, counted, order_terms_id, transaction_terms_id, at, seconds, name, count"
    try scan(
      db, columns, "FROM \(PurchaseCountRow.tableName) WHERE id BETWEEN ? AND ?", ranges
    ) { row in
      guard let thing = CountedThing(rawValue: UInt8(clamping: row.int64(1))) else { return }
      if thing == .asked { return counts.asked.add(row) }
      guard times.contains(row.int64(4)) || thing == .user else { return }
      let (at, count) = (row.seconds(4), row.int64(7))
      switch thing {
      case .sold:
        counts.sold.append(
          PurchaseCounts.Sold(
            order: row.int32(2) - 1, transaction: row.int32(3) - 1, at: at, count: count))
      case .placed: counts.placed.append(.init(at: at, count: count))
      case .bought: counts.bought.append(.init(at: at, count: count))
      case .fulfilled: counts.fulfilled.append((at, row.int64(5), count))
      case .user: counts.users[row.text(6), default: 0] += Int(count)
      case .asked: break
      case .handedOrders: counts.handedOrders.append(.init(at: at, count: count))
      case .handedTransactions: counts.handedTransactions.append(.init(at: at, count: count))
      }
    }
    counts.asked.users = counts.users.keys.sorted()
    // The script left out what messages told of, as far as they were there.
    let later = try RawStatement(
      db,
      """
      SELECT EXISTS (SELECT 1 FROM \(blockTimes) WHERE kind = 'purchases' AND first_at <= ?1
        AND last_at >= ?2 AND source_id > (SELECT max(id) FROM source
          WHERE kind = 'unit_counts' AND counted_period = ?3 AND status <> 'superseded'))
      """, times.upperBound, times.lowerBound, period.description)
    counts.hasLaterMessages = try later.step() && later.int64(0) == 1
    return counts
  }

  /// The numbers of the files whose rows belong to a period: all current ones but those with rows
  /// that Spark handed over beside its counts of another period. Nil, for all files, where the
  /// ledger has nothing from Spark.
  static func sources(ofCounted period: Period?, _ db: Database) throws -> Set<Int64>? {
    guard
      try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM source WHERE counted_period <> '')")
        == true
    else { return nil }
    return Set(
      try Int64.fetchAll(
        db,
        sql: """
          SELECT id FROM source
          WHERE status <> 'superseded' AND counted_period IN ('', ?)
          """, arguments: [period?.description ?? ""]))
  }

  /// Ranges of numbers of transaction rows that Spark handed over beside its counts of a period, in
  /// files that later files from Spark superseded.
  static func replacedTransactions(_ db: Database) throws -> [ClosedRange<Int64>] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT first_row, last_row FROM source
        WHERE kind = 'transactions' AND counted_period <> '' AND status = 'superseded'
          AND first_row IS NOT NULL
        """)
    return try rows.map { row in
      let (first, last): (Int64, Int64) = (row[0], row[1])
      guard first <= last else { throw StrangeValue("rows \(first) to \(last)") }
      return first...last
    }
  }

  /// The names of the current files that Spark wrote for a period, by kind: its counts, and the
  /// orders and transactions that it handed over beside them. Files without rows are left out.
  package func handedOver(_ period: Period) throws -> [InputKind: String] {
    try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT kind, file FROM source
          WHERE counted_period = ? AND status <> 'superseded' AND first_row IS NOT NULL
          ORDER BY id
          """, arguments: [period.description])
      var names: [InputKind: String] = [:]
      for row in rows {
        if let kind = InputKind(rawValue: row[0] as String) { names[kind] = row[1] }
      }
      return names
    }
  }

  /// Periods of which purchases were counted elsewhere, ascending.
  package func countedPeriods() throws -> [String] {
    try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT counted_period FROM source
          WHERE kind = 'unit_counts' AND status <> 'superseded' ORDER BY 1
          """)
    }
  }

  /// The ids of transactions and of orders that rows of Apple's messages have, of purchases made or
  /// revoked in the times (seconds since 1970); each ascending.
  package func idsInMessages(
    _ times: ClosedRange<Int64>
  ) throws -> (transactions: [String], orders: [String]) {
    try read { db in
      /// The different texts of ids in some columns of these rows, ascending.
      func texts(_ columns: [String]) throws -> [String] {
        let ids = columns.map { column in
          """
          SELECT CAST(r.\(column) AS TEXT) AS id FROM transaction_row r
            JOIN transaction_terms t ON t.id = r.terms_id
          WHERE t.witness <> 'company' AND r.\(column) IS NOT NULL
            AND (r.purchased_at BETWEEN :first AND :last OR r.revoked_at BETWEEN :first AND :last)
          """
        }
        return try String.fetchAll(
          db,
          sql: """
            SELECT id FROM (\(ids.joined(separator: " UNION "))) WHERE id <> '' ORDER BY id
            """, arguments: ["first": times.lowerBound, "last": times.upperBound])
      }
      return try (
        texts(["transaction_id", "original_transaction_id"]), texts(["order_id"])
      )
    }
  }
}

extension RowsAsked {
  /// Adds the span of a row of counts that says which rows were asked for: storefront and SKU stand
  /// in its name.
  fileprivate mutating func add(_ row: ScannedRow) {
    let parts = row.text(6).split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2, let storefront = Storefront(parts[0]) else { return }
    let begin = row.int64(4)
    spans.append(
      Span(storefront: storefront, sku: parts[1], begin: begin, end: begin + row.int64(5)))
  }
}
