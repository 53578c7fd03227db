package import Billing

/// What is owed for coins of a month, and how it ties to movements and to Apple's proceeds.
package struct CoinStatement: Hashable, Sendable {
  /// Of one coin beside its roll-forward.
  package struct Coin: Hashable, Sendable {
    package var coin: String
    /// Coins of sales here that users have.
    package var unspent: Int64
    /// Others that were paid for, and those that were not.
    package var bare: Int64
    package var free: Int64
    /// Coins that went away though they were not there, since the first movement.
    package var unbacked: Int64
    /// Coins that orders sold less those that movements granted as sold, since the first movement.
    package var ungranted: Int64
    /// In the month, of sales: coins that movements call free, and of which none were left.
    package var freeOfSales: Int64 = 0
    /// In the month, of sales: coins that left without a channel and were taken from several.
    package var ofNoChannel: Int64 = 0
    /// By month of the sale, ascending.
    package var cohorts: [CoinCohort]
    /// All coins that are left, as level 6 has them by movements alone; nil where it has none.
    package var left: Int64?

    package init(
      coin: String, unspent: Int64, bare: Int64, free: Int64, unbacked: Int64, ungranted: Int64,
      cohorts: [CoinCohort], left: Int64? = nil
    ) {
      self.coin = coin
      self.unspent = unspent
      self.bare = bare
      self.free = free
      self.unbacked = unbacked
      self.ungranted = ungranted
      self.cohorts = cohorts
      self.left = left
    }

    /// Coins that movements leave less those that the books come to; zero but where an export
    /// begins anew with other openings than the movements before come to. Nil where level 6 has
    /// none.
    package var difference: Int64? {
      left.map { $0 - (unspent + bare + free - unbacked - ungranted) }
    }
  }

  /// From what level 2 reports of products with coins to what orders sold of them, and what of
  /// refunds Apple's reports do not have yet; in one currency.
  package struct Tie: Hashable, Sendable {
    /// Sold by Apple's reports, on the roll-forward's terms.
    package var reported: Money
    /// Sold by orders of Apple's channel and of others.
    package var ofApple: Money
    package var ofOthers: Money
    /// The refund liability when the month began (IFRS 15.55, ASC 606-10-32-10); below zero where
    /// reports have refunds that no transaction tells.
    package var refundsOpening: Money
    /// Refunds of the month's purchases: what was owed for unused coins, and revenue of used
    /// ones.
    package var refunded: Money
    /// Refunds in Apple's reports; not below zero.
    package var reportedRefunds: Money
    /// Refunds of the day after the month, which Apple's reports may have in the month;
    /// micro-units.
    package var refundsAhead: Int64 = 0

    package init(
      reported: Money, ofApple: Money, ofOthers: Money, refundsOpening: Money, refunded: Money,
      reportedRefunds: Money, refundsAhead: Int64 = 0
    ) {
      self.reported = reported
      self.ofApple = ofApple
      self.ofOthers = ofOthers
      self.refundsOpening = refundsOpening
      self.refunded = refunded
      self.reportedRefunds = reportedRefunds
      self.refundsAhead = refundsAhead
    }

    package var currency: Currency { reported.currency }
    /// Sold by orders of Apple's channel less sold by its reports: purchases that only one side
    /// has, of another day, not matched, or at other terms.
    package var difference: Money { ofApple - reported }
    /// The refund liability when the month ended; below zero where reports have more refunds.
    package var refundsClosing: Money { refundsOpening + refunded - reportedRefunds }
    /// Refunds in Apple's reports that no transaction has.
    package var unknownRefunds: Money {
      Money(micros: max(0, -refundsClosing.micros - refundsAhead), currency)
    }
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
  /// Whether the close before valued coins, too.
  package var goesOn = false
  /// By what revenue of products with coins is booked.
  package var revenue = RevenueKind.consumable

  /// Begins the statement of a month.
  ///
  /// - Parameter rolls: to the minor unit.
  package init(_ policy: CoinPolicy, rounded rolls: [CoinRoll], _ coins: [Coin]) {
    (self.policy, self.rolls, self.coins) = (policy, rolls, coins)
  }

  /// Whether what is owed is what the unspent coins stand for, and these are what movements leave.
  package var isTied: Bool {
    coins.allSatisfy { coin in
      let owed = rolls.filter { $0.coin == coin.coin }
        .reduce(0) { $0 + $1.closing.coins + $1.broken }
      return owed == coin.unspent && coin.difference ?? 0 == 0
    }
  }

  /// By how much what was owed when the month began differs from what the close before left, by
  /// coin and channel; without commission, and without what is the same.
  ///
  /// - Parameter kept: the roll-forwards of that close.
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
