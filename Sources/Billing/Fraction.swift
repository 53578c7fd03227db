/// A quotient of whole numbers in lowest terms: a rate stays exact in it until it is rounded.
///
/// A product that leaves the range of 128 bits traps, as amounts do.
package struct Fraction: Hashable, Sendable, Comparable {
  package let numerator: Int128
  /// Above zero.
  package let denominator: Int128

  /// - Precondition: `denominator` is not zero.
  package init(_ numerator: Int128, over denominator: Int128 = 1) {
    precondition(denominator != 0, "a quotient by zero")
    let divisor = greatestCommonDivisor(numerator, denominator)
    let sign: Int128 = denominator < 0 ? -1 : 1
    self.numerator = sign * numerator / divisor
    self.denominator = sign * denominator / divisor
  }

  /// An amount or a rate in millionths.
  package init(micros: Int64) { self.init(Int128(micros), over: 1_000_000) }

  package static let zero = Fraction(0)
  package static let one = Fraction(1)

  package static func * (left: Fraction, right: Fraction) -> Fraction {
    // What cancels is taken out first, so that the products stay small.
    let first = Fraction(left.numerator, over: right.denominator)
    let second = Fraction(right.numerator, over: left.denominator)
    return Fraction(
      first.numerator * second.numerator, over: first.denominator * second.denominator)
  }

  /// - Precondition: `right` is not zero.
  package static func / (left: Fraction, right: Fraction) -> Fraction {
    left * Fraction(right.denominator, over: right.numerator)
  }

  package static func + (left: Fraction, right: Fraction) -> Fraction {
    let divisor = greatestCommonDivisor(left.denominator, right.denominator)
    let (scale, other) = (right.denominator / divisor, left.denominator / divisor)
    return Fraction(
      left.numerator * scale + right.numerator * other, over: left.denominator * scale)
  }

  package static func - (left: Fraction, right: Fraction) -> Fraction { left + -right }
  package static prefix func - (value: Fraction) -> Fraction {
    Fraction(-value.numerator, over: value.denominator)
  }

  /// Compares whole parts, then what is left turned over: no product that could overflow.
  package static func < (left: Fraction, right: Fraction) -> Bool {
    var (left, right) = (left, right)
    while true {
      let (a, b) = (left.whole, right.whole)
      if a != b { return a < b }
      let (restOfLeft, restOfRight) = (
        left.numerator - a * left.denominator, right.numerator - b * right.denominator
      )
      if restOfRight == 0 { return false }
      if restOfLeft == 0 { return true }
      (left, right) = (
        Fraction(right.denominator, over: restOfRight), Fraction(left.denominator, over: restOfLeft)
      )
    }
  }

  /// The largest whole number that is not above.
  package var whole: Int128 {
    let quotient = numerator / denominator
    return numerator < 0 && quotient * denominator != numerator ? quotient - 1 : quotient
  }

  /// The largest multiple of `step` that is not above; or, where `isStrict`, that is below.
  package func roundedDown(toMultipleOf step: Int64, isStrict: Bool = false) -> Int64 {
    precondition(step > 0)
    let steps = Fraction(numerator, over: denominator * Int128(step))
    let count = isStrict && steps.denominator == 1 ? steps.whole - 1 : steps.whole
    let result = count * Int128(step)
    precondition(
      (Int128(Int64.min)...Int128(Int64.max)).contains(result), "a rate left the range of 64 bits")
    return Int64(result)
  }

  /// Rounded half up to millionths.
  package var micros: Int64 { micros(toMultipleOf: 1) }

  /// Rounded half up to a multiple of so many millionths.
  ///
  /// - Parameter step: a part of a million.
  package func micros(toMultipleOf step: Int64) -> Int64 {
    precondition(1_000_000 % step == 0)
    let magnitude = numerator < 0 ? -numerator : numerator
    let whole = magnitude / denominator
    // Beyond thirty places nothing decides a millionth any more.
    let excess = denominator / Self.finest + 1
    let rest = roundedHalfUp(
      (magnitude - whole * denominator) / excess * 1_000_000, dividedBy: denominator / excess,
      toMultipleOf: step)
    let result = whole * 1_000_000 + Int128(rest)
    precondition(result <= Int128(Int64.max), "a figure left the range of 64 bits")
    return numerator < 0 ? -Int64(result) : Int64(result)
  }

  /// The largest denominator that a million times still fits.
  private static let finest: Int128 = 1_000_000_000_000_000_000_000_000_000_000
}

private func greatestCommonDivisor(_ left: Int128, _ right: Int128) -> Int128 {
  var (a, b) = (left < 0 ? -left : left, right < 0 ? -right : right)
  while b != 0 { (a, b) = (b, a % b) }
  return a == 0 ? 1 : a
}
