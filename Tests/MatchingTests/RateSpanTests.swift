import Billing
import Support
import Testing

@testable import Matching

/// What rounded proceeds say about the rate behind them.
struct RateSpanTests {
  private static let million: Int64 = 1_000_000

  private func rate(_ tax: String, _ commission: String = "0.30") -> RuleRate {
    RuleRate(inside: amount(tax), deducted: 0, commission: amount(commission))
  }

  private func span(_ price: String, _ proceeds: String, unit: Int64 = 10_000) -> RateSpan {
    RateSpan(
      price: amount(price), proceeds: amount(proceeds), unit: unit, mayHaveOneMore: false)
  }

  @Test func aLowPriceSaysLittleAndAHighOneMuch() {
    let low = span("1.19", "0.70")
    #expect(low.meets(rate("0.19").span))
    #expect(low.meets(rate("0.195").span))
    #expect(!low.meets(rate("0.16").span))
    let high = span("119.99", "70.58")
    #expect(high.meets(rate("0.19").span))
    #expect(!high.meets(rate("0.1905").span))
  }

  /// Whatever is rounded, the rate behind it is in the span.
  @Test func theRateBehindIsNeverLeftOut() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<20_000 {
      let rate = RuleRate(
        inside: Int64.random(in: 0...400_000, using: &random),
        deducted: Int64.random(in: 0...100_000, using: &random),
        commission: Int64.random(in: 0...500_000, using: &random))
      let unit: Int64 = Bool.random(using: &random) ? 10_000 : 1_000_000
      let price = Int64.random(in: 1...3_000_000, using: &random) * unit
      let span = RateSpan(
        price: price, proceeds: rate.proceeds(of: price, unit: unit), unit: unit,
        mayHaveOneMore: false)
      #expect(span.meets(rate.span))
      let multiples = rate.multiples(span)
      #expect(multiples.lower <= RateSpan.one && RateSpan.one <= multiples.upper)
    }
  }

  @Test func theUSListCountsACentMore() {
    let span = RateSpan(
      price: amount("0.99"), proceeds: amount("0.70"), unit: 10_000, mayHaveOneMore: true)
    #expect(span.meets(rate("0").span))
  }

  @Test(
    arguments: [
      ("0.1899", "0.1901", "0.19"), ("0.1749", "0.1751", "0.175"), ("0.015", "0.0152", "0.015"),
      ("0.0713", "0.0889", "0.08"), ("0.0203", "0.0203", "0.0203"),
      ("-0.1764", "-0.17635", "-0.1764"), ("0.158", "0.176", "0.17"),
    ])
  func peopleSayItInFewDigits(low: String, high: String, said: String) {
    let span = RateSpan(amount(low) * Self.million, amount(high) * Self.million)
    #expect(span.simplest == amount(said))
  }

  @Test func taxesLeaveTheirShare() {
    let rate = RuleRate(inside: 200_000, deducted: 20_000, commission: 300_000)
    #expect(rate.taxes(leaving: rate.span).simplest == 200_000)
    #expect(rate.wholeTax == 224_490)
    #expect(rate.deduction == 428_333)
  }

  @Test func pricesBeyondReasonDoNotTrap() {
    let span = RateSpan(price: 1, proceeds: .max / 4, unit: 10_000, mayHaveOneMore: true)
    let rate = RuleRate(inside: 0, deducted: 990_000, commission: 990_000)
    let cells = RateCells([rate.multiples(span), rate.multiples(RateSpan(-5, .max / 2))])
    #expect(cells.count >= 1)
    #expect(!RuleRate(inside: 0, deducted: 0, commission: 1_000_000).leavesSomething)
  }
}
