import Billing
import Pricing

/// What is particular about the tax of rows, beside the rule of their day.
struct OddTax {
  enum Cause: Hashable {
    /// Subscriptions at a tax that held before.
    case older(OlderTax)
    /// No table has a tax, and the rows agree on none.
    case unknown
  }

  let cause: Cause
  /// What the rows have.
  let quote: SalesReports.Quote
  let byRule: SalesReports.Quote
}

extension SalesReports {
  /// Nil where the rule of the day is all that may explain a row.
  ///
  /// - Parameter before: what the rows of the period before agree on.
  func oddTax(of group: ReportGroup, after before: FoundTaxes) -> OddTax? {
    guard let currency = group.terms.customerCurrency, let byRule = knownQuote(group) else {
      return nil
    }
    let judgement = judgement(of: group, currency)
    // A refund gives back what an earlier rule gave.
    if group.isRefund, case .asExpected = judgement { return nil }
    var book = context.priceBook
    book.found.add(before)
    if let older = olderTax(of: group, currency, book, byRule.rate) {
      return OddTax(cause: .older(older.tax), quote: Quote(older.expected), byRule: byRule)
    }
    let place = FoundTaxes.Place(group.terms.storefront, currency)
    let tax = context.priceBook.tax(place, on: group.begin, commission: byRule.rate)
    guard tax.taxOrigin == .unknown else { return nil }
    switch judgement {
    case .asExpected, .notAsConfigured: return nil
    case .offRule, .unexpected:
      return OddTax(
        cause: .unknown, quote: untaxed(group, currency, byRule) ?? byRule, byRule: byRule)
    }
  }

  /// The tax before the row's day that gives the proceeds of a subscription; nil where none does.
  func olderTax(
    of group: ReportGroup, _ currency: Currency, _ book: PriceBook, _ rate: Int64
  ) -> (tax: OlderTax, expected: PriceExpectation)? {
    guard isSubscription(group) else { return nil }
    let storefront = group.terms.storefront
    let proceeds = abs(group.terms.proceeds)
    for tax in book.olderTaxes(storefront, currency, before: group.begin) {
      let expected = book.expectation(
        of: storefront, currency: currency, price: group.price, day: group.begin,
        commissionRate: rate, by: tax)
      if abs(expected.proceeds - proceeds) <= allowance(currency) { return (tax, expected) }
    }
    return nil
  }

  private func isSubscription(_ group: ReportGroup) -> Bool {
    let product = groups.products[Int(group.product)]
    return product.type.isAutoRenewable || !product.subscriptionPeriod.isEmpty
      || context.catalogue.kind(product.sku) == .autoRenewable
  }

  /// What a row says itself, where a tax of 27% at most explains it.
  private func untaxed(_ group: ReportGroup, _ currency: Currency, _ rule: Quote) -> Quote? {
    guard abs(group.terms.proceeds) <= group.price, rule.rate < 1_000_000 else { return nil }
    let quote = Quote(
      price: group.price, proceeds: abs(group.terms.proceeds), rate: rule.rate,
      unit: currency.minorUnit)
    return quote.tax >= 0 && Int128(quote.tax) * 127 <= Int128(group.price) * 27 ? quote : nil
  }
}
