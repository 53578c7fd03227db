package import Billing

/// How the coins of a pack are rounded: always down.
package enum PackRounding: Hashable, Sendable {
  /// To figures that people compare: 60, 300, 680, 3,280.
  case figures
  case multiples(Int64)

  /// The largest figure that is not above the exact number of coins, and not below zero.
  ///
  /// - Parameter isStrict: whether it must be below the exact number, so that something is left.
  package func down(_ exact: Fraction, isStrict: Bool = false) -> Int64 {
    max(0, exact.roundedDown(toMultipleOf: step(below: exact), isStrict: isStrict))
  }

  /// The distance between figures at a number of coins: below 20 every number is one, below 100
  /// multiples of 5, below 10,000 multiples of 10; then three digits count.
  private func step(below exact: Fraction) -> Int64 {
    if case .multiples(let step) = self { return step }
    let whole = exact.whole
    if whole < 20 { return 1 }
    if whole < 100 { return 5 }
    var step: Int64 = 10
    while whole >= Int128(step) * 1_000 { step *= 10 }
    return step
  }
}
