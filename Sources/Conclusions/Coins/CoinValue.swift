import Billing

/// Coins, what is owed for them and the commission on that, in micro-units of one currency.
package struct CoinValue: Hashable, Sendable {
  package var coins: Int64
  package var amount: Int64
  package var cost: Int64

  package static let zero = CoinValue(coins: 0, amount: 0, cost: 0)

  package init(coins: Int64, amount: Int64, cost: Int64 = 0) {
    self.coins = coins
    self.amount = amount
    self.cost = cost
  }

  package static func + (left: Self, right: Self) -> Self {
    Self(
      coins: left.coins + right.coins, amount: left.amount + right.amount,
      cost: left.cost + right.cost)
  }

  package static func - (left: Self, right: Self) -> Self { left + -right }
  package static prefix func - (value: Self) -> Self {
    Self(coins: -value.coins, amount: -value.amount, cost: -value.cost)
  }
  package static func += (left: inout Self, right: Self) { left = left + right }
  package static func -= (left: inout Self, right: Self) { left = left - right }

  /// The amounts alone, with zero coins.
  package var withoutCoins: CoinValue { CoinValue(coins: 0, amount: amount, cost: cost) }

  /// What so many of the coins stand for, their share of each amount; the last of them takes what
  /// rounding left.
  ///
  /// - Precondition: not more than there are.
  package func part(_ count: Int64) -> CoinValue {
    precondition((0...coins).contains(count), "more coins are taken than there are")
    if count == coins { return self }
    /// The share of an amount that the coins have.
    func share(_ micros: Int64) -> Int64 {
      roundedHalfUp(
        Int128(micros) * Int128(count), dividedBy: Int128(coins), toMultipleOf: 1)
    }
    return CoinValue(coins: count, amount: share(amount), cost: share(cost))
  }
}
