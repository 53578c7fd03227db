package import Billing

/// How the contract liability of one coin, channel and currency came about in a month: each figure
/// in coins, in what is owed for them, and in the commission on it. Coins that are there and no
/// longer owed for are in none of them.
package struct CoinRoll: Hashable, Sendable {
  package var coin: String
  package var channel: String
  package var currency: Currency
  /// Owed when the month began.
  package var opening = CoinValue.zero
  package var sold = CoinValue.zero
  /// Unused coins of sales that were refunded, as far as they were owed for.
  package var refunded = CoinValue.zero
  package var used = CoinValue.zero
  /// Recognised though not used; below zero where a user came back.
  package var breakage = CoinValue.zero
  package var expired = CoinValue.zero
  /// Taken away by hand.
  package var adjusted = CoinValue.zero
  /// Coins that are there and no longer owed for, when the month ended.
  package var broken: Int64 = 0
  /// What refunds of coins that were used took off revenue; without coins.
  package var reversed = CoinValue.zero
  /// Of items that are in use for days, without coins: owed when the month began, bought, refunded
  /// before they were delivered, and delivered.
  package var itemsOpening = CoinValue.zero
  package var itemsBought = CoinValue.zero
  package var itemsRefunded = CoinValue.zero
  package var itemsDelivered = CoinValue.zero
  /// What is owed for coins by their age, in the order of ``CoinAge``; micro-units.
  package var ages = [Int64](repeating: 0, count: CoinAge.allCases.count)

  package init(coin: String, channel: String, currency: Currency) {
    self.coin = coin
    self.channel = channel
    self.currency = currency
  }

  /// Whether Apple sold them.
  package var isApple: Bool { channel == Self.appleChannel }

  /// How Apple's channel is named here.
  package static let appleChannel = "apple"

  /// What is owed for coins when the month ended.
  package var closing: CoinValue {
    opening + sold - refunded - used - breakage - expired - adjusted
  }

  /// What is owed for items when the month ended.
  package var itemsClosing: CoinValue {
    itemsOpening + itemsBought - itemsRefunded - itemsDelivered
  }
  /// What was owed for unused coins and items that were refunded.
  package var allRefunded: CoinValue { refunded + itemsRefunded }

  /// Revenue of what was delivered, without breakage, less what refunds took back.
  package var delivered: CoinValue {
    var value = used + expired + adjusted - itemsBought + itemsDelivered - reversed
    value.coins = 0
    return value
  }

  /// Whether nothing stands in it.
  package var isEmpty: Bool {
    self == CoinRoll(coin: coin, channel: channel, currency: currency)
  }

  /// The roll-forward to the currency's minor unit: each figure is what it moves the rounded sum
  /// by, so that they add up, and a month begins where the one before ended.
  package var rounded: CoinRoll {
    var copy = self
    for part in [\CoinValue.amount, \CoinValue.cost] {
      let unit = currency.minorUnit
      /// Rounds an opening balance and what moves it, in `copy`, so that they add up: each movement
      /// becomes the difference between the rounded balances after it and before it.
      ///
      /// - Parameter movements: in their order, each with the sign with which it moves the balance.
      func roll(
        _ opening: WritableKeyPath<CoinRoll, CoinValue>,
        _ movements: [(WritableKeyPath<CoinRoll, CoinValue>, Int64)]
      ) {
        var exact = self[keyPath: opening][keyPath: part]
        var stands = roundedHalfUp(Int128(exact), dividedBy: 1, toMultipleOf: unit)
        copy[keyPath: opening][keyPath: part] = stands
        for (movement, sign) in movements {
          exact += sign * self[keyPath: movement][keyPath: part]
          let after = roundedHalfUp(Int128(exact), dividedBy: 1, toMultipleOf: unit)
          copy[keyPath: movement][keyPath: part] = sign * (after - stands)
          stands = after
        }
      }
      roll(
        \.opening,
        [
          (\.sold, 1), (\.refunded, -1), (\.used, -1), (\.breakage, -1), (\.expired, -1),
          (\.adjusted, -1),
        ])
      roll(\.itemsOpening, [(\.itemsBought, 1), (\.itemsRefunded, -1), (\.itemsDelivered, -1)])
      // What refunds pay back is whole; what they took off revenue is the rest of it.
      let paidBack = (allRefunded + reversed)[keyPath: part]
      copy.reversed[keyPath: part] =
        roundedHalfUp(Int128(paidBack), dividedBy: 1, toMultipleOf: unit)
        - copy.allRefunded[keyPath: part]
    }
    var (exact, stands): (Int64, Int64) = (0, 0)
    for age in ages.indices {
      exact += ages[age]
      let after = roundedHalfUp(Int128(exact), dividedBy: 1, toMultipleOf: currency.minorUnit)
      copy.ages[age] = after - stands
      stands = after
    }
    return copy
  }
}

/// Coins that were sold in one month, and what of them is left: how far an estimate of breakage
/// holds.
package struct CoinCohort: Hashable, Sendable {
  /// The first day of the month of the sales.
  package var month: Day
  /// Without those that were refunded.
  package var sold: Int64
  package var left: Int64

  /// Millionths of those sold that are left; nil where none is.
  package var leftShare: Int64? {
    sold > 0
      ? roundedHalfUp(
        Int128(left) * 1_000_000, dividedBy: Int128(sold), toMultipleOf: 1) : nil
  }

  package init(month: Day, sold: Int64, left: Int64) {
    self.month = month
    self.sold = sold
    self.left = left
  }
}
