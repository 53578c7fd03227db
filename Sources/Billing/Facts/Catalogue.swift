/// One row of the company's catalogue.
package struct Product: Hashable, Sendable {
  package var sku: String
  package var kind: ProductKind
  /// A tier's name (`5`, `Alternate Tier A`, a price point) in any spelling that ``tierName(_:)``
  /// knows; empty when none.
  package var tier: String
  package var appleIdentifier: String
  package var bundleID: String
  package var name: String
  package var coins: Int64?
  package var subscriptionGroup: String
  /// The first day this row holds; nil is always.
  package var effectiveFrom: Day?

  package init(
    sku: String, kind: ProductKind, tier: String = "", appleIdentifier: String = "",
    bundleID: String = "", name: String = "", coins: Int64? = nil, subscriptionGroup: String = "",
    effectiveFrom: Day? = nil
  ) {
    self.sku = sku
    self.kind = kind
    self.tier = tier
    self.appleIdentifier = appleIdentifier
    self.bundleID = bundleID
    self.name = name
    self.coins = coins
    self.subscriptionGroup = subscriptionGroup
    self.effectiveFrom = effectiveFrom
  }
}

/// Which of Apple's two price matrices a tier belongs to.
package enum TierTable: UInt8, Hashable, Sendable { case iap, subscription }

/// A tier's price in one storefront, from day to day (both included).
package struct TierPrice: Hashable, Sendable {
  package var table: TierTable
  package var tier: String
  package var storefront: Storefront
  package var currency: Currency
  /// Customer price, micro-units.
  package var price: Int64
  /// At 30% commission, micro-units; nil when the table does not say.
  package var proceeds: Int64?
  package var effectiveFrom: Day?
  package var effectiveTo: Day?

  package init(
    table: TierTable, tier: String, storefront: Storefront, currency: Currency, price: Int64,
    proceeds: Int64?, effectiveFrom: Day?, effectiveTo: Day?
  ) {
    self.table = table
    self.tier = tier
    self.storefront = storefront
    self.currency = currency
    self.price = price
    self.proceeds = proceeds
    self.effectiveFrom = effectiveFrom
    self.effectiveTo = effectiveTo
  }
}

/// 1 `base` = `rate` `quote` on `date`.
package struct ExchangeRate: Hashable, Sendable {
  package var date: Day
  package var base: Currency
  package var quote: Currency
  /// `quote` for one `base`.
  package var rate: DecimalRate

  package init(date: Day, base: Currency, quote: Currency, rate: DecimalRate) {
    self.date = date
    self.base = base
    self.quote = quote
    self.rate = rate
  }
}

/// A company's override of the built-in tax table: price = net × (1 + rate), the whole factor.
package struct TaxOverride: Hashable, Sendable {
  package var storefront: Storefront
  /// Millionths: 0.018 is 18,000.
  package var rate: Int64
  package var effectiveFrom: Day?
  package var effectiveTo: Day?

  package init(storefront: Storefront, rate: Int64, effectiveFrom: Day?, effectiveTo: Day?) {
    self.storefront = storefront
    self.rate = rate
    self.effectiveFrom = effectiveFrom
    self.effectiveTo = effectiveTo
  }
}

/// A commission that the company says holds, beside those that are built in or before them.
package struct CompanyCommission: Hashable, Sendable {
  /// Of the terms, as the configuration's `agreements` name them: `EU-2026`.
  package var name: String
  /// A storefront's two letters, a ``TermsArea``, or `*` for every storefront.
  package var place: String
  /// Names of ``Platform`` in its order, divided by spaces; empty is every one.
  package var platforms: String
  /// The programme or class, a ``CommissionClass``.
  package var commissionClass: String
  /// Millionths of the net price.
  package var rate: Int64
  /// The days on which it holds, both included; nil is open.
  package var effectiveFrom: Day?
  package var effectiveTo: Day?

  package init(
    name: String, place: String, platforms: String, commissionClass: String, rate: Int64,
    effectiveFrom: Day?, effectiveTo: Day?
  ) {
    self.name = name
    self.place = place
    self.platforms = platforms
    self.commissionClass = commissionClass
    self.rate = rate
    self.effectiveFrom = effectiveFrom
    self.effectiveTo = effectiveTo
  }
}
