/// A currency of the game's own. The catalogue's `coin` has its name.
enum GameCoin: Int, CaseIterable {
  case gems, gold

  var name: String { self == .gems ? "gems" : "gold" }
}

/// Where players pay. The orders' `channel` has its name.
enum GameChannel: Int, CaseIterable {
  case apple, android, web

  var name: String {
    switch self {
    case .apple: "apple"
    case .android: "android"
    case .web: "web"
    }
  }

  /// What the channel keeps, of the price without tax, and the tax in the price; Apple's reports
  /// tell both of Apple.
  var terms: (fee: String, tax: String)? {
    switch self {
    case .apple: nil
    case .android: ("0.15", "0.06")
    case .web: ("0.03", "0.06")
    }
  }
}

/// What happens to coins, as the game's database names it.
enum GameMovementKind: String {
  case opening, granted, spent, expired, adjusted
  case takenBack = "taken_back"

  /// What becomes of a balance for each coin; an adjustment has its own sign.
  var sign: Int64 {
    switch self {
    case .opening, .granted, .adjusted: 1
    case .spent, .expired, .takenBack: -1
    }
  }
}

/// What coins buy in the game, as `items.csv` has it.
struct GameGoods {
  let name: String
  /// Coins for one, of each currency.
  let prices: [Int64]
  /// Days of use; nil where it is used up at once.
  let days: Int?

  static let all = [
    GameGoods(name: "potion", prices: [5, 40], days: nil),
    GameGoods(name: "ticket", prices: [12, 90], days: nil),
    GameGoods(name: "armour", prices: [60, 450], days: 90),
    GameGoods(name: "mount", prices: [180, 1200], days: 365),
    GameGoods(name: "skin", prices: [90, 700], days: 180),
  ]
}

/// One movement of coins in the game's database.
struct GameMovement {
  var at: Int64
  var kind: GameMovementKind
  /// Negative in adjustments alone.
  var coins: Int64
  /// Place among the game's accounts.
  var account: Int
  var coin: GameCoin
  var isPaid = false
  /// What was bought, where it is known; zeros and -1 are blank.
  var order: UInt64 = 0
  var transaction: UInt64 = 0
  var product = -1
  var market = -1
  /// Place among ``GameGoods/all``; -1 is blank.
  var goods = -1
  /// Coins that the player keeps from then on until they are taken back: negative lets them go.
  var held: Int64 = 0
  /// Place among the purchases from before the first day; -1 where it takes back none of them.
  var earlier = -1
}

/// A player's coins of one channel.
struct GameAccount {
  /// What a player is like.
  enum Habit: UInt8 {
    case spends, hoards
    /// Is away for the middle of the month.
    case comesBack
    /// Does what a fault wants, and nothing else.
    case still
  }

  let user: UInt32
  let channel: GameChannel
  let habit: Habit
  /// The moment of the last movement.
  var last: Int64 = 0
  /// By currency; `held` is a part of what is paid.
  var paid: SIMD2<Int32>
  var free: SIMD2<Int32>
  var held: SIMD2<Int32> = .zero
  /// The last day with a movement, by currency; counted from the first day of trade.
  var moved: SIMD2<Int32> = [-1, -1]

  /// Seconds that the clock of the channel's database is ahead of UTC.
  var clock: Int64 {
    channel == .android ? [28_800, 32_400, 3600, -18_000, 19_800][Int(user % 5)] : 0
  }
}
