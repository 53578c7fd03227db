package import Billing

/// Tier prices by table, tier, storefront and day.
package struct TierBook: Sendable {
  /// Ascending by table, tier, storefront and first day, then as given.
  private let prices: [TierPrice]

  /// - Parameter prices: where two of a tier and storefront cover a day, the one that begins later
  ///   counts, then the later in the list.
  package init(_ prices: [TierPrice]) {
    let order = prices.indices.sorted {
      let (left, right) = (Key(prices[$0]), Key(prices[$1]))
      if left != right { return left < right }
      let (leftDay, rightDay) = (prices[$0].days.first, prices[$1].days.first)
      return leftDay != rightDay ? leftDay < rightDay : $0 < $1
    }
    self.prices = order.map { prices[$0] }
  }

  private struct Key: Comparable {
    let table: TierTable
    let tier: String
    let storefront: Storefront

    init(_ price: TierPrice) {
      self.init(table: price.table, tier: price.tier, storefront: price.storefront)
    }

    init(table: TierTable, tier: String, storefront: Storefront) {
      self.table = table
      self.tier = tier
      self.storefront = storefront
    }

    static func < (left: Key, right: Key) -> Bool {
      (left.table.rawValue, left.tier, left.storefront)
        < (right.table.rawValue, right.tier, right.storefront)
    }
  }

  /// The price of a product's tier in a storefront on a day, or nil where no table has it.
  package func price(tier: String, kind: ProductKind, storefront: Storefront, on day: Day)
    -> TierPrice?
  {
    history(tier: tier, kind: kind, storefront: storefront).last { $0.days.contains(day) }
  }

  /// Whether the price of a tier in a storefront, or that there is none, is the same on all of
  /// `days`.
  package func isSteady(
    tier: String, kind: ProductKind, storefront: Storefront, over days: ClosedRange<Day>
  ) -> Bool {
    let (first, last) = (days.lowerBound.number, days.upperBound.number)
    return history(tier: tier, kind: kind, storefront: storefront).allSatisfy { price in
      let span = price.days
      return (span.first <= first || span.first > last) && (span.last < first || span.last >= last)
    }
  }

  /// Whether a price was the tier's in that storefront at any time: subscribers may keep it.
  package func isEverPrice(
    tier: String, kind: ProductKind, storefront: Storefront, currency: Currency, price: Int64
  ) -> Bool {
    history(tier: tier, kind: kind, storefront: storefront)
      .contains { $0.currency == currency && $0.price == price }
  }

  /// All prices of a tier in a storefront. Subscriptions have a table of their own; a tier that the
  /// product's table does not have at all is looked for in the other one.
  private func history(tier: String, kind: ProductKind, storefront: Storefront)
    -> ArraySlice<TierPrice>
  {
    let own: TierTable = kind == .autoRenewable ? .subscription : .iap
    let other: TierTable = own == .iap ? .subscription : .iap
    let table = has(tier: tier, in: own) ? own : other
    let key = Key(table: table, tier: tier, storefront: storefront)
    let start = firstIndex { Key($0) >= key }
    return prices[start...].prefix { Key($0) == key }
  }

  private func has(tier: String, in table: TierTable) -> Bool {
    let index = firstIndex { ($0.table.rawValue, $0.tier) >= (table.rawValue, tier) }
    return index < prices.count && prices[index].table == table && prices[index].tier == tier
  }

  /// The first index from which `isReached` holds; the prices are sorted by it.
  private func firstIndex(where isReached: (TierPrice) -> Bool) -> Int {
    var low = 0
    var high = prices.count
    while low < high {
      let middle = (low + high) / 2
      if isReached(prices[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension TierPrice {
  var days: DayRange { DayRange(from: effectiveFrom, to: effectiveTo) }
}

extension PriceBook {
  /// The price of a product's tier in a storefront on a day, or nil where no table has it.
  package func tierPrice(tier: String, kind: ProductKind, storefront: Storefront, on day: Day)
    -> TierPrice?
  {
    tiers.price(tier: tier, kind: kind, storefront: storefront, on: day)
  }

  /// Whether a price was the tier's in that storefront at any time.
  package func isEverTierPrice(
    tier: String, kind: ProductKind, storefront: Storefront, currency: Currency, price: Int64
  ) -> Bool {
    tiers.isEverPrice(
      tier: tier, kind: kind, storefront: storefront, currency: currency, price: price)
  }
}
