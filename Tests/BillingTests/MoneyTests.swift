import Billing
import Testing

private let cny = Currency("CNY")!
private let jpy = Currency("JPY")!

@Suite struct MoneyTests {
  @Test func twoCurrenciesAreNeverAdded() async {
    await #expect(processExitsWith: .failure) {
      _ = Money(micros: 1, Currency("CNY")!) + Money(micros: 1, Currency("USD")!)
    }
    await #expect(processExitsWith: .failure) {
      _ = Money(micros: 1, Currency("CNY")!) - Money(micros: 1, Currency("USD")!)
    }
  }

  @Test func overflowTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Money(micros: .max, Currency("CNY")!) + Money(micros: 1, Currency("CNY")!)
    }
    await #expect(processExitsWith: .failure) {
      _ = Money(micros: .max / 2, Currency("CNY")!) * 3
    }
    await #expect(processExitsWith: .failure) { _ = -Money(micros: .min, Currency("CNY")!) }
    await #expect(processExitsWith: .failure) {
      _ = roundedHalfUp(Int128(Int64.max) * 4, dividedBy: 2, toMultipleOf: 1)
    }
  }

  @Test func sumsAndProducts() {
    var sum = Money.zero(cny)
    sum += Money(micros: 20_630_000, cny)
    #expect((sum * -3).micros == -61_890_000)
    #expect((sum - sum).micros == 0)
  }

  @Test(arguments: [
    (25_000, 10_000, 30_000), (24_999, 10_000, 20_000), (-25_000, 10_000, -30_000),
    (-24_999, 10_000, -20_000), (0, 10_000, 0), (4_999, 10_000, 0), (5_000, 10_000, 10_000),
    (1_500_000, 1_000_000, 2_000_000), (-5_000, 10_000, -10_000),
  ])
  func halvesGoAwayFromZero(micros: Int, unit: Int, expected: Int) {
    for factor in [1, 3, 1_000_003] {
      #expect(
        roundedHalfUp(
          Int128(micros) * Int128(factor), dividedBy: Int128(factor), toMultipleOf: Int64(unit))
          == Int64(expected))
    }
  }

  /// Rounding once: nothing but the nearest multiple, ties away from zero.
  @Test func roundingIsNearest() {
    for numerator in -300...300 {
      for denominator in 1...12 {
        let result = roundedHalfUp(
          Int128(numerator), dividedBy: Int128(denominator), toMultipleOf: 5)
        let doubledDistance = abs(2 * (numerator - Int(result) * denominator))
        #expect(result % 5 == 0 && doubledDistance <= 5 * denominator)
        if doubledDistance == 5 * denominator {
          #expect(abs(Int(result) * denominator) > abs(numerator))
        }
      }
    }
  }

  @Test func mainlandChinaAtThirtyPercent() {
    // 30.00 ÷ 1.018 × 0.70
    let proceeds = roundedHalfUp(
      Int128(30_000_000) * 70 * 1000, dividedBy: 100 * 1018, toMultipleOf: cny.minorUnit)
    #expect(Money(micros: proceeds, cny).text == "20.63")
  }

  @Test(arguments: [
    ("0", 0), ("12", 12_000_000), ("-12.34", -12_340_000), (".70", 700_000), ("-.5", -500_000),
    ("1.", 1_000_000), ("0.000001", 1), ("1.23456700000", 1_234_567), ("-0", 0),
    ("9223372036854.775807", Int64.max), ("007.5", 7_500_000),
  ])
  func decimalsRead(text: String, expected: Int64) { #expect(micros(decimal: text) == expected) }

  @Test(arguments: [
    "", "-", ".", "-.", "1,54", "1.2.3", "1e3", "+1", " 1", "1 ", "0x1", "1.2345678", "--1",
    "9223372036854.775808", "99999999999999999999", "１",
  ])
  func otherTextsAreNoDecimals(text: String) { #expect(micros(decimal: text) == nil) }

  @Test(arguments: [
    (0, 2, "0.00"), (20_630_000, 2, "20.63"), (-500_000, 2, "-0.50"), (1, 2, "0.000001"),
    (500_000_000, 0, "500"), (1_500_000, 0, "1.5"), (Int64.min, 0, "-9223372036854.775808"),
  ])
  func decimalsPrint(micros: Int64, digits: Int, text: String) {
    #expect(decimalText(micros: micros, minimumDigits: digits) == text)
  }

  @Test func printedDecimalsReadBack() {
    for value in [Int64.max, 1, -1, 999_999, -1_000_001, 123_456_789_012] {
      #expect(micros(decimal: decimalText(micros: value)) == value)
    }
  }

  @Test func currencies() {
    #expect(cny.code == "CNY" && cny.minorDigits == 2 && cny.minorUnit == 10_000)
    #expect(jpy.minorDigits == 0 && jpy.minorUnit == 1_000_000)
    #expect(Money(micros: 500_000_000, jpy).text == "500")
    #expect(Currency(packed: cny.packed) == cny && Currency(packed: 0) == nil)
    #expect(Currency("AAA")?.code == "AAA" && Currency("ZZZ")?.code == "ZZZ")
    for text in ["", "CN", "CNYX", "cny", "C1Y", "人民币"] { #expect(Currency(text) == nil) }
    for text in ["C", "CHN", "cn", ""] { #expect(Storefront(text) == nil) }
    #expect(Storefront("CN")?.code == "CN" && Storefront("ZZ")?.code == "ZZ")
    #expect(Storefront("AE")! < Storefront("CN")! && Currency("AED")! < cny)
  }
}

@Suite struct IDKeyTests {
  @Test func canonicalNumbersStandForThemselves() {
    for number: Int64 in [0, 1, 9, 10, 1_000_000_001, 999_999_999_999_999_999] {
      #expect(IDKey("\(number)") == IDKey(number: number))
    }
    #expect(IDKey("0") != IDKey.none && IDKey("").isNone)
  }

  @Test(arguments: ["01", "00", "-1", "+1", "1.0", " 1", "1a", "1000000000000000000", "一"])
  func otherTextsAreHashed(text: String) {
    let key = IDKey(text)
    #expect(key.raw >> 63 == 1 && key == IDKey(text))
  }

  @Test func differentTextsDiffer() {
    var keys: Set<IDKey> = []
    for index in 0..<20_000 {
      keys.insert(IDKey("\(index)"))
      keys.insert(IDKey("O\(index)"))
      keys.insert(IDKey("user-\(index)-\(index)"))
    }
    #expect(keys.count == 60_000)
  }

  /// The same on every machine and in every run: ledgers keep these.
  @Test func hashesAreFixed() {
    func hash(_ text: String) -> UInt64 {
      var text = text
      return text.withUTF8 { hash64(UnsafeRawBufferPointer($0)) }
    }
    #expect(hash("order-1") == hash("order-1"))
    #expect(hash("order-1") != hash("order-2") && hash("") != hash("\0"))
  }

  @Test func numbersOutOfRangeTrap() async {
    await #expect(processExitsWith: .failure) { _ = IDKey(number: -1) }
    await #expect(processExitsWith: .failure) { _ = IDKey(number: 1 << 62) }
  }
}
