import Billing
import Pricing
import Support
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

  func rows(_ prices: [WantedPrice], worth: CurrencyRate? = .one) -> TierPlan {
    let channel = ChannelTerms(
      currency: money("CNY"), rate: amount("100"), costs: ChannelCosts(fee: 0), worth: .one)
    let frame = TierPlan(
      day: day("2023-06-30"), baseCurrency: money("CNY"), channel: channel, target: .equalNet,
      rounding: PlanRounding())
    let book = PriceBook(developerCountry: shop("CN"), tiers: Self.tiers)
    return TierPlanner(book: book, table: .iap, commission: nil) { currency in
      currency == money("CNY")
        ? worth : currency == money("USD") ? CurrencyRate(given: "7") : nil
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
    #expect(row.nearest?.difference == Fraction(Int128(amount("0.01"))))
  }

  /// 30 CNY at 7.25 are 4.1379…: nearer to 4.09 than to 4.19, though 4.14 is as far from both.
  @Test(arguments: [
    ("30", "CNY", "4.137931034", "4.09", false), ("4.14", "USD", "4.14", "4.19", true),
    ("30.015073", "CNY", "4.140010069", "4.19", false),
    ("30.014927", "CNY", "4.139989931", "4.09", false), ("30.015", "CNY", "4.14", "4.19", true),
  ])
  func onlyEqualDistancesTie(
    price: String, currency: String, exact: String, nearest: String, isTie: Bool
  ) {
    let tiers = ["4.09", "4.19"].map {
      TierPrice(
        table: .iap, tier: $0, storefront: shop("US"), currency: money("USD"), price: amount($0),
        proceeds: nil, effectiveFrom: nil, effectiveTo: nil)
    }
    let frame = TierPlan(
      day: day("2023-06-30"), baseCurrency: money("CNY"),
      channel: ChannelTerms(
        currency: money("CNY"), rate: amount("100"), costs: ChannelCosts(fee: 0), worth: .one),
      target: .equalNet, rounding: PlanRounding())
    let book = PriceBook(developerCountry: shop("CN"), tiers: tiers)
    let row = TierPlanner(book: book, table: .iap, commission: nil) {
      $0 == money("CNY") ? .one : CurrencyRate(given: "7.25")
    }.plan([wanted(price, currency, in: "US")], frame: frame).rows[0]
    #expect((row.exact / Fraction(1_000_000)).rateText == exact)
    #expect(row.wanted == amount("4.14"))
    #expect(row.nearest?.terms.price == amount(nearest) && row.isTie == isTie)
  }

  @Test func whatIsMissingIsNotedOnce() {
    let plan = rows([wanted("1", in: "US"), wanted("2", in: "US"), wanted("5", "JPY")])
    #expect(plan.rows.isEmpty)
    #expect(plan.notes.count == 2)
  }
}
