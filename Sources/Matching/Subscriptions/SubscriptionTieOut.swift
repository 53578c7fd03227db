package import Billing
package import Conclusions
import Pricing

/// Holds Apple's subscription reports against the ledger's chains: events and purchases by day,
/// active subscriptions by the end of a day, each by product and storefront.
///
/// Money is no part of its findings: a purchase that one side lacks is in the sales reports too,
/// and level 2 says what it is worth.
package struct SubscriptionTieOut: Sendable {
  package private(set) var lines: [SubscriptionReportLine] = []
  package private(set) var findings: [UnresolvedFinding] = []
  /// What the subscriber report tells of transactions.
  package private(set) var proceeds = ToldProceeds()
  package private(set) var notes: [Wording] = []

  /// Holds the reports against the table's chains, with days cut as fits best.
  ///
  /// - Parameters:
  ///   - facts: of the period's days and those beside it.
  ///   - sold: products of the sales reports.
  ///   - products: of the catalogue.
  ///   - earlier: transactions bought before those of the table whose period runs into them.
  ///   - sales: where the sales reports' days begin.
  package init(
    _ facts: SubscriptionFacts, _ table: MatchTable, renewals: RenewalObservations,
    products: [Product], sold: [SalesProduct],
    earlier: MatchTable, sales: SalesTieOut, context: MatchingContext
  ) {
    guard !facts.isEmpty else { return }
    let periods = SubscriptionPeriods(table, earlier: earlier, context)
    let first = context.period.first.advanced(by: -1)
    let count = context.period.dayCount + 2
    let reported = ReportedSubscriptions(
      facts, first: first, count: count,
      SubscriptionSKUs(products, sold: sold, terms: table.transactionTerms))
    let range = (
      first.advanced(by: -1).startUTC.seconds, first.advanced(by: count + 1).startUTC.seconds
    )
    let events = periods.events(from: range.0, to: range.1, renewals).sorted {
      ($0.at, $0.period.key, $0.kind.rawValue) < ($1.at, $1.period.key, $1.kind.rawValue)
    }
    var storefronts = Set(reported.cells.keys.map(\.storefront))
    for chain in periods.chains { storefronts.formUnion(chain.map(\.storefront)) }
    let rules = SubscriptionDays.Rule.allCases.map { rule in
      OwnSubscriptions(
        events, SubscriptionDays(rule, storefronts, sales: sales.zones, context))
    }
    let best = Self.best(rules, reported, context)
    let comparison = SubscriptionComparison(
      reported, best, ActiveSubscriptions(periods, renewals, best.days), context)
    (lines, findings, proceeds) = (comparison.lines, comparison.findings, comparison.proceeds)
    findings += Self.missing(reported, context) + Self.unknown(reported)
    addNotes(reported, best.days.rule)
  }

  /// Chooses the rule by which the reports' days are likely cut, which no report says, and returns
  /// the ledger's events under it. It is the sales reports' rule, unless another leaves far fewer
  /// events unexplained, so that no single fault is taken for a boundary.
  ///
  /// - Parameter rules: the events under each rule, the sales reports' first.
  private static func best(
    _ rules: [OwnSubscriptions], _ reported: ReportedSubscriptions, _ context: MatchingContext
  ) -> OwnSubscriptions {
    let left = rules.map { $0.unexplained(reported, context) }
    let best = left.indices.min { left[$0] < left[$1] }!
    let isClear =
      left[best] + Rules.boundaryDoubt < left[0] && left[best] * Rules.boundaryLead < left[0]
    return rules[isClear ? best : 0]
  }

  /// Adds notes about events that the ledger cannot tell, and about days that are cut otherwise
  /// than those of the sales reports.
  private mutating func addNotes(
    _ reported: ReportedSubscriptions, _ rule: SubscriptionDays.Rule
  ) {
    let untold = reported.untold.sorted { $0.key < $1.key }
    if !untold.isEmpty {
      let names = untold.map { "\($0.key) (\(grouped($0.value)))" as Wording }
        .joined(separator: ", ")
      notes.append(
        "@subscription.events-in-apple-subscription-reports \(names)")
    }
    switch rule {
    case .sales: break
    case .pacific:
      notes.append("@subscription.days-of-apple-subscription-reports-begin")
    case .territory:
      notes.append(
        "@subscription.days-of-apple-subscription-reports-begin-at-midnight")
    case .utc: notes.append("@subscription.days-of-apple-subscription-reports")
    }
  }

  /// Days of the period without a report of a kind and vendor of which there are others: one
  /// finding, because no more can be told of them. Empty where no day lacks.
  private static func missing(
    _ reported: ReportedSubscriptions, _ context: MatchingContext
  ) -> [UnresolvedFinding] {
    var words: [Wording] = []
    var missing: [Day] = []
    let due = context.asOf.advanced(by: -Rules.reportDelay)
    for kind in SubscriptionReport.Kind.allCases {
      for (vendor, loaded) in reported.days(kind) {
        let days = (1...context.period.dayCount).filter { !loaded.contains($0) }
          .map { context.period.first.advanced(by: $0 - 1) }.filter { $0 <= due }
        guard !days.isEmpty, loaded.contains(where: { $0 > 0 && $0 <= context.period.dayCount })
        else { continue }
        missing += days
        words.append(
          missingWords(kind, vendor, days.map { "\($0)" as Wording }.joined(separator: ", ")))
      }
    }
    guard let first = words.first, let day = missing.min() else { return [] }
    return [
      UnresolvedFinding(
        .subscriptionReportMissing, day: day, units: Int64(missing.count),
        explanation: words.dropFirst().reduce(first) { "\($0); \($1)" })
    ]
  }

  /// The text about days without a report of a kind and vendor.
  private static func missingWords(
    _ kind: SubscriptionReport.Kind, _ vendor: String, _ days: Wording
  ) -> Wording {
    let words: Wording =
      switch kind {
      case .subscription:
        "@subscription.no-subscription-report-of-is \(days)"
      case .event:
        "@subscription.no-subscription-event-report \(days)"
      case .subscriber:
        "@subscription.no-subscriber-report-of-is \(days)"
      }
    return vendor.isEmpty ? words : "@subscription.vendor \(words) \(vendor)"
  }

  /// A finding for each product that reports name and neither the catalogue nor a sales report has.
  private static func unknown(_ reported: ReportedSubscriptions) -> [UnresolvedFinding] {
    reported.unknown.sorted { $0.key < $1.key }.map { id, product in
      var finding = UnresolvedFinding(
        .subscriptionUnknown, day: product.day, sku: product.name.isEmpty ? id : product.name,
        units: product.units,
        explanation: "@subscription-unknown.neither-the-catalogue-nor \(id)")
      finding.places = product.rows
      // Several products may have one name.
      finding.documents = [id]
      return finding
    }
  }
}

