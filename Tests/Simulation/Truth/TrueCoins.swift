package import Billing

/// What level 6 has to find in a simulated month, and what became of the game's coins.
package struct TrueCoins: Hashable, Sendable {
  /// In the order of date, code, order and user.
  package var expected: [TrueCoinFinding] = []
  package var leftOut: [LeftOutFaults] = []
  /// Of the period, by day, coin and channel; what was never sold, moved or held is left out.
  package var flows: [TrueCoinDay] = []
  /// Of each player at the end of each day with a movement; empty where movements tell no users
  /// or are more than 200,000.
  package var balances: [TrueCoinBalance] = []

  package init() {}
}

/// A finding of level 6. What is nil is left open, or the finding has none.
package struct TrueCoinFinding: Hashable, Sendable {
  package var code: String
  /// By UTC: of the purchase where coins were not granted, of the refund where they were not
  /// taken back.
  package var date: Day
  package var user: String?
  package var orderID: String?
  package var sku: String?
  package var coin: String
  /// Nil where balances differ: these are of all channels.
  package var channel: String?
  /// Positive: coins that are missing, too many or expired.
  package var coins: Int64
  /// What the customer paid for them, in micro-units of `currency`.
  package var amount: Int64?
  package var currency: Currency?

  init(code: String, date: Day, coin: String, channel: String?, coins: Int64) {
    self.code = code
    self.date = date
    self.coin = coin
    self.channel = channel
    self.coins = coins
  }

  static func isOrderedBefore(_ left: Self, _ right: Self) -> Bool {
    (left.date, left.code, left.orderID ?? "", left.user ?? "", left.coin, left.coins)
      < (right.date, right.code, right.orderID ?? "", right.user ?? "", right.coin, right.coins)
  }
}

/// Coins of one currency and channel on a day in UTC.
package struct TrueCoinDay: Hashable, Sendable {
  package var day: Day
  package var coin: String
  package var channel: String
  /// Of orders, by the time of Apple's purchase, or of the order in other channels.
  package var sold: Int64 = 0
  /// As sold.
  package var granted: Int64 = 0
  /// Granted for nothing.
  package var given: Int64 = 0
  package var spent: Int64 = 0
  package var expired: Int64 = 0
  package var takenBack: Int64 = 0
  package var adjusted: Int64 = 0
  /// Left when the day ends, by how they were granted.
  package var paid: Int64 = 0
  package var free: Int64 = 0

  init(day: Day, coin: String, channel: String) {
    self.day = day
    self.coin = coin
    self.channel = channel
  }
}

/// What a player has of a coin in a channel when a day in UTC ends.
package struct TrueCoinBalance: Hashable, Sendable {
  package var day: Day
  package var user: String
  package var coin: String
  package var channel: String
  package var paid: Int64
  package var free: Int64
}
