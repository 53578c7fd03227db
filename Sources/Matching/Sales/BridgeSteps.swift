import Billing
import Conclusions

/// Collects the amounts of bridge steps by storefront and currency, each from its own evidence.
struct BridgeSteps {
  struct Key: Hashable {
    /// Nil where no source tells a transaction's storefront.
    var storefront: Storefront?
    var currency: Currency
  }

  /// The order of storefronts, then currencies, by their codes; those without a storefront first.
  static func isOrderedBefore(_ left: Key, _ right: Key) -> Bool {
    (left.storefront?.code ?? "", left.currency.code)
      < (right.storefront?.code ?? "", right.currency.code)
  }

  struct Sum {
    var units: Int64 = 0
    /// Micro-units.
    var amount: Int64 = 0
    /// What of the amount nothing proves.
    var open: Int64 = 0

    /// Adds signed units and micro-units.
    ///
    /// - Parameter open: what of the amount nothing proves.
    mutating func add(units: Int64, amount: Int64, open: Int64 = 0) {
      self.units += units
      self.amount += amount
      self.open += open
    }
  }

  /// Where a storefront's steps in a currency stand; the last ones asked for, which are mostly the
  /// next, too.
  private var places: [Key: Int] = [:]
  private var last: (key: Key, place: Int)?
  /// A few steps each, in the order of first use: looking through them costs less than a hash.
  private var steps: [[(cause: BridgeCause, sum: Sum)]] = []

  /// What each step comes to, by storefront and currency.
  var sums: [Key: [BridgeCause: Sum]] {
    places.mapValues { place in
      Dictionary(uniqueKeysWithValues: steps[place].map { ($0.cause, $0.sum) })
    }
  }

  /// Adds signed units at a price to a step; without a currency there is nothing to add, without a
  /// price the units alone.
  ///
  /// - Parameter isProven: whether the amount is proven; nil for what the cause says of itself.
  mutating func add(
    _ cause: BridgeCause, _ storefront: Storefront?, _ price: CellPrice, units: Int64,
    isProven: Bool? = nil
  ) {
    guard let currency = price.currency else { return }
    let amount = (price.price ?? 0).multipliedExactly(by: units)
    add(
      cause, storefront, currency, units: units, amount: amount,
      open: isProven.map { $0 ? 0 : amount })
  }

  /// Adds signed units and micro-units to a step.
  ///
  /// - Parameter open: what of the amount nothing proves; nil for what the cause says of itself.
  mutating func add(
    _ cause: BridgeCause, _ storefront: Storefront?, _ currency: Currency, units: Int64,
    amount: Int64, open: Int64? = nil
  ) {
    let open = open ?? (cause.standing == .open ? amount : 0)
    let place = place(of: Key(storefront: storefront, currency: currency))
    let index =
      steps[place].firstIndex { $0.cause == cause }
      ?? {
        steps[place].append((cause, Sum()))
        return steps[place].count - 1
      }()
    steps[place][index].sum.add(units: units, amount: amount, open: open)
  }

  /// The index in `steps` of a storefront and currency, which are added where they are new.
  private mutating func place(of key: Key) -> Int {
    if let last, last.key == key { return last.place }
    let place = places[key] ?? steps.count
    if place == steps.count {
      places[key] = place
      steps.append([])
    }
    last = (key, place)
    return place
  }

  /// Net units of a step, in all currencies.
  func units(of cause: BridgeCause) -> Int64 {
    sums.values.reduce(0) { $0 + ($1[cause]?.units ?? 0) }
  }

  /// What a step comes to by storefront and currency, where it moves money.
  func parts(of cause: BridgeCause) -> [StorefrontMoney] {
    sums.sorted { Self.isOrderedBefore($0.key, $1.key) }.compactMap { key, steps in
      guard let sum = steps[cause], sum.amount != 0 else { return nil }
      return StorefrontMoney(key.storefront, Money(micros: sum.amount, key.currency))
    }
  }
}
