import Billing

/// The part of the world that Apple's partner FAQ gives a day of its own.
enum DayRegion { case americas, europe, japan, asia, australia }

/// A storefront as the simulation knows it. The tables of Pricing are judged by these, so nothing
/// is shared with them.
struct Market: Sendable {
  let storefront: Storefront
  let currency: Currency
  let localZone: String
  let region: DayRegion
  /// Share of all purchases, in 1,000.
  let weight: Int
  /// Customer prices by ``PriceTier``, in micro-units.
  let prices: [Int64]

  private init(
    _ code: String, _ currency: String, _ zone: String, _ region: DayRegion, _ weight: Int,
    _ prices: String
  ) {
    storefront = Storefront(code)!
    self.currency = Currency(currency)!
    localZone = zone
    self.region = region
    self.weight = weight
    self.prices = Self.prices(prices)
    precondition(self.prices.count == PriceTier.allCases.count)
  }

  /// One of the storefronts that sell least: at the price of US tiers where it pays in dollars,
  /// else so many times these, in whole units.
  private init(_ code: Substring, _ group: SmallMarkets, weight: Int) {
    storefront = Storefront(code)!
    currency = Currency(group.currency)!
    region = group.region
    self.weight = weight
    localZone =
      switch group.region {
      case .americas: "America/New_York"
      case .europe: "Europe/Paris"
      case .japan, .asia: "Asia/Tokyo"
      case .australia: "Australia/Sydney"
      }
    prices = Self.prices(Self.dollars).map {
      group.dollar == 1 ? $0 : ($0 + 10_000) * Int64(group.dollar)
    }
  }

  private static func prices(_ text: String) -> [Int64] {
    text.split(separator: " ").map { micros(decimal: String($0))! }
  }

  /// Also of pounds.
  private static let dollars = "0.99 1.99 2.99 3.99 4.99 9.99 19.99 49.99 99.99"
  private static let euros = "1.19 2.49 3.49 4.99 5.99 11.99 23.99 59.99 119.99"
  private static let australian = "1.49 2.99 4.49 5.99 7.99 14.99 29.99 79.99 159.99"
  private static let won = "1500 3000 4400 5900 7500 15000 30000 75000 150000"
  private static let rupiah = "16000 29000 45000 59000 79000 159000 319000 799000 1599000"

  private static let ringgit = "3.90 7.90 12.90 19.90 24.90 49.90 99.90 249.90 499.90"

  static let all = [
    Market("CN", "CNY", "Asia/Shanghai", .asia, 380, "6 12 18 25 30 68 128 328 648"),
    Market("US", "USD", "America/New_York", .americas, 100, dollars),
    Market("JP", "JPY", "Asia/Tokyo", .japan, 90, "160 320 480 650 800 1600 3000 8000 16000"),
    Market("DE", "EUR", "Europe/Berlin", .europe, 71, euros),
    Market("GB", "GBP", "Europe/London", .europe, 72, dollars),
    Market("AU", "AUD", "Australia/Sydney", .australia, 72, australian),
    Market("TW", "TWD", "Asia/Taipei", .asia, 72, "33 70 100 130 170 330 670 1690 3290"),
    Market("HK", "HKD", "Asia/Hong_Kong", .asia, 72, "8 15 23 30 38 78 158 388 788"),
    Market("KR", "KRW", "Asia/Seoul", .asia, 71, won),
  ]

  /// Storefronts of Apple's regions that pay in US dollars, of a currency without minor unit and
  /// of a second country of the euro: a settled world needs them.
  static let further = [
    Market("FR", "EUR", "Europe/Paris", .europe, 44, euros),
    Market("PA", "USD", "America/Panama", .americas, 30, dollars),
    Market("MO", "USD", "Asia/Macau", .asia, 30, dollars),
    Market("JO", "USD", "Asia/Amman", .europe, 24, dollars),
    Market("ID", "IDR", "Asia/Jakarta", .asia, 32, rupiah),
  ]

  /// Storefronts whose taxes no list of Apple's tells, one of which no table has.
  static let taxed = [
    Market("IT", "EUR", "Europe/Rome", .europe, 44, euros),
    Market("ES", "EUR", "Europe/Madrid", .europe, 44, euros),
    Market("MY", "MYR", "Asia/Kuala_Lumpur", .asia, 40, ringgit),
    Market("BA", "EUR", "Europe/Sarajevo", .europe, 40, euros),
    Market("RS", "EUR", "Europe/Belgrade", .europe, 40, euros),
  ]

  /// The other storefronts of Apple's 175, the larger before the smaller: each sells less than the
  /// one before it, and few sell much.
  static let small = SmallMarkets.all.flatMap { group in
    group.codes.split(separator: " ").map { ($0, group) }
  }.enumerated().map { place, market in
    Market(market.0, market.1, weight: max(1, 216 / (6 + place)))
  }

  func price(_ tier: PriceTier) -> Int64 { prices[tier.rawValue] }

  /// A fifth more, in whole minor units.
  func raised(_ price: Int64) -> Int64 {
    let unit = currency.minorUnit
    return price + price / 5 / unit * unit
  }
}

/// Tiers of Apple's matrix, by their places in ``Market/prices``.
enum PriceTier: Int, CaseIterable, Sendable {
  case one, two, three, four, five, ten, twenty, fifty, sixty

  /// As the tier table of in-app purchases names it.
  var name: String { ["1", "2", "3", "4", "5", "10", "20", "50", "60"][rawValue] }
}
