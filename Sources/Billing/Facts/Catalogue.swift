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
  /// Which coin ``coins`` are; empty is the only one.
  package var coin: String

  package init(
    sku: String, kind: ProductKind, tier: String = "", appleIdentifier: String = "",
    bundleID: String = "", name: String = "", coins: Int64? = nil, subscriptionGroup: String = "",
    effectiveFrom: Day? = nil, coin: String = ""
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
    self.coin = coin
  }
}

extension Product: OfProduct {
  package var appMarks: [AppMark] { [.bundle(bundleID), .item(appleIdentifier)] }
}

extension Product: ListedRow {
  package static let blank = Product(sku: "", kind: .consumable)

  package static let columns: [CompanyColumn<Self>] = [
    .sku(.code(\.sku)),
    .kind(.kind(.always(\.kind)), required: true),
    CompanyColumn(
      "tier", .code(\.tier), "@company.price-tier-or-price-point", "5"),
    CompanyColumn(
      "apple_identifier", .code(\.appleIdentifier),
      "@company.number-that-apple-reports", "1600000001"),
    .bundleID(.code(\.bundleID)),
    CompanyColumn("name", .text(\.name), "@company.product-name-as-people-read", "300 Gems"),
    .coins(.count(\.coins), "@company.virtual-currency-that-one-unit"),
    CompanyColumn(
      "subscription_group", .code(\.subscriptionGroup),
      "@company.group-of-an-auto-renewable"),
    .effectiveFrom(.day(.ifSaid(\.effectiveFrom))),
    .coin(.code(\.coin)),
  ]
}

/// A tier's price in one storefront, from day to day (both included).
package struct TierPrice: Hashable, Sendable {
  package var table: TierTable
  package var tier: String
  package var storefront: Storefront
  package var currency: Currency
  /// Customer price, micro-units.
  package var price: Int64
  /// At `commission`, micro-units; nil when the table does not say.
  package var proceeds: Int64?
  /// At which `proceeds` hold, in millionths of the net price; nil is the standard 30%.
  package var commission: Int64?
  package var effectiveFrom: Day?
  package var effectiveTo: Day?

  package init(
    table: TierTable, tier: String, storefront: Storefront, currency: Currency, price: Int64,
    proceeds: Int64?, commission: Int64? = nil, effectiveFrom: Day?, effectiveTo: Day?
  ) {
    self.table = table
    self.tier = tier
    self.storefront = storefront
    self.currency = currency
    self.price = price
    self.proceeds = proceeds
    self.commission = commission
    self.effectiveFrom = effectiveFrom
    self.effectiveTo = effectiveTo
  }
}

extension TierPrice: ListedRow {
  package static let blank = TierPrice(
    table: .iap, tier: "", storefront: .blank, currency: .blank, price: 0, proceeds: nil,
    effectiveFrom: nil, effectiveTo: nil)

  package static let columns: [CompanyColumn<Self>] = [
    CompanyColumn(
      "table", .tierTable(\.table), required: true,
      "@company.iap-or-subscription", "iap", stored: "\"table\""),
    CompanyColumn(
      "tier", .code(\.tier), required: true, "@company.tier-name-as-the-catalogue", "5"),
    .storefront(.storefront(.always(\.storefront)), required: true),
    .currency(.currency(.always(\.currency)), required: true),
    CompanyColumn(
      "price", .price(.always(\.price)), required: true, "@company.customer-price-tax-included",
      "30.00", called: ["customer_price", "amount", "价格", "Preis"]),
    CompanyColumn(
      "proceeds", .price(.ifSaid(\.proceeds)), "@company.what-apple-pays",
      "20.63"),
    .effectiveFrom(.day(.ifSaid(\.effectiveFrom))),
    .effectiveTo(.day(.ifSaid(\.effectiveTo))),
    CompanyColumn(
      "commission", .price(.ifSaid(\.commission)), "@company.commission-of-these-proceeds",
      "0.15"),
  ]

