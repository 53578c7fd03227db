import Billing

/// The game's server: it grants coins for orders, lets players spend them, takes them back, and
/// keeps the truth about it. What it draws is drawn apart: orders, transactions and Apple's reports
/// are the same with and without it.
final class CoinGame {
  private let store: Store
  private let parameters: CoinParameters
  private var random: RandomNumbers
  private var faults: CoinFaultPlan
  private let accounts = GameAccounts()
  private var sums: GameSums
  private let files: GameFiles?
  /// Movements that are due on days to come, in the order in which they were planned.
  private var due: [Day: [GameMovement]] = [:]
  /// The order whose transaction may follow.
  private var pending: OrderRecord?
  /// The next day to pass.
  private var today: Day
  private let first: Day
  private let ticks: Int
  private var nextAndroidOrder: UInt64 = 6_000_000_000

  init(store: Store, directory: String?, _ parameters: CoinParameters) throws {
    self.store = store
    self.parameters = parameters
    random = RandomNumbers(seed: store.parameters.seed ^ 0xC01_45)
    first = Instant(seconds: store.opens).day()
    today = first
    files = try directory.map { try GameFiles(directory: $0, store: store, parameters) }
    faults = CoinFaultPlan(store: store, parameters, random: &random)
    sums = GameSums(store: store, parameters)
    let rows = parameters.movements ?? store.parameters.orders * 12
    ticks = max(1, (rows - store.parameters.orders * 2) / (store.parameters.period.dayCount + 4))
    // A player in a thousand movements, beside the store's regular customers.
    accounts.open(
      regulars: store.regulars, others: max(50, rows / 60), seed: store.parameters.seed)
    sums.open(accounts)
    for movement in faults.stillMovements(in: accounts, random: &random) { plan(movement) }
  }

  /// Takes an order; if its transaction follows, it comes before any other order.
  func take(_ order: OrderRecord) {
    grantPending()
    guard order.fulfilled != 0 || order.status == .paid else { return }
    guard store.stock.items[order.item].coin != nil, order.user < Names.firstTester else { return }
    pending = order
  }

  /// Takes the transaction of the order before, or another one, which grants nothing.
  func take(_ transaction: TransactionRecord) {
    guard let order = pending, order.item == transaction.item,
      [0, order.number].contains(transaction.order),
      [0, transaction.number].contains(order.transaction)
    else { return }
    pending = nil
    // Testers play elsewhere.
    guard transaction.isBillable else { return }
    grant(order, transaction)
  }

  private func grantPending() {
    guard let order = pending else { return }
    pending = nil
    grant(order, nil)
  }

  /// Lets all days before `day` pass.
  func begin(_ day: Day) throws {
    grantPending()
    while today < day {
      try pass(today)
      today = today.advanced(by: 1)
    }
  }

  /// Orders that players place in the second channel on a day.
  func androidOrders(on day: Day) -> [OrderRecord] {
    let days = store.parameters.period.dayCount + 4
    let all = parameters.androidOrders ?? store.parameters.orders / 4
    let index = day.number - first.number
    let count = all * (Int(index) + 1) / days - all * Int(index) / days
    let customers = max(20, all / 3)
    let weights = Array(store.stock.consumableWeights.prefix(11))
    return (0..<count).map { number in
      nextAndroidOrder += 1
      let market = random.index(cumulative: store.marketWeights)
      let item = store.stock.consumables[random.index(cumulative: weights)]
      let placed = day.startUTC.seconds + Int64(number * 86_400 / count + random.below(60))
      var order = OrderRecord(
        number: nextAndroidOrder, user: 2_000_000_000 + UInt32(random.below(customers)),
        item: item, market: market, placed: placed, paid: placed + 20, fulfilled: placed + 24)
      order.price = store.markets[market].price(store.stock.items[item].tier)
      order.channel = .android
      order.coins = store.stock.items[item].coins
      if random.chance(20) { order.status = .refunded }
      return order
    }
  }

  /// Writes balances and openings, closes the files and tells the truth.
  func finish() throws -> TrueCoins {
    try begin(Instant(seconds: store.closes).day())
    var truth = sums.truth(accounts)
    var balances = sums.balances(accounts)
    faults.misstate(&balances, random: &random)
    try files?.begin(first)
    for opening in accounts.openings(at: store.opens) {
      try files?.write(opening, of: accounts[opening.account])
    }
    try files?.close(balances, random: &random)
    truth.expected = faults.expected.sorted(by: TrueCoinFinding.isOrderedBefore)
    truth.leftOut = faults.leftOut
    return truth
  }
}

extension CoinGame {
  /// What an order leads to.
  private func grant(_ order: OrderRecord, _ transaction: TransactionRecord?) {
    let item = store.stock.items[order.item]
    guard let coin = item.coin, let pack = item.coins else { return }
    let coins = order.coins ?? pack * Int64(order.quantity)
    let channel =
      order.channel == .web ? GameChannel.web : order.channel == .android ? .android : .apple
    let account = accounts.account(of: order.user, in: channel)
    let delivered = order.fulfilled != 0 ? order.fulfilled : order.paid + 60
    var movement = GameMovement(
      at: delivered, kind: .granted, coins: coins, account: account, coin: coin, isPaid: true,
      product: order.item, market: order.market)
    name(order, transaction, in: &movement)
    let refunded = transaction?.revoked ?? 0
    let taken: Int64? =
      order.status != .refunded
      ? nil
      : refunded != 0
        ? refunded + Int64(random.within(30...3000))
        : delivered + Int64(random.within(86_400...12 * 86_400))
    if delivered < store.opens {
      guard let taken, taken >= store.opens else { return }
      movement.earlier = accounts.keepEarlier(coins, coin, of: account)
      return takeBack(movement, at: taken, order, refunded: refunded)
    }
    let sold = transaction?.purchased ?? order.placed
    sums.sell(coins, coin, channel, at: sold)
    if taken == nil, transaction != nil {
      if faults.takes(.notGranted, of: order.item, at: sold) {
        // One in three is granted in part.
        var lacking = movement
        if random.chance(333) { lacking.coins -= coins / 2 }
        faults.expect(.notGranted, lacking, accounts[account], order, at: sold)
        movement.coins -= lacking.coins
        return movement.coins > 0 ? plan(movement) : ()
      }
      if faults.takes(.withoutOrder, of: order.item, at: sold) {
        faults.expect(.withoutOrder, movement, accounts[account], order, at: sold)
        var second = movement
        second.at += 600
        plan(second)
      }
    }
    if taken != nil {
      movement.held = coins
    } else if random.chance(parameters.lateShare) {
      movement.at += Int64(random.within(20 * 3600...30 * 3600))
    }
    plan(movement)
    if let taken {
      movement.held = -coins
      takeBack(movement, at: taken, order, refunded: refunded)
    }
  }

