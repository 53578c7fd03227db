import Billing
import Pricing

extension RatePlan {
  /// What a company's own rate is worth in one storefront.
  struct CurrentRate {
    /// The row of the storefront with the largest deduction.
    var row: Row
    /// Coins per unit of the channel's money at which a coin nets as much as on the other channel.
    var breakEven: Fraction
    /// By how much a coin nets more than on the other channel, as a part of that; below zero, less.
    var gain: Fraction
  }

  /// The deduction at which a rate breaks even, as a part of the price: beyond it a coin nets less
  /// than on the other channel.
  ///
  /// - Parameter current: coins per unit of the channel's money, millionths.
  func limit(of current: Int64) -> Fraction {
    Fraction.one - Fraction(micros: current) / channel.coinsPerNet
  }

  /// For each storefront the row with the lowest break-even, and what a rate gains there.
  ///
  /// - Parameter current: coins per unit of the channel's money, millionths.
  func judgements(of current: Int64) -> [CurrentRate] {
    var found: [Storefront: CurrentRate] = [:]
    var order: [Storefront] = []
    for row in rows {
      guard let share = row.terms.share, row.worth != nil else { continue }
      let breakEven = channel.coinsPerNet * share
      if found[row.storefront] == nil { order.append(row.storefront) }
      if let other = found[row.storefront], other.breakEven <= breakEven { continue }
      found[row.storefront] = CurrentRate(
        row: row, breakEven: breakEven, gain: breakEven / Fraction(micros: current) - .one)
    }
    return order.compactMap { found[$0] }
  }
}
