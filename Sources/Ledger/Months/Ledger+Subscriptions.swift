package import Billing
import GRDB

extension Ledger {
  /// Apple's subscription reports of these days: the versions that count, with all their rows,
  /// whatever day those are of.
  package func subscriptionReports(_ days: ClosedRange<Day>) throws -> SubscriptionFacts {
    try read { db in
      let files = try Self.subscriptionFiles(days, db)
      var facts = SubscriptionFacts()
      guard !files.isEmpty else { return facts }
      facts.reports = files.map(\.report)
      let kinds = Set(facts.reports.map(\.kind))
      if kinds.contains(.subscription) {
        facts.subscriptionTerms = try TermsDictionary<SubscriptionTerms>.all(db)
      }
      if kinds.contains(.event) {
        facts.eventTerms = try TermsDictionary<SubscriptionEventTerms>.all(db)
      }
      if kinds.contains(.subscriber) {
        facts.subscriberTerms = try TermsDictionary<SubscriberTerms>.all(db)
      }
      for (index, file) in files.enumerated() {
        guard let rows = file.rows else { continue }
        switch file.report.kind {
        case .subscription:
          try Self.subscriptions(rows, db) { facts.subscriptions.append(.init(report: index, $0)) }
        case .event:
          try Self.events(rows, db) { facts.events.append(.init(report: index, $0)) }
        case .subscriber:
          try Self.subscribers(rows, db) { facts.subscribers.append(.init(report: index, $0)) }
        }
      }
      return facts
    }
  }

  private static func subscriptionFiles(
    _ days: ClosedRange<Day>, _ db: Database
  ) throws -> [(report: SubscriptionReport, rows: ClosedRange<Int64>?)] {
    let select = try RawStatement(
      db,
      """
      SELECT kind, begin_day, vendor, file, first_row, last_row FROM source
      WHERE kind IN ('subscription', 'subscription_event', 'subscriber')
        AND status <> 'superseded' AND begin_day BETWEEN ? AND ?
      """)
    select.bind(days.lowerBound, at: 1)
    select.bind(days.upperBound, at: 2)
    var files: [(report: SubscriptionReport, rows: ClosedRange<Int64>?)] = []
    while try select.step() {
      let kind: SubscriptionReport.Kind =
        switch select.text(0) {
        case "subscription": .subscription
        case "subscriber": .subscriber
        default: .event
        }
      files.append(
        (
          SubscriptionReport(
            kind, day: select.day(1), vendor: select.text(2), file: select.text(3)),
          select.isNull(4) ? nil : select.int64(4)...select.int64(5)
        ))
    }
    return files.sorted { $0.report < $1.report }
  }

  private static func subscriptions(
    _ rows: ClosedRange<Int64>, _ db: Database, _ body: (SubscriptionRow) -> Void
  ) throws {
    let figures = SubscriptionRow.figures
    try scan(
      db, "terms_id, line, \(figures.joined(separator: ", "))",
      "FROM \(SubscriptionRow.tableName) WHERE id BETWEEN ? AND ? ORDER BY id",
      [[rows.lowerBound, rows.upperBound]]
    ) { row in
      let counts = figures.indices.map { index -> Int32? in
        row.isNull(Int32(index) + 2) ? nil : row.int32(Int32(index) + 2)
      }
      body(SubscriptionRow(line: row.int32(1), terms: row.int32(0) - 1, counts: counts))
    }
  }

  private static func events(
    _ rows: ClosedRange<Int64>, _ db: Database, _ body: (SubscriptionEventRow) -> Void
  ) throws {
    func count(_ row: ScannedRow, _ column: Int32) -> Int32? {
      row.isNull(column) ? nil : row.int32(column)
    }
    try scan(
      db,
      """
      terms_id, line, day, quantity, original_start_day, consecutive_paid_periods,
        days_before_canceling, days_canceled, paid_service_days_recovered
      """,
      "FROM \(SubscriptionEventRow.tableName) WHERE id BETWEEN ? AND ? ORDER BY id",
      [[rows.lowerBound, rows.upperBound]]
    ) { row in
      body(
        SubscriptionEventRow(
          line: row.int32(1), terms: row.int32(0) - 1, day: row.day(2), quantity: row.int32(3),
          originalStart: row.isNull(4) ? nil : row.day(4), consecutivePaidPeriods: count(row, 5),
          daysBeforeCanceling: count(row, 6), daysCanceled: count(row, 7),
          paidServiceDaysRecovered: count(row, 8)))
    }
  }

  private static func subscribers(
    _ rows: ClosedRange<Int64>, _ db: Database, _ body: (SubscriberRow) -> Void
  ) throws {
    try scan(
      db, "terms_id, line, day, subscriber, purchase_day, units",
      "FROM \(SubscriberRow.tableName) WHERE id BETWEEN ? AND ? ORDER BY id",
      [[rows.lowerBound, rows.upperBound]]
    ) { row in
      body(
        SubscriberRow(
          line: row.int32(1), terms: row.int32(0) - 1, day: row.day(2), subscriber: row.text(3),
          purchaseDay: row.isNull(4) ? nil : row.day(4), units: row.int32(5)))
    }
  }

  /// Transactions that were bought before a time, up to thirteen months, whose period ends after
  /// it or is not said to end; ascending by row, with their details.
  ///
  /// - Parameter chains: for each of the terms, whether they are of a subscription that renews.
  package func runningTransactions(
    at time: Instant, of chains: [Bool]
  ) throws -> [(TransactionEntry, TransactionDetail)] {
    try read { db in
      let times = time.seconds - Self.longestPeriod...time.seconds - 1
      var running: [(TransactionEntry, TransactionDetail)] = []
      for kind in [BatchKind.transactions, .purchases] {
        let ranges = try RowRanges(kind, touching: times, db)
        running += try Self.runningTransactions(ranges, times, of: chains, db)
      }
      return running.sorted { $0.0.row < $1.0.row }
    }
  }

  /// Transactions bought in the range whose terms are among `offers`, with their details; ascending
  /// by row. Every row of the range's blocks is looked at.
  package func offerTransactions(
    _ purchased: ClosedRange<Instant>, among offers: [Bool]
  ) throws -> [(TransactionEntry, TransactionDetail)] {
    try read { db in
      let times = purchased.lowerBound.seconds...purchased.upperBound.seconds
      var found: [(TransactionEntry, TransactionDetail)] = []
      for kind in [BatchKind.transactions, .purchases] {
        let ranges = try RowRanges(kind, touching: times, db)
        found += try Self.offerTransactions(ranges, times, among: offers, db)
      }
      return found.sorted { $0.0.row < $1.0.row }
    }
  }

  /// Seconds of the longest period that Apple sells, a year, with a month for extensions.
  private static let longestPeriod: Int64 = 400 * 86_400
}
