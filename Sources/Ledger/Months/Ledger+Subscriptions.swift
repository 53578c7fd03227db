package import Billing
import GRDB

extension Ledger {
  /// Apple's subscription reports of these days: the versions that count, with all their rows,
  /// whatever day those are of. A day of which Apple answered that it has nothing is a report
  /// without rows, of vendors that have others of the kind.
  ///
  /// - Parameter wanted: the kinds that are read.
  package func subscriptionReports(
    _ days: ClosedRange<Day>,
    of wanted: Set<SubscriptionReport.Kind> = Set(SubscriptionReport.Kind.allCases)
  ) throws -> SubscriptionFacts {
    try read { db in
      let files = try Self.subscriptionFiles(days, db).filter { wanted.contains($0.report.kind) }
      var facts = SubscriptionFacts()
      guard !files.isEmpty else { return facts }
      facts.reports = files.map(\.report)
      // Behind the files', so that rows keep the places of theirs.
      facts.reports += try Self.emptyReports(days, beside: facts.reports, db)
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

  /// The subscription reports of these days that no other version replaced, sorted, each with its
  /// rows; nil for one without rows.
  private static func subscriptionFiles(
    _ days: ClosedRange<Day>, _ db: Database
  ) throws -> [(report: SubscriptionReport, rows: ClosedRange<Int64>?)] {
    let select = try RawStatement(
      db,
      """
      SELECT kind, begin_day, vendor, file, first_row, last_row FROM source
      WHERE kind IN ('subscription', 'subscription_event', 'subscriber')
        AND status <> 'superseded' AND begin_day BETWEEN ? AND ?
      """, days.lowerBound, days.upperBound)
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

  /// A report without rows for each day of which Apple answered that it has none, where none is
  /// loaded; of vendors that have others of the kind among `reports`.
  private static func emptyReports(
    _ days: ClosedRange<Day>, beside reports: [SubscriptionReport], _ db: Database
  ) throws -> [SubscriptionReport] {
    var empty: [SubscriptionReport] = []
    for answer in try emptySubscriptionReports(days, db) {
      let kind: SubscriptionReport.Kind =
        switch answer.kind {
        case .subscription: .subscription
        case .subscriber: .subscriber
        default: .event
        }
      // A file whose name was changed tells no vendor.
      let vendors = Set(reports.lazy.filter { $0.kind == kind }.map(\.vendor))
      guard let vendor = [answer.vendor, ""].first(where: vendors.contains) else { continue }
      let isLoaded = reports.contains {
        $0.kind == kind && $0.day == answer.day && $0.vendor == vendor
      }
      if !isLoaded {
        empty.append(SubscriptionReport(kind, day: answer.day, vendor: vendor, file: ""))
      }
    }
    return empty
  }

  /// Calls `body` on each of these rows of subscription reports, ascending.
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

  /// Calls `body` on each of these rows of subscription event reports, ascending.
  private static func events(
    _ rows: ClosedRange<Int64>, _ db: Database, _ body: (SubscriptionEventRow) -> Void
  ) throws {
    /// The number in a column of a row; nil where the report has none.
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

  /// Calls `body` on each of these rows of subscriber reports, ascending.
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

  /// Transactions that were bought before a time, up to thirteen months, whose period ends after it
  /// or is not said to end, with all that is known of them: rows, details and observations, each
  /// ascending by row.
  ///
  /// - Parameter chains: for each of the terms, whether they are of a subscription that renews.
  package func runningTransactions(at time: Instant, of chains: [Bool]) throws -> MonthFacts {
    let times = time.seconds - Self.longestPeriod...time.seconds - 1
    return try read { db in
      try Self.toldTransactions(times, db) { row in
        (chains[row.terms] || row.hasLineItem)
          && row.expiresAt.map { $0 > times.upperBound } ?? true
      }.facts
    }
  }

  /// Transactions bought in the range with terms of an offer, whose user is one of `users` or not
  /// known, with all that is known of them, ascending by row.
  ///
  /// Every row of the range's blocks is looked at once: a year of a ledger costs what reading a
  /// year's transactions costs, however few users are asked for.
  ///
  /// - Parameter offers: for each of the terms, whether they are of an offer.
  package func offerTransactions(
    _ purchased: ClosedRange<Instant>, among offers: [Bool], of users: Set<IDKey>
  ) throws -> MonthFacts {
    guard offers.contains(true), !users.isEmpty else { return MonthFacts() }
    let times = purchased.lowerBound.seconds...purchased.upperBound.seconds
    return try read { db in
      try Self.toldTransactions(times, db) { row in
        guard offers[row.terms] else { return false }
        let user = row.user
        return user.isNone || users.contains(user)
      }.facts
    }
  }

  /// Seconds of the longest period that Apple sells, a year, with a month for extensions.
  private static let longestPeriod: Int64 = 400 * 86_400

  /// The subscription reports of which Apple answered that it has none, in the order of the lists
  /// that were asked for.
  ///
  /// - Parameter days: nil for all.
  static func emptySubscriptionReports(
    _ days: ClosedRange<Day>? = nil, _ db: Database
  ) throws -> [(kind: InputKind, day: Day, vendor: String)] {
    let select = try RawStatement(
      db,
      """
      SELECT list, item FROM apple_answer
      WHERE outcome = 'none' AND item BETWEEN ? AND ? AND list LIKE 'SUBSCRI% DAILY %'
      ORDER BY list, item
      """, days?.lowerBound.description ?? "", days?.upperBound.description ?? "~")
    var found: [(kind: InputKind, day: Day, vendor: String)] = []
    while try select.step() {
      let words = select.text(0).split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 4, let day = Day(select.text(1)) else { continue }
      let kind: InputKind
      switch words[0] {
      case "SUBSCRIPTION": kind = .subscription
      case "SUBSCRIPTION_EVENT": kind = .subscriptionEvent
      case "SUBSCRIBER": kind = .subscriber
      default: continue
      }
      found.append((kind, day, String(words[3])))
    }
    return found
  }
}

extension ToldTransactions {
  /// The transactions as facts that have nothing else.
  fileprivate var facts: MonthFacts {
    var facts = MonthFacts()
    (facts.transactions, facts.chainDetails) = (entries, chainDetails)
    facts.observations = observations
    return facts
  }
}
