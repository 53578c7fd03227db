package import Billing
package import Pricing

/// What every check is judged by: the period, the company's settings and the tables.
package struct MatchingContext: Sendable {
  package var period: Period
  package var asOf: Day
  package var settings: Settings
  package var catalogue: CatalogueBook
  package var priceBook: PriceBook
  package var tiers: TierBook
  package var storefronts: StorefrontTable
  /// The company's day of each quarter hour around the period.
  private let calendar: [Day]
  private let calendarStart: Int64
  /// Zones by IANA name: Apple's territories and every storefront's own.
  package var zones: [String: Zone]

  package init(
    period: Period, asOf: Day, settings: Settings, catalogue: CatalogueBook, priceBook: PriceBook,
    tiers: TierBook, storefronts: StorefrontTable, zones: [String: Zone]
  ) {
    self.period = period
    self.asOf = asOf
    self.settings = settings
    self.catalogue = catalogue
    self.priceBook = priceBook
    self.tiers = tiers
    self.storefronts = storefronts
    self.zones = zones
    let start = period.first.advanced(by: -Rules.daysAfter).startUTC.seconds
    calendarStart = start
    calendar = (0..<(period.dayCount + 2 * Rules.daysAfter) * 96).map {
      settings.businessZone.day(of: Instant(seconds: start + Int64($0) * 900))
    }
  }

  /// The company's accounting day of a moment in seconds since 1970.
  func businessDay(_ seconds: UInt32) -> Day {
    let quarter = (Int64(seconds) - calendarStart) / 900
    if Int64(seconds) >= calendarStart, quarter < Int64(calendar.count) {
      return calendar[Int(quarter)]
    }
    return settings.businessZone.day(of: Instant(seconds: Int64(seconds)))
  }

  /// Whether a bundle is one of the company's: among those of the settings, else of the catalogue.
  /// An empty one is, and any is where neither names one.
  func isOurs(bundleID: String) -> Bool {
    if bundleID.isEmpty { return true }
    if !settings.bundleIDs.isEmpty { return settings.bundleIDs.contains(bundleID) }
    return catalogue.bundleIDs.isEmpty || catalogue.bundleIDs.contains(bundleID)
  }

  /// Why a transaction of these terms is not counted among the units sold; nil where it is.
  func unbillable(_ terms: TransactionTerms) -> Unbillable? {
    if terms.isSandbox { return terms.environment == .other ? .otherEnvironment : .sandbox }
    if settings.requireSigned, terms.factSource.isUnprovenClaim {
      return .notSigned(terms.factSource)
    }
    switch terms.ownership {
    case nil, .purchased: break
    case .familyShared: return .familyShared
    case .assigned: return .assigned
    case .other: return .otherOwnership
    }
    if terms.isComponent { return .component }
    return isOurs(bundleID: terms.bundleID) ? nil : .otherBundle(terms.bundleID)
  }

  /// Whether a transaction of these terms is counted among the units sold: in Production, of one of
  /// our bundles, PURCHASED.
  func isBillable(_ terms: TransactionTerms) -> Bool { unbillable(terms) == nil }

  /// Whether a purchase is of several seats of a subscription, of which no other kind has several:
  /// its price depends on how many, and the tier says that of one alone (App Store Server API 1.22,
  /// 2026-10).
  func isOfSeats(_ kind: ProductKind?, _ sku: String, _ quantity: Int32) -> Bool {
    quantity > 1 && (kind ?? catalogue.kind(sku)) == .autoRenewable
  }

  /// A SKU's tier price in a storefront on a day; nil where no tier is known.
  func tierPrice(sku: String, storefront: Storefront?, on day: Day) -> TierPrice? {
    guard let storefront, let product = catalogue.product(sku, on: day) else { return nil }
    return tiers.price(of: product, in: storefront, on: day)
  }
}

/// Why a transaction is not counted among the units sold.
package enum Unbillable: Hashable, Sendable {
  case sandbox
  /// Neither Production nor the Sandbox.
  case otherEnvironment
  case familyShared
  /// A seat: its buyer's transaction has the money.
  case assigned
  /// Owned in a way that is not known.
  case otherOwnership
  /// Part of a bundle, whose own transaction has the money.
  case component
  /// Told by a source without a signature, where the settings ask for one.
  case notSigned(FactSource)
  case otherBundle(String)
}