/// The ledger's events by product, storefront, kind and day, for one way to cut days.
struct OwnSubscriptions {
  let days: SubscriptionDays
  let events: [SubscriptionEvent]
  /// Events of each cell by kind and day.
  private(set) var cells: [SubscriptionCellKey: [[[Int]]]] = [:]
  private var own: [SubscriptionCellKey: [[OwnDay]]] = [:]

  /// Puts events by product, storefront, kind and day.
  init(_ events: [SubscriptionEvent], _ days: SubscriptionDays) {
    (self.events, self.days) = (events, days)
    let kinds = SubscriptionEventKind.allCases.count
    let none = [[Int]](repeating: [], count: days.count)
    let zero = [OwnDay](repeating: OwnDay(), count: days.count)
    for (index, event) in events.enumerated() {
      let key = Self.key(event)
      guard let day = days.index(event.at, in: key.storefront) else { continue }
      let kind = event.kind.rawValue
      cells[key, default: Array(repeating: none, count: kinds)][kind][day].append(index)
      var here = own[key]?[kind][day] ?? OwnDay()
      here.count += 1
      if !event.isCertain { here.optional += 1 }
      if isNearStart(event, day) { here.nearStart += 1 }
      if isNearEnd(event, day) { here.nearEnd += 1 }
      own[key, default: Array(repeating: zero, count: kinds)][kind][day] = here
    }
  }

  /// The product and storefront of an event.
  static func key(_ event: SubscriptionEvent) -> SubscriptionCellKey {
    SubscriptionCellKey(storefront: event.period.storefront, sku: event.period.sku)
  }

  /// Whether an event is so near the start of its day that Apple may have it on the day before.
  private func isNearStart(_ event: SubscriptionEvent, _ day: Int) -> Bool {
    event.at - days.start(day, in: event.period.storefront) < Rules.timingNearness
  }

  /// Whether an event is so near the end of its day that Apple may have it on the day after.
  private func isNearEnd(_ event: SubscriptionEvent, _ day: Int) -> Bool {
    days.start(day + 1, in: event.period.storefront) - event.at <= Rules.timingNearness
  }

  /// The neighbouring day on which Apple may have an event instead of its own day, as it is near
  /// that day's start or end; nil where it is near neither, or there is no such day.
  ///
  /// - Parameter day: the place of the event's own day.
  func beside(_ event: SubscriptionEvent, _ day: Int) -> Int? {
    if isNearStart(event, day), day > 0 { return day - 1 }
    return isNearEnd(event, day) && day + 1 < days.count ? day + 1 : nil
  }

  /// How many events the ledger has of a product, storefront and kind, by day.
  func own(_ key: SubscriptionCellKey, _ kind: SubscriptionEventKind) -> [OwnDay] {
    own[key]?[kind.rawValue] ?? Array(repeating: OwnDay(), count: days.count)
  }

  /// The indices of the events of a product, storefront and kind on a day.
  func events(_ key: SubscriptionCellKey, _ kind: SubscriptionEventKind, _ day: Int) -> [Int] {
    cells[key]?[kind.rawValue][day] ?? []
  }

  /// By how much Apple's events of a product, storefront and kind differ from these, by day.
  func differences(
    _ key: SubscriptionCellKey, _ kind: SubscriptionEventKind, _ reported: ReportedSubscriptions
  ) -> UnexplainedDays {
    let apple = reported.cells[key]?.events[kind.rawValue]
    return UnexplainedDays(
      (0..<days.count).map { day in
        reported.isKnown(day, .event, key.sku) ? apple?[day] ?? 0 : nil
      }, own(key, kind))
  }

  /// By how many purchases Apple's event reports differ from these events on the period's days,
  /// without those that may stand on either side of a boundary; 0 where no such report is loaded.
  func unexplained(_ reported: ReportedSubscriptions, _ context: MatchingContext) -> Int64 {
    guard reported.hasReports(.event) else { return 0 }
    return Set(cells.keys).union(reported.cells.keys).reduce(0) { sum, key in
      sum
        + SubscriptionEventKind.allCases.filter(\.isPurchase).reduce(0) { sum, kind in
          sum
            + differences(key, kind, reported).left[1...context.period.dayCount]
            .reduce(0) { $0 + abs($1) }
        }
    }
  }
}
