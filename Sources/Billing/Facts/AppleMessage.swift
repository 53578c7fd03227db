/// What repeats in the records in which Apple told of purchases: receipts, notifications and the
/// server's answers. Nil or empty is "not said".
package struct MessageTerms: Hashable, Sendable {
  package var factSource: FactSource
  /// `verifyReceipt`; a notification's type (`DID_RENEW`); of other answers what they hold
  /// (`transaction`, `renewal`, `history`, `statuses`, `app-transaction`).
  package var type: String
  package var subtype: String
  /// The status of a verifyReceipt response.
  package var status: Int32?
  package var environment: StoreEnvironment?
  package var bundleID: String
  /// Why the customer asks for money back (`consumptionRequestReason`): `UNINTENDED_PURCHASE`,
  /// `FULFILLMENT_ISSUE`, `UNSATISFIED_WITH_PURCHASE`, `LEGAL`, `OTHER`.
  package var requestReason = ""
  /// Values that are not known, as in ``TransactionTerms/unknownWords``.
  package var unknownWords = ""

  package init(
    factSource: FactSource, type: String, subtype: String = "", status: Int32? = nil,
    environment: StoreEnvironment? = nil, bundleID: String = ""
  ) {
    self.factSource = factSource
    self.type = type
    self.subtype = subtype
    self.status = status
    self.environment = environment
    self.bundleID = bundleID
  }
}

/// One record in which Apple told of purchases.
package struct MessageRow: Sendable {
  package var line: Int32
  package var terms: Int32
  /// `notificationUUID`: deliveries that repeat have the same.
  package var uuid: TextSlice
  package var orderID: TextSlice
  package var userID: TextSlice
  /// When Apple signed it, else when the company received it.
  package var observedAt: Instant?
  /// Of a token for purchases outside the App Store, and when it was made.
  package var externalPurchaseID = TextSlice.none
  package var tokenCreatedAt: Instant?

  package init(
    line: Int32, terms: Int32, uuid: TextSlice, orderID: TextSlice, userID: TextSlice,
    observedAt: Instant?
  ) {
    self.line = line
    self.terms = terms
    self.uuid = uuid
    self.orderID = orderID
    self.userID = userID
    self.observedAt = observedAt
  }
}

/// What Apple tells of a subscription's next renewal; nil or empty is "not said". A forecast, no
/// income.
package struct RenewalTerms: Hashable, Sendable {
  package var factSource: FactSource
  package var sku: String
  /// The product that the next period is of.
  package var nextSKU: String
  package var willRenew: Bool?
  /// Apple's code: 1 the customer cancelled, 2 billing error, 3 no consent to a price increase, 4
  /// product not available, 5 other.
  package var expirationIntent: Int32?
  package var isInBillingRetry: Bool?
  package var status: SubscriptionStatus?
  /// The offer of the next period.
  package var offer: OfferKind?
  package var offerID = ""
  package var offerDiscount = ""
  package var offerPeriod = ""
  /// What the next period will cost, micro-units.
  package var renewalPrice: Int64?
  package var currency: Currency?
  /// Values that are not known, as in ``TransactionTerms/unknownWords``.
  package var unknownWords = ""

  package init(
    factSource: FactSource, sku: String = "", nextSKU: String = "", willRenew: Bool? = nil,
    expirationIntent: Int32? = nil, isInBillingRetry: Bool? = nil
  ) {
    self.factSource = factSource
    self.sku = sku
    self.nextSKU = nextSKU
    self.willRenew = willRenew
    self.expirationIntent = expirationIntent
    self.isInBillingRetry = isInBillingRetry
  }
}

/// What a subscription is, by Apple's `status`.
package enum SubscriptionStatus: UInt8, Hashable, Sendable, CaseIterable {
  case active = 1, expired, billingRetry, gracePeriod, revoked
}

/// What was told of one chain's next renewal at one moment.
package struct RenewalRow: Sendable {
  package var line: Int32
  package var terms: Int32
  package var originalTransactionID: TextSlice
  package var observedAt: Instant
  package var graceExpiresAt: Instant?
  /// When the next period begins.
  package var renewsAt: Instant?

  package init(
    line: Int32, terms: Int32, originalTransactionID: TextSlice, observedAt: Instant,
    graceExpiresAt: Instant?
  ) {
    self.line = line
    self.terms = terms
    self.originalTransactionID = originalTransactionID
    self.observedAt = observedAt
    self.graceExpiresAt = graceExpiresAt
  }
}

/// Records in which Apple told of purchases, and all that they told.
package struct PurchaseRows: Sendable {
  /// One per record.
  package var messages: [MessageRow]
  /// Each transaction of a record once, beside each other.
  package var transactions: [TransactionRow]
  package var renewals: [RenewalRow]
  /// Of answers that come in pages.
  package var pages: [AnswerPage]
  /// What is said beside transactions, which name it by its place.
  package var extras: [ExtraRow]
  /// Of Advanced Commerce; they name the extra of their transaction by its place.
  package var items: [AdvancedItem]
  package var itemRefunds: [AdvancedItemRefund]

  package init(
    messages: [MessageRow], transactions: [TransactionRow], renewals: [RenewalRow],
    pages: [AnswerPage] = [], extras: [ExtraRow] = [], items: [AdvancedItem] = [],
    itemRefunds: [AdvancedItemRefund] = []
  ) {
    self.messages = messages
    self.transactions = transactions
    self.renewals = renewals
    self.pages = pages
    self.extras = extras
    self.items = items
    self.itemRefunds = itemRefunds
  }
}
