package import Billing
import Foundation
import Languages
import Pricing
import Reading

extension StorefrontLookup {
  /// Apple's storefronts, as the built-in table has them.
  static let builtIn: StorefrontLookup = {
    let entries = StorefrontTable.builtIn.entries
    return StorefrontLookup(
      alpha3: Dictionary(entries.map { ($0.alpha3, $0.storefront) }) { first, _ in first },
      appleID: Dictionary(entries.map { ($0.appleID, $0.storefront) }) { first, _ in first },
      known: Set(entries.map(\.storefront)), later: StorefrontTable.builtIn.later,
      named: { StorefrontTable.named($0) }, suggestion: likelyStorefront)
  }()
}

extension FinanceRegionLookup {
  /// The regions of Apple's financial reports, as the built-in table has them.
  static let builtIn: FinanceRegionLookup = {
    let table = FinanceRegionTable.builtIn
    return FinanceRegionLookup(
      known: Set(table.codes + [FinanceRegionTable.all, FinanceRegionTable.detail]),
      labelled: { table.region(label: $0, currency: $1) },
      holding: { table.regions(of: $0, currency: $1) })
  }()
}

extension PriceLookup {
  /// Looks up by the built-in tables which commissions, in millionths, lead from a price to its
  /// proceeds, for developers at home in a country. The look-up's answer is nil where no tax is
  /// known.
  init(developerCountry: Storefront?) {
    let book = PriceBook(developerCountry: developerCountry ?? Settings().developerCountry)
    self.init { storefront, currency, price, proceeds, day in
      guard price > 0 else { return nil }
      let rates = book.documentedRates(storefront).union([150_000, 300_000])
      var fitting: Set<Int64> = []
      for rate in rates {
        let expected = book.expectation(
          storefront: storefront, currency: currency, price: price, day: day, commissionRate: rate)
        if expected.basis.taxOrigin == .unknown { return nil }
        if abs(expected.proceeds - proceeds) <= currency.minorUnit { fitting.insert(rate) }
      }
      return fitting
    }
  }
}

/// The storefront with this two- or three-letter code or Apple id; nil where Apple has none there.
package func knownStorefront(_ code: String) -> Storefront? {
  StorefrontTable.builtIn.storefront(code)
}

/// The currency with this three-letter code; nil where ISO 4217 has none.
package func knownCurrency(_ code: String) -> Currency? {
  Locale.commonISOCurrencyCodes.contains(code) ? Currency(code) : nil
}

/// The code of a region of Apple's financial reports, in capitals; nil where there is none such.
package func knownFinanceRegion(_ code: String) -> String? {
  let code = code.uppercased()
  return FinanceRegionLookup.builtIn.known.contains(code) ? code : nil
}

/// The region that `fetch` asks for by a code in either case: one of Apple's, all in one file, or
/// the detail; nil where there is none such.
package func fetchedRegion(_ code: String) -> String? {
  let code = code.uppercased()
  return [FinanceRegionTable.all, FinanceRegionTable.detail].contains(code)
    ? code : knownFinanceRegion(code)
}

/// The storefront that a word most likely means, with its name: `GB (United Kingdom)` for `UK`; nil
/// where nothing is near.
@Sendable package func likelyStorefront(_ word: String) -> String? {
  let table = StorefrontTable.builtIn
  let upper = word.uppercased()
  let code = mistakenCodes[upper] ?? upper
  if let storefront = table.storefront(code) { return named(storefront, in: table) }
  guard word.utf8.count > 3 else { return nil }
  let names = table.entries.map(\.name)
  let close = names.first { $0.uppercased().hasPrefix(upper) } ?? nearest(to: word, among: names)
  return table.entries.first { $0.name == close }.flatMap { named($0.storefront, in: table) }
}

/// Languages, number plates and habits that are taken for codes of countries.
private let mistakenCodes = [
  "UK": "GB", "EN": "GB", "ENG": "GB", "JA": "JP", "JAP": "JP", "KO": "KR", "ZH": "CN", "PRC": "CN",
  "EL": "GR", "DA": "DK", "CS": "CZ", "SP": "ES", "SV": "SE", "VI": "VN", "KOS": "XK",
  "KSA": "SA", "UAE": "AE", "GER": "DE", "ROC": "TW",
]

/// A storefront with its name: `GB (United Kingdom)`; nil where the table has none.
private func named(_ storefront: Storefront, in table: StorefrontTable) -> String? {
  table.name(of: storefront).map { "\(storefront) (\(say($0)))" }
}
