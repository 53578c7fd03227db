package import Billing

/// What Apple's rows of the period add up to, per storefront and currency pair.
package struct ProceedsLine: Hashable, Sendable {
  package var storefront: Storefront
  package var unitsSold: Int64 = 0
  /// Positive.
  package var unitsRefunded: Int64 = 0
  /// Net of refunds, in what customers paid in.
  package var gross: Money
  /// By the rule, in the same currency.
  package var tax: Money
  /// Net price less proceeds; nil where proceeds have another currency.
  package var commission: Money?
  /// Net of refunds, in what Apple pays in.
  package var proceeds: Money
  /// 1 − proceeds ÷ gross, in millionths; nil across currencies or without gross.
  package var deduction: Int64?
  /// In base currency; nil where no rate is loaded.
  package var proceedsBase: Money?
  /// Base currency for one of `proceedsCurrency`; nil where no rate is loaded.
  package var rate: CurrencyRate?
  /// The currency that customers paid in.
  package var currency: Currency { gross.currency }
  package var proceedsCurrency: Currency { proceeds.currency }
}

extension ProceedsLine {
  /// A line without sales, yet.
  package init(storefront: Storefront, currency: Currency, proceedsCurrency: Currency) {
    self.init(
      storefront: storefront, gross: .zero(currency), tax: .zero(currency),
      proceeds: .zero(proceedsCurrency))
  }
}
