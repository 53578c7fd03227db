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
  /// What is particular about the tax of a group: an older one that gives its proceeds, or one that
  /// no table has. Nil where the rule of the day is all that may explain a row.
  ///
  /// - Parameters:
  ///   - before: what the rows of the period before agree on.
  ///   - changes: of deductions; they explain the rows since, whatever older tax gives the same.
  func oddTax(
    of group: ReportGroup, after before: FoundTaxes, told changes: ToldChanges
  ) -> OddTax? {
    guard let currency = group.terms.customerCurrency, let byRule = knownQuote(group) else {
      return nil
    }
    let judgement = judgement(of: group, currency)
    // A refund gives back what an earlier rule gave.
    if group.isRefund, case .asExpected = judgement { return nil }
    let place = FoundTaxes.Place(group.terms.storefront, currency)
    var book = context.priceBook
    book.found.add(before)
    if !changes.explain(group, place, byRule.rate),
      let older = olderTax(of: group, currency, book, byRule.rate)
    {
      return OddTax(cause: .older(older.tax), quote: Quote(older.expected), byRule: byRule)
    }
    // A row that differs from others of its storefront is wrong, whatever tax nobody knows.
    guard isTaxUnknown(group, place, byRule), !ruled.refute(group, place, byRule) else {
      return nil
    }
    switch judgement {
    case .asExpected, .notAsConfigured: return nil
    case .offRule, .unexpected:
      return OddTax(
        cause: .unknown, quote: quoteOfRow(group, currency, byRule) ?? byRule, byRule: byRule)
    }
  }

  /// The tax before the row's day that gives the proceeds of a subscription, with what it gives;
  /// nil where none does.
  ///
  /// - Parameter rate: the commission, millionths.
  func olderTax(
    of group: ReportGroup, _ currency: Currency, _ book: PriceBook, _ rate: Int64
  ) -> (tax: OlderTax, expected: PriceExpectation)? {
    guard isSubscription(group) else { return nil }
    let storefront = group.terms.storefront
    let proceeds = abs(group.terms.proceeds)
    let day = ruleDay(of: group)
    for tax in book.olderTaxes(storefront, currency, before: day) {
      let expected = book.expectation(
        of: storefront, currency: currency, price: group.price, day: day,
        commissionRate: rate, by: tax)
      if abs(expected.proceeds - proceeds) <= allowance(currency) { return (tax, expected) }
    }
    return nil
  }

  /// Whether neither a table nor rows have a tax for a group's day at the commission of the rule.
  func isTaxUnknown(_ group: ReportGroup, _ place: FoundTaxes.Place, _ rule: Quote) -> Bool {
    context.priceBook.tax(place, on: ruleDay(of: group), commission: rule.rate).taxOrigin
      == .unknown
  }

  /// The proven changes of deductions within the period in the storefronts and currencies of those
  /// groups that are subscriptions: only these may be at a tax that held before their day.
  ///
  /// - Parameter earlier: the reports of the period before; nil where there are none.
  func toldChanges(
    _ groups: some Sequence<ReportGroup>, after earlier: SalesReports?
  ) -> ToldChanges {
    let places = groups.filter(isSubscription).compactMap { group in
      group.currency.map { FoundTaxes.Place(group.terms.storefront, $0) }
    }
    return ToldChanges(self, of: Set(places), after: earlier)
  }

  /// Whether a group's product is a subscription, by its type, its period or the catalogue.
  private func isSubscription(_ group: ReportGroup) -> Bool {
    let product = groups.products[Int(group.product)]
    return product.type.isAutoRenewable || !product.subscriptionPeriod.isEmpty
      || context.catalogue.kind(product.sku) == .autoRenewable
  }

  /// What a row itself says of tax and commission: at the rule's commission, tax is all else that
  /// its proceeds leave of the price. Nil where that is no tax between 0 and 27%.
  private func quoteOfRow(_ group: ReportGroup, _ currency: Currency, _ rule: Quote) -> Quote? {
    guard abs(group.terms.proceeds) <= group.price, rule.rate < 1_000_000 else { return nil }
    let quote = Quote(
      price: group.price, proceeds: abs(group.terms.proceeds), rate: rule.rate,
      unit: currency.minorUnit)
    return quote.tax >= 0 && Int128(quote.tax) * 127 <= Int128(group.price) * 27 ? quote : nil
  }
}

