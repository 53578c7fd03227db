import Billing
@testable import Pricing
import Support

/// Plans with storefronts in several moneys, observed sales, and every kind of rule behind
/// proceeds.
enum SamplePlans {
  static let day = Day("2023-06-30")!
  static let base = Currency("CNY")!
  static let worths: [String: Int64] = [
    "CNY": 1_000_000, "USD": 7_100_000, "JPY": 50_000, "EUR": 7_700_000, "GBP": 8_900_000,
  ]

  static let tiers = [("1", "6.00", "4.13"), ("2", "12.00", "8.25"), ("5", "30.00", "20.63")].map {
    TierPrice(
      table: .iap, tier: $0.0, storefront: Storefront("CN")!, currency: base,
      price: micros(decimal: $0.1)!, proceeds: micros(decimal: $0.2), effectiveFrom: nil,
      effectiveTo: nil)
  }
  static let book = PriceBook(developerCountry: Storefront("CN")!, tiers: tiers)

  static let offers = [
    offer("CN", "gems.60", "CNY", "6.00", 60, tiers[0]),
    offer("CN", "gems.300", "CNY", "30.00", 300, tiers[2]),
    offer("US", "gems.60", "USD", "0.99", 60), offer("US", "gems.300", "USD", "4.99", 300),
    offer("JP", "gems.300", "JPY", "600", 300), offer("DE", "gems.300", "EUR", "5.99", 300),
    offer("IS", "gems.60", "USD", "1.23", 60), offer("GB", "gems.300", "GBP", "4.99", 300),
  ]

  static func offer(
    _ code: String, _ sku: String, _ currency: String, _ price: String, _ coins: Int64?,
    _ tierPrice: TierPrice? = nil
  ) -> Offer {
    Offer(
      storefront: Storefront(code)!, product: sku, skus: [sku], currency: Currency(currency)!,
      price: micros(decimal: price)!, tierPrice: tierPrice, coins: coins)
  }

  static var observed: ObservedSales {
    var facts = MonthFacts()
    facts.salesConditions = [SalesCondition()]
    let sold: [(Int, String, Int32)] = [
      (0, "4.13", 812), (1, "20.58", 340), (2, "0.70", 77), (3, "3.50", 41), (4, "420", 96),
      (1, "20.58", -4),
    ]
    for (index, (place, proceeds, units)) in sold.enumerated() {
      let offer = offers[place]
      facts.salesProducts.append(SalesProduct(sku: offer.product, type: ProductType("IA1")))
      facts.salesTerms.append(
        SalesTerms(
          storefront: offer.storefront, customerCurrency: offer.currency,
          customerPrice: units < 0 ? -offer.price : offer.price,
          proceedsCurrency: offer.currency, proceeds: micros(decimal: proceeds)!))
      facts.sales.append(
        SalesEntry(
          row: RowID(index), units: units, begin: day, end: day, product: Int32(index),
          terms: Int32(index), condition: 0))
    }
    return ObservedSales(facts, period: Period("2023-06")!)
  }

  static func rate(
    target: PlanTarget = .equalNet, fee: Int64 = 0, tax: Int64 = 0, step: Int64 = 1,
    floor: Int64? = nil
  ) -> RatePlan {
    var frame = RatePlan(
      day: day, baseCurrency: base,
      channel: ChannelTerms(
        name: "web", currency: base, rate: 10_000_000, costs: ChannelCosts(fee: fee, tax: tax),
        worth: .one),
      target: target, rounding: PlanRounding(step: step, floor: floor),
      expectedDeduction: 300_000...330_000, period: Period("2023-06"), threshold: 100_000)
    frame.channelSales = [
      ChannelSales(
        channel: "web", currency: base, orders: 1_234, gross: 61_700_000_000, coins: 618_234,
        worth: .one)
    ]
    let byStorefront = Dictionary(grouping: offers, by: \.storefront)
    let groups = ["CN", "US", "JP", "DE", "IS", "GB"].map { code in
      RatePlanner.Group(name: code, offers: byStorefront[Storefront(code)!] ?? [])
    }
    return planner.plan(groups, frame: frame)
  }

