package import Billing

/// What one unit at a price should bring, and where the rest should go. Micro-units of `currency`.
///
/// price = tax + commission + proceeds, exactly.
package struct PriceExpectation: Hashable, Sendable {
  package let storefront: Storefront
  package let currency: Currency
  package let day: Day
  package let price: Int64
  /// The price without what is taken off before the commission, rounded half up to the minor unit.
  package let net: Int64
  /// Rounded half up, once, to the minor unit.
  package let proceeds: Int64
  package internal(set) var basis: PriceBasis

  /// Tax inside the price and further deductions.
  package var tax: Int64 { price - net }
  /// Apple's commission.
  package var commission: Int64 { net - proceeds }
  /// 1 − proceeds ÷ price, rounded to millionths; nil at price zero.
  package var deduction: Int64? { Self.deduction(price: price, proceeds: proceeds) }

  /// 1 − proceeds ÷ price, rounded half up to millionths; nil at price zero.
  package static func deduction(price: Int64, proceeds: Int64) -> Int64? {
    guard price > 0 else { return nil }
    return roundedHalfUp(
      (Int128(price) - Int128(proceeds)) * 1_000_000, dividedBy: Int128(price), toMultipleOf: 1)
  }

  /// Deductions that are near the expected one, in millionths: 1.5 percentage points on either side
  /// of it in whole per cent, and none below the commission. In mainland China that is 30 to 33%
  /// at a commission of 30%, and 25 to 28% at 25%.
  package var deductionsNearby: ClosedRange<Int64> {
    Self.deductions(near: deduction ?? 0, commission: basis.commission)
  }

  /// Deductions that are near any one, by the rule of ``deductionsNearby``; all in millionths.
  package static func deductions(near deduction: Int64, commission: Int64) -> ClosedRange<Int64> {
    let (nearness, percent): (Int64, Int64) = (15_000, 10_000)
    let upper = (max(deduction, commission) + nearness + percent - 1) / percent * percent
    let lower = max(0, deduction - nearness) / percent * percent
    return max(commission, lower)...upper
  }
}
