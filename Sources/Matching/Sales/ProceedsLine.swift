package import Billing

/// What Apple's rows of the period add up to, per storefront and currency pair. Micro-units.
package struct ProceedsLine: Hashable, Sendable {
  package var storefront: Storefront
  /// What customers paid in.
  package var currency: Currency
  package var proceedsCurrency: Currency
  package var unitsSold: Int64 = 0
  /// Positive.
  package var unitsRefunded: Int64 = 0
  /// Net of refunds, in `currency`.
  package var gross: Int64 = 0
  /// By the rule, in `currency`.
  package var tax: Int64 = 0
  /// Net price less proceeds, in `currency`; nil where proceeds have another currency.
  package var commission: Int64?
  /// Net of refunds, in `proceedsCurrency`.
  package var proceeds: Int64 = 0
  /// 1 − proceeds ÷ gross, in millionths; nil across currencies or without gross.
  package var deduction: Int64?
  /// In base currency; nil where no rate is loaded.
  package var proceedsBase: Int64?
  /// Base currency for one of `proceedsCurrency`, micro-units; nil where no rate is loaded.
  package var rate: Int64?
}

extension ProceedsLine {
  /// Nothing, yet.
  package init(storefront: Storefront, currency: Currency, proceedsCurrency: Currency) {
    self.init(
      storefront: storefront, currency: currency, proceedsCurrency: proceedsCurrency, unitsSold: 0)
  }
}
