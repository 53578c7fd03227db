package import Billing

/// Tiers around wanted prices, and the coins that make up for the difference.
package struct TierPlan: Sendable {
  package var day: Day
  package var baseCurrency: Currency
  package var channel: ChannelTerms
  package var target: PlanTarget
  package var rounding: PlanRounding
  package var rows: [Row] = []
  package var notes: [Wording] = []

  package init(
    day: Day, baseCurrency: Currency, channel: ChannelTerms, target: PlanTarget,
    rounding: PlanRounding
  ) {
    self.day = day
    self.baseCurrency = baseCurrency
    self.channel = channel
    self.target = target
    self.rounding = rounding
  }
}

extension TierPlan {
  /// One wanted price in one storefront.
  package struct Row: Hashable, Sendable {
    package var storefront: Storefront
    /// What the caller calls it; empty where it has no name.
    package var name: String
    package var currency: Currency
    /// Micro-units, as wanted in the storefront's money, before any rounding.
    package var exact: Fraction
    /// As the caller wrote it, where that was in other money.
    package var original: Money?
    /// The dearest tier that is not dearer than wanted, the cheapest that is not cheaper; nil where
    /// the table ends. A tier at the price itself is both.
    package var below: Candidate?
    package var above: Candidate?
    /// Which of both is nearer; at equal distance the one above, since then coins are given and
    /// not kept.
    package var nearest: Candidate?
    /// Whether both are equally far, exactly.
    package var isTie: Bool

    /// Micro-units, rounded half up to the minor unit.
    package var wanted: Int64 { exact.micros(of: 1, toMultipleOf: currency.minorUnit) }
  }

  /// A tier near a wanted price.
  package struct Candidate: Hashable, Sendable {
    /// Every tier with this price, the standard one first.
    package var tiers: [String]
    package var terms: ProceedsTerms
    /// Dearer than wanted above zero; micro-units, before any rounding.
    package var difference: Fraction
    package var unit: Int64
    /// The planned rate at this tier; nil where no exchange rate is loaded.
    package var rate: RatePlan.PlannedRate?
    /// Coins that make up for the difference at the planned rate, rounded down: given above zero,
    /// kept below.
    package var coins: Int64?
  }
}
