import Billing
import Conclusions

/// Items that were bought with coins and are of use for days: what is owed for them becomes
/// revenue evenly over those days, the first one being that of the purchase.
struct ItemsInUse: Sendable {
  private struct Key: Hashable, Comparable {
    var first: Day
    var days: Int32
    static func < (left: Self, right: Self) -> Bool {
      (left.first, left.days) < (right.first, right.days)
    }
  }

  /// What was bought, by when and for how long.
  private var bought: [Key: CoinValue] = [:]
  /// Of sales whose refund takes it back: what their coins bought, with the coins, the latest last.
  private var ofSales: [UInt64: [(key: Key, value: CoinValue)]] = [:]
  /// Owed and not yet delivered.
  private(set) var owed = CoinValue.zero

  /// Adds items that coins bought on a day, and which are delivered evenly over so many days of
  /// use.
  ///
  /// - Parameters:
  ///   - value: the coins that paid for them, with what was owed for these.
  ///   - sale: the key of the sale that the coins are of; 0 where it is not known.
  mutating func add(_ value: CoinValue, on day: Day, for days: Int32, of sale: UInt64) {
    precondition(days > 0)
    let key = Key(first: day, days: days)
    bought[key, default: .zero] += value.withoutCoins
    owed += value.withoutCoins
    if sale != 0 { ofSales[sale, default: []].append((key, value)) }
  }

  /// Takes back items that coins of a refunded sale bought, those bought last first.
  ///
  /// - Parameters:
  ///   - coins: for how many of the sale's coins items are taken back, at most.
  ///   - sale: the key of the sale.
  /// - Returns: the part of the items' value that is not delivered when `day` has ended; it is owed
  ///   no more.
  mutating func takeBack(_ coins: Int64, of sale: UInt64, on day: Day) -> CoinValue {
    guard var parts = ofSales.removeValue(forKey: sale) else { return .zero }
    var (left, taken) = (coins, CoinValue.zero)
    while left > 0, let (key, value) = parts.popLast() {
      let part = value.part(min(left, value.coins))
      left -= part.coins
      if part.coins < value.coins { parts.append((key, value - part)) }
      bought[key, default: .zero] -= part.withoutCoins
      taken += Self.undelivered(part.withoutCoins, key, on: day)
    }
    if !parts.isEmpty { ofSales[sale] = parts }
    owed -= taken
    return taken
  }

  /// Delivers items up to the end of a day, and returns the value delivered since the last call.
  mutating func deliver(through last: Day) -> CoinValue {
    var left = CoinValue.zero
    for (key, value) in bought {
      if Self.daysUsed(key, on: last) == key.days {
        bought[key] = nil
      } else {
        left += Self.undelivered(value, key, on: last)
      }
    }
    ofSales = ofSales.compactMapValues { parts in
      let inUse = parts.filter { Self.daysUsed($0.key, on: last) < $0.key.days }
      return inUse.isEmpty ? nil : inUse
    }
    let delivered = owed - left
    owed = left
    return delivered
  }

  /// How many days of use are over when a day has ended.
  private static func daysUsed(_ key: Key, on last: Day) -> Int32 {
    min(key.days, Int32(max(0, key.first.distance(to: last) + 1)))
  }

  /// What of a purchase's value is not delivered when a day has ended.
  private static func undelivered(_ value: CoinValue, _ key: Key, on last: Day) -> CoinValue {
    let daysUsed = Int128(daysUsed(key, on: last))
    /// What of an amount is not delivered.
    func part(_ micros: Int64) -> Int64 {
      micros
        - roundedHalfUp(Int128(micros) * daysUsed, dividedBy: Int128(key.days), toMultipleOf: 1)
    }
    return CoinValue(coins: 0, amount: part(value.amount), cost: part(value.cost))
  }
}
