import Billing
import Pricing
import Support
import Testing

/// Goal: each pack leaves what its counterpart on the other channel leaves, and no figure of a plan
/// stands for something that is not there. Method: nine storefronts calculated by hand; and what a
/// plan's figures take for granted, broken one by one.
@Suite struct PackPlannerTests {
  /// Prices of two packs in nine storefronts, what Apple pays on 2023-06-30 by its rules, and the
  /// worth of the money in CNY.
  ///
  /// The web shop sells 60 coins for 6.00 CNY and 330 for 30.00: a coin leaves 0.1 and 0.0909….
  private static let shops: [(shop: String, money: String, small: String, large: String)] = [
    ("CN", "CNY", "6.00", "30.00"), ("US", "USD", "0.99", "4.99"), ("JP", "JPY", "160", "800"),
    ("DE", "EUR", "1.19", "5.99"), ("GB", "GBP", "0.99", "4.99"), ("KR", "KRW", "1500", "7500"),
    ("TW", "TWD", "33", "170"), ("HK", "HKD", "8.00", "38.00"), ("AU", "AUD", "1.49", "7.99"),
  ]
  private static let worths = [
    "CNY": "1", "USD": "7.1", "JPY": "0.05", "EUR": "7.7", "GBP": "8.9", "KRW": "0.0055",
    "TWD": "0.23", "HKD": "0.9", "AUD": "4.7",
  ]

  private static func offer(_ place: Int, isLarge: Bool) -> Offer {
    let row = shops[place]
    return Offer(
      storefront: shop(row.shop), product: isLarge ? "gems.300" : "gems.60",
      currency: money(row.money), price: amount(isLarge ? row.large : row.small),
      coins: isLarge ? 300 : 60)
  }

  private func plan(
    _ groups: [[PackPlanner.Pack]], goal: PackPlan.Goal = .coins, fee: String = "0",
    target: PlanTarget = .equalNet, rounding: PackRounding = .figures, elasticity: Int64 = 0,
    large: (String, Int64) = ("30.00", 330), book: PriceBook = plainBook,
    day text: String = "2023-06-30"
  ) -> PackPlan {
    var frame = PackPlan(
      day: day(text), baseCurrency: money("CNY"),
      channel: PackPlan.Channel(
        name: "web", currency: money("CNY"), costs: ChannelCosts(fee: amount(fee)), worth: .one),
      goal: goal, target: target, rounding: rounding, elasticity: elasticity,
      period: Period("2023-05"))
    frame.counterparts = [
      .init(sku: "gems.300", price: amount(large.0), coins: large.1, source: .given),
      .init(sku: "gems.60", price: amount("6.00"), coins: 60, source: .given),
    ]
    return PackPlanner(book: book, commission: nil) {
      Self.worths[$0.code].map(CurrencyRate.init(given:))
    }
    .plan(groups, frame: frame)
  }

  private static func alone(units: Int64 = 1000) -> [[PackPlanner.Pack]] {
    shops.indices.map { place in
      [false, true].map {
        PackPlanner.Pack(offer: offer(place, isLarge: $0), units: units)
      }
    }
  }

