package import Billing

/// A figure of Apple's and the ledger's own, over the same days.
package struct ComparedCount: Hashable, Sendable {
  package var apple: Int64
  package var ledger: Int64

  package init(apple: Int64, ledger: Int64) {
    self.apple = apple
    self.ledger = ledger
  }
}

/// What Apple's subscription reports have of a product in a storefront, beside the ledger's chains,
/// over the days of the period of which the reports are loaded; nil where none is.
package struct SubscriptionReportLine: Hashable, Sendable {
  package var sku: String
  package var storefront: Storefront?
  /// Days of the period with a report of events.
  package var days: Int
  /// Subscriptions that began, at the full price or an offer's.
  package var starts: ComparedCount?
  package var renewals: ComparedCount?
  package var cancellations: ComparedCount?
  package var refunds: ComparedCount?
  /// At the end of the last day with a report.
  package var active: ComparedCount?
  /// Purchases and refunds, by the subscriber report.
  package var subscribers: ComparedCount?
  /// Units that stand on the day beside the ledger's, because they are near the boundary.
  package var moved: Int64
  /// Events that are in findings.
  package var unexplained: Int64
  /// What Apple pays by the subscriber report for purchases less refunds, ascending by currency.
  package var proceeds: [Money]

  package init(sku: String, storefront: Storefront?) {
    self.sku = sku
    self.storefront = storefront
    (days, moved, unexplained, proceeds) = (0, 0, 0, [])
  }
}

/// What Apple's subscriber report tells of transactions.
package struct ToldProceeds: Sendable {
  package var purchases: [TransactionRow.ID: SubscriberProceeds] = [:]
  /// What is taken back, negative.
  package var refunds: [TransactionRow.ID: SubscriberProceeds] = [:]

  package init() {}
}

/// What Apple's subscriber report tells of one purchase or refund.
package struct SubscriberProceeds: Hashable, Sendable {
  /// Apple's report day.
  package var day: Day
  /// Nil where rows of equal price on that day have several proceeds.
  package var proceeds: Money?

  package init(day: Day, proceeds: Money? = nil) {
    self.day = day
    self.proceeds = proceeds
  }
}
