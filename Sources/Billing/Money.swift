/// An ISO 4217 code, packed into 16 bits so that rows stay small.
package struct Currency: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Base-26 packing of the three letters, plus one; zero is never a currency.
  package let packed: UInt16

  /// The currency with this three-letter upper-case code, or nil when `code` is not one.
  package init?(_ code: some StringProtocol) {
    guard let packed = packLetters(code.utf8, count: 3) else { return nil }
    self.packed = packed
  }

  /// The currency that `packed` came from, or nil for zero.
  package init?(packed: UInt16) {
    guard packed != 0, packed <= 17_576 else { return nil }
    self.packed = packed
  }

  package var code: String { unpackLetters(packed, count: 3) }
  package var description: String { code }

  /// Decimal places that Apple's reports and tables use for this currency
  /// (observed in Apple's price tables, 2011–2023: none for the seven listed, two for all others).
  package var minorDigits: Int {
    Self.withoutMinorUnit.contains(packed) ? 0 : 2
  }

  /// Decimal places of the smallest unit by ISO 4217 (list one, 2024), which payment services count
  /// in: Stripe's zero-decimal currencies are these without a place, save ISK and UGX, which it
  /// takes with two (docs.stripe.com/currencies, read 2026-11).
  package var isoDigits: Int {
    Self.wholeUnits.contains(packed) ? 0 : Self.ofThousandths.contains(packed) ? 3 : 2
  }

  private static let wholeUnits = packedSet(
    "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF")

  /// One minor unit, in micro-units.
  package var minorUnit: Int64 { minorDigits == 0 ? 1_000_000 : 10_000 }

  /// Whether ISO 4217 has, or since 2008 had, a currency with this code.
  package var exists: Bool { Self.assigned.contains(packed) }

  /// The smallest amount that anybody can mean, in micro-units: ISO 4217 gives some currencies
  /// three decimal places, which Apple does not use.
  package var smallestAmount: Int64 { Self.ofThousandths.contains(packed) ? 1_000 : minorUnit }

  private static let ofThousandths = packedSet("BHD IQD JOD KWD LYD OMR TND")

  private static let assigned = packedSet(
    """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP \
    BYN BYR BZD CAD CDF CHF CLF CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD EEK EGP ERN ETB \
    EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD \
    JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LTL LVL LYD MAD MDL MGA MKD \
    MMK MNT MOP MRO MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR \
    PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SKK SLE SLL SOS SRD SSP STD STN SVC \
    SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VEF VES VND VUV WST XAF \
    XCD XCG XOF XPF YER ZAR ZMK ZMW ZWG ZWL
    """)

  /// The packed currencies of codes that have blanks between them.
  private static func packedSet(_ codes: String) -> Set<UInt16> {
    Set(codes.split(separator: " ").compactMap { Currency($0)?.packed })
  }

  private static let withoutMinorUnit: Set<UInt16> = Set(
    ["JPY", "KRW", "TWD", "IDR", "HUF", "CLP", "VND"].compactMap { Currency($0)?.packed })

  package static func < (left: Currency, right: Currency) -> Bool { left.packed < right.packed }
}

/// `count` upper-case letters as a base-26 number plus one; nil for any other bytes.
func packLetters(_ letters: some Sequence<UInt8>, count: Int) -> UInt16? {
  var value = 0
  var seen = 0
  for letter in letters {
    guard letter >= 0x41, letter <= 0x5A, seen < count else { return nil }
    value = value * 26 + Int(letter - 0x41)
    seen += 1
  }
  return seen == count ? UInt16(value + 1) : nil
}

/// The `count` letters that ``packLetters(_:count:)`` made the number of.
func unpackLetters(_ packed: UInt16, count: Int) -> String {
  precondition(packed > 0, "no code is packed as zero")
  var rest = Int(packed) - 1
  return String(unsafeUninitializedCapacity: count) { letters in
    for place in (0..<count).reversed() {
      letters[place] = UInt8(0x41 + rest % 26)
      rest /= 26
    }
    return count
  }
}

