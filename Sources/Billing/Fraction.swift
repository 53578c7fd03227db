/// A quotient of whole numbers in lowest terms: a rate stays exact in it until it is rounded.
///
/// A sum or a product whose terms leave the range of 128 bits is the nearest one that has room,
/// which differs from it in no place that decides an amount; one that is itself too large traps, as
/// amounts do.
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
      first.numerator.multipliedFullWidth(by: second.numerator),
      over: first.denominator.multipliedFullWidth(by: second.denominator))
  }

  /// - Precondition: `right` is not zero.
  package static func / (left: Fraction, right: Fraction) -> Fraction {
    left * Fraction(right.denominator, over: right.numerator)
  }

  package static func + (left: Fraction, right: Fraction) -> Fraction {
    let divisor = greatestCommonDivisor(left.denominator, right.denominator)
    let (scale, other) = (right.denominator / divisor, left.denominator / divisor)
    let (first, overflow) = left.numerator.multipliedReportingOverflow(by: scale)
    let (second, otherOverflow) = right.numerator.multipliedReportingOverflow(by: other)
    let (sum, sumOverflow) = first.addingReportingOverflow(second)
    let (bottom, bottomOverflow) = left.denominator.multipliedReportingOverflow(by: scale)
    if overflow || otherOverflow || sumOverflow || bottomOverflow {
      return Fraction(
        left.amount(1, scale: finestSum) + right.amount(1, scale: finestSum), over: finestSum)
    }
    return Fraction(sum, over: bottom)
  }

  /// The denominator that a sum is rounded to where its own terms have no room.
  private static let finestSum = powerOfTen(18)

  /// The quotient of two terms of 256 bits. Where one has more than 127, both lose as many of their
  /// last bits as it is too long.
  private init(
    _ numerator: (high: Int128, low: UInt128), over denominator: (high: Int128, low: UInt128)
  ) {
    /// How many bits the number has without its sign.
    func bits(_ value: (high: Int128, low: UInt128)) -> Int {
      let (high, low) =
        value.high < 0 ? (~value.high, ~value.low) : (value.high, value.low)
      return high == 0 ? 128 - low.leadingZeroBitCount : 256 - high.leadingZeroBitCount
    }
    let excess = max(bits(numerator), bits(denominator)) - 127
    if excess <= 0 {
      self.init(Int128(truncatingIfNeeded: numerator.low), over: Int128(denominator.low))
      return
    }
    /// The number without its last `excess` bits, for which there is no room.
    func cut(_ value: (high: Int128, low: UInt128)) -> Int128 {
      precondition(excess < 128, "a quotient left the range of 128 bits")
      return value.high << (128 - excess) | Int128(truncatingIfNeeded: value.low >> excess)
    }
    let bottom = cut(denominator)
    precondition(bottom > 0, "a quotient left the range of 128 bits")
    self.init(cut(numerator), over: bottom)
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

  /// The largest whole number that is not above the quotient.
  package var whole: Int128 {
    let quotient = numerator / denominator
    return numerator < 0 && quotient * denominator != numerator ? quotient - 1 : quotient
  }

  /// The largest multiple of `step` that is not above the quotient; or, where `isStrict`, that is
  /// below it.
  package func roundedDown(toMultipleOf step: Int64, isStrict: Bool = false) -> Int64 {
    precondition(step > 0)
    let (whole, size) = (whole, Int128(step))
    let below = whole - (whole % size + size) % size
    let isReached = denominator == 1 && below == whole
    let result = isStrict && isReached ? below - size : below
    precondition(
      (Int128(Int64.min)...Int128(Int64.max)).contains(result), "a rate left the range of 64 bits")
    return Int64(result)
  }

  /// `factor` × the quotient × `scale`, rounded once, half away from zero, to a multiple of `unit`.
  ///
  /// - Parameters:
  ///   - factor: such as an amount in micro-units; with `scale` 1 the result is in these too.
  ///   - scale: a further factor: a number of units, or the parts of one that the result and `unit`
  ///     are then in; at least 1.
  ///   - unit: what the result is a multiple of; at least 1.
  package func amount(_ factor: Int64, scale: Int128 = 1, toMultipleOf unit: Int64 = 1) -> Int128 {
    precondition(unit > 0 && scale > 0)
    let bottom = denominator.magnitude
    let (count, overflow) = UInt128(factor.magnitude).multipliedReportingOverflow(
      by: scale.magnitude)
    precondition(!overflow, "an amount left the range of 128 bits")
    let product = count.multipliedFullWidth(by: numerator.magnitude)
    precondition(product.high < bottom, "an amount left the range of 128 bits")
    let (quotient, remainder) = bottom.dividingFullWidth(product)
    // Half a step is reached by the whole part, or by it and what is left over.
    let (step, half) = (UInt128(unit), quotient % UInt128(unit) * 2)
    let isUp = half >= step || (half + 1 == step && remainder * 2 >= bottom)
    let result = Int128(quotient - quotient % step + (isUp ? step : 0))
    return (factor < 0) == (numerator < 0) ? result : -result
  }

  /// `factor` × the quotient, rounded once, half away from zero, to a multiple of `unit`; traps
  /// where it leaves the range of 64 bits.
  ///
  /// - Parameter factor: micro-units, as `unit` and the result are.
  package func micros(of factor: Int64, toMultipleOf unit: Int64 = 1) -> Int64 {
    let result = amount(factor, toMultipleOf: unit)
    precondition(result.magnitude <= UInt128(Int64.max), "an amount left the range of 64 bits")
    return Int64(result)
  }

  /// The quotient in millionths, rounded half up.
  package var micros: Int64 { micros(toMultipleOf: 1) }

  /// The quotient in millionths, rounded half up to a multiple of so many of them.
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

/// The greatest number that divides both; 1 where both are zero.
private func greatestCommonDivisor(_ left: Int128, _ right: Int128) -> Int128 {
  var (a, b) = (left.magnitude, right.magnitude)
  while b > UInt128(UInt64.max) { (a, b) = (b, a % b) }
  // Most terms are short: those of 64 bits are divided much faster.
  if b > 0 {
    var (c, d) = (UInt64(b), UInt64(a % b))
    while d != 0 { (c, d) = (d, c % d) }
    a = UInt128(c)
  }
  return a == 0 ? 1 : Int128(a)
}
