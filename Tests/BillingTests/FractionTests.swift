import Billing
import Support
import Testing

/// Goal: quotients are exact. Method: random small ones against cross multiplication, and the large
/// ones that would overflow it.
@Suite struct FractionTests {
  @Test func arithmeticIsExact() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<2_000 {
      func small() -> Int128 { Int128(Int64.random(in: -999...999, using: &random)) }
      func above() -> Int128 { Int128(Int64.random(in: 1...999, using: &random)) }
      let (a, b, c, d) = (small(), above(), small(), above())
      let (left, right) = (Fraction(a, over: b), Fraction(c, over: d))
      #expect(left + right == Fraction(a * d + c * b, over: b * d))
      #expect(left - right == Fraction(a * d - c * b, over: b * d))
      #expect(left * right == Fraction(a * c, over: b * d))
      if c != 0 { #expect(left / right == Fraction(a * d, over: b * c)) }
      #expect((left < right) == (a * d < c * b))
      #expect(left.whole * b <= a && a < (left.whole + 1) * b)
    }
  }

  @Test func largeOnesCompare() {
    let large = Int128.max / 3
    #expect(Fraction(large, over: large - 1) > Fraction(large + 1, over: large))
    #expect(!(Fraction(large, over: 7) < Fraction(large, over: 7)))
    #expect(Fraction(-large, over: 5) < Fraction(-large, over: 6))
  }

  @Test(arguments: [
    (6_700, 100, 1, false, 67), (6_700, 100, 1, true, 66), (6_799, 100, 1, true, 67),
    (6_877, 100, 5, false, 65), (6_877, 100, 10, false, 60), (6_500, 100, 5, true, 60),
    (-1, 2, 1, false, -1),
  ])
  func roundsDown(
    numerator: Int, denominator: Int, step: Int, isStrict: Bool, expected: Int
  ) {
    let value = Fraction(Int128(numerator), over: Int128(denominator))
    #expect(
      value.roundedDown(toMultipleOf: Int64(step), isStrict: isStrict) == Int64(expected))
  }

  @Test func millionthsAreRoundedHalfUp() {
    #expect(Fraction(2_063, over: 3_000).micros == 687_667)
    #expect(Fraction(1, over: 2_000_000).micros == 1)
    #expect(Fraction(micros: 994_000) == Fraction(497, over: 500))
    #expect(Fraction(-2_063, over: 3_000).micros(toMultipleOf: 100) == -687_700)
    // A million times either number would leave the range.
    let large = Int128.max / 3
    #expect(Fraction(large, over: large + 2).micros == 1_000_000)
    #expect(Fraction(large / 1_000, over: large).micros(toMultipleOf: 1_000) == 1_000)
  }
}
