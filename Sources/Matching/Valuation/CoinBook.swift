package import Billing
package import Conclusions

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
  let method: CoinPolicy.Method
  /// Whether all movements say which coins go.
  private let isTold: Bool
  var holders: [UInt64: CoinHolder] = [:]
  /// Coins valued at a mean, with the days on which they were sold.
  var pools: [CoinPoolKey: PooledCoins] = [:]
  private var items: [CoinPoolKey: ItemsInUse] = [:]
  var rolls: [CoinPoolKey: CoinRoll] = [:]
  /// Sold, without what was refunded, by the first day of the month.
  private(set) var sold: [Day: Int64] = [:]
  /// Coins that went away though they were not there.
  package private(set) var unbacked: Int64 = 0
  /// In the last month, of sales: coins that movements call free, and of which none were left.
  package private(set) var freeOfSales: Int64 = 0
  /// In the last month, of sales: coins that left without a channel though several had some, where
  /// each has its own mean.
  package internal(set) var ofNoChannel: Int64 = 0
  /// What waits for the end of the month.
  var waiting = CoinsAtMean()

  /// Empty books of one coin.
  ///
  /// - Parameters:
  ///   - channels: by the numbers that events have.
  ///   - isTold: whether all movements say whether the coins that go were paid for.
  /// - Precondition: the policy lacks nothing.
  package init(coin: String, channels: [String], policy: CoinPolicy, isTold: Bool = true) {
    precondition(policy.missingKeys.isEmpty, "nobody chose how coins are valued")
    self.coin = coin
    self.channels = channels
    self.policy = policy
    self.isTold = isTold
    method = policy.valuation!
  }

  /// Books all that happened in a month, in any order, and returns its roll-forwards.
  ///
  /// - Precondition: months come one after the other; the days of events may lie before.
  /// - Returns: by channel and currency, without those in which nothing stands.
  package mutating func month(_ period: Period, _ events: [CoinEvent]) -> [CoinRoll] {
    (freeOfSales, ofNoChannel) = (0, 0)
    rolls = rolls.mapValues { roll in
      var next = CoinRoll(coin: roll.coin, channel: roll.channel, currency: roll.currency)
      (next.opening, next.itemsOpening) = (roll.closing, roll.itemsClosing)
      return next
    }
    for place in Self.placesInOrder(of: events) { book(events[place]) }
    countAtMean()
    if policy.breakage == .remote { giveUp(period) }
    for key in items.keys.sorted() {
      let delivered = items[key]!.deliver(through: period.last)
      roll(key) { $0.itemsDelivered += delivered }
    }
    age(on: period.last)
    return rolls.sorted { $0.key < $1.key }.map(\.value).filter { !$0.isEmpty }
  }

  /// The indices of events in the order in which they are booked: by moment, then kind, then user,
  /// sale and coins, so that the order of files decides nothing.
  private static func placesInOrder(of events: [CoinEvent]) -> [Int] {
    /// The last keys that events are sorted by: channel, days of use, and whether the coins were
    /// paid for.
    func tieBreak(_ event: CoinEvent) -> (Int32, Int32, Int) {
      (event.channel ?? -1, event.days, event.origin.map { $0 == .paid ? 1 : 0 } ?? -1)
    }
    return events.indices.sorted { one, other in
      let (left, right) = (events[one], events[other])
      if (left.at, left.kind) != (right.at, right.kind) {
        return (left.at, left.kind) < (right.at, right.kind)
      }
      let (own, others) = (
        (left.user, left.sale, left.value.coins), (right.user, right.sale, right.value.coins)
      )
      return own != others ? own < others : tieBreak(left) < tieBreak(right)
    }
  }

  /// Changes the month's roll-forward of a channel and currency; where there is none yet it begins
  /// at zero.
  mutating func roll(_ key: CoinPoolKey, _ change: (inout CoinRoll) -> Void) {
    let new = CoinRoll(coin: coin, channel: channels[Int(key.channel)], currency: key.currency)
    change(&rolls[key, default: new])
  }

  // MARK: - What happens

  /// Books one event, with the user whose coins it moves.
  private mutating func book(_ event: CoinEvent) {
    var holder = holders.removeValue(forKey: event.user) ?? CoinHolder()
    defer { holders[event.user] = holder }
    let comes = event.kind == .given || event.kind == .adjusted && event.value.coins >= 0
    // A present brings nobody back, but users who get one have not stayed away for good; what a
    // refund left is taken from who is away as well.
    let isLeft = event.kind == .takenBack && holder.bare >= event.value.coins
    if event.user != 0, event.kind != .refunded, !isLeft {
      if !comes { comeBack(&holder) }
      holder.last = max(holder.last, event.day)
    }
    /// The event's coins as a ``CoinUse``: they leave the user for a cause and are, where the event
    /// says so, paid or free ones.
    func use(_ cause: CoinUse.Cause, _ origin: CoinOrigin?) -> CoinUse {
      CoinUse(
        coins: abs(event.value.coins), cause: cause, day: event.day, origin: origin,
        channel: event.channel, days: cause == .used ? event.days : 0)
    }
    switch event.kind {
    case .sold: sell(event, &holder)
    case .given: holder.get(event.value.coins, event.origin)
    case .refunded: refund(event, &holder)
    case .takenBack:
      // Those that a refund left come first, then those of the sale that is named.
      var back = use(.adjusted, event.origin ?? .paid)
      back.sale = event.sale
      spend(back, &holder)
    case .used: spend(use(.used, event.origin), &holder)
    case .expired: spend(use(.expired, event.origin), &holder)
    case .adjusted:
      if comes {
        holder.get(event.value.coins, event.origin)
      } else {
        spend(use(.adjusted, event.origin), &holder)
      }
    }
    if comes || event.kind == .sold { catchUp(&holder, on: event.day) }
  }

  /// Books a sale: its coins are owed for, in a lot of their own or in the pool of their channel
  /// and currency.
  private mutating func sell(_ event: CoinEvent, _ holder: inout CoinHolder) {
    guard event.value.coins > 0 else { return }
    // Without a price nothing is owed.
    guard let currency = event.currency else { return holder.get(event.value.coins, .paid) }
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

  /// Books a refund, which takes back its own coins: what is owed for those that are there, and for
  /// what they bought and is not delivered, is owed no more. The rest of what is paid back was
  /// revenue (IFRS 15.87–88, ASC 606-10-32-42 to 43).
  private mutating func refund(_ event: CoinEvent, _ holder: inout CoinHolder) {
    guard let currency = event.currency else { return }
    let key = CoinPoolKey(channel: event.channel ?? 0, currency: currency)
    roll(key) {
      $0.reversed += CoinValue(coins: 0, amount: event.value.amount, cost: event.value.cost)
    }
    if method == .lot {
      var spent = event.value.coins
      if let place = holder.lots.firstIndex(where: { $0.sale == event.sale && $0.pool == key }) {
        let count = min(spent, holder.lots[place].owed.coins)
        let taken = holder.lots[place].owed.take(count)
        sold[holder.lots[place].day.monthStart, default: 0] -= count
        holder.away -= min(holder.away, taken.broken.coins)
        if holder.lots[place].owed.coins == 0 { holder.lots.remove(at: place) }
        holder.keep(refunded: count)
        note(refunded: taken, key)
        spent -= count
      }
      if let back = items[key]?.takeBack(spent, of: event.sale, on: event.day) {
        roll(key) {
          $0.itemsRefunded += back
          $0.reversed -= back
        }
      }
    } else {
      // At a mean nobody knows whose coins are left: as many are there as the user has.
      let count = min(event.value.coins, holder.paid)
      let away = min(count, holder.away)
      holder.away -= away
      holder.keep(refunded: count)
      waiting.refunds.append((key, count, policy.breakage == .remote ? away : nil))
      if let day = event.soldOn { sold[day.monthStart, default: 0] -= count }
    }
  }

  /// Books that refunded coins are no longer owed for. What was owed for them goes back to revenue,
  /// as all that the refund pays back was taken off revenue before.
  ///
  /// - Parameters:
  ///   - taken: the refunded coins that were owed for, and those that were revenue already
  ///     (broken).
  ///   - key: the channel and currency of their sale.
  mutating func note(refunded taken: (valued: CoinValue, broken: CoinValue), _ key: CoinPoolKey) {
    roll(key) { roll in
      roll.refunded += taken.valued
      roll.reversed -= CoinValue(coins: 0, amount: taken.valued.amount, cost: taken.valued.cost)
    }
  }

  /// Takes coins that are used, expire or are taken away from a user, and books those of them that
  /// are of sales. Coins that the user does not have yet are kept in `early`, as they may still
  /// come.
  private mutating func spend(_ use: CoinUse, _ holder: inout CoinHolder) {
    let (paid, lacking) = holder.spend(use, policy.freeCoins, isTold: isTold)
    if lacking > 0 {
      unbacked += lacking
      if let place = holder.early.firstIndex(where: { $0.isLike(use) }) {
        holder.early[place].coins += lacking
      } else {
        var late = use
        late.coins = lacking
        holder.early.append(late)
      }
    }
    if paid == 0 { return }
    if use.origin == .free { freeOfSales += paid }
    var paidUse = use
    paidUse.coins = paid
    if method == .lot { spendLots(paidUse, &holder) } else { waiting.append(paidUse) }
  }

  /// Takes coins that a user spent or lost before having them, now that coins came: those of at
  /// most ``Rules/earlyCoins`` days before `day`. Older ones are given up and stay in ``unbacked``.
  ///
  /// - Parameters:
  ///   - holder: the user, with these coins in `early`.
  ///   - day: the day on which coins came.
  private mutating func catchUp(_ holder: inout CoinHolder, on day: Day) {
    if holder.early.isEmpty { return }
    let early = holder.early
    holder.early = []
    for use in early where use.day.distance(to: day) <= Rules.earlyCoins {
      unbacked -= use.coins
      spend(use, &holder)
    }
  }

  /// Takes coins of sales from a user's lots and books them: first from the lot of the sale that
  /// `use` names, then from the oldest of the channel that it names, then from the oldest of all.
  private mutating func spendLots(_ use: CoinUse, _ holder: inout CoinHolder) {
    var left = use.coins
    /// Takes what is `left` of the use from those of the user's lots for which `isMeant` holds, the
    /// oldest first, and books it in `book`.
    func spend(_ book: inout CoinBook, where isMeant: (CoinHolder.Lot) -> Bool) {
      for place in holder.lots.indices where left > 0 && isMeant(holder.lots[place]) {
        let key = holder.lots[place].pool
        let count = min(left, holder.lots[place].owed.coins)
        left -= count
        let (used, broken) = holder.lots[place].owed.use(
          count, expecting: book.policy.expectedBreakage)
        book.note(use, used, broken, key, of: holder.lots[place].sale)
      }
    }
    if use.sale != 0 { spend(&self) { $0.sale == use.sale } }
    if let channel = use.channel { spend(&self) { $0.pool.channel == channel } }
    spend(&self) { _ in true }
    holder.lots.removeAll { $0.owed.coins == 0 }
  }

  /// Books coins that left a user, and coins that became revenue with them, in the roll-forward of
  /// their channel and currency. Items that they bought and that are in use for days are owed for
  /// from then on.
  ///
  /// - Parameters:
  ///   - use: why the coins left, when, and how many days what they bought is in use for.
  ///   - used: the coins that left, with what was owed for them.
  ///   - broken: coins that are expected to stay unused and become revenue now, with what was owed
  ///     for them.
  ///   - sale: the key of the sale that the coins are of; 0 at a mean.
  mutating func note(
    _ use: CoinUse, _ used: CoinValue, _ broken: CoinValue, _ key: CoinPoolKey,
    of sale: UInt64 = 0
  ) {
    roll(key) { roll in
      roll[keyPath: use.cause.figure] += used
      roll.breakage += broken
      if use.days > 0 { roll.itemsBought += used.withoutCoins }
    }
    if use.days > 0 {
      items[key, default: ItemsInUse()].add(used, on: use.day, for: use.days, of: sale)
    }
  }
}
