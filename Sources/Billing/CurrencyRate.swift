/// A rate as it was given, digit for digit.
package struct DecimalRate: Hashable, Sendable {
  /// In units of the last place.
  package var digits: Int64
  /// Decimal places: six, or as many more as the rate needs.
  package var places: UInt8

  /// The places that a rate may have. Of two rates even the quotient then fits a ``Fraction``.
  package static let mostPlaces = 24

  /// The rate of so many millionths, with six places.
  package init(micros: Int64) { (digits, places) = (micros, 6) }

  /// Reads plain decimal text, also with an exponent, as programs write small numbers: `3.57e-05`.
  /// Nil for anything else, and where it has more than 18 digits or ``mostPlaces`` places; zeros at
  /// the end are none of these.
  package init?(decimal bytes: UnsafeRawBufferPointer) {
    var (digits, places, zeros, index) = (Int64(0), 0, 0, 0)
    let isNegative = bytes.first == 0x2D
    var (hasPoint, hasDigits) = (false, false)
    if isNegative { index = 1 }
    while index < bytes.count {
      if bytes[index] == 0x2E, !hasPoint {
        hasPoint = true
      } else if bytes[index] &- 0x30 < 10 {
        hasDigits = true
        if hasPoint { places += 1 }
        // Zeros wait until a digit follows them.
        if bytes[index] == 0x30 {
          zeros += 1
        } else {
          guard let shifted = Self.shifted(digits, by: zeros + 1),
            case let (sum, overflow) = shifted.addingReportingOverflow(Int64(bytes[index] & 0x0F)),
            !overflow
          else { return nil }
          (digits, zeros) = (sum, 0)
        }
      } else {
        break
      }
      index += 1
    }
    guard hasDigits else { return nil }
    if index < bytes.count {
      guard let exponent = Self.exponent(UnsafeRawBufferPointer(rebasing: bytes[index...]))
      else { return nil }
      places -= exponent
    }
    self.init(digits: isNegative ? -digits : digits, places: digits == 0 ? 6 : places - zeros)
  }

  /// Reads plain decimal text, by the rules for its bytes.
  package init?(decimal text: String) {
    var text = text
    guard let rate = text.withUTF8({ Self(decimal: UnsafeRawBufferPointer($0)) }) else {
      return nil
    }
    self = rate
  }

  /// The rate `digits` ÷ 10^`places`, with six places at least; nil where it needs more than
  /// ``mostPlaces``, or its digits leave 64 bits.
  ///
  /// - Parameter places: of `digits`; below zero where zeros follow.
  private init?(digits: Int64, places: Int) {
    guard places <= Self.mostPlaces, let shifted = Self.shifted(digits, by: max(0, 6 - places))
    else { return nil }
    self.digits = shifted
    self.places = UInt8(max(6, places))
  }

  /// `digits` with so many zeros appended; nil where 64 bits have no room for them.
  private static func shifted(_ digits: Int64, by zeros: Int) -> Int64? {
    var value = digits
    for _ in 0..<zeros where value != 0 {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      value = product
    }
    return value
  }

  /// The number that an exponent such as `e-05` states, here -5; nil where the bytes are no
  /// exponent.
  private static func exponent(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count > 1, bytes[0] | 0x20 == 0x65 else { return nil }
    let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
    return text.utf8.count <= 4 ? Int(text) : nil
  }

  /// The rate as decimal text, without zeros at its end, but with at least so many places.
  package func text(minimumPlaces: Int = 0) -> String {
    var (rest, left) = (digits.magnitude, Int(places))
    while left > minimumPlaces, rest % 10 == 0 { (rest, left) = (rest / 10, left - 1) }
    let all = String(rest)
    let padded = String(repeating: "0", count: max(0, left + 1 - all.utf8.count)) + all
    let sign = digits < 0 ? "-" : ""
    return left == 0 ? sign + padded : "\(sign)\(padded.dropLast(left)).\(padded.suffix(left))"
  }

  /// The rate as an exact quotient.
  package var value: Fraction { Fraction(Int128(digits), over: powerOfTen(Int(places))) }
}

