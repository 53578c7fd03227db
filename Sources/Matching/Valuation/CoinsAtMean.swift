import Billing
import Conclusions

/// What happened to coins that are valued at a month's mean: it counts once all sales of the month
/// are known.
struct CoinsAtMean: Sendable {
  /// Coins of sales that were refunded, of which so many had been given up; nil in proportion.
  var refunds: [(key: CoinPoolKey, coins: Int64, away: Int64?)] = []
  /// Coins of users who came back.
  var returned: Int64 = 0
  /// Those of one kind added up, in the order in which they came.
  private(set) var uses: [CoinUse] = []
  private var places: [CoinUse: Int] = [:]

  /// Adds coins that went away to those of the same cause, channel and days of use.
  mutating func append(_ use: CoinUse) {
    var key = use
    (key.coins, key.origin, key.sale) = (0, nil, 0)
    // Which day it was is told only for what is of use for days.
    if use.days == 0 { key.day = Day(number: 0) }
    if let place = places[key] {
      uses[place].coins += use.coins
    } else {
      places[key] = uses.count
      uses.append(use)
    }
  }
}

extension CoinBook {
  /// Books at the month's mean what ``waiting`` holds: refunds first, then coins of users who came
  /// back, which are owed for again, then coins that left their users.
  mutating func countAtMean() {
    let all = waiting
    waiting = CoinsAtMean()
    var returned = all.returned
    for refund in all.refunds {
      let away = takeBack(refund.coins, of: refund.key, refund.away)
      // Whose were given up is not told by the pool: as many of others are owed for again.
      returned += refund.away.map { $0 - away } ?? 0
    }
    for (key, count) in divided(returned, pools.keys.sorted(), { $0.owed.broken.coins }) {
      let back = pools[key]!.restore(count)
      roll(key) { $0.breakage -= back }
    }
    for use in all.uses { spendAtMean(use) }
  }

  /// Takes refunded coins out of the pool of their channel and currency, and books them. What this
  /// pool has no longer, because other sales' uses were taken from it, comes out of the other pools
  /// in proportion to their coins.
  ///
  /// - Parameters:
  ///   - own: the channel and currency of the refund.
  ///   - away: how many of the refunded coins had become revenue because their user stayed away;
  ///     nil for their share in each pool.
  /// - Returns: how many of the coins that were taken had become revenue.
  private mutating func takeBack(_ coins: Int64, of own: CoinPoolKey, _ away: Int64?) -> Int64 {
    var gone: Int64 = 0
    let ownCoins = min(coins, pools[own]?.owed.coins ?? 0)
    if ownCoins > 0 {
      let taken = pools[own]!.take(ownCoins, broken: away)
      note(refunded: taken, own)
      gone += taken.broken.coins
    }
    let others = pools.keys.filter { $0 != own }.sorted()
    for (key, count) in divided(coins - ownCoins, others, { $0.owed.coins }) {
      let taken = pools[key]!.take(count, broken: away.map { max(0, $0 - gone) })
      gone += taken.broken.coins
      roll(key) { $0.adjusted += taken.valued }
    }
    return gone
  }

  /// Takes coins that left their users out of the pools and books them: first out of the pools of
  /// their channel, where each channel has its own mean, then out of all.
  private mutating func spendAtMean(_ use: CoinUse) {
    let channel = method == .channelAverage ? use.channel : nil
    let keys = pools.keys.filter { channel == nil || $0.channel == channel }.sorted()
    if method == .channelAverage, channel == nil,
      Set(keys.filter { pools[$0]!.owed.coins > 0 }.map(\.channel)).count > 1
    {
      ofNoChannel += use.coins
    }
    // What the channel lacks, others give.
    var left = use.coins
    for keys in [keys, pools.keys.sorted()] {
      for (key, count) in divided(left, keys, { $0.owed.coins }) {
        left -= count
        let (used, broken) = pools[key]!.use(count, expecting: policy.expectedBreakage)
        note(use, used, broken, key)
      }
    }
  }

  /// Divides coins among pools in proportion to their sizes; no pool gives more than its size.
  ///
  /// - Parameters:
  ///   - keys: the pools, by channel and currency.
  ///   - size: how many coins of a pool are looked at: all of them, those owed for, or those that
  ///     became revenue.
  private func divided(
    _ coins: Int64, _ keys: [CoinPoolKey], _ size: (PooledCoins) -> Int64
  ) -> [(key: CoinPoolKey, count: Int64)] {
    let sizes = keys.map { size(pools[$0]!) }
    let all = sizes.reduce(0, +)
    let coins = min(coins, all)
    if coins <= 0 { return [] }
    var (sum, before): (Int64, Int64) = (0, 0)
    return zip(keys, sizes).map { key, size in
      sum += size
      let end = Int64(Int128(coins) * Int128(sum) / Int128(all))
      defer { before = end }
      return (key, end - before)
    }
  }

  // MARK: - Users who stay away

  /// Turns into revenue the coins of users who were last seen so long before the period's end, by
  /// the policy's `remoteMonths`, that nobody expects them back (IFRS 15.B46, ASC 606-10-55-48).
  mutating func giveUp(_ period: Period) {
    let limit = period.last.monthsBefore(policy.remoteMonths ?? 0)
    for user in holders.keys.sorted() where user != 0 {
      guard let holder = holders[user], holder.last <= limit, holder.away < holder.paid else {
        continue
      }
      giveUp(user, holder)
    }
  }

  /// Turns all coins of a user that are still owed for into revenue.
  private mutating func giveUp(_ user: UInt64, _ holder: CoinHolder) {
    var holder = holder
    if method == .lot {
      for place in holder.lots.indices {
        let count = holder.lots[place].owed.valued.coins
        let broken = holder.lots[place].owed.breakUp(count)
        holder.away += count
        roll(holder.lots[place].pool) { $0.breakage += broken }
      }
    } else {
      let keys = pools.keys.sorted()
      for (key, count) in divided(holder.paid - holder.away, keys, { $0.owed.valued.coins }) {
        let broken = pools[key]!.breakUp(count)
        holder.away += count
        roll(key) { $0.breakage += broken }
      }
    }
    holders[user] = holder
  }

  /// Owes again for the coins of a user who had stayed away and now does something: they had become
  /// revenue. Lots are changed at once, pools when the month ends.
  mutating func comeBack(_ holder: inout CoinHolder) {
    if holder.away == 0 { return }
    if method == .lot {
      for place in holder.lots.indices {
        let count = holder.lots[place].owed.broken.coins
        let back = holder.lots[place].owed.restore(count)
        roll(holder.lots[place].pool) { $0.breakage -= back }
      }
    } else {
      waiting.returned += holder.away
    }
    holder.away = 0
  }
}
