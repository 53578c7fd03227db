import Billing

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
  /// Owed and not yet delivered.
  private(set) var owed = CoinValue.zero

  mutating func add(_ value: CoinValue, on day: Day, for days: Int32) {
    precondition(days > 0)
    let bare = CoinValue(coins: 0, amount: value.amount, cost: value.cost)
    bought[Key(first: day, days: days), default: .zero] += bare
    owed += bare
  }

  /// What was delivered since the last time, until a day has ended.
  mutating func deliver(through last: Day) -> CoinValue {
    var left = CoinValue.zero
    for (key, value) in bought {
      let passed = min(Int(key.days), max(0, key.first.distance(to: last) + 1))
      if passed == Int(key.days) {
        bought[key] = nil
        continue
      }
      func rest(_ micros: Int64) -> Int64 {
        micros
          - roundedHalfUp(
            Int128(micros) * Int128(passed), dividedBy: Int128(key.days), toMultipleOf: 1)
      }
      left += CoinValue(coins: 0, amount: rest(value.amount), cost: rest(value.cost))
    }
    let delivered = owed - left
    owed = left
    return delivered
  }
}
