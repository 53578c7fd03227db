import Billing

/// Coins granted as sold, against the sales that they are of: where a channel's grants name their
/// orders, those that name none here are of sales that no grant names, or else of none.
struct CoinGrants {
  /// A grant that names a user and no order here.
  struct Unnamed {
    /// Seconds since 1970.
    var at: Int64
    var day: Day
    var user: UInt64
    var coins: Int64
    /// The number of its terms.
    var terms: Int32
  }

  private struct Owner: Hashable {
    var coin: String
    var user: UInt64
  }

  /// Channels whose grants name their orders.
  private var naming: Set<Int32> = []
  /// Coins of sales that no grant named, less those of grants whose sale is of another month.
  private var open: [Owner: Int64] = [:]

  /// Notes that a grant of a channel, nil for Apple's, names its order.
  mutating func noteNamed(_ channel: Int32?) { naming.insert(channel ?? 0) }

  /// Whether grants of a channel, nil for Apple's, name their orders.
  func namesOrders(_ channel: Int32?) -> Bool { naming.contains(channel ?? 0) }

  /// Adds to a user's coins of sales that no grant has named so far.
  ///
  /// - Parameters:
  ///   - coins: of such a sale; below zero those of a grant whose sale is of another month, and
  ///     those that a grant was found for.
  ///   - coin: the name of the coin.
  ///   - user: 0 for nobody in particular.
  mutating func wait(_ coins: Int64, _ coin: String, user: UInt64) {
    let owner = Owner(coin: coin, user: user)
    let sum = (open[owner] ?? 0) + coins
    open[owner] = sum == 0 ? nil : sum
  }

  /// Assigns the coins of a grant that names no order to sales that no grant has named so far: the
  /// user's first, then those of no user in particular.
  ///
  /// - Parameters:
  ///   - coins: the coins that were granted.
  ///   - coin: the name of the coin.
  /// - Returns: how many of them no such sale accounts for.
  mutating func take(_ coins: Int64, _ coin: String, user: UInt64) -> Int64 {
    var left = coins
    for user in [user, 0] {
      let part = min(left, max(0, open[Owner(coin: coin, user: user)] ?? 0))
      wait(-part, coin, user: user)
      left -= part
    }
    return left
  }
}
