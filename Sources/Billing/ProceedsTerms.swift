/// A price and the rates that turn it into proceeds, in the form in which a sheet can calculate
/// them again. Amounts are micro-units of `currency`, per unit sold; rates are millionths.
package struct ProceedsTerms: Hashable, Sendable {
  package var currency: Currency
  package var price: Int64
  /// Tax inside the price, of the net price, beside what hangs on the commission.
  package var inside: Int64
  /// What part of the commission is tax inside the price besides.
  package var commissionShare: Int64
  /// Further deduction, of the price.
  package var deducted: Int64
  package var commission: Int64
  /// What the tier table itself says, for a commission of 30 %.
  package var tierProceeds: Int64?
  /// By how much price and proceeds are above the US list's, where they are made from it.
  package var usList: USList?
  /// What the rule comes to.
  package var proceeds: Int64

  package struct USList: Hashable, Sendable {
    package var priceMarkup: Int64
    package var proceedsMarkup: Int64

    package init(priceMarkup: Int64, proceedsMarkup: Int64) {
      self.priceMarkup = priceMarkup
      self.proceedsMarkup = proceedsMarkup
    }
  }

  package init(
    currency: Currency, price: Int64, inside: Int64 = 0, commissionShare: Int64 = 0,
    deducted: Int64 = 0, commission: Int64, tierProceeds: Int64? = nil, usList: USList? = nil,
    proceeds: Int64
  ) {
    self.currency = currency
    self.price = price
    self.inside = inside
    self.commissionShare = commissionShare
    self.deducted = deducted
    self.commission = commission
    self.tierProceeds = tierProceeds
    self.usList = usList
    self.proceeds = proceeds
  }

  /// What is left of the price, exactly; nil at price zero.
  package var share: Fraction? {
    price > 0 ? Fraction(Int128(proceeds), over: Int128(price)) : nil
  }
}
