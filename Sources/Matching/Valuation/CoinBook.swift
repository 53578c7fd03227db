package import Billing

/// The books of one coin: what is owed for coins that were sold, month by month, under the
/// company's policy (IFRS 15.31–45 and B44–B47, ASC 606-10-25-23 and 606-10-55-46 to 49).
///
/// What goes out of a sum takes its part of it to the millionth, the last coin what is left:
/// nothing is lost, and no coin that is gone is owed for.
package struct CoinBook: Sendable {
  package let coin: String
  /// By number.
  var channels: [String]
  let policy: CoinPolicy
  private let method: CoinPolicy.Method
  private(set) var holders: [UInt64: CoinHolder] = [:]
  /// Coins valued at a mean, with the days on which they were sold.
  private(set) var pools: [CoinPoolKey: PooledCoins] = [:]
  private var items: [CoinPoolKey: ItemsInUse] = [:]
  var rolls: [CoinPoolKey: CoinRoll] = [:]
  /// Sold, without what was refunded, by the first day of the month.
  private(set) var sold: [Day: Int64] = [:]
  /// Paid coins that went away though no sale has brought them.
  package private(set) var unbacked: Int64 = 0

  /// - Parameter channels: by the numbers that events have.
  /// - Precondition: the policy lacks nothing.
  package init(coin: String, channels: [String], policy: CoinPolicy) {
    precondition(policy.missingKeys.isEmpty, "nobody chose how coins are valued")
    self.coin = coin
    self.channels = channels
    self.policy = policy
    method = policy.valuation!
  }

  /// Takes all that happened in a month, in any order.
  ///
  /// - Precondition: months come one after the other; the days of events may lie before.
  /// - Returns: by channel and currency, without those in which nothing stands.
  package mutating func month(_ period: Period, _ events: [CoinEvent]) -> [CoinRoll] {
    rolls = rolls.mapValues { roll in
      var next = CoinRoll(coin: roll.coin, channel: roll.channel, currency: roll.currency)
      (next.opening, next.itemsOpening) = (roll.closing, roll.itemsClosing)
      return next
    }
    var uses = MeanUses()
    for place in Self.order(events) { take(events[place], &uses) }
    for use in uses.all { takeMean(use) }
    if policy.breakage == .remote { giveUp(period) }
    for key in items.keys.sorted() {
      let delivered = items[key]!.deliver(through: period.last)
      roll(key) { $0.itemsDelivered += delivered }
    }
    age(on: period.last)
    return rolls.sorted { $0.key < $1.key }.map(\.value).filter { !$0.isEmpty }
  }

  /// By time; of one moment in the order of kinds.
  private static func order(_ events: [CoinEvent]) -> [Int] {
    events.indices.sorted { one, other in
      let (left, right) = (events[one], events[other])
      return (left.at, left.kind, one) < (right.at, right.kind, other)
    }
  }

  private mutating func roll(_ key: CoinPoolKey, _ change: (inout CoinRoll) -> Void) {
    let new = CoinRoll(coin: coin, channel: channels[Int(key.channel)], currency: key.currency)
    change(&rolls[key, default: new])
  }

  // MARK: - What happens

  private mutating func take(_ event: CoinEvent, _ uses: inout MeanUses) {
    var holder = holders.removeValue(forKey: event.user) ?? CoinHolder()
    defer { holders[event.user] = holder }
    if event.kind != .refunded, event.user != 0 {
      comeBack(&holder, &uses)
      holder.last = max(holder.last, event.day)
    }
    switch event.kind {
    case .sold: sell(event, &holder)
    case .given: holder.get(event.value.coins)
    case .refunded: refund(event, &holder)
    case .takenBack: spend(event, event.value.coins, .free, \.adjusted, &holder, &uses)
    case .used: spend(event, event.value.coins, event.origin, \.used, &holder, &uses)
    case .expired: spend(event, event.value.coins, event.origin, \.expired, &holder, &uses)
    case .adjusted:
      if event.value.coins >= 0 {
        holder.get(event.value.coins)
      } else {
        spend(event, -event.value.coins, event.origin, \.adjusted, &holder, &uses)
      }
    }
  }

  private mutating func sell(_ event: CoinEvent, _ holder: inout CoinHolder) {
    guard let currency = event.currency, event.value.coins > 0 else { return }
    let key = CoinPoolKey(channel: event.channel ?? 0, currency: currency)
    holder.buy(event.value.coins)
    roll(key) { $0.sold += event.value }
    sold[event.day.monthStart, default: 0] += event.value.coins
    if method == .lot {
      holder.lots.append(
        CoinHolder.Lot(
          sale: event.sale, pool: key, day: event.day, owed: OwedCoins(event.value)))
    } else {
      pools[key, default: PooledCoins()].add(event.value, on: event.day)
    }
  }

  /// A refund takes back its own coins: what is owed for those that are there is owed no more, and
  /// the rest of what is paid back was revenue (IFRS 15.87–88, ASC 606-10-25-10).
  private mutating func refund(_ event: CoinEvent, _ holder: inout CoinHolder) {
    guard let currency = event.currency else { return }
    let key = CoinPoolKey(channel: event.channel ?? 0, currency: currency)
    var taken = (valued: CoinValue.zero, broken: CoinValue.zero)
    if method == .lot {
      if let place = holder.lots.firstIndex(where: { $0.sale == event.sale && $0.pool == key }) {
        let count = min(event.value.coins, holder.lots[place].owed.coins)
        taken = holder.lots[place].owed.take(count)
        sold[holder.lots[place].day.monthStart, default: 0] -= count
        holder.away -= min(holder.away, taken.broken.coins)
        if holder.lots[place].owed.coins == 0 { holder.lots.remove(at: place) }
      }
    } else {
      // At a mean nobody knows whose coins are left: as many are there as the user has.
      let there = min(event.value.coins, holder.paid, pools[key]?.owed.coins ?? 0)
      taken = pools[key]?.take(there) ?? taken
    }
    let count = taken.valued.coins + taken.broken.coins
    holder.keep(refunded: count)
    roll(key) { roll in
      roll.refunded += taken.valued
      roll.refunded.coins += taken.broken.coins
      roll.breakage.coins -= taken.broken.coins
      roll.reversed.amount += event.value.amount - taken.valued.amount
      roll.reversed.cost += event.value.cost - taken.valued.cost
    }
  }

  private mutating func spend(
    _ event: CoinEvent, _ coins: Int64, _ origin: CoinOrigin?,
    _ cause: WritableKeyPath<CoinRoll, CoinValue>, _ holder: inout CoinHolder,
    _ uses: inout MeanUses
  ) {
    let (paid, lacking) = holder.spend(coins, origin, policy.freeCoins)
    unbacked += lacking
    if paid == 0 { return }
    let use = MeanUse(
      coins: paid, channel: event.channel, cause: cause, day: event.day, days: event.days)
    if method == .lot { spendLots(use, &holder) } else { uses.append(use) }
  }

  /// The oldest of a user's sales first: those of the channel that is told, then any.
  private mutating func spendLots(_ use: MeanUse, _ holder: inout CoinHolder) {
    var left = use.coins
    let passes: [Int32?] = use.channel == nil ? [nil] : [use.channel, nil]
    for channel in passes {
      for place in holder.lots.indices where left > 0 {
        let key = holder.lots[place].pool
        if channel != nil, channel != key.channel { continue }
        let count = min(left, holder.lots[place].owed.coins)
        left -= count
        let (used, broken) = holder.lots[place].owed.use(count, expecting: policy.expectedBreakage)
        note(use, used, broken, key)
      }
    }
    holder.lots.removeAll { $0.owed.coins == 0 }
  }

  private mutating func note(
    _ use: MeanUse, _ used: CoinValue, _ broken: CoinValue, _ key: CoinPoolKey
  ) {
    roll(key) { roll in
      roll[keyPath: use.cause] += used
      roll.breakage += broken
      if use.days > 0 {
        roll.itemsBought += CoinValue(coins: 0, amount: used.amount, cost: used.cost)
      }
    }
    if use.days > 0 { items[key, default: ItemsInUse()].add(used, on: use.day, for: use.days) }
  }

  // MARK: - At a mean

  /// Paid coins that go away.
  private struct MeanUse: Hashable {
    var coins: Int64
    var channel: Int32?
    /// The figure that they count in.
    var cause: WritableKeyPath<CoinRoll, CoinValue>
    var day: Day
    var days: Int32
    /// Whether coins are owed for again instead.
    var isReturn = false
  }

  /// Those of a month, added up: they count at its mean once all its sales are known.
  private struct MeanUses {
    private(set) var all: [MeanUse] = []
    private var places: [MeanUse: Int] = [:]

    mutating func append(_ use: MeanUse) {
      var key = use
      key.coins = 0
      // Which day it was is told only for what is of use for days.
      if use.days == 0 { key.day = Day(number: 0) }
      if let place = places[key] {
        all[place].coins += use.coins
      } else {
        places[key] = all.count
        all.append(use)
      }
    }
  }

  private mutating func takeMean(_ use: MeanUse) {
    let channel = method == .channelAverage ? use.channel : nil
    let keys = pools.keys.filter { channel == nil || $0.channel == channel }.sorted()
    if use.isReturn {
      for (key, count) in divided(use.coins, keys, { $0.owed.broken.coins }) {
        let back = pools[key]!.restore(count)
        roll(key) { $0.breakage -= back }
      }
      return
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

  /// Divides coins among pools in proportion to what these have, as far as they have them.
  private func divided(
    _ coins: Int64, _ keys: [CoinPoolKey], _ size: (PooledCoins) -> Int64
  ) -> [(key: CoinPoolKey, count: Int64)] {
    let sizes = keys.map { size(pools[$0]!) }
    let all = sizes.reduce(0, +)
    let coins = min(coins, all)
    if coins == 0 { return [] }
    var (sum, before): (Int64, Int64) = (0, 0)
    return zip(keys, sizes).map { key, size in
      sum += size
      let end = Int64(Int128(coins) * Int128(sum) / Int128(all))
      defer { before = end }
      return (key, end - before)
    }
  }

  // MARK: - Users who stay away

  /// What users have who did not come for so long that nobody expects them back becomes revenue
  /// (IFRS 15.B46, ASC 606-10-55-48).
  private mutating func giveUp(_ period: Period) {
    let limit = period.last.monthsBefore(policy.remoteMonths ?? 0)
    for user in holders.keys.sorted() where user != 0 {
      guard let holder = holders[user], holder.last <= limit, holder.away < holder.paid else {
        continue
      }
      giveUp(user, holder)
    }
  }

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

  /// Owes again for what a user has who came back.
  private mutating func comeBack(_ holder: inout CoinHolder, _ uses: inout MeanUses) {
    if holder.away == 0 { return }
    if method == .lot {
      for place in holder.lots.indices {
        let count = holder.lots[place].owed.broken.coins
        let back = holder.lots[place].owed.restore(count)
        roll(holder.lots[place].pool) { $0.breakage -= back }
      }
    } else {
      uses.append(
        MeanUse(
          coins: holder.away, channel: nil, cause: \.breakage, day: holder.last, days: 0,
          isReturn: true))
    }
    holder.away = 0
  }
}
