package import Billing

/// The row of a table that stands behind a figure.
package struct FigureSource: Hashable, Sendable {
  package enum Figure: String, Hashable, Sendable {
    case price, tax, commission, proceeds

    /// The figure in words for people.
    package var wording: Wording {
      switch self {
      case .price: "@shared.price"
      case .tax: "@shared.tax"
      case .commission: "@shared.commission"
      case .proceeds: "@shared.proceeds"
      }
    }
  }

  package let figure: Figure
  /// Table and line of the built-in facts, `taxes.csv:36`, or whose table it is.
  package let place: Wording
  /// The days for which the row holds; nil is open.
  package let from: Day?
  package let to: Day?
  /// What the row is known by.
  package internal(set) var evidence: Wording
}

extension PriceBook {
  /// The row behind each figure of an answer, in the order price, tax, commission, proceeds; none
  /// for a figure that no row stands behind.
  package func sources(of quote: PriceQuote) -> [FigureSource] {
    let found = quote.expectation
    return [
      quote.tierPrice.flatMap { source(of: $0, for: found) }, taxSource(of: found),
      commissionSource(of: found), proceedsSource(of: found, quote.tierPrice),
    ].compactMap(\.self)
  }

  /// The row behind the price; nil where the price is not the one of the tier.
  private func source(of tier: TierPrice, for found: PriceExpectation) -> FigureSource? {
    guard tier.price == found.price, tier.currency == found.currency else { return nil }
    return source(of: tier, of: .price)
  }

  /// The row of a list of tiers behind a figure: built in, or else imported.
  private func source(of tier: TierPrice, of figure: FigureSource.Figure) -> FigureSource {
    let row = BuiltInTiers.rows.first { $0.price == tier }
    let matrices = MatrixTable.builtIn
    let line = row == nil ? matrices.line(of: tier) : nil
    let name: Wording =
      tier.table == .iap
      ? "@figure-source.tier-of-products \(tier.tier)"
      : "@figure-source.tier-of-subscriptions \(tier.tier)"
    return FigureSource(
      figure: figure,
      place: row.map { Wording(verbatim: "tiers.csv:\($0.line)") }
        ?? line.map { Wording(verbatim: "matrices.csv:\($0)") } ?? "@figure-source.imported-tiers",
      from: tier.effectiveFrom, to: tier.effectiveTo,
      evidence: row.map { "\(name): \(BuiltInTiers.facts.evidence(onLine: $0.line))" }
        ?? line.map { "\(name): \(matrices.facts.evidence(onLine: $0))" } ?? name)
  }

  /// The row behind the tax, or whose rows or table it is from; nil where no tax is known.
  private func taxSource(of found: PriceExpectation) -> FigureSource? {
    switch found.basis.taxOrigin {
    case .unknown: return nil
    case .rows:
      return FigureSource(
        figure: .tax, place: "@figure-source.apple-rows", from: nil, to: nil,
        evidence: "@figure-source.measured-rows-of-the-sales")
    case .override:
      return FigureSource(
        figure: .tax, place: "@figure-source.imported-taxes", from: nil, to: nil,
        evidence: "@figure-source.takes-precedence-over-the-built")
    case .table:
      return taxRule(
        storefront: found.storefront, currency: found.currency, day: found.day
      ).map { rule in
        var source = FigureSource(.tax, taxes.facts, line: rule.line, rule.days)
        let known = rule.evidence(atCommission: found.basis.commission)
        source.evidence = "\(known.wording): \(source.evidence)"
        return source
      }
    }
  }

  /// The row of the terms behind the commission; nil where the caller named the rate.
  private func commissionSource(of found: PriceExpectation) -> FigureSource? {
    guard let terms = found.basis.terms else { return nil }
    let rule = terms.rule
    guard let line = rule.line else {
      return FigureSource(
        figure: .commission, place: "@figure-source.imported-commissions", from: rule.days.from,
        to: rule.days.to, evidence: Wording(verbatim: rule.name))
    }
    return FigureSource(.commission, documented.facts, line: line, rule.days)
  }

  /// The row behind proceeds that a list has; nil where they are calculated from the rates.
  private func proceedsSource(of found: PriceExpectation, _ tier: TierPrice?) -> FigureSource? {
    switch found.basis.method {
    case .formula: return nil
    case .tier: return tier.map { source(of: $0, of: .proceeds) }
    case .usCopy:
      return usCopy(
        storefront: found.storefront, currency: found.currency, day: found.day, found.basis
      ).map { FigureSource(.proceeds, usCopies.facts, line: $0.line, $0.days) }
    case .factor:
      return factors.row(storefront: found.storefront, currency: found.currency, day: found.day)
        .map { FigureSource(.proceeds, factors.facts, line: $0.line, $0.days) }
    }
  }
}

extension FigureSource {
  /// A figure from a line of a built-in table, which holds on `days`.
  fileprivate init(_ figure: Figure, _ facts: FactTable, line: Int, _ days: DayRange) {
    self.init(
      figure: figure, place: Wording(verbatim: "\(facts.name):\(line)"), from: days.from,
      to: days.to,
      evidence: facts.evidence(onLine: line))
  }
}
