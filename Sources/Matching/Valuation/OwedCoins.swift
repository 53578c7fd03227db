import Billing
import Conclusions

/// Coins that were sold and are not used yet: of one sale, or of one channel and currency at their
/// mean.
struct OwedCoins: Sendable {
  /// Those that are owed for.
  private(set) var valued = CoinValue.zero
  /// Those that are there and became revenue all the same, with what they were owed for.
  private(set) var broken = CoinValue.zero
  /// What use so far has earned of the next coin that nobody will use: millionths of a coin, times
  /// the share that is expected to be used.
  private var rest: Int128 = 0

  /// Begins with coins that are all still owed for.
  init(_ value: CoinValue = .zero) { valued = value }

  /// All coins that are there, with those that became revenue.
  var coins: Int64 { valued.coins + broken.coins }

  /// Adds coins that were sold.
  mutating func add(_ value: CoinValue) { valued += value }

  /// Takes away coins that are used, and turns coins that are expected to stay unused into revenue
  /// in proportion (IFRS 15.B46, ASC 606-10-55-48). Where more are used than are owed for, the
  /// others were revenue before, and are in neither sum.
  ///
  /// - Parameters:
  ///   - count: the coins that are used, not more than there are.
  ///   - share: how many of all coins are expected to stay unused, in millionths.
  /// - Returns: the used coins and the coins that became revenue with them, each with what was owed
  ///   for them.
  mutating func use(_ count: Int64, expecting share: Int64) -> (used: CoinValue, broken: CoinValue)
  {
    precondition((0...coins).contains(count), "more coins are used than there are")
    let used = valued.part(min(count, valued.coins))
    var breakage = CoinValue.zero
    valued -= used
    rest += Int128(used.coins) * Int128(share)
    broken -= broken.part(count - used.coins)
    let usedShare = Int128(1_000_000 - share)
    let earned = Int64(rest / usedShare)
    if earned > 0 {
      rest -= Int128(earned) * usedShare
      breakage += breakUp(min(earned, valued.coins))
    }
    return (used, breakage)
  }

  /// Turns so many coins that are owed for into revenue, although users still have them, and
  /// returns them with what was owed for them.
  mutating func breakUp(_ count: Int64) -> CoinValue {
    let part = valued.part(count)
    valued -= part
    broken += part
    return part
  }

  /// Owes again for up to so many of the coins that had become revenue unused, and returns them
  /// with what is owed for them.
  mutating func restore(_ count: Int64) -> CoinValue {
    let part = broken.part(min(count, broken.coins))
    broken -= part
    valued += part
    return part
  }

  /// Takes away coins without their being used, as a refund does. Returns, with what was owed for
  /// them, the coins that were owed for until now and those that had become revenue.
  ///
  /// - Parameters:
  ///   - count: not more than there are.
  ///   - wanted: how many of them shall be coins that had become revenue, as far as that can be;
  ///     nil for their share of all coins.
  mutating func take(
    _ count: Int64, broken wanted: Int64? = nil
  ) -> (valued: CoinValue, broken: CoinValue) {
    precondition((0...coins).contains(count), "more coins are taken than there are")
    if count == 0 { return (.zero, .zero) }
    let share = wanted ?? Int64(Int128(broken.coins) * Int128(count) / Int128(coins))
    let given = broken.part(max(count - valued.coins, min(share, count, broken.coins)))
    let owed = valued.part(count - given.coins)
    broken -= given
    valued -= owed
    return (owed, given)
  }
}
