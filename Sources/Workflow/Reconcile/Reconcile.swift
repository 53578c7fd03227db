package import Billing
import Foundation
import Ledger
package import Matching
import Pricing

/// What to reconcile.
package struct ReconcileRequest: Sendable {
  package var ledgerPath: String
  package var period: Period
  package var settings: Settings
  /// The day that ages and due dates are counted to.
  package var asOf: Day

  package init(ledgerPath: String, period: Period, settings: Settings, asOf: Day) {
    self.ledgerPath = ledgerPath
    self.period = period
    self.settings = settings
    self.asOf = asOf
  }
}

/// Ties a period out: reads its facts, matches its levels, and states every difference. What later
/// imports changed of closed periods is booked in the earliest open one.
///
/// - Throws: `LedgerError`.
package func reconcile(_ request: ReconcileRequest) throws -> Reconciliation {
  let own = try reconcileFacts(request)
  return try own.booking(Bookings(request), request)
    .withRecorded(in: Ledger(path: request.ledgerPath, mode: .readOnly))
}

/// Ties a period out by the facts that are in the ledger now, whatever was closed.
func reconcileFacts(_ request: ReconcileRequest) throws -> Reconciliation {
  let ledger = try Ledger(path: request.ledgerPath, mode: .readOnly)
  var facts = try ledger.facts(
    purchases: purchaseWindow(request.period), reportDays: reportDays(request.period))
  try addEarlierSales(to: &facts, ledger, request.period)
  let context = matchingContext(request, facts)
  let reportFacts = facts.withoutPurchases
  let purchases = Handover(facts)
  facts = MonthFacts()
  // Apple's side needs no claims, so it is put in order meanwhile.
  let (claimed, reported) = inTwoThreads(
    { Result { try claims(ledger, purchases, context) } },
    { Result { try AppleSide(request, reportFacts, context) } })
  let settled = try claimed.get()
  let apple = try reported.get()
  let rates = RateBook(reportFacts.rates)
  let (orders, survey, flow, sales) = tieOut(settled, apple.reports, context)
  let settlement = try SettlementPart(request, ledger, apple.reports, context)
  // The lists look their rows up while everything else is put together.
  let (conclusion, lists) = inTwoThreads(
    {
      Result {
        try conclude(
          request, ledger, findings: orders + sales.findings + apple.deductions.findings,
          settled.book,
          apple, sales, settlement, rates, context)
      }
    },
    {
      Result {
        let other = try Ledger(path: request.ledgerPath, mode: .readOnly)
        let plan = planOfPeriod(request, reportFacts, apple.reports, settled.book)
        return (try PurchaseLists(other, sales.refunds(), survey.chains), plan)
      }
    })
  var result = try conclusion.get()
  let found: PurchaseLists
  (found, result.plan) = try lists.get()
  result.flow = flow
  result.refunds = found.refunds
  result.refundTotals = found.refundTotals
  result.subscriptions = found.subscriptions
  result.subscriptionCounts = survey.counts
  try result.deferRevenue(request, ledger, apple.reports, context)
  if request.settings.maskUsers { result.hideUsers() }
  return result
}

/// What Apple's reports say by themselves, of the period and of the one before.
private struct AppleSide {
  let reports: SalesReports
  let deductions: DeductionSurvey
  /// Empty where reports cover only a part of the period before: that would compare badly.
  var previousProceeds: [ProceedsLine] = []

  /// Reads the reports of the period before through a connection of its own.
  init(_ request: ReconcileRequest, _ facts: MonthFacts, _ context: MatchingContext) throws {
    reports = SalesReports(facts, context)
    var earlier = request
    earlier.period = request.period.previous
    let ledger = try Ledger(path: request.ledgerPath, mode: .readOnly)
    let earlierFacts = try ledger.reportFacts(earlier.period.days)
    guard !earlierFacts.coverage.isEmpty else {
      deductions = DeductionSurvey(reports)
      return
    }
    let covered = Set(earlierFacts.coverage.flatMap { Array($0.begin...$0.end) })
    let isWhole = covered.isSuperset(of: earlier.period.days)
    let previous = SalesReports(earlierFacts, matchingContext(earlier, earlierFacts))
    deductions = DeductionSurvey(reports, previous: previous, listsPrevious: isWhole)
    if isWhole { previousProceeds = previous.proceedsLines(rates: RateBook(facts.rates)) }
  }
}

