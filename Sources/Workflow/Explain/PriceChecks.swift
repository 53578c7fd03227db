import Billing
import Ledger
import Matching
import Pricing

extension Explainer {
  /// Checks a price against its tier, and says what Apple should pay for it; nil where no price,
  /// storefront or currency is known.
  func priceCheck(_ sold: SoldTerms, on day: Day) -> PriceCheck? {
    guard let storefront = sold.storefront, let currency = sold.currency,
      let price = sold.unitPrice, price >= 0
    else { return nil }
    let tier = tierPrice(of: sold.sku, in: storefront, on: day)
    let expected = knownBook(on: day).expectation(
      of: TermsScope(storefront, sku: sold.sku), currency: currency, price: price, day: day,
      tierPrice: tier)
    return PriceCheck(
      storefront: storefront, currency: currency, sku: sold.sku, day: day, price: price,
      isTold: sold.isPriceTold, tier: tier, tax: expected.tax, commission: expected.commission,
      proceeds: expected.proceeds, deduction: expected.deduction, rule: expected.rule,
      verdict: verdict(sold, tier))
  }

  /// The prices and terms that hold on a day, with what the recorded reconciliations found of terms
  /// around it; where these cannot be read, the rules alone.
  private func knownBook(on day: Day) -> PriceBook {
    var known = book
    do { try known.learnTerms(on: day, from: ledger) } catch { return book }
    return known
  }

  /// The price of the product's tier; nil where the catalogue or the tiers do not have it on the
  /// day.
  private func tierPrice(of sku: String, in storefront: Storefront, on day: Day) -> TierPrice? {
    catalogue.product(sku, on: day).flatMap { tiers.price(of: $0, in: storefront, on: day) }
  }

  /// The sentence that says whether the price is that of the tier.
  private func verdict(_ sold: SoldTerms, _ tier: TierPrice?) -> Wording {
    guard let tier else {
      return catalogue.contains(sold.sku)
        ? "@explain.no-tier-is-known"
        : "@explain.product-is-not"
    }
    let listed = spoken(tier.price, tier.currency)
    if !sold.isPriceTold {
      return "@explain.no-source-gives-the-price \(tier.tier) \(listed)"
    }
    if sold.unitPrice == 0 { return "@explain.it-was-free-no-tier" }
    if tier.price == sold.unitPrice, tier.currency == sold.currency {
      return "@explain.price-is-that-of-tier \(tier.tier) \(listed)"
    }
    return "@explain.price-is-not \(tier.tier) \(listed)"
  }
}
