import Billing
package import Conclusions

extension CoinBook {
  /// Sets in each roll-forward what is owed at the end of a day by the age of its sale, and how
  /// many coins are there and no longer owed for.
  mutating func age(on day: Day) {
    for key in rolls.keys {
      rolls[key]!.ages = Array(repeating: 0, count: CoinAge.allCases.count)
      rolls[key]!.broken = 0
    }
    /// Adds what is owed for coins to the roll-forward of their channel and currency, under the age
    /// that their sale has on `day`.
    func add(_ owed: CoinValue, soldOn sale: Day, _ key: CoinPoolKey) {
      rolls[key]?.ages[CoinAge(days: max(0, sale.distance(to: day))).rawValue] += owed.amount
    }
    for lot in holders.values.flatMap(\.lots) {
      add(lot.owed.valued, soldOn: lot.day, lot.pool)
      rolls[lot.pool]?.broken += lot.owed.broken.coins
    }
    for (key, pool) in pools {
      for (day, owed) in pool.layers { add(owed, soldOn: day, key) }
      rolls[key]?.broken = pool.owed.broken.coins
    }
  }

  /// Coins sold in each month and what of them is left, ascending by month; at a mean as if the
  /// oldest were used first, so that the latest are left.
  package var cohorts: [CoinCohort] {
    var left: [Day: Int64] = [:]
    for lot in holders.values.flatMap(\.lots) {
      left[lot.day.monthStart, default: 0] += lot.owed.coins
    }
    var rest = pools.values.reduce(0) { $0 + $1.owed.coins }
    for (month, coins) in sold.sorted(by: { $0.key > $1.key }) where rest > 0 {
      left[month] = min(rest, max(0, coins))
      rest -= left[month] ?? 0
    }
    return sold.sorted { $0.key < $1.key }.map { month, coins in
      CoinCohort(month: month, sold: coins, left: left[month] ?? 0)
    }
  }

  /// Coins of sales that users have, as movements leave them.
  package var unspent: Int64 { holders.values.reduce(0) { $0 + $1.paid } }
  /// Other coins that users have and that were paid for, of which no sale is here.
  package var bare: Int64 { holders.values.reduce(0) { $0 + $1.bare } }
  /// Coins that users have and that were free.
  package var free: Int64 { holders.values.reduce(0) { $0 + $1.free } }
}

extension Day {
  /// The first day of its month.
  var monthStart: Day { advanced(by: 1 - parts.day) }

  /// The same day so many months before, or the last of that month.
  func monthsBefore(_ months: Int) -> Day {
    let (year, month, day) = parts
    let count = year * 12 + month - 1 - months
    let (newYear, newMonth) = (count / 12, count % 12 + 1)
    let last = Day.length(ofMonth: newMonth, year: newYear)
    return Day(year: newYear, month: newMonth, day: min(day, last)) ?? self
  }
}
