package import Billing

extension PriceBook {
  /// What one unit at a price should bring, with the rates in the form of ``ProceedsTerms``.
  ///
  /// - Parameters:
  ///   - commissionRate: a commission that the caller names, in millionths, instead of the class's.
  ///   - tierPrice: the tier that the price was taken from, where known.
  package func terms(
    storefront: Storefront, currency: Currency, price: Int64, day: Day,
    commission commissionClass: CommissionClass, commissionRate: Int64? = nil,
    tierPrice: TierPrice? = nil
  ) -> (terms: ProceedsTerms, rule: Wording) {
    let rate = commissionRate ?? commission(commissionClass, storefront: storefront, day: day)
    let plain = expectation(
      storefront: storefront, currency: currency, price: price, day: day, commissionRate: rate)
    let effective =
      commissionRate == nil
      ? expectation(
        storefront: storefront, currency: currency, price: price, day: day,
        commission: commissionClass, tierPrice: tierPrice)
      : plain
    let basis = plain.basis
    var terms = ProceedsTerms(
      currency: currency, price: price,
      inside: basis.inside - basis.commissionShare * rate / 1_000_000,
      commissionShare: basis.commissionShare, deducted: basis.deducted, commission: rate,
      proceeds: effective.proceeds)
    if case .usCopy(_, let priceMarkup, let proceedsMarkup) = basis.method {
      terms.usList = ProceedsTerms.USList(
        priceMarkup: priceMarkup, proceedsMarkup: proceedsMarkup)
    }
    switch effective.basis.method {
    case .formula, .usCopy: break
    case .tier, .listed: terms.tierProceeds = effective.proceeds
    }
    return (terms, effective.rule)
  }
}
