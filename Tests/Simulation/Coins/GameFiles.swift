import Billing

/// What a game's database exports: movements of coins, in the second channel by its players' local
/// time, balances, and what coins buy.
final class GameFiles {
  private let store: Store
  private let parameters: CoinParameters
  private let directory: String
  private let movements: LineFile
  /// Nil where there are sums of days.
  private let android: LineFile?
  /// What there was before the first day.
  private let openings: LineFile
  private let again: LineFile?
  /// What an earlier export said of ``restatedDay``.
  private let first: LineFile?
  private let repeatedDays: ClosedRange<Day>
  private let restatedDay: Day
  private var day: Day
  private var sums: [Place: Int64] = [:]

  /// What sums of a day are told apart by.
  private struct Place: Hashable, Comparable {
    var kind: GameMovementKind
    var channel: Int
    var coin: Int
    var isPaid: Bool
    var product: Int
    var market: Int
    var goods: Int

    private var order: (String, Int, Int, Int, Int) {
      (kind.rawValue, channel * 4 + coin * 2 + (isPaid ? 1 : 0), product, market, goods)
    }

    static func < (left: Self, right: Self) -> Bool { left.order < right.order }
  }

  private static let name = "coin_movements"
  private static let header =
    "date,movement,coins,user_id,channel,coin,paid,order_id,transaction_id,sku,storefront,item\n"
  private static let sumHeader = "date,movement,coins,channel,coin,paid,sku,storefront,item\n"

  /// What the files of an earlier run are called.
  static let names = [name, "coin_balances", "items"]

  init(directory: String, store: Store, _ parameters: CoinParameters) throws {
    self.store = store
    self.parameters = parameters
    self.directory = directory
    let header = parameters.byDay ? Self.sumHeader : Self.header
    func file(_ path: String) throws -> LineFile {
      try LineFile(
        path: "\(directory)/\(path).csv", header: header, shuffles: store.parameters.shuffle)
    }
    movements = try file(Self.name)
    android = parameters.byDay ? nil : try file("\(Self.name)-android")
    openings = try file("\(Self.name)-opening")
    again = parameters.repeats ? try file("\(Self.name)-again") : nil
    first =
      parameters.restatesDay ? try file("\(SimulatedMonth.firstDownloads)/\(Self.name)") : nil
    let period = store.parameters.period
    repeatedDays = period.first.advanced(by: 4)...period.first.advanced(by: 6)
    restatedDay = period.middle
    day = period.first
    let goods = GameGoods.all.map { goods in
      "\(goods.name),\(goods.days == nil ? "consumable" : "durable"),"
        + (goods.days.map { "\($0)" } ?? "") + "\n"
    }
    try Simulation.write("item,kind,days\n" + goods.joined(), to: "\(directory)/items.csv")
  }

  /// From here on movements are of `day`.
  func begin(_ day: Day) throws {
    try writeSums()
    self.day = day
  }

  func write(_ movement: GameMovement, of account: GameAccount) throws {
    if parameters.byDay {
      let place = Place(
        kind: movement.kind, channel: account.channel.rawValue, coin: movement.coin.rawValue,
        isPaid: movement.isPaid, product: movement.product, market: movement.market,
        goods: movement.goods)
      sums[place, default: 0] += movement.coins
      return
    }
    if movement.kind == .opening { return try put(movement, account, to: openings) }
    try put(movement, account, to: account.channel == .android ? android! : movements)
    if let again, account.channel != .android, repeatedDays.contains(day) {
      try put(movement, account, to: again)
    }
  }

  private func put(_ movement: GameMovement, _ account: GameAccount, to file: LineFile) throws {
    try file.line { text in
      let clock = account.clock
      let zone: String
      switch clock {
      case 0: zone = "Z"
      case 28_800: zone = "+08:00"
      case 32_400: zone = "+09:00"
      case 3600: zone = "+01:00"
      case -18_000: zone = "-05:00"
      default: zone = "+05:30"
      }
      text.put(.moment(movement.at + clock, between: "T", after: zone))
      text.put(byte: 0x2C)
      text.put(movement.kind.rawValue)
      text.put(byte: 0x2C)
      text.put(signed: movement.coins)
      text.put(byte: 0x2C)
      text.put(Names.user(account.user))
      text.put(byte: 0x2C)
      text.put(account.channel.name)
      text.put(byte: 0x2C)
      text.put(movement.coin.name)
      text.put(byte: 0x2C)
      text.put(movement.isPaid ? "paid" : "free")
      text.put(byte: 0x2C)
      text.put(Names.order(movement.order))
      text.put(byte: 0x2C)
      text.put(.unlessZero(movement.transaction))
      text.put(byte: 0x2C)
      putThings(movement.product, movement.market, movement.goods, to: &text)
    }
  }

  /// Product, storefront and goods, each where it is known.
  private func putThings(_ product: Int, _ market: Int, _ goods: Int, to text: inout RowText) {
    if product >= 0 { text.put(store.stock.items[product].sku) }
    text.put(byte: 0x2C)
    if market >= 0 { text.put(store.markets[market].storefront.code) }
    text.put(byte: 0x2C)
    if goods >= 0 { text.put(GameGoods.all[goods].name) }
  }

  private func writeSums() throws {
    guard !sums.isEmpty else { return }
    for (index, (place, coins)) in sums.sorted(by: { $0.key < $1.key }).enumerated()
    where coins != 0 {
      try put(coins, place, to: place.kind == .opening ? openings : movements)
      if let again, repeatedDays.contains(day) { try put(coins, place, to: again) }
      // One row in four was not there yet, the others had less.
      guard let first, day == restatedDay, index % 4 != 3 else { continue }
      try put(coins - coins / 3, place, to: first)
    }
    sums.removeAll(keepingCapacity: true)
  }

  private func put(_ coins: Int64, _ place: Place, to file: LineFile) throws {
    try file.line { text in
      let channel = GameChannel.allCases[place.channel].name
      let coin = GameCoin.allCases[place.coin].name
      text.put("\(day),\(place.kind.rawValue),\(coins),\(channel),\(coin),")
      text.put(place.isPaid ? "paid," : "free,")
      putThings(place.product, place.market, place.goods, to: &text)
    }
  }

  /// Closes all files.
  ///
  /// - Parameter balances: what `coin_balances.csv` has.
  func close(_ balances: [GameBalance], random: inout RandomNumbers) throws {
    try writeSums()
    for file in [movements, android, openings, again, first] { try file?.close(random: &random) }
    let table = try LineFile(
      path: "\(directory)/coin_balances.csv",
      header: parameters.byDay
        ? "date,coin,paid,free\n" : "date,user_id,coin,paid,free\n",
      shuffles: store.parameters.shuffle)
    for balance in balances {
      try table.line { text in
        text.put("\(balance.day),")
        if balance.user != 0 {
          text.put(Names.user(balance.user))
          text.put(byte: 0x2C)
        }
        text.put("\(balance.coin.name),")
        text.put(signed: balance.paid)
        text.put(byte: 0x2C)
        text.put(signed: balance.free)
      }
    }
    try table.close(random: &random)
  }
}

/// What the game's database says of a balance at the end of a day.
struct GameBalance {
  var day: Day
  /// Zero where it is of all players.
  var user: UInt32
  var coin: GameCoin
  var paid: Int64 = 0
  var free: Int64 = 0
}

extension CoinParameters {
  /// Whether an earlier export is written.
  var restatesDay: Bool { restates && byDay }
}

extension RowText {
  fileprivate mutating func put(signed number: Int64) {
    if number < 0 { put(byte: 0x2D) }
    put(number: number.magnitude)
  }
}
