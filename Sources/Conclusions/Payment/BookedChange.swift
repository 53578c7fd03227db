package import Billing

/// A change of a closed period that came to light after its close, and is booked in the period at
/// hand: what one step of the closed period's bridge would be more now.
package struct BookedChange: Hashable, Sendable {
  /// The closed period, as it was written.
  package var period: String
  /// The bridge's: a storefront's code.
  package var storefront: String
  package var cause: BridgeCause
  package var units: Int64
  package var amount: Money
  package var currency: Currency { amount.currency }

  package init(
    period: String, storefront: String, cause: BridgeCause, units: Int64, amount: Money
  ) {
    self.period = period
    self.storefront = storefront
    self.cause = cause
    self.units = units
    self.amount = amount
  }
}
