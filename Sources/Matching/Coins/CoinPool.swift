import Billing

/// Coins of one product and channel, by day: what was sold against what was granted without an
/// order's name. A grant may come a day or two after its sale, and a company may count days by
/// another clock.
struct CoinPool {
  /// By day of the window.
  private(set) var lacking: [Int64]
  private(set) var excess: [Int64]
  /// Coins of orders that may have been granted, and that nothing says must be.
  private var optional: [Int64]

  /// - Parameters:
  ///   - due: coins that were sold.
  ///   - optional: those of orders that level 1 names.
  init(due: [Int64], optional: [Int64], granted: [Int64]) {
    self.optional = optional
    lacking = zip(due, granted).map { max(0, $0 - $1) }
    excess = zip(due, granted).map { max(0, $1 - $0) }
    for days in [1, -1, 2, -2] {
      for place in lacking.indices where excess.indices.contains(place + days) {
        let coins = min(lacking[place], excess[place + days])
        lacking[place] -= coins
        excess[place + days] -= coins
      }
    }
    for days in [0, -1, 1, -2, 2] {
      for place in excess.indices where excess.indices.contains(place + days) {
        let coins = min(excess[place], self.optional[place + days])
        excess[place] -= coins
        self.optional[place + days] -= coins
      }
    }
  }

  /// Takes what else was granted for what lacks.
  mutating func cover(with coins: inout Int64) {
    for place in lacking.indices {
      let part = min(coins, lacking[place])
      lacking[place] -= part
      coins -= part
    }
  }
}
