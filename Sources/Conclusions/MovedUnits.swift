package import Billing

/// A purchase or refund that our day and Apple's put on two sides of the period's edge: a part of
/// the bridge's step `day-boundary`.
package struct MovedUnits: Hashable, Sendable {
  package var storefront: Storefront?
  package var sku: String
  package var isRefund: Bool
  /// Empty where several are put together.
  package var transactionID = ""
  package var orderID: String?
  /// Purchases or refunds.
  package var count: Int64 = 1
  package var ourDay: Day
  package var appleDay: Day
  /// What Apple's period has of them beyond ours, below zero where ours has them.
  package var units: Int64
  /// At the ledger's price; zero where that is not known.
  package var amount: Money
  package var currency: Currency { amount.currency }

  package init(
    storefront: Storefront?, sku: String, isRefund: Bool, ourDay: Day, appleDay: Day,
    units: Int64, amount: Money
  ) {
    (self.storefront, self.sku, self.isRefund) = (storefront, sku, isRefund)
    (self.ourDay, self.appleDay) = (ourDay, appleDay)
    (self.units, self.amount) = (units, amount)
  }
}
