import Billing

/// What Apple itself says that a price in a storefront brings, by the lists that it has of
/// products' prices and of price points.
struct ApplePrices: Sendable {
  private struct Key: Hashable {
    var storefront: Storefront
    var currency: Currency
    var price: Int64
  }

  private struct StatedProceeds: Sendable {
    var tier: String
    var days: DayRange
    var commission: Int64
    var proceeds: Int64
  }

  /// Ascending by first day.
  private let stated: [Key: [StatedProceeds]]

  /// Collects the proceeds that Apple's own lists state, by storefront, currency and price.
  ///
  /// - Parameter prices: of all tiers; used are those from Apple's own lists that state proceeds,
  ///   their commission and a first day.
  init(_ prices: [TierPrice]) {
    var stated: [Key: [StatedProceeds]] = [:]
    for price in prices where price.isOfApple {
      guard let proceeds = price.proceeds, let commission = price.commission,
        price.effectiveFrom != nil
      else { continue }
      let key = Key(storefront: price.storefront, currency: price.currency, price: price.price)
      stated[key, default: []].append(
        StatedProceeds(
          tier: price.tier, days: price.days, commission: commission, proceeds: proceeds))
    }
    self.stated = stated.mapValues { $0.sorted { $0.days.first < $1.days.first } }
  }

  /// The proceeds, in micro-units per unit, that Apple's lists state for a price at a commission on
  /// a day, by the newest list of each tier, with the tier of that list; nil where none says it, or
  /// lists say different things, as of products that are taxed otherwise.
  ///
  /// - Parameters:
  ///   - price: customer price per unit, micro-units.
  ///   - commission: millionths.
  ///   - tier: whose list goes before the others.
  func proceeds(
    _ storefront: Storefront, _ currency: Currency, _ price: Int64, commission: Int64, on day: Day,
    tier: String?
  ) -> (proceeds: Int64, tier: String)? {
    if stated.isEmpty { return nil }
    let key = Key(storefront: storefront, currency: currency, price: price)
    guard let all = stated[key] else { return nil }
    var newest: [String: StatedProceeds] = [:]
    for stated in all where stated.commission == commission && stated.days.contains(day) {
      newest[stated.tier] = stated
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
