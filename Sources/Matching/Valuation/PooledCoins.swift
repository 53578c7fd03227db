import Billing
import Conclusions

/// Coins of one channel and currency that are valued at their mean, with the days on which they
/// were sold: the oldest count as used first.
struct PooledCoins: Sendable {
  private(set) var owed = OwedCoins()
  /// Ascending by day; with those that are given up.
  private(set) var days: [(day: Day, coins: Int64)] = []
  /// All of these.
  private var sum: Int64 = 0

  /// Adds coins that were sold on a day; days come in their order.
  mutating func add(_ value: CoinValue, on day: Day) {
    owed.add(value)
    sum += value.coins
    if let last = days.last, last.day >= day {
      days[days.count - 1].coins += value.coins
    } else {
      days.append((day, value.coins))
    }
  }

  /// Takes away `count` used coins, the oldest first, and turns others into revenue in proportion;
  /// `share` and the result are as in ``OwedCoins/use(_:expecting:)``.
  mutating func use(_ count: Int64, expecting share: Int64) -> (used: CoinValue, broken: CoinValue)
  {
    defer { trim() }
    return owed.use(count, expecting: share)
  }

  /// Takes away `count` coins without their being used, the oldest first; `broken` and the result
  /// are as in ``OwedCoins/take(_:broken:)``.
  mutating func take(
    _ count: Int64, broken: Int64?
  ) -> (valued: CoinValue, broken: CoinValue) {
    defer { trim() }
    return owed.take(count, broken: broken)
  }

  /// Turns so many coins that are owed for into revenue, although users still have them, and
  /// returns them with what was owed for them.
  mutating func breakUp(_ count: Int64) -> CoinValue { owed.breakUp(count) }
  /// Owes again for up to so many of the coins that had become revenue unused, and returns them
  /// with what is owed for them.
  mutating func restore(_ count: Int64) -> CoinValue { owed.restore(count) }

  /// Removes from ``days`` as many coins as were taken from ``owed``, those of the oldest days
  /// first.
  private mutating func trim() {
    var gone = sum - owed.coins
    sum = owed.coins
    var first = 0
    while gone > 0, first < days.count {
      let part = min(gone, days[first].coins)
      days[first].coins -= part
      gone -= part
      if days[first].coins == 0 { first += 1 }
    }
    days.removeFirst(first)
  }

  /// What is owed for the coins of each day, at the mean, ascending by day.
  var layers: [(day: Day, owed: CoinValue)] {
    if sum == 0 { return [] }
    var (older, before): (Int64, CoinValue) = (0, .zero)
    return days.map { day, coins in
      older += coins
      let end = owed.valued.part(
        Int64(Int128(owed.valued.coins) * Int128(older) / Int128(sum)))
      defer { before = end }
      return (day, end - before)
    }
  }
}
