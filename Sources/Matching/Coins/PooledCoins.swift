import Billing

/// Coins of one channel and currency that are valued at their mean, with the days on which they
/// were sold: the oldest count as used first.
struct PooledCoins: Sendable {
  private(set) var owed = OwedCoins()
  /// Ascending by day; with those that are given up.
  private(set) var days: [(day: Day, coins: Int64)] = []

  mutating func add(_ value: CoinValue, on day: Day) {
    owed.add(value)
    if let last = days.last, last.day >= day {
      days[days.count - 1].coins += value.coins
    } else {
      days.append((day, value.coins))
    }
  }

  mutating func use(_ count: Int64, expecting share: Int64) -> (used: CoinValue, broken: CoinValue)
  {
    defer { trim() }
    return owed.use(count, expecting: share)
  }

  mutating func take(_ count: Int64) -> (valued: CoinValue, broken: CoinValue) {
    defer { trim() }
    return owed.take(count)
  }

  mutating func breakUp(_ count: Int64) -> CoinValue { owed.breakUp(count) }
  mutating func restore(_ count: Int64) -> CoinValue { owed.restore(count) }

  /// Leaves as many coins as there are, the latest.
  private mutating func trim() {
    var gone = days.reduce(0) { $0 + $1.coins } - owed.coins
    var first = 0
    while gone > 0, first < days.count {
      let part = min(gone, days[first].coins)
      days[first].coins -= part
      gone -= part
      if days[first].coins == 0 { first += 1 }
    }
    days.removeFirst(first)
  }

  /// What is owed for those of each day, at the mean.
  var layers: [(day: Day, owed: CoinValue)] {
    let all = days.reduce(0) { $0 + $1.coins }
    if all == 0 { return [] }
    var (sum, before): (Int64, CoinValue) = (0, .zero)
    return days.map { day, coins in
      sum += coins
      let end = owed.valued.part(
        Int64(Int128(owed.valued.coins) * Int128(sum) / Int128(all)))
      defer { before = end }
      return (day, end - before)
    }
  }
}
