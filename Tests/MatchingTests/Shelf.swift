import Billing
import Pricing
import Support

/// What the company of these tests sells.
enum Shelf {
  static let products: [Product] = [
    Product(sku: "gems", kind: .consumable, tier: "5", coins: 60),
    Product(sku: "chest", kind: .consumable, tier: "10", coins: 300),
    Product(sku: "pass", kind: .nonRenewing, tier: "10"),
    Product(sku: "noads", kind: .nonConsumable, tier: "5"),
    Product(sku: "monthly", kind: .autoRenewable, tier: "5", subscriptionGroup: "vip"),
    Product(sku: "yearly", kind: .autoRenewable, tier: "10", subscriptionGroup: "vip"),
    Product(sku: "loose", kind: .consumable),
  ]

  /// Storefront, currency, and the price of tiers 5 and 10.
  static let prices: [(storefront: String, currency: String, five: String, ten: String)] = [
    ("CN", "CNY", "30.00", "68.00"), ("US", "USD", "4.99", "9.99"), ("JP", "JPY", "600", "1200"),
    ("DE", "EUR", "5.49", "10.99"), ("GB", "GBP", "4.99", "9.99"), ("AU", "AUD", "7.99", "14.99"),
    ("IN", "INR", "449.00", "899.00"), ("BR", "BRL", "24.90", "49.90"),
    ("KR", "KRW", "6600", "12000"), ("HK", "HKD", "38.00", "78.00"),
    ("TW", "TWD", "150", "300"),
  ]

  static let tiers: [TierPrice] = prices.flatMap { place in
    [("5", place.five), ("10", place.ten)].flatMap { tier, price in
      [TierTable.iap, .subscription].map {
        TierPrice(
          table: $0, tier: tier, storefront: Storefront(place.storefront)!,
          currency: Currency(place.currency)!, price: amount(price), proceeds: nil,
          effectiveFrom: nil, effectiveTo: nil)
      }
    }
  }

  static func price(_ sku: String, _ storefront: String) -> (currency: String, price: String) {
    let place = prices.first { $0.storefront == storefront }!
    let isTen = products.first { $0.sku == sku }!.tier == "10"
    return (place.currency, isTen ? place.ten : place.five)
  }
}

/// Zones of every storefront and territory, from 2020 to 2026.
enum Zones {
  static let byName: [String: Zone] = {
    var names = Set(Territory.allCases.map(\.zoneName))
    names.formUnion(StorefrontTable.builtIn.entries.map(\.zoneName))
    return Dictionary(uniqueKeysWithValues: names.map { ($0, named($0)) })
  }()

  static func named(_ name: String) -> Zone {
    Zone(identifier: name, within: Day.span("2020-01-01", "2027-01-01"))
  }
}
