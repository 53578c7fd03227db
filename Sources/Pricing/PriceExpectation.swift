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
  package let basis: PriceBasis

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
}
