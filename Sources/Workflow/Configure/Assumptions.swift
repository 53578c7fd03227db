package import Billing
import Ledger
import Pricing
import Reporting

extension Settings {
  /// Sets the base currency and the developer's country that are assumed where they are not
  /// configured, and notes each assumption.
  ///
  /// - Parameters:
  ///   - given: the keys of the configuration that are set.
  ///   - ledgerPath: of the ledger whose orders tell the currency; it need not be there.
  package mutating func assume(besides given: Set<String>, ledgerPath: String) {
    assumptions = []
    if !given.contains("base_currency") { assumeBaseCurrency(ledgerPath) }
    if given.contains("developer_country") { return }
    assumptions.append(
      Assumption(
        key: "developer_country", value: developerCountry.code,
        taken: """
          @configure.developer-country-is-not-set \(developerCountry) \
          \(Storefront.taxedByDeveloper.map(\.code).joined(separator: ", "))
          """))
  }

  /// Sets the base currency to that of the last close, else to the commonest one of orders, else
  /// leaves the default, and notes which it was.
  private mutating func assumeBaseCurrency(_ ledgerPath: String) {
    let found = fileExists(ledgerPath) ? try? BaseCurrency(ledgerPath) : nil
    if let found { baseCurrency = found.currency }
    let taken: Wording =
      switch found?.source {
      case .close: "@configure.is-taken-as-the-last \(baseCurrency)"
      case .orders: "@configure.is-taken-the-commonest-currency \(baseCurrency)"
      case nil: "@configure.is-taken-because-no-order \(baseCurrency)"
      }
    assumptions.append(
      Assumption(key: "base_currency", value: baseCurrency.code, taken: taken))
  }
}

private func fileExists(_ path: String) -> Bool { identity(of: path) != nil }

/// The currency of the books, as a ledger shows it.
private struct BaseCurrency {
  enum Source { case close, orders }

  let currency: Currency
  let source: Source

  /// Reads the currency of the last close, else the commonest one of orders; nil where nothing in
  /// the ledger tells it.
  init?(_ ledgerPath: String) throws {
    let found = try Ledger.reading(ledgerPath) { ledger -> (Currency, Source)? in
      // What was closed in a currency is not gone on with in another.
      if let close = try CloseBook(ledger).closed.last,
        let bytes = try ledger.document(CloseDocument.figures, ofClose: close.number),
        let kept = CloseStatement(
          ofCSV: String(decoding: bytes, as: UTF8.self), period: close.period)
      {
        return (kept.currency, .close)
      }
      return try ledger.commonestOrderCurrency().map { ($0, .orders) }
    }
    guard let found else { return nil }
    (currency, source) = found
  }
}
