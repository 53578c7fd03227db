package import Billing
package import Pricing

/// Terms that hold for the sales of one kind over some days, as Apple's rows show them.
package struct TermsLine: Hashable, Sendable {
  package var storefront: Storefront
  /// Nil where the rows do not tell it.
  package var platform: Platform?
  /// Products whose terms are others than the rest's, ascending; empty is the rest, or all.
  package var skus: [String]
  package var isAfterOneYear: Bool
  package var terms: HeldTerms
  /// First day of these terms, and the last with such rows.
  package var from: Day
  package var to: Day
  package var rows: Int64 = 0
  package var units: Int64 = 0
  /// What Apple pays for them.
  package var proceeds: Money
  /// The part that shows these terms, of the rows that show either these or the runner-up,
  /// millionths; nil where none tells the two apart.
  package var confidence: Int64?
  /// Other documented terms that explain most rows; nil where none explains any.
  package var runnerUp: HeldTerms?
  /// What the configuration claims instead; nil where that is what holds.
  package var configured: HeldTerms?

  package init(
    storefront: Storefront, platform: Platform? = nil, skus: [String], isAfterOneYear: Bool,
    terms: HeldTerms, from: Day, to: Day, rows: Int64 = 0, units: Int64 = 0, proceeds: Money,
    confidence: Int64? = nil, runnerUp: HeldTerms? = nil, configured: HeldTerms? = nil
  ) {
    self.storefront = storefront
    self.platform = platform
    self.skus = skus
    self.isAfterOneYear = isAfterOneYear
    self.terms = terms
    self.from = from
    self.to = to
    self.rows = rows
    self.units = units
    self.proceeds = proceeds
    self.confidence = confidence
    self.runnerUp = runnerUp
    self.configured = configured
  }
}

extension TermsLine {
  /// The order in every output: storefront, platform, class, products, first day, currency.
  package static func isOrderedBefore(_ left: TermsLine, _ right: TermsLine) -> Bool {
    if left.storefront != right.storefront { return left.storefront < right.storefront }
    let platforms = (left.platform?.rawValue ?? "", right.platform?.rawValue ?? "")
    if platforms.0 != platforms.1 { return platforms.0 < platforms.1 }
    if left.isAfterOneYear != right.isAfterOneYear { return right.isAfterOneYear }
    if left.skus != right.skus { return left.skus.lexicographicallyPrecedes(right.skus) }
    if left.from != right.from { return left.from < right.from }
    return left.proceeds.currency < right.proceeds.currency
  }

  /// The products as text: up to three SKUs, else the first and how many more.
  package var productWording: Wording {
    guard let first = skus.first else {
      return isAfterOneYear ? "@shared.after-one-year" : "@terms.all-others"
    }
    let shown = skus.prefix(3).joined(separator: ", ")
    if skus.count <= 3 { return Wording(verbatim: shown) }
    return "@shared.and-more-2 \(first) \(skus.count - 1)"
  }
}
