package import Billing
package import Conclusions

/// What happened to coins of one sort, as their valuation reads it.
package struct CoinEvent: Sendable {
  /// In the order in which those of one moment count.
  package enum Kind: UInt8, Sendable, Comparable {
    /// For money: ``value`` has the coins and what is owed for them; without a currency nobody
    /// knows their price.
    case sold
    /// For nothing, or of before: those that are paid by ``origin`` have no sale here.
    case given
    /// A refund of a sale: ``value`` is what it pays back.
    case refunded
    /// Taken from the user after a refund.
    case takenBack
    case used
    case expired
    /// By hand; below zero where coins went away.
    case adjusted

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  package var kind: Kind
  /// Seconds since 1970.
  package var at: Int64
  package var day: Day
  /// 0 for nobody in particular.
  package var user: UInt64
  package var value: CoinValue
  /// By its number; nil where it is not told.
  package var channel: Int32?
  /// Of sales and refunds.
  package var currency: Currency?
  /// Of movements that tell it.
  package var origin: CoinOrigin?
  /// Names the sale, of which a refund or what is taken back is; 0 where it is not known.
  package var sale: UInt64 = 0
  /// Of a refund the day of its sale; nil where that is not here.
  package var soldOn: Day?
  /// Days that what was bought is of use for; 0 where it is used up at once.
  package var days: Int32 = 0

  /// An event without origin, sale and days of use, which are set where they are known.
  ///
  /// - Parameters:
  ///   - at: seconds since 1970.
  ///   - value: the coins that move and, of sales and refunds, what is owed for them or paid back.
  package init(
    _ kind: Kind, at: Int64, day: Day, user: UInt64, _ value: CoinValue, channel: Int32? = nil,
    currency: Currency? = nil
  ) {
    self.kind = kind
    self.at = at
    self.day = day
    self.user = user
    self.value = value
    self.channel = channel
    self.currency = currency
  }
}
