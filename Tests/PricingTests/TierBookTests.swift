import Billing
import Pricing
import Testing

/// Goal: a tier has the price that its rows say, day by day. Method: a small book, all questions.
struct TierBookTests {
  static func tier(
    _ table: TierTable, _ name: String, _ code: String, _ price: String, proceeds: String? = nil,
    from: String? = nil, to: String? = nil
  ) -> TierPrice {
    TierPrice(
      table: table, tier: name, storefront: shop(code), currency: money("CNY"),
      price: amount(price), proceeds: proceeds.map(amount), effectiveFrom: from.map(day),
      effectiveTo: to.map(day))
  }

  let book = PriceBook(
    developerCountry: shop("CN"),
    tiers: [
      tier(.iap, "5", "CN", "30", proceeds: "20.58"),
      tier(.iap, "5", "CN", "40", from: "2023-01-01", to: "2023-06-30"),
      tier(.iap, "1", "CN", "6", to: "2022-12-31"), tier(.iap, "1", "CN", "8", from: "2023-02-01"),
      tier(.iap, "1", "TW", "9"), tier(.subscription, "1", "CN", "12"),
      tier(.subscription, "s", "CN", "15"), tier(.subscription, "5b", "TW", "15"),
    ])

  @Test(arguments: [
    ("5", ProductKind.consumable, "CN", "2022-12-31", "30"),
    ("5", .consumable, "CN", "2023-01-01", "40"), ("5", .consumable, "CN", "2023-06-30", "40"),
    ("5", .consumable, "CN", "2023-07-01", "30"), ("1", .consumable, "CN", "2022-12-31", "6"),
    ("1", .consumable, "CN", "2023-01-15", "none"), ("1", .nonRenewing, "CN", "2023-02-01", "8"),
    ("1", .autoRenewable, "CN", "2023-02-01", "12"),
    ("1", .autoRenewable, "TW", "2023-02-01", "none"),
    ("5", .autoRenewable, "CN", "2023-02-01", "40"), ("s", .consumable, "CN", "2023-02-01", "15"),
    ("9", .consumable, "CN", "2023-02-01", "none"), ("1", .consumable, "US", "2023-02-01", "none"),
  ])
  func aTierHasItsPriceOfTheDay(
    tier: String, kind: ProductKind, code: String, date: String, price: String
  ) {
    let found = book.tierPrice(tier: tier, kind: kind, storefront: shop(code), on: day(date))
    #expect(found?.price == (price == "none" ? nil : amount(price)))
  }

  @Test func aSubscriberMayKeepAnEarlierPrice() {
    func isEver(_ price: String, _ currency: String = "CNY") -> Bool {
      book.isEverTierPrice(
        tier: "1", kind: .consumable, storefront: shop("CN"), currency: money(currency),
        price: amount(price))
    }
    #expect(isEver("6") && isEver("8"))
    #expect(!isEver("9") && !isEver("12") && !isEver("6", "USD"))
  }

  @Test func theTiersOwnProceedsGoFirstAtThirtyPercent() throws {
    let tierPrice = try #require(
      book.tierPrice(tier: "5", kind: .consumable, storefront: shop("CN"), on: day("2023-07-01")))
    func proceeds(_ price: String, _ date: String, _ commission: CommissionClass) -> Int64 {
      book.expectation(
        storefront: shop("CN"), currency: money("CNY"), price: amount(price), day: day(date),
        commission: commission, tierPrice: tierPrice
      ).proceeds
    }
    #expect(proceeds("30", "2023-07-01", .standard) == amount("20.58"))
    #expect(proceeds("25", "2023-07-01", .standard) == amount("17.19"))
    #expect(proceeds("30", "2023-07-01", .afterOneYear) == amount("25.27"))
    #expect(proceeds("30", "2026-03-15", .standard) == amount("22.17"))
  }
}
