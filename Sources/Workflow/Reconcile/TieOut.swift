import Billing
import Conclusions
import Ledger
import Matching
import Pricing

/// Reads what is loaded of a period except its orders, transactions and rows of sales reports,
/// which are added later.
func factsBesidePurchases(_ request: ReconcileRequest, _ ledger: Ledger) throws -> MonthFacts {
  try ledger.factsBeside(
    purchaseWindow(request.period), reportDays: reportDays(request.period), counted: request.period)
}

/// The period's facts with its orders and transactions, and with orders of earlier sales that were
/// refunded in the period.
///
/// - Parameter beside: the facts without purchases.
private func periodFacts(
  _ request: ReconcileRequest, _ ledger: Ledger, _ beside: MonthFacts
) throws -> MonthFacts {
  var facts = beside
  try ledger.addPurchases(purchaseWindow(request.period), to: &facts, counted: request.period)
  try addEarlierSales(to: &facts, ledger, request.period)
  return facts
}

/// Reads and matches a period's purchases, and ties levels 1 and 2 out, with Apple's subscription
/// reports.
///
/// - Parameters:
///   - beside: the period's facts without its orders, transactions and rows of sales reports.
///   - reported: the same without what only purchases need: what Apple's reports are judged by.
func tiedOut(
  _ request: ReconcileRequest, _ ledger: Ledger, _ beside: MonthFacts, _ reported: MonthFacts,
  _ context: MatchingContext
) throws -> TieOut {
  let (matched, apple) = try bothSides(request, ledger, beside, reported, context)
  request.phase("@reconcile.tying-units-and-money-out \(request.period)")
  var levels = try TieOut(request, ledger, matched.take(), apple, context)
  levels.subscriptionReports = try subscriptionTieOut(ledger, reported, levels, context)
  levels.giveUpDetails()
  return levels
}

/// The period's purchases, matched, and what Apple's sales reports say by themselves; both are made
/// at the same time where neither needs the other.
///
/// - Parameters:
///   - beside: the period's facts without its orders, transactions and rows of sales reports.
///   - reported: the same without what only purchases need: what Apple's reports are judged by.
private func bothSides(
  _ request: ReconcileRequest, _ ledger: Ledger, _ beside: MonthFacts, _ reported: MonthFacts,
  _ context: MatchingContext
) throws -> (MovedValue<PeriodMatches>, AppleSide) {
  let sales = ReadOnDemand { try ledger.sales(touching: reportDays(request.period)) }
  let facts = MovedValue(try periodFacts(request, ledger, beside))
  /// Evaluates Apple's sales reports.
  ///
  /// - Parameter sold: on which days products were bought, by which the rows of weekly and monthly
  ///   reports are judged; nil where the period has no such report.
  @Sendable func appleSide(_ sold: PurchaseDays?) throws -> AppleSide {
    var reported = reported
    // Purchases ask for them, too.
    reported.sales = try sales.value()
    return try AppleSide(request, ledger, reported, context, sold: sold)
  }
  if PurchaseDays.areAsked(by: reported.coverage, of: request.period) {
    // Reports of weeks and months have few rows, and the days of purchases choose their rules.
    let matches = try matchedPurchases(request, ledger, beside, facts, sales, context)
    let sold = PurchaseDays(matches.units!, matches.table, reported, context)
    return (MovedValue(matches), try appleSide(sold))
  }
  // Reading purchases keeps two cores busy, matching them does not always: Apple's side, which
  // needs no purchases, is put in order meanwhile.
  let (matched, apple) = inTwoThreads(
    { Result { MovedValue(try matchedPurchases(request, ledger, beside, facts, sales, context)) } },
    { Result { try appleSide(nil) } })
  return (try matched.get(), try apple.get())
}

/// Matches the period's orders and transactions. Notes which transactions name no user, and how
/// many rows stand beside counts of Spark's.
///
/// - Parameters:
///   - beside: the period's facts without purchases.
///   - read: the facts with purchases, taken from it; a further round reads them again.
///   - sales: rows of Apple's sales reports, read when they are first asked for.
private func matchedPurchases(
  _ request: ReconcileRequest, _ ledger: Ledger, _ beside: MonthFacts,
  _ read: MovedValue<MonthFacts>, _ sales: ReadOnDemand<[SalesEntry]>, _ context: MatchingContext
) throws -> PeriodMatches {
  let facts = read.take()
  let unnamed = facts.unnamedTransactions
  var handedOver = facts.handedOver
  if handedOver == nil, try !ledger.handedOver(request.period).isEmpty {
    // Rows that were written beside counts, and no counts.
    handedOver = (told: 0, found: facts.orders.count + facts.transactions.count)
  }
  request.phase("@reconcile.matching-orders-and-transactions \(request.period)")
  var matches = try periodMatches(ledger, MovedValue(consume facts), sales, context) {
    try periodFacts(request, ledger, beside)
  }
  (matches.unnamed, matches.handedOver) = (unnamed, handedOver)
  try matches.table.nameRepeatedIDs { row in
    try ledger.factRows([row], of: .orders).first?.fields
      .first { $0.name == "transaction_id" }?.value
  }
  return matches
}

