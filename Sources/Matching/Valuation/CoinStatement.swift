package import Billing

/// What is owed for coins of a month, and how it ties to movements and to Apple's proceeds.
package struct CoinStatement: Hashable, Sendable {
  /// Of one coin beside its roll-forward.
  package struct Coin: Hashable, Sendable {
    package var coin: String
    /// Paid coins that users have, by movements.
    package var unspent: Int64
    /// Paid coins that went away though no sale here has brought them, since the first movement.
    package var unbacked: Int64
    /// By month of the sale, ascending.
    package var cohorts: [CoinCohort]
  }

  /// From what level 2 reports of products with coins to what orders sold of them, in one currency.
  package struct Tie: Hashable, Sendable {
    /// Sold by Apple's reports, on the roll-forward's terms.
    package var reported: Money
    /// Sold by orders of Apple's channel and of others.
    package var ofApple: Money
    package var ofOthers: Money
    /// Refunds in Apple's reports; not below zero.
    package var reportedRefunds: Money
    /// Refunds of the month's purchases: what was owed for unused coins, and revenue of used ones.
    package var refunded: Money

    package var currency: Currency { reported.currency }
    /// Purchases that only one side has: of another day, not matched, or at other terms.
    package var difference: Money { ofApple - reported }
  }

  /// By how much what is owed for one coin of a channel is another than a close left it.
  package struct Change: Hashable, Sendable {
    package var coin: String
    package var channel: String
    package var coins: Int64
    package var amount: Money
  }

  package var policy: CoinPolicy
  /// To the minor unit.
  package var rolls: [CoinRoll]
  package var coins: [Coin]
  /// Ascending by currency.
  package var ties: [Tie] = []
  /// Coins that were sold for a price that nobody knows: nothing is owed for them here.
  package var unpriced: Int64 = 0
  /// Paid coins that users had before the first movement.
  package var before: Int64 = 0

  package init(_ policy: CoinPolicy, _ rolls: [CoinRoll], _ books: CoinBooks) {
    self.policy = policy
    self.rolls = rolls.map(\.rounded)
    coins = books.coins
    unpriced = books.unpriced
    before = books.before
  }

  /// Whether what is owed is what the unspent coins stand for.
  package var isTied: Bool {
    coins.allSatisfy { coin in
      let owed = rolls.filter { $0.coin == coin.coin }
        .reduce(0) { $0 + $1.closing.coins + $1.broken }
      return owed == coin.unspent
    }
  }

  /// Holds the sales against those that Apple's reports have of products with coins.
  package mutating func tie(to products: [ProductProceeds], _ hasCoins: (String) -> Bool) {
    var ties: [Currency: Tie] = [:]
    func change(_ currency: Currency, _ change: (inout Tie) -> Void) {
      let zero = Money.zero(currency)
      change(
        &ties[
          currency,
          default: Tie(
            reported: zero, ofApple: zero, ofOthers: zero, reportedRefunds: zero, refunded: zero)])
    }
    let isPrincipal = policy.presentation == .principal
    func amount(_ part: ProductProceeds.Part) -> Money {
      isPrincipal ? part.gross - part.tax : part.expectedProceeds
    }
    for product in products where hasCoins(product.sku) {
      change(product.currency) {
        $0.reported += amount(product.sold)
        $0.reportedRefunds -= amount(product.refunded)
      }
    }
    for roll in rolls {
      let sold = Money(micros: roll.sold.amount, roll.currency)
      let isApple = roll.channel == CoinNames.apple
      change(roll.currency) {
        if isApple { $0.ofApple += sold } else { $0.ofOthers += sold }
        if isApple {
          $0.refunded.micros += roll.refunded.amount + roll.reversed.amount
        }
      }
    }
    self.ties = ties.sorted { $0.key < $1.key }.map(\.value)
  }

  /// What was owed when the month began, less what the close before left; without commission.
  ///
  /// - Parameter kept: of that close.
  package func changes(since kept: [CoinRoll]) -> [Change] {
    struct Key: Hashable, Comparable {
      var coin: String
      var channel: String
      var currency: Currency
      init(_ roll: CoinRoll) {
        (coin, channel, currency) = (roll.coin, roll.channel, roll.currency)
      }
      static func < (left: Self, right: Self) -> Bool {
        (left.coin, left.channel, left.currency) < (right.coin, right.channel, right.currency)
      }
    }
    var values: [Key: CoinValue] = [:]
    for roll in rolls { values[Key(roll), default: .zero] += roll.opening + roll.itemsOpening }
    for roll in kept { values[Key(roll), default: .zero] -= roll.closing + roll.itemsClosing }
    return values.filter { $0.value.coins != 0 || $0.value.amount != 0 }
      .sorted { $0.key < $1.key }.map { key, value in
        Change(
          coin: key.coin, channel: key.channel, coins: value.coins,
          amount: Money(micros: value.amount, key.currency))
      }
  }
}

extension MatchingContext {
  /// Whether a product of Apple's reports sells coins, other than by subscription.
  package func sellsCoins(_ sku: String) -> Bool {
    catalogue.product(sku, on: period.last)?.coins != nil && catalogue.kind(sku) != .autoRenewable
  }
}
