import Billing
import Support

/// What the game's players have.
final class GameAccounts {
  private var all: [GameAccount] = []
  private var numbers: [Owner: Int] = [:]
  /// How many there are before the first day; they have something then.
  private var opened = 0
  private var seed: UInt64 = 0
  /// Purchases from before the first day that are taken back later, and the day on which they are.
  private(set) var earlier: [EarlierCoins] = []

  private struct Owner: Hashable {
    var user: UInt32
    var channel: GameChannel
  }

  /// Players who never buy, from here on.
  private static let firstPlayer: UInt32 = 1_000_000_000

  subscript(_ account: Int) -> GameAccount { all[account] }
  var indices: Range<Int> { all.indices }

  /// Opens the accounts of customers and players that the game had before.
  func open(regulars: Int, others: Int, seed: UInt64) {
    self.seed = seed
    all.reserveCapacity(regulars + others)
    for user in 1...UInt32(regulars) { _ = account(of: user, in: .apple) }
    for player in 0..<UInt32(others) {
      let channel: GameChannel = player % 4 == 3 ? .android : .apple
      add(Self.firstPlayer + player, channel, habit(Self.firstPlayer + player))
    }
    opened = all.count
    for account in all.indices {
      for coin in GameCoin.allCases {
        all[account].paid[coin.rawValue] = Int32(before(account, coin, isPaid: true))
        all[account].free[coin.rawValue] = Int32(before(account, coin, isPaid: false))
      }
    }
  }

  /// The account of a user in a channel, which is opened where it is not there.
  func account(of user: UInt32, in channel: GameChannel) -> Int {
    let owner = Owner(user: user, channel: channel)
    if let account = numbers[owner] { return account }
    numbers[owner] = all.count
    return add(user, channel, habit(user))
  }

  /// An account that does what a fault wants.
  func stillAccount(of user: UInt32) -> Int { add(user, .apple, .still) }

  @discardableResult
  private func add(
    _ user: UInt32, _ channel: GameChannel, _ habit: GameAccount.Habit
  ) -> Int {
    all.append(
      GameAccount(user: user, channel: channel, habit: habit, paid: .zero, free: .zero))
    return all.count - 1
  }

  private func habit(_ user: UInt32) -> GameAccount.Habit {
    switch mixed(UInt64(user) ^ seed) % 10 {
    case 0..<2: .hoards
    case 2..<4: .comesBack
    default: .spends
    }
  }

  /// What an account had before the first day, without what is taken back later.
  private func before(_ account: Int, _ coin: GameCoin, isPaid: Bool) -> Int64 {
    guard account < opened else { return 0 }
    let drawn = mixed(seed &+ UInt64(account * 4 + coin.rawValue * 2 + (isPaid ? 1 : 0)))
    guard drawn % 8 < (isPaid ? 2 : 5) else { return 0 }
    return Int64(drawn >> 16 % 300) * (coin == .gold ? 8 : 1) + 1
  }

  /// Keeps coins that were bought before the first day and are taken back later.
  ///
  /// - Returns: their place.
  func keepEarlier(_ coins: Int64, _ coin: GameCoin, of account: Int) -> Int {
    earlier.append(EarlierCoins(account: account, coin: coin, coins: coins))
    return earlier.count - 1
  }

  /// A player who may do something then; nil where it is nobody's time.
  func player(_ dice: UInt64, at moment: Int64, isMiddle: Bool) -> Int? {
    let drawn = Int(mixed(dice) >> 1)
    var account = drawn % all.count
    // Two times out of three, those who play most.
    if dice % 3 != 0 { account = min(account, Int(mixed(dice ^ 0x91A7) >> 1) % all.count) }
    let player = all[account]
    if player.habit == .still || player.last >= moment { return nil }
    return isMiddle && player.habit == .comesBack ? nil : account
  }

  func apply(_ movement: GameMovement) {
    let (account, place) = (movement.account, movement.coin.rawValue)
    all[account].last = max(all[account].last, movement.at)
    if movement.earlier >= 0 {
      earlier[movement.earlier].until = Instant(seconds: movement.at).day()
      return
    }
    let coins = Int32(movement.coins * movement.kind.sign)
    if movement.isPaid {
      all[account].paid[place] += coins
      all[account].held[place] += Int32(movement.held)
    } else {
      all[account].free[place] += coins
    }
  }

  /// Marks that an account has a movement of a currency on the day of that number.
  ///
  /// - Returns: whether it is the first of the day.
  func mark(_ movement: GameMovement, on day: Int32) -> Bool {
    let place = movement.coin.rawValue
    guard all[movement.account].moved[place] != day else { return false }
    all[movement.account].moved[place] = day
    return true
  }

  /// What accounts had at the first moment, as movements.
  func openings(at moment: Int64) -> some Sequence<GameMovement> {
    var kept: [Int: SIMD2<Int64>] = [:]
    for coins in earlier { kept[coins.account, default: .zero][coins.coin.rawValue] += coins.coins }
    return all.indices.lazy.flatMap { account in
      GameCoin.allCases.flatMap { coin in
        [true, false].compactMap { isPaid in
          let coins =
            self.before(account, coin, isPaid: isPaid)
            + (isPaid ? kept[account]?[coin.rawValue] ?? 0 : 0)
          return coins == 0
            ? nil
            : GameMovement(
              at: moment, kind: .opening, coins: coins, account: account, coin: coin,
              isPaid: isPaid)
        }
      }
    }
  }
}

/// Coins of a purchase from before the first day.
struct EarlierCoins {
  var account: Int
  var coin: GameCoin
  var coins: Int64
  /// The day on which they are taken back; nil where they stay.
  var until: Day?

  /// Whether they are still there when a day ends.
  func isThere(on day: Day) -> Bool { until.map { day < $0 } ?? true }
}
