import Billing
import Pricing

extension RatePlan {
  /// Why the rate is what it is, and why a planner may want to go below it; from the first row that
  /// has one, where there is one in the channel's money. Empty without a rate.
  var reasons: [Wording] {
    let planned = rows.filter { $0.rate != nil }
    let own = planned.first { $0.terms.currency == channel.currency }
    guard let row = own ?? planned.first, let rate = row.rate,
      let worth = row.worth, let share = row.terms.share
    else { return [] }
    let full = channel.coinsPerNet * worth.value * Fraction(Int128(row.unit))
    return [listReason(row, rate, share, full)] + marginReasons(row, share, full)
  }

  /// Why a row's rate is what it is by the price list.
  ///
  /// - Parameters:
  ///   - share: the part of the price that is left.
  ///   - full: coins per unit of the row's money if nothing were taken of the price.
  private func listReason(
    _ row: Row, _ rate: PlannedRate, _ share: Fraction, _ full: Fraction
  ) -> Wording {
    let currency = row.terms.currency
    let per = unitWords(row.unit, currency)
    let price = grouped(Money(micros: row.terms.price, currency))
    let proceeds = grouped(Money(micros: row.terms.proceeds, currency))
    let paid: Wording = """
      @plan.for-a-price \(price) \(currency) \(row.storefront) \(proceeds) \
      \(percent(row.deduction ?? 0))
      """
    let (there, here) = (full.text(places: 4), (full * share).text(places: 4))
    let equal: Wording =
      channel.costs.left == .one
      ? "@plan.other-channel-coins-per-received \(there) \(per) \(here) \(per)"
      : """
      @plan.other-channel-coins-per-received-after \(there) \(per) \(channel.costs.wording) \
      \(here) \(per)
      """
    guard target == .equalNet, !rate.isHeldUp else { return "\(paid) \(equal)." }
    return "@plan.or \(paid) \(equal) \(rate.planned) \(rounding.wording(channel.currency))"
  }

  /// Why a planner may go below a row's rate: which lower one keeps a margin at the upper end of
  /// the deductions that the company expects, or of those near the row's own, and what it costs
  /// players. Empty where no lower rate follows.
  ///
  /// - Parameters:
  ///   - share: the part of the price that is left.
  ///   - full: coins per unit of the row's money if nothing were taken of the price.
  private func marginReasons(_ row: Row, _ share: Fraction, _ full: Fraction) -> [Wording] {
    let own = (Fraction.one - share).micros
    let near = PriceExpectation.deductions(near: own, commission: row.terms.commission)
    var upper = (expectedDeduction ?? near).upperBound
    if case .margin(let deduction) = target { upper = deduction }
    let left = Fraction(micros: 1_000_000 - upper)
    guard left < share, upper < 1_000_000, row.terms.proceeds > 0 else { return [] }
    let per = unitWords(row.unit, row.terms.currency)
    let exact = full * left
    let safe = exact.roundedDown(toMultipleOf: rounding.step, isStrict: true)
    let equal = (full * share).roundedDown(toMultipleOf: rounding.step)
    guard safe > 0, safe < equal else { return [] }
    let breakEven = Fraction.one - Fraction(Int128(safe)) / full
    let text: Wording = """
      @plan.to-keep-a-margin \(percent(upper)) \(exact.text(places: 4)) \(per) \(safe) \
      \(percent(breakEven.micros))
      """
    return [text, priceOfMargin(row, safe: safe, equal: equal, full * share)]
  }

  /// What a margin costs players: fewer coins for a price.
  ///
  /// - Parameters:
  ///   - safe: the rate that keeps the margin.
  ///   - equal: the rate without one, rounded down.
  ///   - exact: the rate without one.
  private func priceOfMargin(
    _ row: Row, safe: Int64, equal: Int64, _ exact: Fraction
  ) -> Wording {
    let currency = row.terms.currency
    let (few, many) = (
      row.coins(for: row.terms.price, at: safe), row.coins(for: row.terms.price, at: equal)
    )
    let fewer = many > 0 ? Fraction(Int128(many - few), over: Int128(many)) : .zero
    let more = exact / Fraction(Int128(safe)) - .one
    let price = grouped(Money(micros: row.terms.price, currency))
    return """
      @plan.margin-costs-players \(safe) \(grouped(many - few)) \
      \(counted(many, "@plan.1-coin") { "@plan.coins-2 \($0)" }) \(percent(fewer.micros)) \
      \(price) \(currency) \(percent(more.micros))
      """
  }
}
