import Billing
import Pricing
import Support
import Testing

/// Goal: each change does what the rules say, alone and with the others. Method: three products
/// with marked volumes, the proceeds calculated by hand.
@Suite struct WhatIfPlannerTests {
  static let tiers = [("2", "12")].map { tier, price in
    TierPrice(
      table: .iap, tier: tier, storefront: shop("CN"), currency: money("CNY"),
      price: amount(price), proceeds: nil, effectiveFrom: nil, effectiveTo: nil)
  }

  static let volumes = [
    volume("CN", "gems", "CNY", "6.00", coins: 60, units: 100),
    volume("CN", "vip", "CNY", "18.00", kind: .autoRenewable, units: 10, reduced: 2),
    volume("DE", "gems", "EUR", "0.99", coins: 60, units: 10),
  ]

  static func volume(
    _ code: String, _ sku: String, _ currency: String, _ price: String,
    kind: ProductKind = .consumable, coins: Int64? = nil, units: Int64, reduced: Int64 = 0
  ) -> WhatIfPlanner.Volume {
    WhatIfPlanner.Volume(
      offer: Offer(
        storefront: shop(code), product: sku, skus: [sku], kind: kind, currency: money(currency),
        price: amount(price), coins: coins), units: units, reducedUnits: reduced)
  }

  func whatIf(_ kinds: WhatIf.Change.Kind..., on text: String = "2023-06-30") -> WhatIf {
    let changes = kinds.map { WhatIf.Change($0, name: Wording(verbatim: String(describing: $0))) }
    let frame = WhatIf(
      day: day(text), baseCurrency: money("CNY"), period: nil, changes: changes)
    let book = PriceBook(developerCountry: shop("CN"), tiers: Self.tiers)
    return WhatIfPlanner(book: book, day: day(text)) { currency in
      currency == money("CNY")
        ? .one : currency == money("EUR") ? CurrencyRate(given: "7.7") : nil
    }.plan(Self.volumes, frame: frame)
  }

  /// 100 × 4.13 + 8 × 12.38 + 2 × 15.16 + 10 × 0.58 × 7.7.
  @Test func asItIs() {
    let plan = whatIf(.afterOneYear(0))
    #expect(plan.before.proceeds == amount("587.02"))
    #expect(plan.before.coins == 6_600)
    #expect(plan.before.coinProceeds == amount("457.66"))
  }

  @Test(arguments: [
    // 18.00 brings 2.78 more in a second year; five of ten instead of two.
    (WhatIf.Change.Kind.afterOneYear(500_000), "8.34"),
    // 6.00 → 5.05 and 18.00 → 15.16 at 15%, 0.99 € → 0.71.
    (.commission(150_000, nil), "124.25"),
    (.commission(150_000, shop("DE")), "10.01"),
    // 0.99 ÷ 1.16 × 0.7 = 0.60.
    (.tax(160_000, shop("DE")), "1.54"),
    (.worth(CurrencyRate(micros: 8_000_000), money("EUR")), "1.74"),
    (.worthShift(-100_000, money("EUR")), "-4.466"),
    // 12.00 brings 8.25.
    (.tier(sku: "gems", tier: "2"), "412"),
    (.tax(160_000, shop("FR")), "0"),
  ])
  func changesAlone(kind: WhatIf.Change.Kind, effect: String) {
    let plan = whatIf(kind)
    #expect(plan.effect(plan.alone[0]) == amount(effect))
    #expect(plan.together == plan.alone[0])
    #expect(plan.notes.isEmpty == (effect != "0"))
  }

  /// A product that the catalogue gives no coins for is no part of what coins leave.
  @Test func productsWithoutCoinsLeaveNoNetOfCoins() {
    let sold =
      Self.volumes + [
        Self.volume("CN", "pass", "CNY", "68.00", coins: 0, units: 40)
      ]
    let frame = WhatIf(
      day: day("2023-06-30"), baseCurrency: money("CNY"), period: nil, changes: [])
    let plan = WhatIfPlanner(book: plainBook, day: day("2023-06-30")) { currency in
      currency == money("CNY")
        ? .one : currency == money("EUR") ? CurrencyRate(given: "7.7") : nil
    }.plan(sold, frame: frame)
    #expect(plan.before.coinProceeds == amount("457.66"))
    #expect(plan.before.netPerThousand == Fraction(45_766, over: 660))
  }

  @Test func changesTogetherAreNotTheirSum() {
    let plan = whatIf(.commission(150_000, nil), .tier(sku: "gems", tier: "2"))
    // 12.00 brings 10.11 at 15%.
    let expected = amount("1011") + 10 * amount("15.16") + amount("54.67")
    #expect(plan.together.proceeds == expected)
    #expect(plan.ranking == [1, 0])
  }

  @Test func whatBeginsLaterIsNoted() {
    let changes = [
      WhatIf.Change(.commission(250_000, shop("CN")), name: "CN", from: day("2026-03-15"))
    ]
    let frame = WhatIf(
      day: day("2023-06-30"), baseCurrency: money("CNY"), period: nil, changes: changes)
    let plan = WhatIfPlanner(book: plainBook, day: day("2023-06-30")) { currency in
      currency == money("CNY") ? .one : nil
    }.plan(Self.volumes, frame: frame)
    #expect(plan.notes.count == 2)
    // 6.00 ÷ 1.015 × 0.75 = 4.43; 18.00 → 13.30, and 15.16 in the second year.
    #expect(plan.together.proceeds == amount("443") + 8 * amount("13.30") + 2 * amount("15.16"))
  }
}
