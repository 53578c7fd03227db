package import Billing

/// What a subscription was at the end of a period.
package enum SubscriptionState: UInt8, Hashable, Sendable, CaseIterable {
  case active, trial, introductory, gracePeriod, billingRetry, expired, refunded

  /// The state as people read it.
  package var wording: Wording {
    switch self {
    case .active: "@shared.active"
    case .trial: "@subscription.free-trial"
    case .introductory: "@subscription.introductory-price"
    case .gracePeriod: "@shared.grace-period"
    case .billingRetry: "@shared.billing-retry"
    case .expired: "@shared.expired"
    case .refunded: "@shared.refunded"
    }
  }

  /// The state as scripts read it.
  package var code: String {
    switch self {
    case .active: "active"
    case .trial: "trial"
    case .introductory: "introductory"
    case .gracePeriod: "grace_period"
    case .billingRetry: "billing_retry"
    case .expired: "expired"
    case .refunded: "refunded"
    }
  }
}

extension FindingCode {
  /// The codes that are about chains of renewals, and which a chain leads to first.
  package static let subscriptions: [FindingCode: Int] = [
    .subscriptionShared: 0, .renewalGap: 1, .renewalRefunded: 2, .offerReused: 3,
  ]
}

/// A chain of renewals that the period touched, as it stood at the period's end.
package struct SubscriptionLine: Hashable, Sendable {
  /// Nil where no source tells.
  package var storefront: Storefront?
  package var currency: Currency?
  /// Of the latest period that was bought.
  package var sku: String
  package var subscriptionGroup: String
  package var originalTransactionID: String
  /// Other transactions of the chain that a finding may name.
  package var transactionIDs: [String] = []
  /// Of the order that the chain belongs to; nil where it has none.
  package var orderID: String?
  /// Empty where nobody told.
  package var user: String
  package var state: SubscriptionState
  /// Accounting days; the first purchase that is known, and the latest.
  package var firstBoughtOn: Day
  package var lastBoughtOn: Day
  package var expiresOn: Day?
  /// Whether it will renew; nil where nobody told.
  package var willRenew: Bool?
  /// The product that follows, where it is another one; else empty.
  package var nextSKU: String
  /// Apple's code of why it ends: 1 the customer cancelled, 2 billing error, 3 no consent to a
  /// price increase, 4 product not available, 5 other; nil where it does not or nobody told.
  package var expirationIntent: Int32?
  /// Transactions of the period, upgrades and restores left out.
  package var boughtInPeriod: Int
  /// Their prices less refunds, micro-units of `currency`; nil where a price is not known.
  package var amount: Int64?
  /// What Apple pays for those of the period less refunds, by its subscriber report; nil where that
  /// is not loaded, or does not tell it of each of them and of each refund.
  package var proceeds: Money?
  /// Apple's report day of the latest of them.
  package var reportedOn: Day?

  package init(
    storefront: Storefront? = nil, currency: Currency? = nil, sku: String,
    subscriptionGroup: String, originalTransactionID: String, transactionIDs: [String] = [],
    orderID: String? = nil, user: String, state: SubscriptionState, firstBoughtOn: Day,
    lastBoughtOn: Day, expiresOn: Day? = nil, willRenew: Bool? = nil, nextSKU: String,
    expirationIntent: Int32? = nil, boughtInPeriod: Int, amount: Int64? = nil,
    proceeds: Money? = nil, reportedOn: Day? = nil
  ) {
    self.storefront = storefront
    self.currency = currency
    self.sku = sku
    self.subscriptionGroup = subscriptionGroup
    self.originalTransactionID = originalTransactionID
    self.transactionIDs = transactionIDs
    self.orderID = orderID
    self.user = user
    self.state = state
    self.firstBoughtOn = firstBoughtOn
    self.lastBoughtOn = lastBoughtOn
    self.expiresOn = expiresOn
    self.willRenew = willRenew
    self.nextSKU = nextSKU
    self.expirationIntent = expirationIntent
    self.boughtInPeriod = boughtInPeriod
    self.amount = amount
    self.proceeds = proceeds
    self.reportedOn = reportedOn
  }
}

/// The chains that the period touched, by product and state.
package struct SubscriptionCount: Hashable, Sendable {
  package var sku: String
  package var state: SubscriptionState
  package var chains: Int
  /// Of them those that are known not to renew.
  package var ending: Int

  package init(sku: String, state: SubscriptionState, chains: Int, ending: Int) {
    self.sku = sku
    self.state = state
    self.chains = chains
    self.ending = ending
  }
}