/// What the two levels concluded, with the ids and places of their rows.
private func conclude(
  _ request: ReconcileRequest, _ ledger: Ledger, findings: [UnresolvedFinding], _ book: MatchTable,
  _ apple: AppleSide, _ sales: SalesTieOut, _ settlement: SettlementPart?, _ rates: RateBook,
  _ context: MatchingContext
) throws -> Reconciliation {
  let findings = findings + (settlement?.findings ?? [])
  let resolver = try Resolver(ledger, findings)
  var result = Reconciliation(
    period: request.period, baseCurrency: request.settings.baseCurrency, asOf: request.asOf)
  result.inputs = try inputs(ledger, request.period)
  result.cutoffs = sales.cutoffs
  result.proceeds = apple.reports.proceedsLines(rates: rates)
  result.products = apple.reports.productProceeds()
  result.bridges = sales.bridges(rates: rates, settlement: settlement?.tieOut)
  result.settlement = settlement?.conclusion(reported: result.proceeds)
  let resolved = resolver.resolved(findings)
  result.findings = resolved.map(\.finding)
  result.markMaterial(request.settings, rates)
  result.patterns = try patterns(resolved, ledger, book, apple.reports, context)
  result.deductions = apple.deductions.lines
  result.matchedUnits = sales.matchedUnits
  result.unmatchedUnits = sales.unmatchedUnits
  result.previousProceeds = apple.previousProceeds
  result.notes = notes(request, context, sales) + (settlement?.tieOut.notes ?? [])
  return result
}

/// Purchases that may fall on a day of the period under any rule, with a day to trace orders back.
func purchaseWindow(_ period: Period) -> ClosedRange<Instant> {
  period.purchaseDays.lowerBound.startUTC...period.purchaseDays.upperBound.startUTC
}

/// The period's report days and their neighbours, across whose boundary units may have moved.
func reportDays(_ period: Period) -> ClosedRange<Day> {
  period.first.advanced(by: -1)...period.last.advanced(by: 1)
}

private func matchingContext(_ request: ReconcileRequest, _ facts: MonthFacts) -> MatchingContext {
  let storefronts = StorefrontTable.builtIn
  var names = Set(Territory.allCases.map(\.zoneName))
  names.formUnion(storefronts.entries.map(\.zoneName))
  let zones = names.map { name in
    guard let zone = zone(named: name) else {
      preconditionFailure("the storefront table names a zone that does not exist: \(name)")
    }
    return (name, zone)
  }
  return MatchingContext(
    period: request.period, asOf: request.asOf, settings: request.settings,
    catalogue: CatalogueBook(facts.products),
    priceBook: PriceBook(facts, request.settings),
    tiers: TierBook(facts.tiers, standIns: BuiltInTiers.prices), storefronts: storefronts,
    zones: Dictionary(uniqueKeysWithValues: zones))
}

/// Both levels at the same time: neither needs the other's findings.
private func tieOut(_ claims: Claims, _ reports: SalesReports, _ context: MatchingContext)
  -> ([UnresolvedFinding], SubscriptionSurvey, [FlowDay], SalesTieOut)
{
  let ((findings, survey, flow), sales) = inTwoThreads(
    {
      let findings = OrderTieOut.findings(
        claims.book, details: claims.details, history: claims.history,
        renewals: claims.renewals, context: context)
      let survey = SubscriptionSurvey(
        claims.book, history: claims.history, renewals: claims.renewals, context: context,
        limit: PurchaseLists.limit)
      return (findings, survey, PurchaseFlow.days(claims.book, context))
    },
    { SalesTieOut(claims.book, reports: reports, begun: claims.units, context: context) })
  return (findings, survey, flow, sales)
}

extension MonthFacts {
  /// The same without orders and transactions.
  fileprivate var withoutPurchases: MonthFacts {
    var facts = self
    facts.orders = []
    facts.transactions = []
    facts.chainDetails = []
    facts.unnamedOrderDetails = []
    facts.observations = []
    facts.renewals = []
    return facts
  }
}

/// Files that matter to the period, and those that hold for every period.
private func inputs(_ ledger: Ledger, _ period: Period) throws -> [InputFile] {
  let days = reportDays(period)
  return try ledger.inputs()
    .filter {
      ($0.from ?? days.lowerBound) <= days.upperBound
        && ($0.to ?? days.upperBound) >= days.lowerBound
    }
    .sorted {
      ($0.kind.rawValue, $0.from?.number ?? .min, $0.file, $0.sha256)
        < ($1.kind.rawValue, $1.from?.number ?? .min, $1.file, $1.sha256)
    }
}

private func notes(
  _ request: ReconcileRequest, _ context: MatchingContext, _ sales: SalesTieOut
) -> [Wording] {
  var notes: [Wording] = []
  let first = FiscalMonth(containing: request.period.first)
  let last = FiscalMonth(containing: request.period.last)
  if request.period.fiscalMonth == nil {
    notes.append(
      first == last
        ? """
        Apple settles this period in fiscal month \(first); settlement and payment are tied out by \
        fiscal month
        """
        : """
        Apple settles this period in fiscal months \(first) to \(last); settlement and payment are \
        tied out by fiscal month
        """)
  }
  if context.catalogue.isEmpty {
    notes.append("no catalogue is loaded: SKUs, tiers and coins are not checked")
  }
  if sales.unpricedUnits > 0 {
    notes.append(
      """
      \(sales.unpricedUnits) billable units have a price from no source; the bridge counts their \
      units without money
      """)
  }
  notes.append("time zones by tz database \(timeZoneDataVersion)")
  return notes
}