  /// The name of the tier that a product's own price list is.
  package static func ownTier(of sku: String) -> String { sku + "@Apple" }

  /// The name of the tier that one of Apple's price points is. The number counts the prices of a
  /// storefront: in another one it is another price.
  package static func pointTier(_ number: String) -> String { pointWords + number }

  /// The tier that has the proceeds after a subscriber's first year beside those of `tier`.
  package static func afterOneYear(_ tier: String) -> String { tier + yearWords }

  /// Whether it is a product's own list, or a price point: prices with Apple's own proceeds.
  package var isOfApple: Bool {
    tier.hasPrefix(Self.pointWords) || tier.hasSuffix(Self.ownTier(of: "")) || isAfterOneYear
  }

  /// Whether it only says what is paid after a subscriber's first year.
  package var isAfterOneYear: Bool { tier.hasSuffix(Self.yearWords) }

  private static let pointWords = "Apple price point "
  private static let yearWords = " after one year"
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

extension ExchangeRate: ListedRow {
  package static let blank = ExchangeRate(
    date: Day(number: 0), base: .blank, quote: .blank, rate: DecimalRate(micros: 0))

  package static let columns: [CompanyColumn<Self>] = [
    .date(.day(.always(\.date)), "@company.day-of-the-rate", "2023-06-12"),
    CompanyColumn(
      "base", .currency(.always(\.base)), required: true,
      "@company.currency-of-which-one-unit", "USD",
      called: ["from", "from_currency", "base_currency", "基准货币"]),
    CompanyColumn(
      "quote", .currency(.always(\.quote)), required: true, "@company.currency-in-which-it-is",
      "CNY", called: ["to", "to_currency", "quote_currency", "计价货币"]),
    .rate(.rate(\.rate), "@company.what-one-unit-of-base", "7.1500"),
    CompanyColumn(
      "units", .own(.number), "@company.units-that-the-rate-is-for", "1",
      called: [
        "amount", "nominal", "currency_units", "number_of_units", "unit_mult", "unit_multiplier",
        "单位数", "数量", "množství", "номинал", "单位", "unit", "Einheit", "Einheiten", "unité",
      ]),
  ]
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

extension TaxOverride: ListedRow {
  package static let blank = TaxOverride(
    storefront: .blank, rate: 0, effectiveFrom: nil, effectiveTo: nil)

  package static let columns: [CompanyColumn<Self>] = [
    .storefront(.storefront(.always(\.storefront)), required: true),
    .rate(.fraction(\.rate), "@company.tax-in-the-price-price", "0.06"),
    .effectiveFrom(.day(.ifSaid(\.effectiveFrom))),
    .effectiveTo(.day(.ifSaid(\.effectiveTo))),
  ]
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

extension CompanyCommission: ListedRow {
  package static let blank = CompanyCommission(
    name: "", place: "", platforms: "", commissionClass: "", rate: 0, effectiveFrom: nil,
    effectiveTo: nil)

  package static let columns: [CompanyColumn<Self>] = [
    CompanyColumn(
      "name", .text(\.name), required: true, "@company.what-the-terms-are-called", "EU-2026"),
    .storefront(
      .own(.plain), required: true,
      "@company.storefront-a-group-of-them", "DE"),
    CompanyColumn(
      "class", .own(.code), required: true,
      "@company.standard-after-one-year", "standard"),
    .rate(.fraction(\.rate), "@company.apple-commission-as-a-fraction", "0.26"),
    CompanyColumn(
      "platform", .own(.code),
      "@company.platforms-such-as-ios-several", "ios"),
    CompanyColumn(
      "programme", .own(.code),
      "@company.mini-apps-video-partner"),
    .effectiveFrom(.day(.ifSaid(\.effectiveFrom))),
    .effectiveTo(.day(.ifSaid(\.effectiveTo))),
  ]
}

// Where a value is read into; no file names them.
extension Storefront { package static let blank = Storefront(packed: 1)! }
extension Currency { package static let blank = Currency(packed: 1)! }
