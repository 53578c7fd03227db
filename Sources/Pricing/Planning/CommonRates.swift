import Billing

extension RatePlanner {
  /// Rows that get one rate, with the rate chosen in each of three ways; with no choice where a row
  /// has no rate.
  ///
  /// - Parameter rows: indexes of the plan's rows.
  func group(_ name: String, of rows: Range<Int>, in plan: RatePlan) -> RatePlan.Group {
    let members = plan.rows[rows]
    let currencies = Set(members.map(\.terms.currency))
    let isShared = currencies.count == 1
    var group = RatePlan.Group(
      name: name, storefronts: Set(members.map(\.storefront)).sorted(),
      currency: isShared ? currencies.first! : plan.channel.currency,
      unit: isShared ? members.first!.unit : 1, rows: rows)
    let known = members.filter { $0.rate != nil }
    guard known.count == members.count else { return group }
    // The money that a unit of the group's rate is for, in the channel's.
    let scale =
      isShared
      ? members.first!.worth!.value * Fraction(Int128(group.unit)) : Fraction.one
    group.choices = RatePlan.Choice.Kind.allCases.compactMap { kind in
      guard let share = share(kind, of: Array(members)) else { return nil }
      let rate = plan.rate(share: share, scale: scale)
      return RatePlan.Choice(
        kind: kind, share: share, rate: rate,
        gain: gain(of: rate.planned, scale: scale, Array(members), plan))
    }
    return group
  }

  /// The part of a price that is left after tax and commission, chosen from those of the rows by
  /// `kind`: the least, the median or the mean by money paid; nil where no row has one, or for the
  /// mean nothing was sold.
  private func share(_ kind: RatePlan.Choice.Kind, of rows: [RatePlan.Row]) -> Fraction? {
    let shares = rows.compactMap(\.terms.share).sorted()
    switch kind {
    case .safe: return shares.first
    case .median:
      guard !shares.isEmpty else { return nil }
      let (low, high) = (shares[(shares.count - 1) / 2], shares[shares.count / 2])
      return (low + high) / Fraction(2)
    case .weighted:
      let (left, paid) = observedMoney(of: rows)
      return paid > 0 ? Fraction(left, over: paid) : nil
    }
  }

  /// How much more the units sold according to reports would leave on Apple's channel than the
  /// coins given for them at a planned rate would leave on the other one, in micro-units of base
  /// currency; nil where nothing was sold or no exchange rate is loaded. The terms are those of the
  /// plan's day: what the units left when they were sold, by the taxes and commissions of that day,
  /// says nothing of the rates.
  ///
  /// - Parameters:
  ///   - planned: the rate, as coins given for `scale` units of the channel's money.
  ///   - scale: units of the other channel's money that the rate is for.
  ///   - rows: those that get the rate.
  private func gain(
    of planned: Int64, scale: Fraction, _ rows: [RatePlan.Row], _ plan: RatePlan
  ) -> Int64? {
    guard let base = plan.channel.worth else { return nil }
    let (left, paid) = observedMoney(of: rows)
    guard paid > 0 else { return nil }
    let coins = Fraction(paid) / scale * Fraction(Int128(planned))
    let gain = (Fraction(left) - coins * plan.channel.netPerCoin) * base.value
    return gain.micros(of: 1, toMultipleOf: plan.baseCurrency.minorUnit)
  }

  /// What customers paid for the units of these rows that reports have, and what of it would be
  /// left after tax and commission by the rows' terms; both in micro-units of the other channel's
  /// money. Rows without sales, exchange rate or price are left out.
  private func observedMoney(of rows: [RatePlan.Row]) -> (left: Int128, paid: Int128) {
    rows.reduce(into: (0, 0)) { sum, row in
      guard let worth = row.worth, let observed = row.observed, row.terms.price > 0 else { return }
      // To the millionth.
      let gross = worth.value.micros(of: observed.gross)
      sum.left += Int128(
        roundedHalfUp(
          Int128(gross) * Int128(row.terms.proceeds), dividedBy: Int128(row.terms.price),
          toMultipleOf: 1))
      sum.paid += Int128(gross)
    }
  }

}

extension RatePlanner {
  /// What a thousand coins cost and leave in each storefront, cheapest net first; none without the
  /// channel's exchange rate.
  func coinPrices(of plan: RatePlan) -> [RatePlan.CoinPrice] {
    guard let base = plan.channel.worth else { return [] }
    let byStorefront = Dictionary(grouping: plan.rows, by: \.storefront)
    var prices = byStorefront.compactMap { storefront, rows -> RatePlan.CoinPrice? in
      let isPresent = rows.allSatisfy { ($0.presentCoins ?? 0) > 0 }
      var (coins, net, price): (Int64, Fraction, Fraction) = (0, .zero, .zero)
      for row in rows {
        let given = isPresent ? row.presentCoins : row.plannedCoins
        guard let worth = row.worth, let given, given > 0 else { return nil }
        let scale = worth.value * base.value
        coins += given
        net = net + Fraction(micros: row.terms.proceeds) * scale
        price = price + Fraction(micros: row.terms.price) * scale
      }
      let thousands = Fraction(Int128(coins), over: 1_000)
      return RatePlan.CoinPrice(
        storefront: storefront, coins: coins, isPresent: isPresent,
        net: (net / thousands).micros, price: (price / thousands).micros)
    }
    prices.sort { ($0.net, $0.price, $0.storefront) < ($1.net, $1.price, $1.storefront) }
    let (dearestNet, dearestPrice) = (
      prices.map(\.net).max() ?? 0, prices.map(\.price).max() ?? 0
    )
    for index in prices.indices {
      prices[index].isNetBelow = isBelow(prices[index].net, dearestNet, by: plan.threshold)
      prices[index].isPriceBelow = isBelow(prices[index].price, dearestPrice, by: plan.threshold)
    }
    return prices
  }

  /// Whether a value is below the dearest one by more than `threshold` millionths of that.
  private func isBelow(_ value: Int64, _ dearest: Int64, by threshold: Int64) -> Bool {
    Int128(value) * 1_000_000 < Int128(dearest) * Int128(1_000_000 - threshold)
  }
}
