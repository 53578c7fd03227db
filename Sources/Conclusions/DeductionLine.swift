package import Billing

/// What Apple took of the sales of one kind, over a month or the part of one in which nothing
/// changed. Refunds and free units are left out: what they bring was decided on another day, or is
/// nothing.
package struct DeductionLine: Hashable, Sendable {
  package var storefront: Storefront
  /// Nil where the catalogue does not have the product.
  package var kind: ProductKind?
  /// Name of the commission's class: `standard`, `after-one-year` or `small-business`.
  package var commissionClass: String
  /// First day of the calendar month.
  package var month: Day
  /// Apple's first and last report day with such a sale.
  package var firstDay: Day
  package var lastDay: Day
  package var units: Int64 = 0
  package var gross: Money
  package var proceeds: Money
  /// By the rule, in what customers paid in.
  package var ruleProceeds: Money
  /// By the rule, millionths of the price without tax.
  package var commission: Int64
  /// By the rule, everything taken off before the commission: price = net × (1 + tax), millionths;
  /// nil where no table has the storefront.
  package var ruleTax: Int64?
  /// The tax, in the same way, that gives the rows' proceeds exactly; nil where proceeds have
  /// another currency.
  package var foundTax: Int64?
  /// Units, of those at ordinary terms, whose proceeds `foundTax` gives.
  package var explainedUnits: Int64 = 0
  /// Units at ordinary terms: no offer, no preserved price.
  package var ordinaryUnits: Int64 = 0
  /// Distinct customer prices.
  package var prices: Int = 0
  /// The tax of the part before, where the line begins with a proven change of the deduction.
  package var taxBefore: Int64?

  package init(
    storefront: Storefront, kind: ProductKind? = nil, commissionClass: String, month: Day,
    firstDay: Day, lastDay: Day, units: Int64 = 0, gross: Money, proceeds: Money,
    ruleProceeds: Money, commission: Int64, ruleTax: Int64? = nil, foundTax: Int64? = nil,
    explainedUnits: Int64 = 0, ordinaryUnits: Int64 = 0, prices: Int = 0, taxBefore: Int64? = nil
  ) {
    self.storefront = storefront
    self.kind = kind
    self.commissionClass = commissionClass
    self.month = month
    self.firstDay = firstDay
    self.lastDay = lastDay
    self.units = units
    self.gross = gross
    self.proceeds = proceeds
    self.ruleProceeds = ruleProceeds
    self.commission = commission
    self.ruleTax = ruleTax
    self.foundTax = foundTax
    self.explainedUnits = explainedUnits
    self.ordinaryUnits = ordinaryUnits
    self.prices = prices
    self.taxBefore = taxBefore
  }
  /// What customers paid in.
  package var currency: Currency { gross.currency }
  package var proceedsCurrency: Currency { proceeds.currency }

  /// The order in every output: storefront, currencies, kind, class, first day.
  package static func isOrderedBefore(_ left: DeductionLine, _ right: DeductionLine) -> Bool {
    if left.storefront != right.storefront { return left.storefront < right.storefront }
    if left.currency != right.currency { return left.currency < right.currency }
    if left.proceedsCurrency != right.proceedsCurrency {
      return left.proceedsCurrency < right.proceedsCurrency
    }
    let kinds = (left.kind?.name ?? "", right.kind?.name ?? "")
    if kinds.0 != kinds.1 { return kinds.0 < kinds.1 }
    return (left.commissionClass, left.firstDay) < (right.commissionClass, right.firstDay)
  }
}
