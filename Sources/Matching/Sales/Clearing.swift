import Billing
import Conclusions

/// The ledger's money by Apple's day, and what of it Apple's reports do not have at its price.
struct Clearing {
  /// Micro-units, without signs of refunds.
  private struct Sides {
    /// All of the ledger's.
    var counted: Int64 = 0
    /// What of it Apple's report does not have at its price.
    var open: Int64 = 0
    /// What of it only a report would have that is not loaded, though another vendor's of the day
    /// is.
    var unreported: Int64 = 0
  }

  /// By slot.
  private var sides: [[BridgeSteps.Key: Sides]] = []

  init(slots: Int) { sides = Array(repeating: [:], count: slots) }

  /// Adds units of the ledger, sold or refunded, on the day of a slot.
  mutating func count(
    _ units: Int64, _ storefront: Storefront?, _ price: CellPrice, slot: Int
  ) {
    guard let (key, amount) = Self.keyedAmount(units, storefront, price) else { return }
    sides[slot][key, default: Sides()].counted += amount
  }

  /// Adds money of the ledger, in micro-units, on the day of a slot.
  mutating func count(_ amount: Int64, _ key: BridgeSteps.Key, slot: Int) {
    sides[slot][key, default: Sides()].counted += amount
  }

  /// Notes that Apple's report of the slot does not have units of the ledger, or has them at
  /// another price.
  mutating func leaveOpen(
    _ units: Int64, _ storefront: Storefront?, _ price: CellPrice, slot: Int
  ) {
    guard let (key, amount) = Self.keyedAmount(units, storefront, price) else { return }
    sides[slot][key, default: Sides()].open += amount
  }

  /// Notes that units of the ledger would be in the report of a vendor that is not loaded, though
  /// another vendor's report of the slot is.
  mutating func lackReport(
    _ units: Int64, _ storefront: Storefront?, _ price: CellPrice, slot: Int
  ) {
    guard let (key, amount) = Self.keyedAmount(units, storefront, price) else { return }
    sides[slot][key, default: Sides()].unreported += amount
  }

  /// Moves units of the ledger to the slot in which Apple reports them.
  mutating func move(
    _ units: Int64, _ storefront: Storefront?, _ price: CellPrice, from: Int, to: Int
  ) {
    count(-units, storefront, price, slot: from)
    count(units, storefront, price, slot: to)
  }

  /// What units come to at a price, in micro-units, with the key that it is added under; nil where
  /// there is no currency or no price, or they are free.
  private static func keyedAmount(
    _ units: Int64, _ storefront: Storefront?, _ price: CellPrice
  ) -> (BridgeSteps.Key, Int64)? {
    guard let currency = price.currency, let amount = price.price, amount != 0 else { return nil }
    return (
      BridgeSteps.Key(storefront: storefront, currency: currency),
      amount.multipliedExactly(by: units)
    )
  }

  /// The ledger's money of the period, and what of it Apple's reports have too, ascending by the
  /// age of its days, storefront and currency.
  ///
  /// - Parameter asOf: the day up to which ages are reckoned.
  func money(_ days: ReportDays, asOf: Day) -> [AgedMoney] {
    struct Key: Hashable {
      var age: Int
      var place: BridgeSteps.Key
    }
    var sums: [Key: AgedMoney] = [:]
    for (slot, sides) in sides.enumerated() where days.slots[slot].isInPeriod {
      let days = days.slots[slot]
      let age = max(days.begin.distance(to: asOf), 0)
      let (from, to) = Rules.ages(with: age)
      for (key, side) in sides {
        let currency = key.currency
        let key = Key(age: from, place: key)
        var sum =
          sums[key]
          ?? AgedMoney(from: from, to: to, currency, of: key.place.storefront)
        let counted = Money(micros: side.counted, currency)
        sum.ledger += counted
        if days.isMissing {
          if age <= Rules.reportDelay { sum.timely += counted }
        } else {
          let reported = counted - Money(micros: side.unreported, currency)
          sum.timely += age <= Rules.reportDelay ? counted : reported
          sum.complete += reported
          sum.cleared += reported - Money(micros: side.open, currency)
        }
        sums[key] = sum
      }
    }
    return sums.sorted { left, right in
      left.key.age != right.key.age
        ? left.key.age < right.key.age
        : BridgeSteps.isOrderedBefore(left.key.place, right.key.place)
    }
    .map(\.value)
  }
}
