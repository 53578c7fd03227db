import Billing

/// The shares of a price that round to the proceeds of a row, in millionths of a millionth, both
/// ends included: proceeds are rounded to the minor unit, so that a low price says little and a
/// high one much. Ends are rounded outwards, so that no rate that explains the row is left out.
struct RateSpan: Hashable, Sendable {
  static let one: Int64 = 1_000_000_000_000

  var lower: Int64
  var upper: Int64

  init(_ lower: Int64, _ upper: Int64) {
    precondition(lower <= upper)
    self.lower = lower
    self.upper = upper
  }

  /// The shares of a price that round to the proceeds.
  ///
  /// - Parameters:
  ///   - price: above zero; micro-units, as `proceeds` and `unit` are.
  ///   - unit: what proceeds are rounded to.
  ///   - mayHaveOneMore: the US list, where a price may count one minor unit more than it is, and
  ///     proceeds have been seen rounded both ways.
  init(price: Int64, proceeds: Int64, unit: Int64, mayHaveOneMore: Bool) {
    let (more, half): (Int64, Int64) = mayHaveOneMore ? (unit, 3) : (0, 1)
    lower = floored(
      (2 * Int128(proceeds) - Int128(half * unit)) * Int128(Self.one),
      by: 2 * (Int128(price) + Int128(more)))
    upper = ceiled(
      (2 * Int128(proceeds) + Int128(half * unit)) * Int128(Self.one), by: 2 * Int128(price))
  }

  /// The span that both this and `other` lie in.
  func widened(to other: RateSpan) -> RateSpan {
    RateSpan(min(lower, other.lower), max(upper, other.upper))
  }

  /// Whether any share is in both spans.
  func meets(_ other: RateSpan) -> Bool { lower <= other.upper && other.lower <= upper }
}

/// The share of a price that a rule leaves: price × (1 − w) ÷ (1 + v) × (1 − c).
struct RuleRate: Hashable, Sendable {
  /// Millionths: the tax inside the price, a further deduction, the commission.
  var inside: Int64
  var deducted: Int64
  var commission: Int64

  /// The share as a fraction.
  private var numerator: Int128 { Int128(1_000_000 - deducted) * Int128(1_000_000 - commission) }
  private var denominator: Int128 { Int128(1_000_000 + inside) * 1_000_000 }

  /// Whether it leaves anything, without which no rate can be told from another.
  var leavesSomething: Bool { numerator > 0 }

  /// The share itself.
  var span: RateSpan {
    let scaled = numerator * Int128(RateSpan.one)
    return RateSpan(floored(scaled, by: denominator), ceiled(scaled, by: denominator))
  }

  /// Shares of a price, given as multiples of the share that this rule leaves; all in millionths of
  /// a millionth.
  func multiples(_ span: RateSpan) -> RateSpan {
    RateSpan(
      floored(Int128(span.lower) * denominator, by: numerator),
      ceiled(Int128(span.upper) * denominator, by: numerator))
  }

  /// Turns multiples of the share that this rule leaves back into shares of a price; all in
  /// millionths of a millionth.
  func shares(_ multiples: RateSpan) -> RateSpan {
    RateSpan(
      floored(Int128(multiples.lower) * numerator, by: denominator),
      ceiled(Int128(multiples.upper) * numerator, by: denominator))
  }

  /// The taxes inside the price that leave one of `shares`, at this deduction and commission, in
  /// millionths of a millionth; below zero where no tax does.
  func taxes(leaving shares: RateSpan) -> RateSpan {
    let one = Int128(RateSpan.one)
    /// The tax inside the price that leaves this share of it; both in millionths of a millionth.
    func tax(_ share: Int64) -> Int128 { numerator * one / Int128(max(1, share)) - one }
    return RateSpan(bounded(tax(shares.upper)), bounded(tax(shares.lower) + 1))
  }

  /// Everything taken off before the commission, as one factor in millionths:
  /// price = net × (1 + tax).
  var wholeTax: Int64 { wholeTax(inside: inside) }

  /// Everything taken off before the commission, as one factor in millionths, with another tax
  /// inside the price, which is in millionths too.
  func wholeTax(inside: Int64) -> Int64 {
    roundedHalfUp(
      Int128(1_000_000 + inside) * 1_000_000, dividedBy: Int128(1_000_000 - deducted),
      toMultipleOf: 1) - 1_000_000
  }

  /// What one unit brings at a price, rounded to a multiple of `unit`.
  func proceeds(of price: Int64, unit: Int64) -> Int64 {
    roundedHalfUp(Int128(price) * numerator, dividedBy: denominator, toMultipleOf: unit)
  }

  /// 1 − the share, millionths.
  var deduction: Int64 {
    1_000_000 - roundedHalfUp(numerator * 1_000_000, dividedBy: denominator, toMultipleOf: 1)
  }
}

extension RateSpan {
  /// The figure with the fewest decimal places of a percentage in the span, in millionths; of
  /// several the one nearest to the middle.
  var simplest: Int64 {
    let middle = (Int128(lower) + Int128(upper)) / 2
    // From whole per cent to a millionth.
    var step: Int128 = 10_000_000_000
    while step >= 1_000_000 {
      let nearest = Int128(floored(middle + step / 2, by: step)) * step
      if Int128(lower) <= nearest, nearest <= Int128(upper) { return Int64(nearest / 1_000_000) }
      step /= 10
    }
    return floored(middle, by: 1_000_000)
  }
}

/// The quotient, rounded down.
private func floored(_ value: Int128, by divisor: Int128) -> Int64 {
  let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
  return bounded(rest < 0 ? quotient - 1 : quotient)
}

/// The quotient, rounded up.
private func ceiled(_ value: Int128, by divisor: Int128) -> Int64 {
  let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
  return bounded(rest > 0 ? quotient + 1 : quotient)
}

/// A share, cut off at a million times the price, either way: beyond that shares differ in nothing,
/// and below it one more than a share still fits into its 64 bits.
private func bounded(_ value: Int128) -> Int64 {
  let most = Int128(RateSpan.one) * 1_000_000
  return Int64(min(max(value, -most), most))
}
