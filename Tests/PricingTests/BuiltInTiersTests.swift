import Billing
import Foundation
import Support
import Testing

@testable import Pricing

/// Goal: mainland China's tiers are known without being told, and step back where the company has
/// its own. Method: counts and single rows, and the lists in the shared data against every row.
struct BuiltInTiersTests {
  let book = PriceBook(developerCountry: shop("CN"), standIns: .builtIn)

  func price(
    _ tier: String, _ kind: ProductKind = .consumable, _ code: String = "CN",
    on date: String = "2023-06-19", in book: PriceBook? = nil
  ) -> String? {
    (book ?? self.book).tierPrice(
      tier: tier, kind: kind, storefront: shop(code), on: day(date)
    ).map { decimalText(micros: $0.price) }
  }

  @Test func everyTierSubscriptionPriceAndPricePointIsThere() {
    let prices = BuiltInTiers.prices
    #expect(Set(prices.map(\.storefront)) == [shop("CN")])
    #expect(Set(prices.map(\.currency)) == [money("CNY")])
    let products = prices.filter { $0.table == .iap }
    #expect(products.count { Int($0.tier).map { $0 <= 87 } ?? false } == 88)
    #expect(products.count { $0.tier.hasPrefix("Alternate Tier ") } == 7)
    #expect(products.count { Int($0.tier).map { $0 > 10_000 } ?? false } == 800)
    #expect(prices.count { $0.table == .subscription } == 200 + 800)
    #expect(Set(prices.map { "\($0.table) \($0.tier)" }).count == prices.count)
  }

  @Test(arguments: [
    ("1", "6"), ("Tier 5", "30"), ("50", "328"), ("60", "648"), ("87", "6498"), ("Free", "0"),
    ("A", "1"), ("Alternate Tier B", "3"), ("Alt 1", "8"), ("580", "28"), ("10016", "6"),
    ("10001", "1"), ("88", nil), ("gems", nil),
  ])
  func aTierHasItsPrice(tier: String, price: String?) { #expect(self.price(tier) == price) }

  /// 12, 18 and 30 are each the price of two tiers, which only their names tell apart.
  @Test func equalPricesAreDifferentTiers() {
    for (standard, alternate) in [("2", "Alt 2"), ("3", "Alt 3"), ("5", "Alt 5")] {
      #expect(price(standard) == price(alternate))
      #expect(price(standard, on: "2014-06-01") != nil && price(alternate, on: "2014-06-01") == nil)
    }
  }

  @Test func subscriptionsHaveTheirOwn() {
    #expect(price("29", .autoRenewable) == "30" && price("29") == "193")
    #expect(price("200", .autoRenewable) == "6498" && price("200") == nil)
    #expect(price("A", .autoRenewable) == "1")
    #expect(price("10016", .autoRenewable, on: "2022-12-05") == nil)
    #expect(price("10016", .autoRenewable, on: "2022-12-06") == "6")
  }

  @Test func theCompanysTablesGoFirst() {
    let own = TierBookTests.tier(.iap, "Tier 5", "CN", "28", from: "2023-01-01", to: "2023-12-31")
    let book = PriceBook(
      developerCountry: shop("CN"), tiers: [own, TierBookTests.tier(.iap, "29", "US", "1")],
      standIns: .builtIn)
    #expect(price("5", in: book) == "28" && price("05", in: book) == "28")
    #expect(price("5", on: "2024-01-01", in: book) == nil)
    #expect(price("4", in: book) == "25")
    // Where the company's table of products has the tier, a subscription's is no other one.
    #expect(price("29", .autoRenewable, in: book) == "193")
    #expect(price("29", .autoRenewable, "US", in: book) == "1")
    #expect(
      book.tiers.storefronts(tier: "29", kind: .consumable, on: day("2023-06-19"))
        == [shop("CN"), shop("US")])
    #expect(book.tiers.changeDays.contains(day("2024-01-01")))
  }

  /// Each row of the shared lists is built in, and the rules give the proceeds that Apple's own
  /// matrices have for it.
  @Test func theSharedListsAreWhole() throws {
    guard let path = sharedData("tables/tiers_cny.csv") else { return }
    for cells in try rows(path) {
      let tier = cells[1]
      #expect(price(tier) == decimalText(micros: amount(cells[2])), "\(tier)")
      for (date, proceeds) in [("2015-09-29", cells[4]), ("2019-01-22", cells[6])] {
        guard !proceeds.isEmpty, price(tier, on: date) != nil else { continue }
        let question = PriceQuestion(storefront: shop("CN"), day: day(date), tier: tier)
        let found = try book.quote(question).expectation
        #expect(found.proceeds == amount(proceeds), "\(tier): \(found.rule.english)")
      }
    }
    for cells in try rows(sharedData("tables/subscription_prices_cny_pre2022-12.csv") ?? "") {
      #expect(price(cells[0], .autoRenewable) == decimalText(micros: amount(cells[1])))
    }
    for cells in try rows(sharedData("tiers/price_points_2023-04_long.csv") ?? "")
    where cells[1] == "CHN" {
      let point = String(10_000 + (Int(cells[0]) ?? 0))
      #expect(price(point) == decimalText(micros: amount(cells[3])))
    }
  }

  private func rows(_ path: String) throws -> [[String]] {
    guard !path.isEmpty else { return [] }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline)
    return lines.dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
