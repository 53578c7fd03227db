import Billing

/// The faults of a game's coins: when each is due, and what has to be found.
struct CoinFaultPlan {
  private let store: Store
  private let parameters: CoinParameters
  /// Moments from which on a fault befalls whoever comes next; the earliest stands last.
  private var moments: [CoinFault: [Int64]] = [:]
  /// The moment from which on paid coins expire once.
  private var nextExpiry = Int64.max
  private(set) var expected: [TrueCoinFinding] = []
  /// Products and days around which no other fault of grants lies: what is too much of a product
  /// on one day may be what lacks on the next.
  private var crowded: Set<ProductDay> = []

  private struct ProductDay: Hashable {
    var product: Int
    var day: Day
  }

  /// Users that do only what a fault wants.
  private static let firstUser: UInt32 = 2_500_000_000
  /// Orders that nobody placed.
  private static let firstOrder: UInt64 = 7_000_000_000

  init(store: Store, _ parameters: CoinParameters, random: inout RandomNumbers) {
    self.store = store
    self.parameters = parameters
    let period = store.parameters.period
    for fault in CoinFault.allCases {
      let count = parameters.faults[fault] ?? 0
      precondition(count == 0 || period.dayCount >= Places.shortestPeriod, "no room for faults")
      let start = period.first.advanced(by: 2).startUTC.seconds
      // The last six days are left for those that wait for somebody.
      moments[fault] = (0..<count).map { _ in
        start + Int64(random.below((period.dayCount - 8) * 86_400))
      }.sorted(by: >)
    }
    nextExpiry = moments[.expired]?.last ?? .max
  }

  /// What had to be left out.
  var leftOut: [LeftOutFaults] {
    CoinFault.allCases.compactMap { fault in
      let (left, asked) = (moments[fault]?.count ?? 0, parameters.faults[fault] ?? 0)
      return left == 0
        ? nil : LeftOutFaults(kind: fault.rawValue, asked: asked, made: asked - left)
    }
  }

  /// Whether a fault is due, and takes what happens then.
  ///
  /// - Parameter product: what is granted, where the fault is one of grants.
  mutating func takes(_ fault: CoinFault, of product: Int? = nil, at moment: Int64) -> Bool {
    if fault == .expired, moment < nextExpiry { return false }
    guard let due = moments[fault]?.last, due <= moment,
      store.parameters.period.contains(Instant(seconds: moment).day())
    else { return false }
    if let product, !takesRoom(product, at: moment) { return false }
    moments[fault]?.removeLast()
    if fault == .expired { nextExpiry = moments[fault]?.last ?? .max }
    return true
  }

  /// Whether no fault of the product lies near, and none will.
  private mutating func takesRoom(_ product: Int, at moment: Int64) -> Bool {
    let day = Instant(seconds: moment).day()
    guard !crowded.contains(ProductDay(product: product, day: day)) else { return false }
    for days in -4...4 {
      crowded.insert(ProductDay(product: product, day: day.advanced(by: days)))
    }
    return true
  }

  /// - Parameters:
  ///   - movement: the one that is, or should be.
  ///   - order: whose coins they are.
  mutating func expect(
    _ fault: CoinFault, _ movement: GameMovement, _ account: GameAccount,
    _ order: OrderRecord? = nil, at moment: Int64
  ) {
    var finding = TrueCoinFinding(
      code: fault.rawValue, date: Instant(seconds: moment).day(), coin: movement.coin.name,
      channel: account.channel.name, coins: movement.coins)
    let same = expected.firstIndex {
      $0.code == finding.code && $0.date == finding.date && $0.coin == finding.coin
    }
    if fault == .expired, let same {
      // Two users of a day are one finding.
      expected[same].coins += finding.coins
      expected[same].user = nil
      return
    }
    if !parameters.byDay { finding.user = Names.user(account.user).string }
    if movement.product >= 0 { finding.sku = store.stock.items[movement.product].sku }
    if let order {
      finding.orderID = Names.order(order.number).string
      let currency = order.currency ?? store.markets[order.market].currency
      finding.currency = currency
      let sold = order.coins ?? (store.stock.items[order.item].coins ?? 0) * Int64(order.quantity)
      // What a part of the coins is worth is a matter of rounding.
      finding.amount =
        movement.coins == sold ? order.price.map { $0 * Int64(order.quantity) } : nil
    }
    expected.append(finding)
  }

