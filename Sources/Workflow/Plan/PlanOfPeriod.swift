import Billing
import Matching
import Pricing

/// The plan that a period's own orders ask for: coins per unit of money at equal net with the one
/// other channel that sells them for base currency; nil where no orders or several channels' do, or
/// no product with coins has a price.
func planOfPeriod(
  _ request: ReconcileRequest, _ tables: MonthFacts, _ reports: SalesReports, _ book: MatchTable
) -> RatePlan? {
  let orders = book.channelOrders(placed: request.settings.instants(of: request.period))
  guard !orders.isEmpty else { return nil }
  let scope = PlanScope(
    ledgerPath: request.ledgerPath, isLedgerNeeded: true, settings: request.settings,
    day: request.period.last, period: request.period)
  let facts = PlanFacts(
    tables, scope, observed: reports.observedSales, channelOrders: orders,
    shown: reports.shownTerms, found: reports.priceBook.found)
  return try? planRate(RatePlanRequest(scope: scope), facts)
}
