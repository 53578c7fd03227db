import Billing

/// The part of the world that Apple's partner FAQ gives a day of its own.
enum Territory { case americas, europe, japan, asia, australia }

/// A storefront as the simulation knows it. The tables of Pricing are judged by these, so nothing
/// is shared with them.
struct Market: Sendable {
  let storefront: Storefront
  let currency: Currency
  let localZone: String
  let territory: Territory
  /// Share of all purchases, in 1,000.
  let weight: Int
  /// Customer prices by ``PriceTier``, in micro-units.
  let prices: [Int64]

  private init(
    _ code: String, _ currency: String, _ zone: String, _ territory: Territory, weight: Int,
    prices: [String]
  ) {
    storefront = Storefront(code)!
    self.currency = Currency(currency)!
    localZone = zone
    self.territory = territory
    self.weight = weight
    self.prices = prices.map { micros(decimal: $0)! }
    precondition(self.prices.count == PriceTier.allCases.count)
  }

  static let all = [
    Market(
      "CN", "CNY", "Asia/Shanghai", .asia, weight: 380,
      prices: ["6", "12", "18", "25", "30", "68", "128", "328", "648"]),
    Market(
      "US", "USD", "America/New_York", .americas, weight: 100,
      prices: ["0.99", "1.99", "2.99", "3.99", "4.99", "9.99", "19.99", "49.99", "99.99"]),
    Market(
      "JP", "JPY", "Asia/Tokyo", .japan, weight: 90,
      prices: ["160", "320", "480", "650", "800", "1600", "3000", "8000", "16000"]),
    Market(
      "DE", "EUR", "Europe/Berlin", .europe, weight: 71,
      prices: ["1.19", "2.49", "3.49", "4.99", "5.99", "11.99", "23.99", "59.99", "119.99"]),
    Market(
      "GB", "GBP", "Europe/London", .europe, weight: 72,
      prices: ["0.99", "1.99", "2.99", "3.99", "4.99", "9.99", "19.99", "49.99", "99.99"]),
    Market(
      "AU", "AUD", "Australia/Sydney", .australia, weight: 72,
      prices: ["1.49", "2.99", "4.49", "5.99", "7.99", "14.99", "29.99", "79.99", "159.99"]),
    Market(
      "TW", "TWD", "Asia/Taipei", .asia, weight: 72,
      prices: ["33", "70", "100", "130", "170", "330", "670", "1690", "3290"]),
    Market(
      "HK", "HKD", "Asia/Hong_Kong", .asia, weight: 72,
      prices: ["8", "15", "23", "30", "38", "78", "158", "388", "788"]),
    Market(
      "KR", "KRW", "Asia/Seoul", .asia, weight: 71,
      prices: [
        "1500", "3000", "4400", "5900", "7500", "15000", "30000", "75000", "150000",
      ]),
  ]

  /// Storefronts of Apple's regions that pay in US dollars, of a currency without minor unit and
  /// of a second country of the euro: a settled world needs them.
  static let further = [
    Market(
      "FR", "EUR", "Europe/Paris", .europe, weight: 44,
      prices: ["1.19", "2.49", "3.49", "4.99", "5.99", "11.99", "23.99", "59.99", "119.99"]),
    Market(
      "PA", "USD", "America/Panama", .americas, weight: 30,
      prices: ["0.99", "1.99", "2.99", "3.99", "4.99", "9.99", "19.99", "49.99", "99.99"]),
    Market(
      "MO", "USD", "Asia/Macau", .asia, weight: 30,
      prices: ["0.99", "1.99", "2.99", "3.99", "4.99", "9.99", "19.99", "49.99", "99.99"]),
    Market(
      "JO", "USD", "Asia/Amman", .europe, weight: 24,
      prices: ["0.99", "1.99", "2.99", "3.99", "4.99", "9.99", "19.99", "49.99", "99.99"]),
    Market(
      "ID", "IDR", "Asia/Jakarta", .asia, weight: 32,
      prices: [
        "16000", "29000", "45000", "59000", "79000", "159000", "319000", "799000", "1599000",
      ]),
  ]

  func price(_ tier: PriceTier) -> Int64 { prices[tier.rawValue] }
}

/// Tiers of Apple's matrix, by their places in ``Market/prices``.
enum PriceTier: Int, CaseIterable, Sendable {
  case one, two, three, four, five, ten, twenty, fifty, sixty

  /// As the tier table of in-app purchases names it.
  var name: String {
    switch self {
    case .one: "1"
    case .two: "2"
    case .three: "3"
    case .four: "4"
    case .five: "5"
    case .ten: "10"
    case .twenty: "20"
    case .fifty: "50"
    case .sixty: "60"
    }
  }
}