/// A month's purchases, matched, and what Apple's reports have of products, without any finding.
struct MonthAlone {
  let table: MatchTable
  let context: MatchingContext
  let products: [ProductProceeds]

  /// Reads and matches the purchases of the request's period, with the rows of its sales reports.
  init(_ request: ReconcileRequest, _ ledger: Ledger) throws {
    let beside = try factsBesidePurchases(request, ledger)
    var context = matchingContext(request, beside)
    let sales = ReadOnDemand { try ledger.sales(touching: reportDays(request.period)) }
    let facts = MovedValue(try periodFacts(request, ledger, beside))
    let matches = try matchedPurchases(request, ledger, beside, facts, sales, context)
    var reported = beside.withoutPurchases
    reported.sales = try sales.value()
    let sold =
      PurchaseDays.areAsked(by: reported.coverage, of: request.period)
      ? PurchaseDays(matches.units!, matches.table, reported, context) : nil
    let apple = try AppleSide(request, ledger, reported, context, sold: sold)
    // Prices are those of the rows, as in the month's own reconciliation.
    context.priceBook = apple.reports.priceBook
    (table, products) = (matches.table, apple.products)
    self.context = context
  }
}

/// What Apple's reports say by themselves, of the period and of the one before.
struct AppleSide {
  let reports: SalesReports
  let deductions: DeductionSurvey
  // Lines that are shown as they are: made here, a core that waits for the matches makes them.
  let proceeds: [ProceedsLine]
  let products: [ProductProceeds]
  /// Empty where reports cover only a part of the period before: that would compare badly.
  var previousProceeds: [ProceedsLine] = []

  /// Evaluates the sales reports of the period and those of the period before.
  ///
  /// - Parameters:
  ///   - facts: of the period, with the rows of its sales reports.
  ///   - sold: on which days products were bought, by which the rows of weekly and monthly reports
  ///     are judged; nil where the period has no such report.
  init(
    _ request: ReconcileRequest, _ ledger: Ledger, _ facts: MonthFacts, _ context: MatchingContext,
    sold: PurchaseDays?
  ) throws {
    var earlier = request
    earlier.period = request.period.previous
    let earlierFacts = try ledger.reportFacts(earlier.period.days)
    let rates = RateBook(facts.rates)
    if earlierFacts.coverage.isEmpty {
      reports = SalesReports(facts, context, sold: sold)
      deductions = DeductionSurvey(reports)
    } else {
      let covered = Set(earlierFacts.coverage.flatMap { Array($0.begin...$0.end) })
      let isWhole = covered.isSuperset(of: earlier.period.days)
      let previous = SalesReports(earlierFacts, matchingContext(earlier, earlierFacts))
      reports = SalesReports(facts, context, earlier: previous, sold: sold)
      deductions = DeductionSurvey(reports, previous: previous, listsPrevious: isWhole)
      if isWhole { previousProceeds = previous.proceedsLines(rates: rates) }
    }
    proceeds = reports.proceedsLines(rates: rates)
    products = reports.productProceeds()
  }
}

/// Apple's subscription reports held against the chains of renewals; nil where no such report is
/// loaded.
private func subscriptionTieOut(
  _ ledger: Ledger, _ reported: MonthFacts, _ levels: TieOut, _ context: MatchingContext
) throws -> SubscriptionTieOut? {
  let facts = try ledger.subscriptionReports(reportDays(context.period))
  if facts.isEmpty { return nil }
  let renews = levels.table.transactionTerms.map {
    ($0.kind ?? context.catalogue.kind($0.sku)) == .autoRenewable
  }
  let running = try ledger.runningTransactions(
    at: purchaseWindow(context.period).lowerBound, of: renews)
  let earlier = MatchTable(
    running.named(by: levels.table.transactionTerms), catalogue: context.catalogue,
    requiresSigned: context.settings.requireSigned)
  return SubscriptionTieOut(
    facts, levels.table, renewals: levels.renewals, products: reported.products,
    sold: reported.salesProducts, earlier: earlier, sales: levels.sales, context: context)
}

