package import Billing

extension CurrencyRate {
  /// A quote in millionths.
  package init(micros: Int64) { self.init(DecimalRate(micros: micros)) }

  /// A quote as it is written.
  package init(given text: String) { self.init(DecimalRate(decimal: text)!) }
}
