import Billing
import Testing

/// Goal: a rate is what was written, and what is printed of one has ten digits that count. Method:
/// texts as people and programs write them.
@Suite struct DecimalRateTests {
  @Test(arguments: [
    ("0.00043987", "0.00043987"), ("7.1000", "7.1"), (".97438", "0.97438"), ("24567", "24567"),
    ("-2.50", "-2.5"), ("0.000", "0"), ("3.5714285714285716e-05", "0.000035714285714285716"),
    ("1.6384E+4", "16384"), ("7.2345678901234567890", "7.234567890123456789"),
    ("100", "100"), ("000.10", "0.1"), ("0.000000000000000000000001", "0.000000000000000000000001"),
  ])
  func isKeptAsWritten(text: String, expected: String) throws {
    let rate = try #require(DecimalRate(decimal: text))
    #expect(rate.text() == expected)
    #expect(DecimalRate(decimal: expected) == rate, "one rate, one form")
    #expect(CurrencyRate(rate).quotes == expected)
  }

  @Test(arguments: [
    "", ".", "-", "7,1", "7.1.2", "7.1 ", "e5", "1e", "1e+", "0x7", "1e99", "1e-25",
    "0.12738853503184713376", "123456789012345", "0.0000000000000000000000001",
  ])
  func hasALimit(text: String) { #expect(DecimalRate(decimal: text) == nil) }

  @Test(arguments: [
    ("1", "3", "0.3333333333"), ("1", "16384.42", "0.00006103359167"), ("2", "16", "0.125"),
    ("1", "16384", "0.00006103515625"), ("200000", "3", "66666.666667"), ("7", "1", "7"),
    ("5.9", "7.8536", "0.7512478354"),
  ])
  func tenDigitsCount(top: String, bottom: String, expected: String) {
    let rate = CurrencyRate(
      DecimalRate(decimal: top)!, over: DecimalRate(decimal: bottom)!)
    #expect(rate.text == expected)
    #expect((-rate.value).rateText == "-" + expected)
    #expect(rate.quotes == "\(top)/\(bottom)" && !rate.isQuoted)
  }

  /// Terms that 128 bits have no room for are the nearest ones that do.
  @Test func longTermsStayNear() {
    var (product, sum) = (Fraction.one, Fraction.zero)
    let primes: [Int128] = [
      1_000_003, 1_000_033, 1_000_037, 1_000_039, 1_000_081, 1_000_099, 1_000_117, 1_000_121,
    ]
    for prime in primes {
      product = product * Fraction(prime + 1, over: prime)
      sum = sum + Fraction(1, over: prime)
    }
    #expect(product.amount(1, scale: 1_000_000_000_000) == 1_000_007_999_498)
    #expect(sum.amount(1, scale: 1_000_000_000_000_000) == 7_999_470_049)
    #expect((-sum).amount(1, scale: 1_000_000_000_000_000) == -7_999_470_049)
  }

  @Test func halvesAreRoundedUpAtTheMoney() {
    let (half, below) = (Fraction(1, over: 8), Fraction(1_249_999, over: 10_000_000))
    #expect(half.amount(20) == 3 && half.amount(-20) == -3 && below.amount(20) == 2)
    #expect(half.amount(200_000, toMultipleOf: 10_000) == 30_000)
    #expect(below.amount(200_000, toMultipleOf: 10_000) == 20_000)
    #expect(Fraction(14_999, over: 3).amount(3, toMultipleOf: 10_000) == 10_000)
    #expect(Fraction(5, over: 1).amount(1, toMultipleOf: 7) == 7)
    #expect(Fraction(7, over: 2).amount(1, toMultipleOf: 7) == 7)
    #expect(Fraction(69, over: 20).amount(1, toMultipleOf: 7) == 0)
  }
}
