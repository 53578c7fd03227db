import Billing

/// What is known of a game's coins: flows of each day, and what players had when days ended.
struct GameSums {
  private let period: Period
  private let first: Day
  /// Whether the truth has each player.
  let tellsUsers: Bool
  private let byDay: Bool
  /// The number of the day that passes, from the first day of trade.
  private(set) var age: Int32 = -1
  /// By day, then as ``place(_:_:)``.
  private var flows: [[TrueCoinDay]]
  private var moved: [(account: Int, coin: GameCoin)] = []
  private var users: [UserBalance] = []
  /// What accounts had at the ends of two days.
  private var kept: [(day: Day, balances: [(paid: SIMD2<Int32>, free: SIMD2<Int32>)])] = []

  private struct UserBalance {
    var day: Day
    var account: Int
    var coin: GameCoin
    var paid: Int64
    var free: Int64
  }

  private static let places = GameCoin.allCases.flatMap { coin in
    GameChannel.allCases.map { (coin, $0) }
  }

  private static func place(_ coin: GameCoin, _ channel: GameChannel) -> Int {
    coin.rawValue * GameChannel.allCases.count + channel.rawValue
  }

  init(store: Store, _ parameters: CoinParameters) {
    period = store.parameters.period
    let first = Instant(seconds: store.opens).day()
    self.first = first
    byDay = parameters.byDay
    tellsUsers = !byDay && parameters.movements ?? 0 <= 200_000
    flows = (0..<period.dayCount + 4).map { age in
      Self.places.map {
        TrueCoinDay(day: first.advanced(by: age), coin: $0.0.name, channel: $0.1.name)
      }
    }
  }

  /// What there is before the first movement.
  mutating func open(_ accounts: GameAccounts) {
    for account in accounts.indices {
      let player = accounts[account]
      for coin in GameCoin.allCases {
        let place = Self.place(coin, player.channel)
        flows[0][place].paid += Int64(player.paid[coin.rawValue])
        flows[0][place].free += Int64(player.free[coin.rawValue])
      }
    }
  }

  /// Counts coins of an order; those of days that are not told are left out.
  mutating func sell(_ coins: Int64, _ coin: GameCoin, _ channel: GameChannel, at moment: Int64) {
    let age = Int(Instant(seconds: moment).day().number - first.number)
    guard flows.indices.contains(age) else { return }
    flows[age][Self.place(coin, channel)].sold += coins
  }

  mutating func begin(_ day: Day) {
    age += 1
    precondition(flows[Int(age)][0].day == day, "days pass one by one")
    guard age > 0 else { return }
    for place in Self.places.indices {
      flows[Int(age)][place].paid = flows[Int(age) - 1][place].paid
      flows[Int(age)][place].free = flows[Int(age) - 1][place].free
    }
  }

  mutating func add(_ movement: GameMovement, _ channel: GameChannel) {
    flows[Int(age)][Self.place(movement.coin, channel)].add(movement)
  }

  /// Notes the first movement of an account's currency on a day.
  mutating func note(_ movement: GameMovement) { moved.append((movement.account, movement.coin)) }

  mutating func end(_ accounts: GameAccounts) {
    let day = first.advanced(by: Int(age))
    for (account, coin) in moved {
      let player = accounts[account]
      users.append(
        UserBalance(
          day: day, account: account, coin: coin, paid: Int64(player.paid[coin.rawValue]),
          free: Int64(player.free[coin.rawValue])))
    }
    moved.removeAll(keepingCapacity: true)
    guard day == period.first.advanced(by: -1) || day == period.last else { return }
    kept.append((day, accounts.indices.map { (accounts[$0].paid, accounts[$0].free) }))
  }

  /// The truth but for its findings.
  func truth(_ accounts: GameAccounts) -> TrueCoins {
    var truth = TrueCoins()
    for day in flows where period.contains(day[0].day) {
      for (row, place) in zip(day, Self.places) {
        var row = row
        for coins in accounts.earlier
        where coins.coin == place.0 && accounts[coins.account].channel == place.1
          && coins.isThere(on: row.day)
        {
          row.paid += coins.coins
        }
        if !row.isEmpty { truth.flows.append(row) }
      }
    }
    let earlier = Dictionary(grouping: accounts.earlier, by: \.account)
    truth.balances = users.map { row in
      let kept = (earlier[row.account] ?? []).filter {
        $0.coin == row.coin && $0.isThere(on: row.day)
      }
      return TrueCoinBalance(
        day: row.day, user: Names.user(accounts[row.account].user).string, coin: row.coin.name,
        channel: accounts[row.account].channel.name,
        paid: kept.reduce(row.paid) { $0 + $1.coins }, free: row.free)
    }
    return truth
  }

  /// What the database says of the ends of the two days: of each player, or of all together.
  func balances(_ accounts: GameAccounts) -> [GameBalance] {
    var rows: [GameBalance] = []
    for (day, balances) in kept {
      /// The first row of each user, who may have accounts of several channels.
      var places: [UInt32: Int] = [:]
      func place(_ account: Int) -> Int {
        let user = byDay ? 0 : accounts[account].user
        if let place = places[user] { return place }
        places[user] = rows.count
        for coin in GameCoin.allCases {
          rows.append(GameBalance(day: day, user: user, coin: coin))
        }
        return rows.count - GameCoin.allCases.count
      }
      for (account, balance) in balances.enumerated() {
        let place = place(account)
        for coin in GameCoin.allCases {
          rows[place + coin.rawValue].paid += Int64(balance.paid[coin.rawValue])
          rows[place + coin.rawValue].free += Int64(balance.free[coin.rawValue])
        }
      }
      for coins in accounts.earlier where coins.isThere(on: day) {
        rows[place(coins.account) + coins.coin.rawValue].paid += coins.coins
      }
    }
    return rows
  }
}

extension TrueCoinDay {
  fileprivate mutating func add(_ movement: GameMovement) {
    let coins = movement.coins
    switch movement.kind {
    case .opening: break
    case .granted: if movement.isPaid { granted += coins } else { given += coins }
    case .spent: spent += coins
    case .expired: expired += coins
    case .takenBack: takenBack += coins
    case .adjusted: adjusted += coins
    }
    // What was bought earlier is added when all is known.
    guard movement.earlier < 0 else { return }
    if movement.isPaid {
      paid += coins * movement.kind.sign
    } else {
      free += coins * movement.kind.sign
    }
  }

  fileprivate var isEmpty: Bool {
    [sold, granted, given, spent, expired, takenBack, adjusted, paid, free].allSatisfy { $0 == 0 }
  }
}
