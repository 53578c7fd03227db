package import Billing

/// What Reading has to know of Apple's storefronts; the table itself is Pricing's.
package struct StorefrontLookup: Sendable {
  /// By ISO 3166 alpha-3.
  package var alpha3: [String: Storefront]
  /// By Apple's numeric id, `143465`.
  package var appleID: [String: Storefront]
  package var known: Set<Storefront>
  /// By a name in English, as Apple or ISO 3166 write it.
  package var named: @Sendable (String) -> Storefront?
  /// Countries where Apple had no store when the table was made, by ISO 3166 alpha-2 and alpha-3:
  /// it may have opened one since.
  package var later: [String: Storefront]
  /// What somebody who wrote something else may have meant: a code, and of which country.
  package var suggestion: @Sendable (String) -> String?

  /// - Parameters:
  ///   - alpha3: storefronts by ISO 3166 alpha-3.
  ///   - appleID: storefronts by Apple's numeric id.
  ///   - known: all storefronts of Apple's.
  ///   - later: countries without a store when the table was made, by ISO 3166 alpha-2 and alpha-3.
  ///   - named: the storefront of a name in English.
  ///   - suggestion: for any other text, the code and country that may have been meant.
  package init(
    alpha3: [String: Storefront], appleID: [String: Storefront], known: Set<Storefront>,
    later: [String: Storefront] = [:],
    named: @escaping @Sendable (String) -> Storefront? = { _ in nil },
    suggestion: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.alpha3 = alpha3
    self.appleID = appleID
    self.known = known
    self.later = later
    self.named = named
    self.suggestion = suggestion
  }

  /// The storefront that a code, an id or an English name means; nil when there is none.
  package func storefront(_ text: String) -> Storefront? {
    switch text.utf8.count {
    case 2: Storefront(text).flatMap { known.contains($0) ? $0 : later[text] }
    case 3: alpha3[text] ?? later[text]
    // Apple's own requests write ids as `143465-19,29`.
    default: appleID[String(text.prefix { $0 != "-" })] ?? named(text)
    }
  }

  /// What signed payloads name that means no country; ISO 3166 leaves the code to its users.
  static let unknown = Storefront("ZZ")!

  /// The storefronts that a block names for the first time and the table does not have.
  func unknown(in block: FactBlock) -> Set<Storefront> {
    let named: [[Storefront?]] = [
      block.newSalesTerms.map(\.storefront), block.newFinanceTerms.map(\.storefront),
      block.newOrderTerms.map(\.storefront), block.newTransactionTerms.map(\.storefront),
      block.newSubscriptionTerms.map(\.circumstance.storefront),
      block.newSubscriptionEventTerms.map(\.circumstance.storefront),
      block.newSubscriberTerms.map(\.circumstance.storefront),
    ]
    return Set(named.joined().compactMap(\.self)).subtracting(known)
  }
}

/// What Reading has to know of the regions of Apple's financial reports; the table is Pricing's.
package struct FinanceRegionLookup: Sendable {
  /// Codes of the regions, `ZZ` for all and `Z1` for the detail among them.
  package var known: Set<String>
  /// The region of a line of the payments summary, by its label in the page's language.
  package var labelled: @Sendable (_ label: String, Currency) -> String?
  /// The regions that may hold a storefront's rows in a currency, the likeliest first.
  package var holding: @Sendable (Storefront, Currency) -> [String]

  /// - Parameters:
  ///   - known: codes of all regions.
  ///   - labelled: the region of a line of the payments summary, by its label and currency.
  ///   - holding: the regions that may hold a storefront's rows in a currency, the likeliest first.
  package init(
    known: Set<String>, labelled: @escaping @Sendable (_ label: String, Currency) -> String?,
    holding: @escaping @Sendable (Storefront, Currency) -> [String]
  ) {
    self.known = known
    self.labelled = labelled
    self.holding = holding
  }
}

/// What Reading has to know of taxes and commissions; both are Pricing's.
package struct PriceLookup: Sendable {
  /// The documented commissions, in millionths of the net price, at which one unit at a price
  /// brings the proceeds; nil where no tax of the storefront is known on the day.
  package var commissions:
    @Sendable (Storefront, Currency, _ price: Int64, _ proceeds: Int64, Day) -> Set<Int64>?

  /// - Parameter commissions: the documented commissions, in millionths of the net price, at which
  ///   one unit at a price brings the proceeds (both in micro-units); nil where no tax of the
  ///   storefront is known on the day.
  package init(
    commissions:
      @escaping @Sendable (
        Storefront, Currency, _ price: Int64, _ proceeds: Int64, Day
      ) -> Set<Int64>?
  ) {
    self.commissions = commissions
  }

  /// Knows nothing.
  package static let none = PriceLookup { _, _, _, _, _ in nil }
}
