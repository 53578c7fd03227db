import Billing

/// The coins that one user has: paid ones by their sales where they are valued by lot, and free
/// ones, for which nothing is owed. All who are not named are one user together.
struct CoinHolder: Sendable {
  struct Lot: Sendable {
    var sale: UInt64
    var pool: CoinPoolKey
    var day: Day
    var owed: OwedCoins
  }

  /// Oldest first, without those that are used up. Empty where coins are valued at a mean.
  var lots: [Lot] = []
  /// Coins that were paid for, and others.
  private(set) var paid: Int64 = 0
  private(set) var free: Int64 = 0
  /// Of the paid ones those that were given up because the user stayed away.
  var away: Int64 = 0
  /// The last day on which something happened.
  var last = Day(number: .min)
  /// Millionths of a free coin that use in proportion has not taken yet.
  private var rest: Int64 = 0

  mutating func buy(_ coins: Int64) { paid += coins }
  mutating func get(_ coins: Int64) { free += coins }

  /// Takes coins that go away, and says how many of them were paid for, and how many are not there.
  mutating func spend(
    _ coins: Int64, _ origin: CoinOrigin?, _ policy: CoinPolicy.FreeCoins
  ) -> (paid: Int64, lacking: Int64) {
    let ofFree = freePart(coins, origin, policy)
    let ofPaid = min(coins - ofFree, paid)
    free -= ofFree
    paid -= ofPaid
    return (ofPaid, coins - ofFree - ofPaid)
  }

  private mutating func freePart(
    _ coins: Int64, _ origin: CoinOrigin?, _ policy: CoinPolicy.FreeCoins
  ) -> Int64 {
    switch (origin, policy) {
    case (.paid, _): return 0
    case (.free, _): return min(coins, free)
    case (nil, .first): return min(coins, free)
    case (nil, .last): return min(max(0, coins - paid), free)
    case (nil, .proportion):
      guard coins < paid + free else { return free }
      let share = Int128(coins) * Int128(free) * 1_000_000 / Int128(paid + free) + Int128(rest)
      let whole = min(Int64(share / 1_000_000), min(coins, free))
      rest = Int64(clamping: share - Int128(whole) * 1_000_000)
      return max(whole, coins - paid)
    }
  }

  /// Coins of a refunded sale stay, and nothing is owed for them, until they are taken.
  mutating func keep(refunded coins: Int64) {
    let moved = min(coins, paid)
    paid -= moved
    free += moved
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