  private static var planner: RatePlanner {
    RatePlanner(book: book, commission: nil, observed: observed) {
      worths[$0.code].map(CurrencyRate.init(micros:))
    }
  }

  /// One price, in one storefront, of which nothing was sold.
  static var bare: RatePlan {
    let frame = RatePlan(
      day: day, baseCurrency: base,
      channel: ChannelTerms(
        currency: base, rate: 100_000_000, costs: ChannelCosts(fee: 0), worth: .one),
      target: .equalNet, rounding: PlanRounding(), expectedDeduction: 300_000...330_000,
      period: nil, threshold: 100_000)
    let group = RatePlanner.Group(
      name: "CN", offers: [offer("CN", "", "CNY", "30.00", nil)])
    return RatePlanner(book: book, commission: nil, observed: nil) {
      worths[$0.code].map(CurrencyRate.init(micros:))
    }
    .plan([group], frame: frame)
  }

  /// The packs of the six storefronts, each alone; mainland China and the US together.
  ///
  /// - Parameter pack: what the web shop asks and gives for `gems.300`.
  static func packs(
    _ goal: PackPlan.Goal, target: PlanTarget = .equalNet, fee: Int64 = 0, tax: Int64 = 0,
    rounding: PackRounding = .figures, elasticity: Int64 = 0, worths changed: [String: Int64] = [:],
    pack: (price: String, coins: Int64) = ("30.00", 320)
  ) -> PackPlan {
    let worths = worths.merging(changed) { $1 }
    var frame = PackPlan(
      day: day, baseCurrency: base,
      channel: PackPlan.Channel(
        name: "web", currency: base, costs: ChannelCosts(fee: fee, tax: tax), worth: .one),
      goal: goal, target: target, rounding: rounding, elasticity: elasticity,
      period: Period("2023-06"))
    frame.counterparts = [
      PackPlan.Counterpart(
        sku: "gems.300", price: micros(decimal: pack.price)!, coins: pack.coins, source: .given),
      PackPlan.Counterpart(sku: "gems.60", price: 6_000_000, coins: 60, source: .orders(812)),
    ]
    let byPack = offers.filter { ["CN", "US"].contains($0.storefront.code) }
      .sorted { ($0.product, $0.storefront) < ($1.product, $1.storefront) }
    let groups = [byPack] + offers.dropFirst(4).map { [$0] }
    let planned = groups.enumerated().map { index, group in
      group.map { PackPlanner.Pack(offer: $0, units: Int64(100 + 13 * index)) }
    }
    let book = PriceBook(developerCountry: Storefront("CN")!, tiers: tiers, standIns: .builtIn)
    return PackPlanner(book: book, commission: nil) {
      worths[$0.code].map(CurrencyRate.init(micros:))
    }
    .plan(planned, frame: frame)
  }

  static func whatIf(tier: String = "2") -> WhatIf {
    let changes: [(WhatIf.Change.Kind, String)] = [
      (.commission(150_000, nil), "commission 0.15"),
      (.commission(250_000, Storefront("CN")), "commission CN=0.25"),
      (.afterOneYear(400_000), "after one year 0.4"),
      (.tax(160_000, Storefront("DE")!), "tax DE=0.16"),
      (.worth(CurrencyRate(micros: 7_000_000), Currency("USD")!), "fx USD=7.0"),
      (.worthShift(-50_000, Currency("JPY")!), "fx JPY=-5%"),
      (.tier(sku: "gems.60", tier: tier), "tier gems.60=\(tier)"),
    ]
    let frame = WhatIf(
      day: day, baseCurrency: base, period: Period("2023-06"),
      changes: changes.map { WhatIf.Change($0.0, name: Wording(verbatim: $0.1)) })
    var vip = offer("CN", "vip", "CNY", "18.00", nil)
    vip.kind = .autoRenewable
    let volumes = (offers + [vip]).enumerated().map { index, offer in
      WhatIfPlanner.Volume(
        offer: offer, units: Int64(100 + 7 * index),
        reducedUnits: offer.kind == .autoRenewable ? 30 : 0)
    }
    return WhatIfPlanner(book: book, day: day) { worths[$0.code].map(CurrencyRate.init(micros:)) }
      .plan(volumes, frame: frame)
  }
}
