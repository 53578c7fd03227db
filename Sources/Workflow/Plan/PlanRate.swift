import Billing
import Conclusions
import Matching
package import Pricing

/// What `plan rate` is asked to do.
package struct RatePlanRequest: Sendable {
  package var scope: PlanScope
  /// Empty: the storefronts with sales in the period, else the company's own.
  package var groups: [StorefrontGroup] = []
  package var choice = OfferChoice.catalogue
  package var channel = ChannelChoice()
  /// Apple's commission in millionths; nil: the rule's.
  package var commission: Int64?
  /// Coins per unit of the channel's money today, millionths; nil is not judged.
  package var current: Int64?
  /// Millionths.
  package var threshold: Int64 = 100_000

  package init(scope: PlanScope) { self.scope = scope }
}

/// Plans the coins per unit of money on Apple's channel. Throws a ``Stop`` where nothing tells the
/// other channel's rate, or nothing has a price.
package func planRate(_ request: RatePlanRequest) throws -> RatePlan {
  try stopping {
    try refuseNothing(request)
    let facts = try PlanFacts(
      request.scope,
      isLedgerNeeded: request.choice == .catalogue || request.channel.rate == nil)
    var plan = try planRate(request, facts)
    let planned = plan.remarkedRates
    plan.notes += roundingRemark(planned)
    if request.commission == nil {
      var other = request
      other.commission = PriceBook.standardRate
      plan.notes += commissionRemarks(
        plan.rows.map { ($0.storefront, $0.terms.commission) }, facts.book, on: plan.day,
        planned: planned, usual: try planRate(other, facts).remarkedRates)
      plan.notes += openAgreementRemarks(
        plan.rows.map { ($0.storefront, $0.product, $0.terms) }, facts.book, on: plan.day)
    }
    plan.notes += staleRateRemarks(
      plan.rows.map(\.terms.currency), to: plan.channel.currency, on: plan.day, facts.rates)
    plan.notes += try coinRemarks(plan.rows, facts, request.scope)
    return plan
  }
}

/// Throws a ``Stop`` where there is no ledger and nothing was named that needs none.
private func refuseNothing(_ request: RatePlanRequest) throws {
  guard request.choice == .catalogue, identity(of: request.scope.ledgerPath) == nil else { return }
  throw Stop(
    .badInput, "@plan.no-ledger-no-products \(request.scope.ledgerPath)",
    help: "@plan.name-prices-or-tiers")
}

/// Plans the coins per unit of money from facts that are read already, without remarks on the plan.
func planRate(_ request: RatePlanRequest, _ facts: PlanFacts) throws -> RatePlan {
  let settings = request.scope.settings
  let day = request.scope.day
  let channel = try request.channel.terms(request.scope, facts)
  var plan = RatePlan(
    day: day, baseCurrency: settings.baseCurrency, channel: channel,
    target: request.channel.target, rounding: request.channel.rounding,
    expectedDeduction: settings.expectedDeduction, period: request.scope.period,
    threshold: request.threshold)
  plan.current = request.current
  plan.channelSales = facts.channelSales(in: settings.baseCurrency, on: day).map { sales in
    var sales = sales
    if sales.channel != channel.name { sales.costs = settings.costs(of: sales.channel) }
    return sales
  }
  plan.notes = facts.notes + request.channel.costRemark(channel.name, settings)
  var finder = OfferFinder(book: facts.book, products: facts.products, day: day)
  let groups = groups(request.groups, request.scope, facts).map { group in
    RatePlanner.Group(
      name: group.name,
      offers: group.storefronts.flatMap { finder.offers(request.choice, in: $0, group.isOpen) })
  }
  plan.notes += finder.notes
  guard groups.contains(where: { !$0.offers.isEmpty }) else { throw nothingToPlan(finder.notes) }
  let rates = facts.rates
  let planner = RatePlanner(
    book: facts.book, commission: request.commission, observed: facts.observed
  ) { rates.rate(from: $0, to: channel.currency, on: day) }
  return planner.plan(groups, frame: plan)
}

extension OfferFinder {
  /// The offers of a storefront, as `offers(_:in:)` finds them.
  ///
  /// - Parameter isOpen: whether the storefront was not named itself, so that nothing is noted
  ///   where it has no offer.
  mutating func offers(
    _ choice: OfferChoice, in storefront: Storefront, _ isOpen: Bool
  ) -> [Offer] {
    guard isOpen else { return offers(choice, in: storefront) }
    var other = self
    return other.offers(choice, in: storefront)
  }
}

/// The groups of storefronts to plan for: those that were named, else each storefront with sales,
/// else the company's own.
func groups(_ named: [StorefrontGroup], _ scope: PlanScope, _ facts: PlanFacts)
  -> [StorefrontGroup]
{
  if !named.isEmpty { return named.withoutRepeats() }
  let settings = scope.settings
  let sold = facts.observed?.storefronts ?? []
  return sold.isEmpty
    ? [StorefrontGroup(settings.defaultStorefront ?? settings.developerCountry)]
    : sold.map { StorefrontGroup($0) }
}

/// The error that there is nothing to plan.
///
/// - Parameter notes: on what was left out, of which the first is told as the reason; no others.
func nothingToPlan(_ notes: some Sequence<Wording>) -> Stop {
  Stop(
    .badInput,
    notes.first { _ in true }.map { "@plan.there-is-nothing-to-plan-2 \($0)" }
      ?? "@plan.there-is-nothing-to-plan",
    help: "@plan.import-a-catalogue-with-coins")
}
