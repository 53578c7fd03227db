/// A tax that a recorded reconciliation found Apple's rows to agree on beside the table. Rates are
/// millionths.
package struct RecordedTax: Hashable, Sendable {
  package var storefront: Storefront
  package var currency: Currency
  package var from: Day
  package var to: Day
  /// The commission at which the rows have it.
  package var commission: Int64
  /// Whether it stands for other commissions too.
  package var isForAll: Bool
  /// Tax inside the price, of the net price.
  package var inside: Int64
  /// Further deduction, of the price.
  package var deducted: Int64

  package init(
    storefront: Storefront, currency: Currency, from: Day, to: Day, commission: Int64,
    isForAll: Bool, inside: Int64, deducted: Int64
  ) {
    self.storefront = storefront
    self.currency = currency
    self.from = from
    self.to = to
    self.commission = commission
    self.isForAll = isForAll
    self.inside = inside
    self.deducted = deducted
  }
}