  /// - Parameter refunded: when Apple took back the money; zero where it did not.
  private func takeBack(
    _ grant: GameMovement, at moment: Int64, _ order: OrderRecord, refunded: Int64
  ) {
    if refunded != 0, faults.takes(.notTakenBack, at: refunded) {
      return faults.expect(.notTakenBack, grant, accounts[grant.account], order, at: refunded)
    }
    var movement = grant
    (movement.at, movement.kind) = (moment, .takenBack)
    plan(movement)
  }

  /// One grant in five names the transaction alone, one in ten both.
  private func name(
    _ order: OrderRecord, _ transaction: TransactionRecord?, in movement: inout GameMovement
  ) {
    guard parameters.namesOrders else { return }
    let way = transaction == nil ? 0 : random.below(10)
    if way < 8 { movement.order = order.number }
    if way >= 7, let transaction { movement.transaction = transaction.number }
  }

  private func plan(_ movement: GameMovement) {
    let day = Instant(seconds: movement.at).day()
    precondition(day >= today, "a movement on a day that has passed")
    due[day, default: []].append(movement)
  }

  /// Lets a day pass: what is due, and between it what players do of themselves, by time.
  private func pass(_ day: Day) throws {
    try files?.begin(day)
    sums.begin(day)
    var planned = (due.removeValue(forKey: day) ?? []).enumerated()
      .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)[...]
    let start = day.startUTC.seconds
    let age = day.number - first.number
    for tick in 0..<ticks {
      let moment = start + Int64(tick) * 86_400 / Int64(ticks)
      while let next = planned.first, next.at <= moment {
        try record(next)
        planned.removeFirst()
      }
      try play(at: moment, on: Int(age))
    }
    for movement in planned { try record(movement) }
    sums.end(accounts)
  }

  /// A player does something, or finds that there is nothing to do.
  private func play(at moment: Int64, on age: Int) throws {
    let dice = random.next()
    guard let account = accounts.player(dice, at: moment, isMiddle: (10..<22).contains(age))
    else { return }
    let player = accounts[account]
    let coin: GameCoin = dice & 0x300 == 0 ? .gold : .gems
    let place = coin.rawValue
    let (free, paid) = (player.free[place], player.paid[place] - player.held[place])
    if paid >= 20, faults.takes(.expired, at: moment) {
      let expired = movement(.expired, Int64(paid / 2), account, coin, isPaid: true, at: moment)
      faults.expect(.expired, expired, player, at: moment)
      return try record(expired)
    }
    let choice = Int(dice >> 12 & 1023)
    switch choice {
    case 0..<8 where free > 9:
      try record(movement(.expired, Int64(free / 3), account, coin, isPaid: false, at: moment))
    case 8..<11:
      let more = Int64(1 + dice >> 24 & 31)
      let coins = choice == 10 && Int64(free) > more ? -more : more
      try record(movement(.adjusted, coins, account, coin, isPaid: false, at: moment))
    default:
      let goods = Int(dice >> 32 & 0xFFFF) % GameGoods.all.count
      let price = Int32(GameGoods.all[goods].prices[place])
      let isSpending = player.habit != .hoards && choice >= 300
      if isSpending, free + paid >= price {
        try spend(price, on: goods, account, coin, free: free, at: moment)
      } else {
        let coins = Int64(1 + dice >> 48 & 63) * (coin == .gold ? 8 : 1)
        try record(movement(.granted, coins, account, coin, isPaid: false, at: moment))
      }
    }
  }

  /// Free coins go first.
  private func spend(
    _ price: Int32, on goods: Int, _ account: Int, _ coin: GameCoin, free: Int32, at moment: Int64
  ) throws {
    let fromFree = min(price, free)
    for (coins, isPaid) in [(fromFree, false), (price - fromFree, true)] where coins > 0 {
      var spent = movement(.spent, Int64(coins), account, coin, isPaid: isPaid, at: moment)
      spent.goods = goods
      try record(spent)
    }
  }

  private func movement(
    _ kind: GameMovementKind, _ coins: Int64, _ account: Int, _ coin: GameCoin, isPaid: Bool,
    at moment: Int64
  ) -> GameMovement {
    GameMovement(
      at: moment, kind: kind, coins: coins, account: account, coin: coin, isPaid: isPaid)
  }

  private func record(_ movement: GameMovement) throws {
    accounts.apply(movement)
    sums.add(movement, accounts[movement.account].channel)
    if sums.tellsUsers, accounts.mark(movement, on: sums.age) { sums.note(movement) }
    try files?.write(movement, of: accounts[movement.account])
  }
}
