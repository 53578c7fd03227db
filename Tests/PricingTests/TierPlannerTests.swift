import Billing
import Pricing
import Testing

/// Goal: the tiers around a wanted price and the coins that make up for it. Method: a table of six
/// prices and every place that a wanted price can have in it.
@Suite struct TierPlannerTests {
  static let tiers = [
    ("1", "6"), ("2", "12"), ("3", "18"), ("4", "25"), ("5", "30"), ("Alternate Tier 5", "30"),
  ].map { tier, price in
    TierPrice(
      table: .iap, tier: tier, storefront: shop("CN"), currency: money("CNY"),
      price: amount(price), proceeds: nil, effectiveFrom: nil, effectiveTo: nil)
  }

  func rows(_ prices: [WantedPrice], worth: Int64? = 1_000_000) -> TierPlan {
    let channel = ChannelTerms(
      currency: money("CNY"), rate: amount("100"), fee: 0, worth: 1_000_000)
    let frame = TierPlan(
      day: day("2023-06-30"), baseCurrency: money("CNY"), channel: channel, target: .equalNet,
      rounding: PlanRounding())
    let book = PriceBook(developerCountry: shop("CN"), tiers: Self.tiers)
    return TierPlanner(book: book, table: .iap, commission: nil) { currency in
      currency == money("CNY") ? worth : currency == money("USD") ? amount("7") : nil
    }.plan(prices, frame: frame)
  }

  func wanted(_ price: String, _ currency: String = "CNY", in code: String = "CN") -> WantedPrice {
    WantedPrice(storefront: shop(code), price: Money(micros: amount(price), money(currency)))
  }

  struct Place: Sendable {
    var price: String
    var below: String?
    var above: String?
    var nearest: String
    /// At the nearest.
    var coins: Int64
  }

  @Test(arguments: [
    Place(price: "25.00", below: "4", above: "4", nearest: "4", coins: 0),
    Place(price: "26.00", below: "4", above: "5", nearest: "4", coins: -68),
    Place(price: "28.00", below: "4", above: "5", nearest: "5", coins: 136),
    Place(price: "15.00", below: "2", above: "3", nearest: "3", coins: 204),
    Place(price: "3.00", below: nil, above: "1", nearest: "1", coins: 204),
    Place(price: "66.00", below: "5", above: nil, nearest: "5", coins: -2_448),
  ])
  func tiersAround(place: Place) {
    let row = rows([wanted(place.price)]).rows[0]
    #expect(row.below?.tiers.first == place.below)
    #expect(row.above?.tiers.first == place.above)
    #expect(row.nearest?.tiers.first == place.nearest)
    #expect(row.nearest?.coins == place.coins)
    #expect(row.isTie == (place.price == "15.00"))
  }

  @Test func tiersWithOnePriceStandTogether() {
    #expect(rows([wanted("30")]).rows[0].nearest?.tiers == ["5", "Alternate Tier 5"])
  }

  @Test func otherMoneyIsConverted() {
    let row = rows([wanted("3.57", "USD")]).rows[0]
    #expect(row.wanted == amount("24.99"))
    #expect(row.original == Money(micros: amount("3.57"), money("USD")))
    #expect(row.nearest?.difference == amount("0.01"))
  }

  @Test func whatIsMissingIsNotedOnce() {
    let plan = rows([wanted("1", in: "US"), wanted("2", in: "US"), wanted("5", "JPY")])
    #expect(plan.rows.isEmpty)
    #expect(plan.notes.count == 2)
  }
}
