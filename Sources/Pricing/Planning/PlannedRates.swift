import Billing

/// Turns what is left of a price into coins per unit of money.
struct PlannedRates {
  let channel: ChannelTerms
  let target: PlanTarget
  let rounding: PlanRounding

  /// The rate that the target asks for, before and after rounding: coins for `scale` of the
  /// channel's money.
  ///
  /// - Parameters:
  ///   - share: the part of the price that is left.
  ///   - scale: units of the channel's money that the rate is for.
  func rate(share: Fraction, scale: Fraction) -> RatePlan.PlannedRate {
    let most = target.largestShare
    let isStrict = target != .equalNet && most <= share
    return rounded(
      channel.coinsPerNet * min(share, most) * scale, scale: scale, isStrict: isStrict)
  }

  /// Rounds a rate down to a multiple of the step, but not below the floor.
  ///
  /// - Parameters:
  ///   - exact: coins for `scale` units of the channel's money.
  ///   - scale: units of the channel's money that the rate, and so the floor, is for.
  ///   - isStrict: whether the result must be below the exact rate, so that something is left.
  private func rounded(_ exact: Fraction, scale: Fraction, isStrict: Bool) -> RatePlan.PlannedRate {
    let down = max(0, exact.roundedDown(toMultipleOf: rounding.step, isStrict: isStrict))
    let floor = rounding.floor.map { Fraction(micros: $0) * scale } ?? .zero
    guard Fraction(Int128(down)) < floor else {
      return RatePlan.PlannedRate(exact: exact, planned: down, isHeldUp: false)
    }
    let below = floor.roundedDown(toMultipleOf: rounding.step)
    let held = Fraction(Int128(below)) == floor ? below : below + rounding.step
    return RatePlan.PlannedRate(
      exact: exact, planned: held, isHeldUp: exact < Fraction(Int128(held)))
  }
}
