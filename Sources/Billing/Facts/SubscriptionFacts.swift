/// A day's subscription report of one vendor, as far as no other version has replaced it.
package struct SubscriptionReport: Hashable, Sendable, Comparable {
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    case subscription, event, subscriber
  }

  package var kind: Kind
  package var day: Day
  package var vendor: String
  /// As given to `import`.
  package var file: String

  package init(_ kind: Kind, day: Day, vendor: String, file: String) {
    self.kind = kind
    self.day = day
    self.vendor = vendor
    self.file = file
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.kind.rawValue, left.day, left.vendor, left.file)
      < (right.kind.rawValue, right.day, right.vendor, right.file)
  }
}

/// A row of any of the three subscription reports, with the number of its report.
package struct ReportedSubscription<Row: Sendable>: Sendable {
  /// Index into ``SubscriptionFacts/reports``.
  package var report: Int
  /// Its terms are an index into those of the facts.
  package var row: Row

  package init(report: Int, _ row: Row) {
    self.report = report
    self.row = row
  }
}

/// What Apple's subscription reports say of a period and the days beside it, and what the ledger
/// has of chains that it began before.
package struct SubscriptionFacts: Sendable {
  /// Ascending.
  package var reports: [SubscriptionReport] = []
  package var subscriptionTerms: [SubscriptionTerms] = []
  package var subscriptions: [ReportedSubscription<SubscriptionRow>] = []
  package var eventTerms: [SubscriptionEventTerms] = []
  package var events: [ReportedSubscription<SubscriptionEventRow>] = []
  package var subscriberTerms: [SubscriberTerms] = []
  package var subscribers: [ReportedSubscription<SubscriberRow>] = []

  package init() {}

  package var isEmpty: Bool { reports.isEmpty }
}
