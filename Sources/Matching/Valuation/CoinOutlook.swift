package import Billing
package import Conclusions

/// What is owed for coins a month after a close, and the month's revenue, if it goes like the
/// closed one: the same sales and the same use, at the mean price of all coins that are there.
package struct CoinOutlook: Hashable, Sendable {
  package struct Month: Hashable, Sendable {
    package var owed: Money
    package var revenue: Money
  }

  package var coin: String
  package var channel: String
  package var asItIs: Month
  package var changed: Month

  /// An outlook for each roll-forward of the closed month: as it is, and with another rate and a
  /// gift.
  ///
  /// - Parameters:
  ///   - rate: coins for the same money, as millionths of those of the closed month.
  ///   - free: coins that are given for nothing besides, to users of all channels by the coins that
  ///     they have.
  ///   - policy: which coins are used first, and how many are expected to stay; unused free coins
  ///     of before are not looked at.
  package static func outlooks(
    _ rolls: [CoinRoll], rate: (CoinRoll) -> Int64, free: Int64, _ policy: CoinPolicy
  ) -> [CoinOutlook] {
    var all: [String: Int64] = [:]
    for roll in rolls { all[roll.coin, default: 0] += available(roll, rate: 1_000_000).coins }
    return rolls.map { roll in
      let coins = available(roll, rate: 1_000_000).coins
      let whole = all[roll.coin] ?? 0
      let gift = whole == 0 ? 0 : Int64(Int128(free) * Int128(coins) / Int128(whole))
      return CoinOutlook(
        coin: roll.coin, channel: roll.channel,
        asItIs: month(roll, rate: 1_000_000, free: 0, policy),
        changed: month(roll, rate: rate(roll), free: gift, policy))
    }
  }

  /// What is there to be used in the month: the closing, and sales like those of the closed month.
  ///
  /// - Parameter rate: coins for the same money, in millionths.
  private static func available(_ roll: CoinRoll, rate: Int64) -> CoinValue {
    var sold = roll.sold
    sold.coins = roundedHalfUp(
      Int128(sold.coins) * Int128(rate), dividedBy: 1_000_000, toMultipleOf: 1)
    return roll.closing + sold
  }

  /// What is owed after the month, and the month's revenue.
  ///
  /// - Parameters:
  ///   - rate: coins for the same money, in millionths.
  ///   - free: coins that are given for nothing.
  private static func month(
    _ roll: CoinRoll, rate: Int64, free: Int64, _ policy: CoinPolicy
  ) -> Month {
    let all = available(roll, rate: rate)
    let used = max(0, roll.used.coins + roll.expired.coins)
    let paid: Int64
    switch policy.freeCoins {
    case .first: paid = max(0, used - free)
    case .last: paid = used
    case .proportion:
      let pool = Int128(max(0, all.coins)) + Int128(free)
      paid = pool == 0 ? 0 : Int64(Int128(used) * Int128(max(0, all.coins)) / pool)
    }
    // Those that are expected to stay are revenue with the others.
    let earned = Int128(paid) * 1_000_000 / Int128(1_000_000 - policy.expectedBreakage)
    let revenue = all.part(Int64(min(earned, Int128(max(0, all.coins))))).amount
    let shown = roundedHalfUp(
      Int128(revenue), dividedBy: 1, toMultipleOf: roll.currency.minorUnit)
    return Month(
      owed: Money(micros: all.amount - shown, roll.currency),
      revenue: Money(micros: shown, roll.currency))
  }
}