/// An amount of one currency, exact to a millionth of its unit.
///
/// Adding two currencies, and leaving the range of 64 bits, traps: both are errors of the program.
package struct Money: Hashable, Sendable {
  /// Millionths of the currency's unit.
  package var micros: Int64
  package let currency: Currency

  package init(micros: Int64, _ currency: Currency) {
    self.micros = micros
    self.currency = currency
  }

  package static func zero(_ currency: Currency) -> Money { Money(micros: 0, currency) }

  package static func + (left: Money, right: Money) -> Money {
    precondition(left.currency == right.currency, "two currencies are never added")
    return Money(micros: left.micros + right.micros, left.currency)
  }

  package static func - (left: Money, right: Money) -> Money { left + (-right) }
  package static prefix func - (value: Money) -> Money {
    Money(micros: -value.micros, value.currency)
  }
  package static func += (left: inout Money, right: Money) { left = left + right }
  package static func -= (left: inout Money, right: Money) { left = left - right }

  package var isZero: Bool { micros == 0 }
  /// Without its sign.
  package var magnitude: Money { micros < 0 ? -self : self }

  package static func * (value: Money, units: Int64) -> Money {
    Money(micros: value.micros.multipliedExactly(by: units), value.currency)
  }

  /// The amount in another currency, rounded once, half up, to its minor unit.
  ///
  /// - Parameter rate: units of `currency` for one of this amount's currency.
  package func converted(at rate: Fraction, to currency: Currency) -> Money {
    Money(micros: rate.micros(of: micros, toMultipleOf: currency.minorUnit), currency)
  }

  /// The amount in another currency, rounded once, half up, to its minor unit.
  ///
  /// - Parameter rate: what one unit of this amount's currency is worth in `currency`.
  package func converted(at rate: CurrencyRate, to currency: Currency) -> Money {
    converted(at: rate.value, to: currency)
  }

  /// The amount as decimal text at the currency's minor digits, or at as many more as it needs.
  package var text: String { decimalText(micros: micros, minimumDigits: currency.minorDigits) }
}

extension Int64 {
  /// The product, trapping when it does not fit.
  package func multipliedExactly(by other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    precondition(!overflow, "an amount left the range of 64 bits")
    return product
  }
}

extension Sequence {
  /// The sum of what `amount` takes from each, which is all in `currency`.
  package func sum(in currency: Currency, _ amount: (Element) -> Money) -> Money {
    reduce(.zero(currency)) { $0 + amount($1) }
  }
}

/// `numerator ÷ denominator` rounded half away from zero to a multiple of `unit`: the one place
/// where money is rounded.
///
/// - Parameter unit: what the result is a multiple of, in the numerator's units; at least 1.
package func roundedHalfUp(
  _ numerator: Int128, dividedBy denominator: Int128, toMultipleOf unit: Int64
)
  -> Int64
{
  precondition(denominator > 0 && unit > 0)
  let scaled = denominator * Int128(unit)
  let magnitude = numerator < 0 ? -numerator : numerator
  let quotient = (2 * magnitude + scaled) / (2 * scaled)
  let result = quotient * Int128(unit)
  precondition(result <= Int128(Int64.max), "an amount left the range of 64 bits")
  return numerator < 0 ? -Int64(result) : Int64(result)
}

/// Micro-units as decimal text with at least `minimumDigits` places and no further trailing zeros.
package func decimalText(micros: Int64, minimumDigits: Int = 0) -> String {
  var fraction = micros.magnitude % 1_000_000
  var places = 6
  while places > minimumDigits, fraction % 10 == 0 {
    fraction /= 10
    places -= 1
  }
  let sign = micros < 0 ? "-" : ""
  let whole = micros.magnitude / 1_000_000
  guard places > 0 else { return "\(sign)\(whole)" }
  let digits = String(unsafeUninitializedCapacity: places) { digits in
    for place in (0..<places).reversed() {
      digits[place] = UInt8(0x30 + fraction % 10)
      fraction /= 10
    }
    return places
  }
  return "\(sign)\(whole).\(digits)"
}

/// Micro-units from plain decimal text: an optional minus, digits, an optional point and digits.
/// Digits past the sixth place must be zeros. Nil for anything else, a decimal comma included.
package func micros(decimal bytes: UnsafeRawBufferPointer) -> Int64? {
  var index = 0
  let count = bytes.count
  guard count > 0 else { return nil }
  let negative = bytes[0] == 0x2D
  if negative { index = 1 }
  var value: Int64 = 0
  var digits = 0
  while index < count, bytes[index] &- 0x30 < 10 {
    let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
    let (sum, carry) = shifted.addingReportingOverflow(Int64(bytes[index] &- 0x30))
    if overflow || carry { return nil }
    value = sum
    digits += 1
    index += 1
  }
  var places = 0
  if index < count, bytes[index] == 0x2E {
    index += 1
    while index < count, bytes[index] &- 0x30 < 10 {
      let digit = Int64(bytes[index] &- 0x30)
      digits += 1
      index += 1
      if places == 6 {
        if digit != 0 { return nil }
        continue
      }
      let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = shifted.addingReportingOverflow(digit)
      if overflow || carry { return nil }
      value = sum
      places += 1
    }
  }
  guard index == count, digits > 0 else { return nil }
  while places < 6 {
    let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
    if overflow { return nil }
    value = shifted
    places += 1
  }
  return negative ? -value : value
}

/// Micro-units from plain decimal text; see ``micros(decimal:)-(UnsafeRawBufferPointer)``.
package func micros(decimal text: String) -> Int64? {
  var text = text
  return text.withUTF8 { micros(decimal: UnsafeRawBufferPointer($0)) }
}
