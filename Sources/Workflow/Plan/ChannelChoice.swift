package import Billing
import Conclusions
import Matching
package import Pricing

/// The other channel as the caller describes it, and what is wanted of the rate.
package struct ChannelChoice: Hashable, Sendable {
  /// Nil: base currency.
  package var currency: Currency?
  /// The channel of the orders; nil where there is only one.
  package var name: String?
  /// Coins per unit of money, millionths; nil: what the orders of the channel tell.
  package var rate: Int64?
  /// Millionths; nil: as configured for the channel, else none.
  package var fee: Int64?
  package var target = PlanTarget.equalNet
  package var rounding = PlanRounding()

  package init() {}

  /// The channel's currency, coins per unit of money and costs. Throws a ``Stop`` where neither the
  /// caller nor orders of one channel tell the rate.
  func terms(_ scope: PlanScope, _ facts: PlanFacts) throws -> ChannelTerms {
    let base = scope.settings.baseCurrency
    let currency = currency ?? base
    let worth = facts.rates.rate(from: currency, to: base, on: scope.day)
    if let rate {
      let name = chosenName(scope.settings)
      return ChannelTerms(
        name: name, currency: currency, rate: rate, costs: costs(of: name, scope.settings),
        worth: worth)
    }
    let sales = facts.channelSales(in: base, on: scope.day).filter {
      $0.currency == currency && $0.rate != nil && (name == nil || $0.channel == name)
    }
    guard let first = sales.first, let rate = first.rate, rate.micros > 0 else {
      throw Stop(
        .badInput, "@plan.no-source-gives-the-coins \(currency)",
        help: "@plan.give-channel-rate-100")
    }
    guard sales.count == 1 else {
      throw Stop(
        .badInput,
        "@plan.orders-of-several-channels-give \(sales.map(\.channel).asList)",
        help: "@plan.choose-one-with-channel")
    }
    return ChannelTerms(
      name: first.channel, currency: currency, rate: rate.micros,
      costs: costs(of: first.channel, scope.settings), worth: worth, isObserved: true)
  }

  /// The name that the caller gives, else that of the only channel that is configured; else empty.
  func chosenName(_ settings: Settings) -> String {
    name ?? (settings.channels.count == 1 ? settings.channels[0].name : "")
  }

  /// The remark that fees are configured, and none for the channel of a plan; else empty.
  func costRemark(_ channel: String, _ settings: Settings) -> [Wording] {
    guard fee == nil, !settings.channels.isEmpty, settings.costs(of: channel) == nil else {
      return []
    }
    return ["@plan.other-channel-fee-not-chosen \(settings.channels.map(\.name).asList)"]
  }

  /// What the channel takes of each payment: the caller's fee goes before the configured one.
  func costs(of channel: String, _ settings: Settings) -> ChannelCosts {
    var costs = settings.costs(of: channel) ?? ChannelCosts(fee: 0)
    if let fee { costs.fee = fee }
    return costs
  }
}

extension Settings {
  /// What a channel takes of each payment, as configured; nil for a channel that is not.
  func costs(of channel: String) -> ChannelCosts? {
    channels.first { $0.name.lowercased() == channel.lowercased() }
      .map { ChannelCosts(fee: $0.fee, tax: $0.tax) }
  }
}

extension PlanFacts {
  /// The paid orders of other channels, added up per channel and currency; coins that an order does
  /// not tell are the catalogue's.
  ///
  /// - Parameters:
  ///   - base: what their worth is told in, by the last exchange rate up to `day`.
  func channelSales(in base: Currency, on day: Day) -> [ChannelSales] {
    struct Key: Hashable {
      var channel: String
      var currency: Currency
    }
    let coins = Dictionary(
      products.map { ($0.sku, $0.coins) }, uniquingKeysWith: { first, _ in first })
    var sums: [Key: ChannelSales] = [:]
    for (terms, orders) in channelOrders where terms.status == .paid || terms.status == .fulfilled {
      guard let currency = terms.currency else { continue }
      let key = Key(channel: terms.channel, currency: currency)
      let each = coins[terms.sku].flatMap(\.self)
      var sum =
        sums[key]
        ?? ChannelSales(
          channel: terms.channel, currency: currency,
          worth: rates.rate(from: currency, to: base, on: day))
      sum.add(
        terms, orders, coins: terms.coins ?? each?.multipliedExactly(by: Int64(terms.quantity)))
      sums[key] = sum
    }
    return sums.values.sorted { ($0.channel, $0.currency) < ($1.channel, $1.currency) }
  }
}

extension ChannelSales {
  /// Adds so many orders of the same terms; those without a price or coins are only numbered as
  /// unknown.
  ///
  /// - Parameter granted: coins that each order brought.
  fileprivate mutating func add(_ terms: OrderTerms, _ count: Int, coins granted: Int64?) {
    guard let price = terms.unitPrice, let granted, granted > 0 else {
      unknown += count
      return
    }
    orders += count
    gross += price.multipliedExactly(by: Int64(terms.quantity))
      .multipliedExactly(by: Int64(count))
    coins += granted.multipliedExactly(by: Int64(count))
  }
}
