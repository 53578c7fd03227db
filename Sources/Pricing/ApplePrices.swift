import Billing

/// What Apple itself says that a price in a storefront brings, by the lists that it has of
/// products' prices and of price points.
struct ApplePrices: Sendable {
  private struct Key: Hashable {
    var storefront: Storefront
    var currency: Currency
    var price: Int64
  }

  private struct Told: Sendable {
    var tier: String
    var days: DayRange
    var commission: Int64
    var proceeds: Int64
  }

  /// Ascending by first day.
  private let told: [Key: [Told]]

  /// - Parameter prices: all tiers; of those of Apple's own lists the ones whose proceeds, their
  ///   commission and first day are known count.
  init(_ prices: [TierPrice]) {
    var told: [Key: [Told]] = [:]
    for price in prices where price.isOfApple {
      guard let proceeds = price.proceeds, let commission = price.commission,
        price.effectiveFrom != nil
      else { continue }
      let key = Key(storefront: price.storefront, currency: price.currency, price: price.price)
      told[key, default: []].append(
        Told(
          tier: price.tier, days: price.days, commission: commission, proceeds: proceeds))
    }
    self.told = told.mapValues { $0.sorted { $0.days.first < $1.days.first } }
  }

  /// The proceeds at a commission on a day, by the newest list of each tier; nil where none says
  /// it, or lists say different things, as of products that are taxed otherwise.
  ///
  /// - Parameter tier: whose list goes before the others.
  func proceeds(
    _ storefront: Storefront, _ currency: Currency, _ price: Int64, commission: Int64, on day: Day,
    tier: String?
  ) -> (proceeds: Int64, tier: String)? {
    if told.isEmpty { return nil }
    let key = Key(storefront: storefront, currency: currency, price: price)
    guard let all = told[key] else { return nil }
    var newest: [String: Told] = [:]
    for told in all where told.commission == commission && told.days.contains(day) {
      newest[told.tier] = told
    }
    if let tier {
      let own = newest[tier] ?? newest[TierPrice.afterOneYear(tier)]
      if let own { return (own.proceeds, own.tier) }
    }
    guard let first = newest.values.min(by: { $0.tier < $1.tier }),
      newest.values.allSatisfy({ $0.proceeds == first.proceeds })
    else { return nil }
    return (first.proceeds, first.tier)
  }
}
