package import Billing

/// What became of coins on one day: of one coin, of one channel or of all.
package struct CoinDay: Hashable, Sendable {
  package var day: Day
  /// As the company names it; empty is the only one.
  package var coin: String
  /// Nil for all channels together.
  package var channel: String?
  /// By orders, on the day of the purchase.
  package var sold: Int64 = 0
  package var granted: Int64 = 0
  package var spent: Int64 = 0
  package var expired: Int64 = 0
  package var takenBack: Int64 = 0
  package var adjusted: Int64 = 0
  /// Coins that were there before the day's movements, where openings of the day say so.
  package var opening: Int64 = 0
  /// At the end of the day; nil of one channel among several, because what is spent has none.
  package var left: Int64?

  package init(day: Day, coin: String, channel: String?) {
    self.day = day
    self.coin = coin
    self.channel = channel
  }

  /// By how much the day's movements change the coins that are there.
  package var change: Int64 { opening + granted - spent - expired - takenBack + adjusted }

  /// Adds the coins of a movement to those of its kind.
  package mutating func add(_ coins: Int64, _ movement: CoinMovement) {
    switch movement {
    case .granted: granted += coins
    case .spent: spent += coins
    case .expired: expired += coins
    case .takenBack: takenBack += coins
    case .adjusted: adjusted += coins
    case .opening: opening += coins
    }
  }
}

/// What became of one coin in the period.
package struct CoinTotal: Hashable, Sendable {
  package var coin: String
  /// Before the first day's movements, and after the last day's.
  package var opening: Int64
  package var closing: Int64
  /// Of all days.
  package var flow: CoinDay
  /// Of what is left, as far as movements tell coins apart; nil where they do not.
  package var paidLeft: Int64?
  package var freeLeft: Int64?
  /// Sold by orders that no purchase of Apple's belongs to, and that level 1 names.
  package var unmatched: Int64
  /// Granted without an order, a product or a word on whether they were paid for: held against
  /// nothing.
  package var untold: Int64
  /// Users that movements name, and what they have together; nil where none is named.
  package var users: Int?
  package var usersLeft: Int64?
  /// By age in the order of ``CoinAge``; empty where no user is named.
  package var ages: [Int64]

  package init(
    coin: String, opening: Int64, closing: Int64, flow: CoinDay, paidLeft: Int64? = nil,
    freeLeft: Int64? = nil, unmatched: Int64, untold: Int64, users: Int? = nil,
    usersLeft: Int64? = nil, ages: [Int64]
  ) {
    self.coin = coin
    self.opening = opening
    self.closing = closing
    self.flow = flow
    self.paidLeft = paidLeft
    self.freeLeft = freeLeft
    self.unmatched = unmatched
    self.untold = untold
    self.users = users
    self.usersLeft = usersLeft
    self.ages = ages
  }

  /// Whether what was there and what happened come to what is left, and users have as much.
  package var isSound: Bool {
    opening + flow.change == closing && (usersLeft.map { $0 == closing } ?? true)
  }
}

/// Coins of a period: what was sold, granted and used, and what is left.
package struct CoinFlow: Hashable, Sendable {
  /// By coin, channel and day, all channels first.
  package var days: [CoinDay]
  /// By coin.
  package var totals: [CoinTotal]
  /// What a reader must know beside them.
  package var notes: [Wording]

  package init(days: [CoinDay], totals: [CoinTotal], notes: [Wording]) {
    self.days = days
    self.totals = totals
    self.notes = notes
  }
}
