/// What is wrong with a game's coins; the name is the code of the finding that it leads to.
package enum CoinFault: String, Hashable, Sendable, CaseIterable {
  /// An order of Apple's was paid, and the game granted nothing for it.
  case notGranted = "coins-not-granted"
  /// The game granted coins as sold, and there is no such order.
  case withoutOrder = "coins-without-order"
  /// Apple refunded the order, and the player keeps the coins.
  case notTakenBack = "coins-not-taken-back"
  /// The balance at the period's end is not what the movements come to.
  case balance = "coins-balance"
  /// A player spent more than there was, and was given the rest a day later.
  case overdrawn = "coins-overdrawn"
  /// Coins that were bought expired.
  case expired = "coins-expired"
}

/// A game whose players buy, get, spend and hoard coins, beside the trade of a month.
package struct CoinParameters: Hashable, Sendable {
  /// About how many movements the game's database has; nil is a dozen for each order.
  package var movements: Int?
  /// The database tells sums of each day in UTC, and no users; else each movement.
  package var byDay = false
  /// Orders of the second channel; nil is one for four of the store's.
  package var androidOrders: Int?
  /// Grants name the order or the transaction that they are for. Sums of days never do.
  package var namesOrders = true
  /// How many of 1,000 grants come 20 to 30 hours after the order was fulfilled.
  package var lateShare = 25
  /// A second file tells three days again.
  package var repeats = false
  /// An earlier export, to be imported first, has less of one day. Of sums of days alone.
  package var restates = false
  /// How often each fault is made.
  package var faults: [CoinFault: Int] = [:]

  package init() {}

  /// Every kind of fault that movements of this form show, `count` times each.
  package func everyFault(_ count: Int = 1) -> [CoinFault: Int] {
    let hidden: Set<CoinFault> = byDay ? [.overdrawn] : []
    return Dictionary(
      uniqueKeysWithValues: CoinFault.allCases.filter { !hidden.contains($0) }.map { ($0, count) })
  }
}
