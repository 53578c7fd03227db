/// Faults that lie between what the company wrote down and what Apple told, and oddities of
/// Apple's messages that are none.
package enum AppleFault: String, Hashable, Sendable, CaseIterable {
  /// The company's table has another purchase time than the signed payload, on another day.
  case purchaseTime = "purchase-time"
  /// Only a notification tells of a refund.
  case refundNotified = "refund-notified"
  /// A refund that Apple took back: nothing is to be found.
  case refundReversed = "refund-reversed"
  /// The receipt is for another app's product with the same SKU.
  case itemID = "item-id"
  /// Receipts of two users have one subscription.
  case sharedSubscription = "shared-subscription"
  /// Signed renewals with one missing between them.
  case renewalGap = "renewal-gap"
  /// As `renewalGap`, but Apple told in between that billing had failed: nothing is to be found.
  case billingRetry = "billing-retry"
  /// A purchase restored under a new transaction id, which is no sale: nothing is to be found.
  case restoredPurchase = "restored-purchase"
  /// A monthly subscription that renews every five minutes, as only the sandbox does, and no
  /// message names the environment: no money, and nothing is to be found.
  case compressedRenewals = "compressed-renewals"
}