/// Levels 1 and 2: orders and transactions, and what Apple's reports have of them.
struct TieOut: Sendable {
  private(set) var table: MatchTable
  let renewals: RenewalObservations
  /// Clocks that are off, and units that fit no boundary where several would explain that.
  let correction: ClockCorrection
  let unclearUnits: (units: Int64, all: Int64)?
  let apple: AppleSide
  private(set) var orders: [UnresolvedFinding]
  private(set) var subscriptions: SubscriptionSurvey
  /// Nil where no subscription report is loaded.
  var subscriptionReports: SubscriptionTieOut?
  let flow: [FlowDay]
  /// What rows of transactions do not say themselves, where that is asked for.
  let resolvedSales: ResolvedSales
  private(set) var sales: SalesTieOut
  /// Of purchases that were counted elsewhere.
  let rowsAsked: RowsAsked
  /// Rows that stand beside counts, as these tell and as they are here; nil without counts.
  let handedOver: (told: Int, found: Int)?

  /// Ties out levels 1 and 2 at the same time: neither needs the other's findings.
  ///
  /// - Parameters:
  ///   - made: the period's matches, of which what nothing later asks for is given up.
  ///   - apple: what Apple's sales reports say by themselves.
  init(
    _ request: ReconcileRequest, _ ledger: Ledger, _ made: consuming PeriodMatches,
    _ apple: AppleSide, _ context: MatchingContext
  ) throws {
    // They are finished in place.
    let money = made.units!.money
    let units = MovedValue(made.units.take()!)
    let matches = made
    table = matches.table
    renewals = matches.renewals
    correction = matches.correction
    unclearUnits = matches.unclearUnits
    handedOver = matches.handedOver
    self.apple = apple
    // In the order of how long they take.
    var ofPurchases: [UnresolvedFinding]
    let ofSales: SalesTieOut
    let foundInChains: Result<[UnresolvedFinding], any Error>
    (ofSales, ofPurchases, foundInChains, resolvedSales, subscriptions, flow) = inThreads(
      {
        SalesTieOut(
          matches.table, reports: apple.reports, begun: units.take(), context: context)
      },
      {
        OrderTieOut.findings(
          of: [.purchases], matches.table, details: matches.details, history: matches.history,
          renewals: matches.renewals, reports: apple.reports, context: context)
      },
      {
        Result {
          OrderTieOut.findings(
            of: [.chains], matches.table, details: matches.details, history: matches.history,
            renewals: matches.renewals,
            earlierOffers: try matches.earlierOffers(ledger, context), taxes: matches.taxes,
            context: context)
        }
      },
      {
        request.resolvesSales
          ? matches.table.resolvedSales(
            without: matches.unnamed, money, reports: apple.reports, context) : ResolvedSales()
      },
      {
        SubscriptionSurvey(
          matches.table, history: matches.history, renewals: matches.renewals, context: context)
      },
      { PurchaseFlow.days(matches.table, context) })
    let ofChains = try foundInChains.get()
    // A month's findings are moved, not copied.
    orders = ofPurchases
    ofPurchases = []
    let count = orders.count + ofChains.count + ofSales.findings.count
    request.recording?.begin(resolvedSales, findings: count)
    orders.reserveCapacity(count + 4096)
    orders += ofChains
    sales = ofSales
    rowsAsked = sales.rowsAsked(areClocksRight: matches.correction.isEmpty)
    if let told = matches.told {
      // By times as they were told, so that it can be said what is not raised.
      let before = SalesTieOut(told, reports: apple.reports, context: context).findings.count
      orders =
        matches.correction.findings(
          matches.table, reported: before - sales.findings.count, context) + orders
    }
    var gaps = InputGaps(matches.table, matches.details, context)
    gaps.group(&orders, &sales)
    RetriedOrders(matches.table, matches.details).join(&orders)
    var causes = SharedCauses(matches.table)
    causes.join(&orders, &sales)
    sales.giveUpWorkings()
  }

  /// Frees what no list and no pattern asks for.
  mutating func giveUpDetails() {
    table.giveUpDetails()
    subscriptions.giveUpDetails()
  }

  /// Returns the findings of all levels in one list; those of orders are moved out of this value.
  mutating func takeFindings(with settlement: SettlementPart?) -> [UnresolvedFinding] {
    var findings = orders
    orders = []
    let others = [
      sales.findings, apple.deductions.findings, apple.reports.termsFindings,
      settlement?.findings ?? [], subscriptionReports?.findings ?? [],
    ]
    findings.reserveCapacity(findings.count + others.reduce(0) { $0 + $1.count })
    for part in others { findings += part }
    return findings
  }
}
