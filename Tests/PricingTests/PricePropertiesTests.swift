import Billing
import Pricing
import Support
import Testing

/// Goal: what holds of every price. Method: all prices of a small space, and random ones of all
/// storefronts, days and classes from a seed.
struct PricePropertiesTests {
  /// Exhaustive: each whole price up to 2000 CNY against the rule written out in fractions.
  @Test(arguments: [
    ("2012-10-26", CommissionClass.standard, 0, 30), ("2019-01-22", .standard, 203, 30),
    ("2023-06-19", .standard, 180, 30), ("2023-06-19", .smallBusiness, 90, 15),
    ("2026-04-01", .standard, 150, 25), ("2026-04-01", .afterOneYear, 72, 12),
  ])
  func eachPriceInMainlandChina(
    date: String, commission: CommissionClass, taxOfTenThousand: Int, commissionPercent: Int
  ) {
    for yuan in 1...2000 {
      let found = plainBook.expectation(
        storefront: shop("CN"), currency: money("CNY"), price: Int64(yuan) * 1_000_000,
        day: day(date), commission: commission)
      // yuan × 100 fen × 10000 ÷ (10000 + t) × (100 − c) ÷ 100, half up.
      let fen = rounded(yuan * 10_000 * (100 - commissionPercent), 10_000 + taxOfTenThousand)
      let net = rounded(yuan * 100 * 10_000, 10_000 + taxOfTenThousand)
      #expect(found.proceeds == Int64(fen) * 10_000)
      #expect(found.net == Int64(net) * 10_000)
    }
  }

  private func rounded(_ numerator: Int, _ denominator: Int) -> Int {
    (2 * numerator + denominator) / (2 * denominator)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func randomPricesKeepTheLaws(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let table = StorefrontTable.builtIn
    for _ in 0..<4000 {
      let entry = table.entries.randomElement(using: &random)!
      let date = Day(number: Int32.random(in: 15_000...21_000, using: &random))
      let commission = CommissionClass.allCases.randomElement(using: &random)!
      let unit = entry.currency.minorUnit
      let low = Int64.random(in: 0...5_000_000, using: &random) * unit
      let high = low + Int64.random(in: 0...300, using: &random) * unit
      func expectation(_ price: Int64) -> PriceExpectation {
        plainBook.expectation(
          storefront: entry.storefront, currency: entry.currency, price: price, day: date,
          commission: commission)
      }
      let (cheap, dear) = (expectation(low), expectation(high))
      for found in [cheap, dear] {
        #expect(found.net + found.tax == found.price)
        #expect(found.proceeds + found.commission == found.net)
        #expect(found.net % unit == 0 && found.proceeds % unit == 0)
        #expect(found.tax >= 0)
      }
      #expect(cheap.proceeds <= dear.proceeds, "\(cheap.rule.english) | \(dear.rule.english)")
      #expect(cheap.net <= dear.net)
    }
  }

  @Test func thePriceIsRoundedOnceAndHalfUp() {
    // 0.50 ÷ 1 × 0.85 = 0.425 and 0.30 × 0.85 = 0.255: ties go up.
    for (price, proceeds) in [("0.50", "0.43"), ("0.30", "0.26"), ("0.10", "0.09")] {
      let found = plainBook.expectation(
        storefront: shop("HK"), currency: money("HKD"), price: amount(price),
        day: day("2023-06-19"), commission: .smallBusiness)
      #expect(found.proceeds == amount(proceeds))
    }
  }

  @Test func theLargestPriceFits() {
    let found = plainBook.expectation(
      storefront: shop("GB"), currency: money("GBP"), price: 9_000_000_000_000_000_000,
      day: day("2023-06-19"))
    // ÷ 1.2 ÷ 1.006 × 0.70, to the penny.
    #expect(found.proceeds == 5_218_687_872_763_420_000)
  }
}
