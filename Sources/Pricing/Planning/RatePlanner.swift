package import Billing

/// Finds the coins per unit of money that leave a company the same per coin as another channel.
package struct RatePlanner: Sendable {
  /// Storefronts that get one rate.
  package struct Group: Hashable, Sendable {
    package var name: String
    package var offers: [Offer]

    package init(name: String, offers: [Offer]) {
      self.name = name
      self.offers = offers
    }
  }

  private let book: PriceBook
  /// Millionths, instead of the rule's.
  private let commission: Int64?
  /// The channel's money for one unit of a currency; nil where nobody knows.
  private let worth: @Sendable (Currency) -> CurrencyRate?
  private let observed: ObservedSales?

  package init(
    book: PriceBook, commission: Int64?, observed: ObservedSales?,
    worth: @escaping @Sendable (Currency) -> CurrencyRate?
  ) {
    self.book = book
    self.commission = commission
    self.observed = observed
    self.worth = worth
  }

  /// Fills in rows, groups and prices of coins; prices that are too high are left out and noted.
  ///
  /// - Parameter frame: a plan with everything that the caller decides.
  package func plan(_ groups: [Group], frame: RatePlan) -> RatePlan {
    var plan = frame
    for group in groups {
      let offers = group.offers.filter {
        Self.canCount($0.price, worth: worth($0.currency)?.value ?? .zero)
      }
      if offers.count < group.offers.count {
        plan.notes.append("@planning.price-is-too-high \(group.name)")
      }
      guard !offers.isEmpty else { continue }
      let first = plan.rows.count
      plan.rows += offers.map { row(of: $0, plan) }
      plan.groups.append(self.group(group.name, of: first..<plan.rows.count, in: plan))
    }
    if plan.groups.count > 1 {
      plan.groups.append(self.group("all", of: 0..<plan.rows.count, in: plan))
    }
    plan.notes += missingRates(of: plan)
    plan.coinPrices = coinPrices(of: plan)
    return plan
  }

  /// Whether a price is small enough for a plan: it is worth no more than ten thousand million
  /// units of the channel's money.
  ///
  /// - Parameters:
  ///   - price: micro-units.
  ///   - worth: units of the channel's money for one unit of the price's currency.
  static func canCount(_ price: Int64, worth: Fraction) -> Bool {
    worth.amount(price) <= 10_000_000_000_000_000
  }

  /// An offer's row: its terms, the rate that these lead to, and the one that observed sales do.
  private func row(of offer: Offer, _ plan: RatePlan) -> RatePlan.Row {
    let (terms, rule) = book.terms(
      of: offer.scope, currency: offer.currency, price: offer.price, day: plan.day,
      commissionRate: commission, tierPrice: offer.tierPrice)
    let worth = worth(offer.currency)
    var row = RatePlan.Row(
      storefront: offer.storefront, product: offer.product, tier: offer.tier, terms: terms,
      rule: rule, worth: worth, unit: worth.map { Self.unit(worth: $0.value) } ?? 1,
      presentCoins: offer.coins)
    row.rate = rate(share: terms.share, row, plan)
    row.observed = observation(of: offer, row, plan)
    return row
  }

  /// The smallest power of ten of a currency's units that is worth at least half a unit of the
  /// channel's money, so that whole coins are fine enough.
  ///
  /// - Parameter worth: the channel's money for one unit of the currency.
  static func unit(worth: Fraction) -> Int64 {
    var unit: Int64 = 1
    while worth > .zero, worth < Fraction(1, over: 2 * Int128(unit)), unit < 1_000_000_000 {
      unit *= 10
    }
    return unit
  }

  /// The rate for a row where `share` is left of its price; nil without a share or an exchange
  /// rate.
  private func rate(share: Fraction?, _ row: RatePlan.Row, _ plan: RatePlan)
    -> RatePlan.PlannedRate?
  {
    guard let share, let worth = row.worth else { return nil }
    let scale = worth.value * Fraction(Int128(row.unit))
    return plan.rate(share: share, scale: scale)
  }

  /// Units, money and proceeds that sales reports have of an offer, and the rate that these
  /// proceeds lead to; nil where they have no sales whose proceeds can be converted.
  private func observation(of offer: Offer, _ row: RatePlan.Row, _ plan: RatePlan)
    -> RatePlan.Observation?
  {
    guard let sales = observed?.sales(of: offer), !sales.isEmpty else { return nil }
    var sum = RatePlan.Observation(units: 0, gross: 0, proceeds: 0)
    for sale in sales {
      guard let proceeds = proceeds(of: sale) else { continue }
      sum.units += sale.units
      sum.gross += sale.gross
      sum.proceeds += proceeds
    }
    guard sum.units > 0, sum.gross > 0 else { return nil }
    let share = Fraction(Int128(max(0, sum.proceeds)), over: Int128(sum.gross))
    sum.rate = rate(share: share, row, plan)
    return sum
  }

  /// Proceeds in the currency of the price; nil where they are paid in another and no rate is
  /// known.
  private func proceeds(of sale: ObservedSale) -> Int64? {
    if sale.proceedsCurrency == sale.currency { return sale.proceeds }
    guard let paid = worth(sale.proceedsCurrency), let priced = worth(sale.currency) else {
      return nil
    }
    return (paid.value / priced.value).micros(of: sale.proceeds)
  }

  /// A note for each currency whose exchange rate is not loaded.
  private func missingRates(of plan: RatePlan) -> [Wording] {
    let missing = Set(plan.rows.filter { $0.worth == nil }.map(\.terms.currency)).sorted()
    return missing.map { currency in
      """
      @planning.no-exchange-rate-to-on-is \(currency) \(plan.channel.currency) \(plan.day) \
      \(currency)
      """
    }
  }
}

extension RatePlan {
  /// The target's rate before and after rounding: coins for `scale` units of the channel's money.
  ///
  /// - Parameter share: the part of the price that is left; see ``PlannedRates``.
  package func rate(share: Fraction, scale: Fraction) -> PlannedRate {
    PlannedRates(channel: channel, target: target, rounding: rounding)
      .rate(share: share, scale: scale)
  }
}