  /// What users of their own do: those who spend more than they have, and those who are granted
  /// coins that nobody bought.
  mutating func stillMovements(
    in accounts: GameAccounts, random: inout RandomNumbers
  ) -> [GameMovement] {
    var movements: [GameMovement] = []
    var user = Self.firstUser
    for moment in (moments.updateValue([], forKey: .overdrawn) ?? []).reversed() {
      user += 1
      let account = accounts.stillAccount(of: user)
      let coin = GameCoin.allCases[Int(user) % 2]
      let (granted, missing) = (Int64(random.within(40...90)), Int64(random.within(5...60)))
      func add(_ kind: GameMovementKind, _ coins: Int64, after seconds: Int64) {
        movements.append(
          GameMovement(
            at: moment + seconds, kind: kind, coins: coins, account: account, coin: coin))
      }
      add(.granted, granted, after: -3600)
      add(.spent, granted + missing, after: 0)
      movements[movements.count - 1].goods = 0
      expect(.overdrawn, movements[movements.count - 1], accounts[account], at: moment)
      expected[expected.count - 1].coins = missing
      add(.adjusted, missing + Int64(random.within(1...20)), after: 86_400)
    }
    // Of three, one is an order's grant that comes twice.
    let strange = moments[.withoutOrder] ?? []
    moments[.withoutOrder] = strange.enumerated().filter { $0.offset % 3 == 2 }.map(\.element)
    for moment in strange.enumerated().filter({ $0.offset % 3 != 2 }).map(\.element) {
      let products = (0..<40).map { _ in Stock.gems.lowerBound + random.below(Stock.gems.count) }
      guard let product = products.first(where: { takesRoom($0, at: moment) }) else {
        moments[.withoutOrder]?.insert(moment, at: 0)
        continue
      }
      user += 1
      var movement = GameMovement(
        at: moment, kind: .granted, coins: store.stock.items[product].coins ?? 0,
        account: accounts.stillAccount(of: user), coin: .gems, isPaid: true)
      movement.product = product
      movement.market = random.below(store.markets.count)
      // Some name an order that is nowhere, the others none.
      if parameters.namesOrders, user % 2 == 0 { movement.order = Self.firstOrder + UInt64(user) }
      movements.append(movement)
      expect(.withoutOrder, movement, accounts[movement.account], at: moment)
      if movement.order != 0, !parameters.byDay {
        expected[expected.count - 1].orderID = Names.order(movement.order).string
      }
    }
    return movements
  }

  /// Lets balances at the period's end say something else than is there.
  mutating func misstate(_ balances: inout [GameBalance], random: inout RandomNumbers) {
    let last = store.parameters.period.last
    let places = balances.indices.filter {
      balances[$0].day == last && balances[$0].user < Self.firstUser
    }
    var taken: Set<Int> = []
    for moment in moments[.balance] ?? [] {
      guard taken.count < places.count else { break }
      var place = random.pick(places)
      while taken.contains(place) { place = random.pick(places) }
      taken.insert(place)
      let coins = Int64(random.within(10...500))
      balances[place].paid += coins
      var finding = TrueCoinFinding(
        code: CoinFault.balance.rawValue, date: last, coin: balances[place].coin.name, channel: nil,
        coins: coins)
      if !parameters.byDay { finding.user = Names.user(balances[place].user).string }
      expected.append(finding)
      moments[.balance]?.removeAll { $0 == moment }
    }
  }
}