  @Test func nineStorefrontsByHand() throws {
    let plan = plan(Self.alone())
    #expect(plan.rows.count == 18)
    // Proceeds, coins at equal net, rounded down to figures: small pack, large pack.
    // CN  6.00 ÷ 1.018 × 0.7 = 4.13 → 4.13 ÷ 0.1 = 41.3; 30.00: 20.63 → ÷ 0.090909 = 226.93
    // US  0.70 × 7.1 = 4.97 → 49.7; 4.99: 3.50 × 7.1 = 24.85 → 273.35
    // JP  112 × 0.05 = 5.6 → 56; 800: 560 × 0.05 = 28 → 308
    // DE  1.19 ÷ 1.19 × 0.7 = 0.70 × 7.7 = 5.39 → 53.9; 5.99: 3.52 × 7.7 = 27.104 → 298.144
    // GB  0.99 ÷ 1.2072 × 0.7 = 0.57 × 8.9 = 5.073 → 50.73; 4.99: 2.89 → 25.721 → 282.931
    // TW  33 × 0.97 ÷ 1.05 × 0.7 = 21 × 0.23 = 4.83 → 48.3; 170: 110 → 25.3 → 278.3
    // KR  1500 ÷ 1.1 × 0.7 = 955 × 0.0055 = 5.2525 → 52.525; 7500: 4773 → 26.2515 → 288.7665
    // HK  8.00 × 0.7 = 5.60 × 0.9 = 5.04 → 50.4; 38.00: 26.60 × 0.9 = 23.94 → 263.34
    // AU  1.49 ÷ 1.1 × 0.7 = 0.95 × 4.7 = 4.465 → 44.65; 7.99: 5.08 × 4.7 = 23.876 → 262.636
    let byHand: [String: (String, String, Int64, String, String, Int64)] = [
      "CN": ("4.13", "41.3", 40, "20.63", "226.93", 220),
      "US": ("0.70", "49.7", 45, "3.50", "273.35", 270),
      "JP": ("112", "56", 55, "560", "308", 300),
      "DE": ("0.70", "53.9", 50, "3.52", "298.144", 290),
      "GB": ("0.57", "50.73", 50, "2.89", "282.931", 280),
      "TW": ("21", "48.3", 45, "110", "278.3", 270),
      "KR": ("955", "52.525", 50, "4773", "288.7665", 280),
      "HK": ("5.60", "50.4", 50, "26.60", "263.34", 260),
      "AU": ("0.95", "44.65", 40, "5.08", "262.636", 260),
    ]
    for (code, hand) in byHand {
      let rows = plan.rows.filter { $0.storefront == shop(code) }
      #expect(rows[0].proposed.proceeds == amount(hand.0), "\(code)")
      #expect(rows[0].exactCoins == Fraction(micros: amount(hand.1)), "\(code)")
      #expect(rows[0].proposedCoins == hand.2, "\(code)")
      #expect(rows[1].proposed.proceeds == amount(hand.3), "\(code)")
      #expect(rows[1].exactCoins == Fraction(micros: amount(hand.4)), "\(code)")
      #expect(rows[1].proposedCoins == hand.5, "\(code)")
    }
    // Each pack leaves at least what its counterpart leaves, and a step more leaves less.
    for row in plan.rows {
      let net = try #require(row.proposedNet)
      #expect(net >= plan.channelNet(row) * Fraction(1_000))
      let step: Int64 = row.ownCoins < 100 ? 5 : 10
      let more = try #require(
        PackPlan.Row.netPerThousand(row.proposed, row.ownCoins + step, worth: row.worth))
      #expect(more < plan.channelNet(row) * Fraction(1_000))
    }
  }

  @Test(
    arguments: [
      ("7.99", 7), ("19.2", 19), ("68.77", 65), ("99.9", 95), ("100", 100), ("307", 300),
      ("688.9", 680), ("3289", 3_280), ("9999", 9_990), ("10000", 10_000), ("64899", 64_800),
      ("1234567", 1_230_000), ("0.4", 0),
    ] as [(String, Int64)])
  func figuresThatPeopleCompare(exact: String, figure: Int64) {
    #expect(PackRounding.figures.down(Fraction(micros: amount(exact))) == figure)
  }

  @Test func storefrontsThatAreJoinedGetTheFewest() {
    let packs = [0, 1, 2].map {
      PackPlanner.Pack(offer: Self.offer($0, isLarge: false), units: 10)
    }
    let plan = plan([packs])
    #expect(plan.rows.map(\.ownCoins) == [40, 45, 55])
    #expect(plan.rows.map(\.proposedCoins) == [40, 40, 40])
  }

  /// 60 coins are worth 6.00 on the web: in the US the first price that leaves as much is 1.29
  /// (0.91 × 7.1 = 6.461; 1.19 leaves 0.84 × 7.1 = 5.964).
  @Test func theInverseFindsThePricePoint() throws {
    let book = PriceBook(developerCountry: shop("CN"), standIns: .builtIn)
    let packs = [
      PackPlanner.Pack(offer: Self.offer(1, isLarge: false), units: 100),
      PackPlanner.Pack(offer: Self.offer(0, isLarge: false), units: 100),
    ]
    let plan = plan([packs], goal: .prices, book: book)
    let us = try #require(plan.rows.first)
    #expect(us.proposed.price == amount("1.29") && us.proposed.proceeds == amount("0.91"))
    #expect(us.proposedCoins == 60 && us.coins == 60)
    // Mainland China: 8.80 ÷ 1.018 × 0.7 = 6.05; 8.50 leaves 5.84.
    #expect(plan.rows[1].proposed.price == amount("8.80"))
    for row in plan.rows {
      let ladder = plan.ladders[try #require(row.ladder)]
      let place = try #require(ladder.steps.firstIndex { $0.tier == row.proposedTier })
      let below = ladder.steps[place - 1].terms.proceeds
      #expect(
        Fraction(micros: below) * row.worth.value
          < plan.channelNet(row) * Fraction(60))
    }
  }

  /// Dearer coins sell less: 60 coins become 40, each is half as dear again.
  @Test func volumesFollowTheElasticity() {
    let pack = PackPlanner.Pack(offer: Self.offer(0, isLarge: false), units: 1000)
    #expect(plan([[pack]]).rows[0].proposedUnits == 1000)
    let half = plan([[pack]], elasticity: -500_000)
    #expect(half.rows[0].proposedUnits == 750)
    #expect(half.total().difference == -amount("1032.50"))
    #expect(plan([[pack]], elasticity: -10_000_000).rows[0].proposedUnits == 0)
  }

  /// The day on which the proposal begins decides its deduction: China's terms change on
  /// 2026-03-15.
  @Test func theDeductionIsOfTheDayOnWhichItBegins() {
    let pack = PackPlanner.Pack(offer: Self.offer(0, isLarge: true), units: 1)
    let before = plan([[pack]], day: "2026-03-14").rows[0]
    let since = plan([[pack]], day: "2026-03-15").rows[0]
    #expect(before.proposed.commission == 300_000 && since.proposed.commission == 250_000)
    // 30.00 ÷ 1.015 × 0.75 = 22.17 → 243.87
    #expect(since.proposed.proceeds == amount("22.17") && since.proposedCoins == 240)
    #expect(since.now == since.proposed)
  }

  @Test func aMarginCountsNoMoreThanIsLeft() {
    let pack = PackPlanner.Pack(offer: Self.offer(0, isLarge: true), units: 1)
    let margin = plan([[pack]], target: .margin(330_000), rounding: .multiples(1)).rows[0]
    // 30.00 × 0.67 = 20.10 → 221.1
    #expect(margin.exactCoins == Fraction(micros: amount("221.1")) && margin.ownCoins == 221)
    // What is exact leaves nothing to spare.
    let exact = plan(
      [[pack]], target: .margin(330_000), rounding: .multiples(1), large: ("20.10", 300)
    ).rows[0]
    #expect(exact.exactCoins == Fraction(300) && exact.ownCoins == 299)
  }

  @Test func whatIsMissingIsSaid() {
    var lost = Self.offer(0, isLarge: false)
    lost.currency = money("CHF")
    let packs = [
      PackPlanner.Pack(offer: lost, units: 5),
      PackPlanner.Pack(offer: Self.offer(0, isLarge: false), units: 5),
    ]
    let noRate = plan([packs])
    #expect(noRate.rows.count == 1)
    #expect(noRate.notes.contains { $0.english.contains("CHF") })
    // No built-in list has price points of Germany in euro on that day.
    let pack = PackPlanner.Pack(offer: Self.offer(3, isLarge: false), units: 5)
    let noPoint = plan([[pack]], goal: .prices)
    #expect(noPoint.rows.isEmpty)
    #expect(noPoint.notes.contains { $0.english.contains("DE gems.60: no price point") })
    #expect(noPoint.notes.contains { $0.english.contains("DE: only 0 price points are known") })
  }

  /// A pack that gives less for the money than a cheaper one is told, unless it is so on the other
  /// channel too.
  @Test func aBrokenLadderIsSaid() {
    var dear = Self.offer(0, isLarge: true)
    dear.price = amount("31.00")
    let packs = [
      PackPlanner.Pack(offer: Self.offer(0, isLarge: false), units: 1),
      PackPlanner.Pack(offer: dear, units: 1),
    ]
    func isSaid(_ coins: Int64) -> Bool {
      plan([packs], rounding: .multiples(40), large: ("30.00", coins)).notes
        .contains { $0.english.contains("fewer coins for the money") }
    }
    // 31.00 leaves 21.32: at 300 coins for 30.00 these are 213.2, rounded to 200: 6.45 for one
    // unit of money, the small pack's 40 for 6.00 are 6.67.
    #expect(isSaid(300))
    #expect(!isSaid(290))
    #expect(!isSaid(400))
  }
}
