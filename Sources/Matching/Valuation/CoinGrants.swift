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

  /// Adds a user's coins of a sale that waits for its grant.
  ///
  /// - Parameter coins: of a sale without a grant; below zero those of a grant without its sale.
  mutating func wait(_ coins: Int64, _ coin: String, user: UInt64) {
    let owner = Owner(coin: coin, user: user)
    let sum = (open[owner] ?? 0) + coins
    open[owner] = sum == 0 ? nil : sum
  }

  /// Holds a grant against sales that wait for one: the user's, then those of no user in
  /// particular.
  ///
  /// - Returns: coins that no sale stands behind.
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
