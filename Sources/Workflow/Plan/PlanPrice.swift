package import Billing
import Conclusions
import Matching
package import Pricing

/// What `plan price` is asked to do.
package struct TierPlanRequest: Sendable {
  package var scope: PlanScope
  package var groups: [StorefrontGroup] = []
  /// In the channel's money, for every storefront of `groups`; micro-units.
  package var wanted: [Int64] = []
  /// For one storefront each.
  package var named: [WantedPrice] = []
  package var table = TierTable.iap
  package var channel = ChannelChoice()
  /// Apple's commission in millionths; nil: the rule's.
  package var commission: Int64?

  package init(scope: PlanScope) { self.scope = scope }
}

/// Finds the tiers around wanted prices in each storefront. Throws a ``Stop`` where nothing tells
/// the other channel's rate, or no storefront has a tier.
package func planPrice(_ request: TierPlanRequest) throws -> TierPlan {
  try stopping {
    let scope = request.scope
    let facts = try PlanFacts(scope, isLedgerNeeded: request.channel.rate == nil)
    let channel = try request.channel.terms(scope, facts)
    var plan = TierPlan(
      day: scope.day, baseCurrency: scope.settings.baseCurrency, channel: channel,
      target: request.channel.target, rounding: request.channel.rounding)
    plan.notes = facts.notes + request.channel.costRemark(channel.name, scope.settings)
    let rates = facts.rates
    /// A planner at a commission in millionths; nil is the rule's.
    func planner(_ commission: Int64?) -> TierPlanner {
      TierPlanner(book: facts.book, table: request.table, commission: commission) {
        rates.rate(from: $0, to: channel.currency, on: scope.day)
      }
    }
    let everywhere = groups(request.groups, scope, facts).flatMap(\.storefronts)
    let wanted =
      request.wanted.flatMap { price in
        everywhere.map {
          WantedPrice(storefront: $0, price: Money(micros: price, channel.currency))
        }
      } + request.named
    let frame = plan
    plan = planner(request.commission).plan(wanted, frame: frame)
    guard !plan.rows.isEmpty else {
      throw nothingToPlan(plan.notes.dropFirst(frame.notes.count))
    }
    let planned = plan.remarkedRates
    plan.notes += roundingRemark(planned)
    if request.commission == nil {
      let usual = planner(PriceBook.standardRate).plan(wanted, frame: frame).remarkedRates
      plan.notes += commissionRemarks(
        plan.rows.compactMap { row in row.nearest.map { (row.storefront, $0.terms.commission) } },
        facts.book, on: scope.day, planned: planned, usual: usual)
      plan.notes += openAgreementRemarks(
        plan.rows.compactMap { row in row.nearest.map { (row.storefront, "", $0.terms) } },
        facts.book, on: scope.day)
    }
    let moneys = plan.rows.flatMap { [$0.currency, $0.original?.currency ?? $0.currency] }
    plan.notes += staleRateRemarks(moneys, to: channel.currency, on: scope.day, rates)
    return plan
  }
}
