import Billing
import Conclusions
import Matching
import Support
import Testing

/// Goal: money is converted exactly, and rounded once. Method: all pairs of the currencies that the
/// European Central Bank quotes, quoted, turned over and crossed, held against natural numbers of
/// any size. The rates have the bank's shape and are made up.
@Suite struct RateBookTests {
  private static let day = Day("2023-06-30")!
  private static let euro = Currency("EUR")!
  private static let quotes = [
    "USD": "1.0866", "JPY": "157.16", "BGN": "1.9558", "CZK": "23.742", "DKK": "7.4474",
    "GBP": "0.85828", "HUF": "371.93", "PLN": "4.4388", "RON": "4.9628", "SEK": "11.8055",
    "CHF": "0.9788", "ISK": "148.7", "NOK": "11.704", "TRY": "28.3193", "AUD": "1.6398",
    "BRL": "5.2788", "CAD": "1.4415", "CNY": "7.8983", "HKD": "8.5157", "IDR": "16384.54",
    "ILS": "4.0486", "INR": "89.2065", "KRW": "1435.88", "MXN": "18.5614", "MYR": "5.0717",
    "NZD": "1.7858", "PHP": "60.082", "SGD": "1.4732", "THB": "38.482", "ZAR": "20.5785",
    "VND": "25618.2",
  ]

  private static let book = RateBook(
    quotes.map {
      ExchangeRate(
        date: day, base: euro, quote: Currency($0.key)!, rate: DecimalRate(decimal: $0.value)!)
    })

  @Test(arguments: [1_000_000_000_000, 999_999_999_999, 1_008_807_200, 15] as [Int64])
  func everyPairIsExactToTheMinorUnit(units: Int64) throws {
    var pairs = 0
    let codes = Self.quotes.keys.sorted() + ["EUR"]
    for (from, to) in codes.flatMap({ from in codes.map { (from, $0) } }) where from != to {
      let (source, target) = (Currency(from)!, Currency(to)!)
      let rate = try #require(Self.book.rate(from: source, to: target, on: Self.day))
      let money = Money(micros: units * source.minorUnit, source)
      let found = rate.value.amount(money.micros, toMultipleOf: target.minorUnit)
      let exact = Self.converted(units, from, to)
      #expect(found == exact * Int128(target.minorUnit), "\(units) \(from) in \(to)")
      if found <= Int128(Int64.max) {
        #expect(Int128(money.converted(at: rate, to: target).micros) == found)
      }
      pairs += 1
    }
    #expect(pairs == 32 * 31)
  }

  /// Minor units by the quotes' own digits, rounded half up: the largest number whose double less
  /// one is not above twice the quotient.
  private static func converted(_ units: Int64, _ from: String, _ to: String) -> Int128 {
    func digits(_ code: String) -> (number: Natural, places: Int) {
      let text = quotes[code] ?? "1"
      let point = text.firstIndex(of: ".").map { text[$0...].count - 1 } ?? 0
      return (Natural(UInt64(text.filter { $0 != "." })!), point)
    }
    let (top, bottom) = (digits(to), digits(from))
    let places =
      bottom.places - top.places + Currency(to)!.minorDigits - Currency(from)!.minorDigits
    let above = Natural(UInt64(units)) * top.number * Natural(power: max(0, places))
    let below = bottom.number * Natural(power: max(0, -places))
    // Bit by bit, from above.
    var quotient: Int128 = 0
    for bit in (0..<100).reversed() {
      let next = quotient | (Int128(1) << Int128(bit))
      if !(above * Natural(2) < Natural(wide: 2 * next - 1) * below) { quotient = next }
    }
    return quotient
  }

  @Test func amountsThatWereWrongAreRight() {
    let rupiah = Money(micros: 1_008_807_200_000_000, Currency("IDR")!)
    let rate = Self.book.rate(from: rupiah.currency, to: Self.euro, on: Self.day)!
    #expect(rupiah.converted(at: rate, to: Self.euro).text == "61570.68")
    #expect(rate.quotes == "1/16384.54" && rate.text == "0.00006103314466")
    let crossed = Self.book.rate(from: Currency("VND")!, to: Currency("CNY")!, on: Self.day)!
    #expect(crossed.quotes == "7.8983/25618.2")
    let own = Self.book.rate(from: Self.euro, to: Self.euro, on: Self.day)!
    #expect(own == .one && own.quotes == "1")
  }

  /// A mean of quotes is exact, also where it ends in the middle of two amounts.
  @Test func theMeanOfQuotesIsExact() throws {
    let yuan = Currency("CNY")!
    func mean(_ rates: [(String, String)], inverse: Bool = false) throws -> Fraction {
      let book = RateBook(
        rates.map {
          ExchangeRate(
            date: Day($0.0)!, base: inverse ? yuan : Self.euro, quote: inverse ? Self.euro : yuan,
            rate: DecimalRate(decimal: $0.1)!)
        })
      return try #require(
        MonthRates(book, base: yuan, period: Period("2023-06")!).average(Self.euro))
    }
    let half = try mean([("2023-06-01", "7.00000001"), ("2023-06-16", "7.00000003")])
    #expect(half == DecimalRate(decimal: "7.00000002")?.value)
    let inverse = try mean([("2023-06-01", "0.13"), ("2023-06-16", "0.14")], inverse: true)
    #expect(inverse.amount(1, scale: 1_000_000_000_000_000) == 7_417_582_417_582_418)
  }
}

/// A natural number of any size.
private struct Natural {
  /// The lowest first.
  private var limbs: [UInt32]

  init(_ value: UInt64) {
    limbs = [UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32)]
  }

  init(wide value: Int128) {
    limbs = (0..<4).map { UInt32(truncatingIfNeeded: value >> Int128(32 * $0)) }
  }

  init(power: Int) { self = (0..<power).reduce(Natural(1)) { value, _ in value * Natural(10) } }

  static func * (left: Natural, right: Natural) -> Natural {
    var product = Natural(0)
    product.limbs = [UInt32](repeating: 0, count: left.limbs.count + right.limbs.count)
    for (place, limb) in left.limbs.enumerated() {
      var carry: UInt64 = 0
      for (other, factor) in right.limbs.enumerated() {
        carry += UInt64(limb) * UInt64(factor) + UInt64(product.limbs[place + other])
        product.limbs[place + other] = UInt32(truncatingIfNeeded: carry)
        carry >>= 32
      }
      product.limbs[place + right.limbs.count] = UInt32(carry)
    }
    return product
  }

  static func < (left: Natural, right: Natural) -> Bool {
    for place in (0..<max(left.limbs.count, right.limbs.count)).reversed() {
      let own = place < left.limbs.count ? left.limbs[place] : 0
      let other = place < right.limbs.count ? right.limbs[place] : 0
      if own != other { return own < other }
    }
    return false
  }
}