/// Deductions that are proven to have become others in the period. What the new rate explains is a
/// matter of the change's finding: a tax of years ago that was alike has nothing to do with it.
struct ToldChanges {
  private var changes: [FoundTaxes.Place: [DeductionChange]] = [:]
  private let book: PriceBook

  /// Finds the proven changes of deductions within the period in some storefronts and currencies.
  ///
  /// - Parameter earlier: the reports of the period before; nil where there are none.
  init(_ reports: SalesReports, of places: Set<FoundTaxes.Place>, after earlier: SalesReports?) {
    book = reports.context.priceBook.byTable
    if places.isEmpty { return }
    var deductions = DeductionBook(reports, previous: earlier, of: places)
    for change in deductions.changes() where reports.context.period.contains(change.day) {
      changes[FoundTaxes.Place(change.key.storefront, change.key.currency), default: []]
        .append(change)
    }
  }

  /// Whether a group is of days since a proven change, and its proceeds are at the rate that has
  /// held since that.
  ///
  /// - Parameter commission: what the group's terms have, millionths.
  func explain(_ group: ReportGroup, _ place: FoundTaxes.Place, _ commission: Int64) -> Bool {
    let since = (changes[place] ?? []).filter { $0.day <= group.begin }
    if since.isEmpty { return false }
    let rule = book.tax(place, on: group.begin, commission: commission).ruleRate
    guard rule.leavesSomething else { return false }
    let span = rule.multiples(RateSpan(of: group, place.currency))
    return since.contains { $0.change.since.rates.meets(span) }
  }
}

/// What rows that bring what the rule gives leave open, in storefronts whose tax no table has: the
/// proceeds of a low price are the rule's and another tax's as well, and say nothing of either.
struct RuledRows {
  /// The highest and the lowest multiple of the rule that all of them allow.
  private var bounds: [FoundTaxes.Place: (lower: Int64, upper: Int64)] = [:]

  init() {}

  /// Collects, for those storefronts and currencies of `others` whose tax no table has, the shares
  /// of the price that explain every row whose proceeds are the rule's.
  init(_ reports: SalesReports, beside others: [ReportGroup]) {
    let places = Set(
      others.compactMap { group -> FoundTaxes.Place? in
        guard let currency = group.terms.customerCurrency, let quote = reports.knownQuote(group)
        else { return nil }
        let place = FoundTaxes.Place(group.terms.storefront, currency)
        return reports.isTaxUnknown(group, place, quote) ? place : nil
      })
    if places.isEmpty { return }
    for (index, group) in reports.groups.groups.enumerated() where reports.isCounted(index) {
      guard let currency = group.terms.customerCurrency, let quote = reports.knownQuote(group)
      else { continue }
      let place = FoundTaxes.Place(group.terms.storefront, currency)
      guard places.contains(place), reports.isOffRule(group, quote) == false,
        let span = Self.multiples(of: group, place, quote)
      else { continue }
      let known = bounds[place] ?? (span.lower, span.upper)
      bounds[place] = (max(known.lower, span.lower), min(known.upper, span.upper))
    }
  }

  /// Whether no tax explains both a group's proceeds and those of all rows of its storefront and
  /// currency that are at the rule's; false where there are no such rows.
  func refute(_ group: ReportGroup, _ place: FoundTaxes.Place, _ rule: SalesReports.Quote) -> Bool {
    guard let bounds = bounds[place], let span = Self.multiples(of: group, place, rule) else {
      return false
    }
    return span.upper < bounds.lower || bounds.upper < span.lower
  }

  /// The shares of the price that explain a row, as multiples of what the commission alone leaves;
  /// nil where that is nothing.
  private static func multiples(
    of group: ReportGroup, _ place: FoundTaxes.Place, _ rule: SalesReports.Quote
  ) -> RateSpan? {
    let rate = RuleRate(inside: 0, deducted: 0, commission: rule.rate)
    return rate.leavesSomething ? rate.multiples(RateSpan(of: group, place.currency)) : nil
  }
}

extension RateSpan {
  /// The shares of the price that round to the proceeds of a group's units.
  init(of group: ReportGroup, _ currency: Currency) {
    self.init(
      price: group.price, proceeds: abs(group.terms.proceeds), unit: currency.minorUnit,
      mayHaveOneMore: currency.code == "USD")
  }
}