/// Ten to the power of `exponent`.
///
/// - Precondition: not more than 38.
package func powerOfTen(_ exponent: Int) -> Int128 {
  (0..<exponent).reduce(1) { power, _ in power * 10 }
}

/// What one unit of a currency is worth in another: a quote, its inverse, or one quote divided by
/// another, and never rounded.
package struct CurrencyRate: Hashable, Sendable {
  package let value: Fraction
  private let dividend: DecimalRate?
  private let divisor: DecimalRate?

  /// The rate of a currency in itself.
  package static let one = CurrencyRate(nil, over: nil)

  /// The rate `dividend` ÷ `divisor`, both kept as they were quoted.
  ///
  /// - Parameters:
  ///   - dividend: a quote; nil is one.
  ///   - divisor: above zero; nil is one.
  package init(_ dividend: DecimalRate?, over divisor: DecimalRate? = nil) {
    self.dividend = dividend
    self.divisor = divisor
    value = (dividend?.value ?? .one) / (divisor?.value ?? .one)
  }

  /// The quotes as they were given, as a formula without its equals sign: `5.9/7.8536`.
  package var quotes: String {
    let first = dividend?.text() ?? "1"
    return divisor.map { "\(first)/\($0.text())" } ?? first
  }

  /// Whether the rate itself was quoted: it is no inverse, and no quotient of two quotes.
  package var isQuoted: Bool { divisor == nil }

  /// The rate as decimal text, exactly or to ten digits, as ``Fraction/rateText`` has it.
  package var text: String { value.rateText }
}

extension Fraction {
  /// The quotient as decimal text: exactly where it ends within ``DecimalRate/mostPlaces`` places;
  /// else rounded half up to ten digits that count, or six places where these are more.
  package var rateText: String {
    let places = ratePlaces
    let rounded = amount(1, scale: powerOfTen(places))
    let all = String(rounded.magnitude)
    let digits = String(repeating: "0", count: max(0, places + 1 - all.utf8.count)) + all
    let sign = rounded < 0 ? "-" : ""
    if places == 0 { return sign + digits }
    var tail = digits.suffix(places)
    while tail.last == "0" { tail.removeLast() }
    return "\(sign)\(digits.dropLast(places))" + (tail.isEmpty ? "" : ".\(tail)")
  }

  /// The quotient rounded half up to six places; unrounded where it is below a tenth, so that six
  /// places would hold fewer than six digits. For quotients of rounded amounts, whose further
  /// places say nothing.
  package var roundedRate: Fraction {
    magnitude < Fraction(1, over: 10) ? self : Fraction(micros: micros)
  }

  private var magnitude: Fraction { numerator < 0 ? -self : self }

  /// How many decimal places ``rateText`` has, zeros at its end among them.
  package var ratePlaces: Int {
    if let places = placesWithoutRest, places <= DecimalRate.mostPlaces { return places }
    var (places, shifted) = (9, numerator.magnitude)
    while shifted >= denominator.magnitude * 10, places > 6 {
      (places, shifted) = (places - 1, shifted / 10)
    }
    while shifted > 0, shifted < denominator.magnitude, places < DecimalRate.mostPlaces {
      (places, shifted) = (places + 1, shifted * 10)
    }
    return places
  }

  /// How many decimal places state the quotient exactly; nil where no number of them does.
  private var placesWithoutRest: Int? {
    var rest = denominator
    /// How often `rest` can be divided by `factor` without remainder; what is then left of it stays
    /// in `rest`.
    func timesDivisible(by factor: Int128) -> Int {
      var count = 0
      while rest % factor == 0 { (rest, count) = (rest / factor, count + 1) }
      return count
    }
    let places = max(timesDivisible(by: 2), timesDivisible(by: 5))
    return rest == 1 ? places : nil
  }
}
