import Billing
import Conclusions

/// The coins that one user has: paid ones by their sales where they are valued by lot, others that
/// no sale here stands behind, and free ones. Only for the first ones anything is owed. All who are
/// not named are one user together.
struct CoinHolder: Sendable {
  struct Lot: Sendable {
    var sale: UInt64
    var pool: CoinPoolKey
    var day: Day
    var owed: OwedCoins
  }

  /// Oldest first, without those that are used up. Empty where coins are valued at a mean.
  var lots: [Lot] = []
  /// Of sales.
  private(set) var paid: Int64 = 0
  /// As good as paid, but of no sale here: from before the first movement, set right by hand, sold
  /// at a price that nobody knows, or of a sale that was refunded.
  private(set) var bare: Int64 = 0
  private(set) var free: Int64 = 0
  /// Of the paid ones those that were given up because the user stayed away.
  var away: Int64 = 0
  /// The last day on which something happened.
  var last = Day(number: .min)
  /// What went away before it came, as where the clocks of game and store differ.
  var early: [CoinUse] = []
  /// Millionths of a free coin that use in proportion has not taken yet.
  private var rest: Int64 = 0

  /// Adds coins of a sale.
  mutating func buy(_ coins: Int64) { paid += coins }

  /// Adds coins of no sale here: ``bare`` ones where they are paid, else free ones.
  mutating func get(_ coins: Int64, _ origin: CoinOrigin?) {
    if origin == .paid { bare += coins } else { free += coins }
  }

  /// Takes coins from the user: free ones as far as the movement or the policy says so, then paid
  /// ones, of which those without a sale (``bare``) go first, as they are mostly the oldest.
  ///
  /// - Parameters:
  ///   - use: how many coins leave, and whether the movement says which.
  ///   - policy: whether free coins are used first, last or in proportion.
  ///   - isTold: whether all movements of the coin say which coins leave. Where only some do, the
  ///     coins that one names may be gone by the policy: then others are taken.
  /// - Returns: how many of the coins are of sales, and how many the user does not have.
  mutating func spend(
    _ use: CoinUse, _ policy: CoinPolicy.FreeCoins, isTold: Bool
  ) -> (paid: Int64, lacking: Int64) {
    var ofFree = freePart(use, policy)
    let mayTakeOthers = !isTold || use.origin != .free
    let others = mayTakeOthers ? min(use.coins - ofFree, bare + paid) : 0
    if !isTold { ofFree = min(use.coins - others, free) }
    let ofBare = min(others, bare)
    free -= ofFree
    bare -= ofBare
    paid -= others - ofBare
    return (others - ofBare, use.coins - ofFree - others)
  }

  /// How many of the coins that go away are free ones: as the movement says, else by the policy.
  private mutating func freePart(_ use: CoinUse, _ policy: CoinPolicy.FreeCoins) -> Int64 {
    let (coins, others) = (use.coins, bare + paid)
    switch use.origin {
    case .paid: return 0
    case .free: return min(coins, free)
    case nil: break
    }
    switch policy {
    case .first: return min(coins, free)
    case .last: return min(max(0, coins - others), free)
    case .proportion:
      guard coins < others + free else { return free }
      let share = Int128(coins) * Int128(free) * 1_000_000 / Int128(others + free) + Int128(rest)
      let whole = min(Int64(share / 1_000_000), min(coins, free))
      rest = Int64(clamping: share - Int128(whole) * 1_000_000)
      return max(whole, coins - others)
    }
  }

  /// Makes coins of a refunded sale ``bare``: they stay, and nothing is owed for them, until they
  /// are taken.
  mutating func keep(refunded coins: Int64) {
    paid -= coins
    bare += coins
  }
}

/// Coins that go away.
struct CoinUse: Hashable, Sendable {
  /// The figure of the roll-forward that they count in.
  enum Cause: Hashable, Sendable {
    case used, expired, adjusted

    /// The figure of a roll-forward that coins of this cause are added to.
    var figure: WritableKeyPath<CoinRoll, CoinValue> {
      switch self {
      case .used: \.used
      case .expired: \.expired
      case .adjusted: \.adjusted
      }
    }
  }

  var coins: Int64
  var cause: Cause
  var day: Day
  /// Of which coins they are, where a movement says so.
  var origin: CoinOrigin?
  var channel: Int32?
  /// Whose coins they are first; 0 for those of no sale in particular.
  var sale: UInt64 = 0
  /// Days of use of what they buy; 0 where it is used up at once.
  var days: Int32 = 0

  /// Whether another use is the same but for the number of its coins.
  func isLike(_ other: CoinUse) -> Bool {
    var copy = self
    copy.coins = other.coins
    return copy == other
  }
}

/// What coins are owed in.
struct CoinPoolKey: Hashable, Sendable, Comparable {
  var channel: Int32
  var currency: Currency

  static func < (left: Self, right: Self) -> Bool {
    (left.channel, left.currency) < (right.channel, right.currency)
  }
}
