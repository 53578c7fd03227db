package import Billing

/// A price and the rates that turn it into proceeds, in the form in which a sheet can calculate
/// them again. Amounts are micro-units of `currency`, per unit sold; rates are millionths.
package struct ProceedsTerms: Hashable, Sendable {
  package var currency: Currency
  package var price: Int64
  /// Tax inside the price, of the net price, beside what hangs on the commission.
  package var inside: Int64 = 0
  /// What part of the commission is a tax on the price without `inside`, besides.
  package var commissionShare: Int64 = 0
  /// Further deduction, of the price.
  package var deducted: Int64 = 0
  package var commission: Int64
  /// What the tier table itself says, for a commission of 30%.
  package var tierProceeds: Int64?
  /// By how much price and proceeds are above the US list's, where they are made from it.
  package var usList: USList?
  /// What the rule comes to.
  package var proceeds: Int64

  package struct USList: Hashable, Sendable {
    package var priceMarkup: Int64
    package var proceedsMarkup: Int64
  }

  /// Tax inside the price at the row's commission, millionths.
  package var tax: Int64 {
    inside + taxOnCommission(commission, share: commissionShare, beside: inside)
  }

  /// What is left of the price, exactly; nil at price zero.
  package var share: Fraction? {
    price > 0 ? Fraction(Int128(proceeds), over: Int128(price)) : nil
  }
}

extension PriceBook {
  /// What one unit at a price should bring, with the rates in the form of ``ProceedsTerms``.
  ///
  /// - Parameters:
  ///   - scope: where and what is sold; its terms of the day hold.
  ///   - commissionRate: a commission that the caller names, in millionths, instead of theirs.
  ///   - tierPrice: the tier that the price was taken from, where known.
  package func terms(
    of scope: TermsScope, currency: Currency, price: Int64, day: Day, commissionRate: Int64? = nil,
    tierPrice: TierPrice? = nil
  ) -> (terms: ProceedsTerms, rule: Wording) {
    let held = self.terms(of: scope, on: day)
    let rate = commissionRate ?? held.rate
    let plain = expectation(
      storefront: scope.storefront, currency: currency, price: price, day: day,
      commissionRate: rate)
    let effective =
      commissionRate == nil
      ? expectation(
        under: held, of: scope, currency: currency, price: price, day: day, tierPrice: tierPrice)
      : plain
    let basis = plain.basis
    var terms = ProceedsTerms(
      currency: currency, price: price,
      inside: basis.vat, commissionShare: basis.commissionShare, deducted: basis.deducted,
      commission: rate,
      proceeds: effective.proceeds)
    if case .usCopy(_, let priceMarkup, let proceedsMarkup) = basis.method {
      terms.usList = ProceedsTerms.USList(
        priceMarkup: priceMarkup, proceedsMarkup: proceedsMarkup)
    }
    switch effective.basis.method {
    case .formula, .usCopy: break
    case .tier, .factor: terms.tierProceeds = effective.proceeds
    }
    return (terms, effective.rule)
  }
}
