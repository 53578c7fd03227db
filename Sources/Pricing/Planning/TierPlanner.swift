package import Billing

/// Finds the tiers around wanted prices.
package struct TierPlanner: Sendable {
  private let book: PriceBook
  private let table: TierTable
  /// Millionths, instead of the rule's.
  private let commission: Int64?
  /// The channel's money for one unit of a currency; nil where nobody knows.
  private let worth: @Sendable (Currency) -> CurrencyRate?

  package init(
    book: PriceBook, table: TierTable, commission: Int64?,
    worth: @escaping @Sendable (Currency) -> CurrencyRate?
  ) {
    self.book = book
    self.table = table
    self.commission = commission
    self.worth = worth
  }

  /// Fills in the rows, in the order of the wanted prices; those without a tier or an exchange rate
  /// are left out and noted.
  ///
  /// - Parameter frame: a plan with everything that the caller decides.
  package func plan(_ wanted: [WantedPrice], frame: TierPlan) -> TierPlan {
    var plan = frame
    var steps: [Storefront: [PriceStep]] = [:]
    for price in wanted {
      let known =
        steps[price.storefront]
        ?? book.tiers.steps(table, in: price.storefront, on: plan.day)
      steps[price.storefront] = known
      guard let currency = known.first?.currency else {
        note(
          "@planning.no-tier-has-a-price \(price.storefront) \(table.name) \(plan.day)", in: &plan)
        continue
      }
      guard let amount = amount(price.price, in: currency) else {
        note(
          """
          @planning.no-exchange-rate-to-is \(price.storefront) \(price.price.currency) \
          \(currency)
          """,
          in: &plan)
        continue
      }
      plan.rows.append(row(price, amount, known, plan))
    }
    return plan
  }

  /// Adds a note that the plan does not have yet.
  private func note(_ text: Wording, in plan: inout TierPlan) {
    if !plan.notes.contains(text) { plan.notes.append(text) }
  }

  /// The wanted price in a storefront's money, micro-units; never rounded, since what is nearest
  /// hangs on it. Nil where no exchange rate is loaded.
  private func amount(_ price: Money, in currency: Currency) -> Fraction? {
    if price.currency == currency { return Fraction(Int128(price.micros)) }
    guard let from = worth(price.currency), let to = worth(currency) else { return nil }
    // More than any storefront's dearest price is as much as none knows.
    return min(
      from.value / to.value * Fraction(Int128(price.micros)), Fraction(1_000_000_000_000_000))
  }

  /// The tiers below and above a wanted price, and which of them is nearer.
  ///
  /// - Parameters:
  ///   - amount: the price in the storefront's money, micro-units.
  ///   - steps: the storefront's prices, ascending; one at least.
  private func row(
    _ price: WantedPrice, _ amount: Fraction, _ steps: [PriceStep], _ plan: TierPlan
  ) -> TierPlan.Row {
    let below = steps.last { Fraction(Int128($0.price)) <= amount }
    let above = steps.first { Fraction(Int128($0.price)) >= amount }
    var nearest = above ?? below
    var isTie = false
    if let below, let above, below.price != above.price {
      let (down, up) = (
        amount - Fraction(Int128(below.price)), Fraction(Int128(above.price)) - amount
      )
      isTie = down == up
      nearest = down < up ? below : above
    }
    /// The tiers at a price of the storefront as a candidate for the wanted one; nil for no price.
    func candidate(_ step: PriceStep?) -> TierPlan.Candidate? {
      step.map { self.candidate($0, price.storefront, amount, plan) }
    }
    let currency = steps[0].currency
    return TierPlan.Row(
      storefront: price.storefront, name: price.name, currency: currency, exact: amount,
      original: price.price.currency == currency ? nil : price.price,
      below: candidate(below), above: candidate(above), nearest: candidate(nearest), isTie: isTie)
  }

  /// A tier near a wanted price, with the coins that make up for the difference.
  ///
  /// - Parameter wanted: micro-units of the storefront's money.
  private func candidate(
    _ step: PriceStep, _ storefront: Storefront, _ wanted: Fraction, _ plan: TierPlan
  ) -> TierPlan.Candidate {
    let (terms, _) = book.terms(
      of: TermsScope(storefront), currency: step.currency, price: step.price, day: plan.day,
      commissionRate: commission, tierPrice: step.tiers[0])
    var candidate = TierPlan.Candidate(
      tiers: step.tiers.map(\.tier), terms: terms,
      difference: Fraction(Int128(step.price)) - wanted,
      unit: 1,
      rate: nil, coins: nil)
    guard let worth = worth(step.currency), let share = terms.share else { return candidate }
    candidate.unit = RatePlanner.unit(worth: worth.value)
    let rate = PlannedRates(
      channel: plan.channel, target: plan.target, rounding: plan.rounding
    ).rate(share: share, scale: worth.value * Fraction(Int128(candidate.unit)))
    candidate.rate = rate
    let perMicro = Fraction(Int128(rate.planned), over: 1_000_000 * Int128(candidate.unit))
    candidate.coins = (candidate.difference * perMicro).roundedDown(toMultipleOf: 1)
    return candidate
  }
}

/// A price that one or several tiers have.
struct PriceStep {
  var price: Int64
  var currency: Currency
  /// The standard ones first.
  var tiers: [TierPrice]
}

extension TierBook {
  /// The prices of a table in a storefront on a day, ascending; free tiers are left out. Where a
  /// storefront has several currencies that day, those of the first tier count.
  func steps(_ table: TierTable, in storefront: Storefront, on day: Day) -> [PriceStep] {
    let kind: ProductKind = table == .subscription ? .autoRenewable : .consumable
    let inForce = tiers(table, in: storefront).compactMap {
      price(tier: $0, kind: kind, storefront: storefront, on: day)
    }
    let sorted = inForce.filter { $0.price > 0 }.sorted { rank($0) < rank($1) }
    guard let currency = sorted.first?.currency else { return [] }
    return Dictionary(grouping: sorted.filter { $0.currency == currency }, by: \.price)
      .map { PriceStep(price: $0.key, currency: currency, tiers: $0.value) }
      .sorted { $0.price < $1.price }
  }

  /// What tiers are sorted by: numbered ones by their number, then the others by name.
  private func rank(_ price: TierPrice) -> (Int, String) { (Int(price.tier) ?? .max, price.tier) }
}
