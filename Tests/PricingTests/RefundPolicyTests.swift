import Billing
import Pricing
import Testing

struct RefundPolicyTests {
  @Test(arguments: [
    ("DE", "2023-06-19", 14), ("DE", "2014-12-29", 14), ("DE", "2014-12-28", 90),
    ("HR", "2023-06-19", 14), ("NO", "2023-06-19", 14), ("IS", "2023-06-19", 14),
    ("CH", "2023-06-19", 90), ("RS", "2023-06-19", 90), ("TR", "2023-06-19", 90),
    ("GB", "2020-12-31", 14), ("GB", "2021-01-01", 90), ("TW", "2023-06-19", 7),
    ("TW", "2011-06-30", 90), ("CN", "2023-06-19", 90), ("US", "2023-06-19", 90),
  ])
  func theWindowGoesByStorefrontAndPurchase(code: String, purchasedOn: String, days: Int) {
    #expect(RefundPolicy.days(in: shop(code), on: day(purchasedOn)) == days)
  }

  @Test func theUnionHas27MembersAndTheAreaTwoMoreStorefronts() {
    func withdrawing(on date: String) -> Int {
      StorefrontTable.builtIn.entries.count {
        RefundPolicy.days(in: $0.storefront, on: day(date)) == 14
      }
    }
    #expect(withdrawing(on: "2023-06-19") == 29)
    #expect(withdrawing(on: "2019-06-19") == 30)
    #expect(withdrawing(on: "2014-06-19") == 0)
  }
}
