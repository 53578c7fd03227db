/// Apple's product type identifier with what it means for money (App Store Connect help, "Product
/// type identifiers").
package struct ProductType: Hashable, Sendable {
  /// As printed: `IA1`, `1F`, `7`.
  package let code: String
  package init(_ code: String) { self.code = code }

  /// An in-app purchase or subscription, restores included.
  package var isInApp: Bool { code.hasPrefix("IA") || code.hasPrefix("FI") }
  /// Whether Apple documents it, or it was seen in Apple's files (2026-11-28). What is not known is
  /// counted as a unit sold, and never taken for an update or for the sale of an app.
  package var isKnown: Bool { Self.known.contains(code) }
  private static let known: Set<String> = [
    "1", "1-B", "1F", "1T", "1E", "1EP", "1EU", "F1", "F1-B", "3", "3F", "3T", "F3", "7", "7F",
    "7T", "F7", "IA1", "IA1-M", "FI1", "IA3", "IA3-M", "IA9", "IA9-M", "IAY", "IAY-M", "IAC",
  ]
  /// A restored non-consumable: no money.
  package var isRestore: Bool { code == "IA3" || code.hasPrefix("IA3-") }
  /// An update or a re-download: no sale.
  package var isUpdateOrRedownload: Bool {
    isKnown && (code.hasPrefix("7") || code.hasPrefix("3") || code == "F7" || code == "F3")
  }
  /// An auto-renewable subscription, on whichever platform.
  package var isAutoRenewable: Bool { code.hasPrefix("IAY") || code.hasPrefix("FIAY") }
  /// Whether level 2 holds its units against the ledger's: an in-app type that is no restore, or
  /// one that is not known.
  package var isCovered: Bool { isInApp ? !isRestore : !isKnown }
  /// A first download or sale of an app.
  package var isApp: Bool { !isInApp && isKnown && !isUpdateOrRedownload }
}

/// What a sales-report row says of the product; rows with the same product share one value.
package struct SalesProduct: Hashable, Sendable {
  package var sku: String
  package var type: ProductType
  package var appleIdentifier: String
  package var title: String
  package var developer: String
  package var version: String
  /// On in-app rows, the SKU of the app.
  package var parent: String
  package var category: String
  /// Length of a subscription: `1 Month`.
  package var subscriptionPeriod: String
  package var supportedPlatforms: String

  package init(
    sku: String, type: ProductType, appleIdentifier: String = "", title: String = "",
    developer: String = "", version: String = "", parent: String = "", category: String = "",
    subscriptionPeriod: String = "", supportedPlatforms: String = ""
  ) {
    self.sku = sku
    self.type = type
    self.appleIdentifier = appleIdentifier
    self.title = title
    self.developer = developer
    self.version = version
    self.parent = parent
    self.category = category
    self.subscriptionPeriod = subscriptionPeriod
    self.supportedPlatforms = supportedPlatforms
  }
}

extension SalesProduct: OfProduct {
  /// What tells the app of an in-app product; nothing for an app itself, as no app is in another.
  package var appMarks: [AppMark] { type.isInApp ? [.item(appleIdentifier), .parent(parent)] : [] }
}

/// What a sales-report row says of the money; rows with the same terms share one value.
package struct SalesTerms: Hashable, Sendable {
  /// `Customer Price` per unit as printed, in micro-units: tax inside, negative on refunds.
  package var customerPrice: Int64
  /// `Developer Proceeds` per unit as printed, in micro-units: positive on refunds too.
  package var proceeds: Int64
  package var storefront: Storefront
  /// What the customer paid in. Nil where Apple left it blank.
  package var customerCurrency: Currency?
  /// Nil where Apple left it blank (free rows).
  package var proceedsCurrency: Currency?

  package init(
    storefront: Storefront, customerCurrency: Currency?, customerPrice: Int64,
    proceedsCurrency: Currency?, proceeds: Int64
  ) {
    self.storefront = storefront
    self.customerCurrency = customerCurrency
    self.customerPrice = customerPrice
    self.proceedsCurrency = proceedsCurrency
    self.proceeds = proceeds
  }
}

/// What a sales-report row says of the circumstances; blank is empty.
package struct SalesCondition: Hashable, Sendable {
  package var promoCode = ""
  /// `New`, `Renewal` or blank.
  package var subscription = ""
  package var cmb = ""
  package var device = ""
  /// `Rate After One Year` or blank.
  package var proceedsReason = ""
  /// `Yes` or blank.
  package var preservedPricing = ""
  package var client = ""
  /// Offers and pre-orders: `Pay As You Go Intro Offer`, an offer's identifier, or blank.
  package var orderType = ""

  package init() {}
}

/// One row of Apple's sales report: its place and codes into the three dictionaries of its block.
package struct SalesRow: Sendable {
  package var line: Int32
  /// Count of units as printed: negative on refunds, 0 on partial refunds.
  package var units: Int32
  package var begin: Day
  package var end: Day
  package var product: Int32
  package var terms: Int32
  package var condition: Int32

  package init(
    line: Int32, units: Int32, begin: Day, end: Day, product: Int32, terms: Int32, condition: Int32
  ) {
    self.line = line
    self.units = units
    self.begin = begin
    self.end = end
    self.product = product
    self.terms = terms
    self.condition = condition
  }
}
