package import Billing
package import Conclusions
import Ledger
import Matching
import Pricing

/// What to reconcile.
package struct ReconcileRequest: Sendable {
  package var ledgerPath: String
  package var period: Period
  package var settings: Settings
  /// The day to which ages and due dates are reckoned.
  package var asOf: Day
  /// Of the program. Findings that another one recorded, or an unnamed one, are not used again.
  package var version: String?
  /// Which refunds and chains of renewals are listed one by one.
  package var lists = PurchaseListing.readable
  /// Whether it is kept what transactions do not say themselves, as only the ledger records it.
  package var resolvesSales = false
  /// Takes what is found as soon as it is known; nil where nothing is recorded.
  package var recording: RecordingAhead?
  /// Is told which part of the work begins, from the thread of the call.
  package var phase: @Sendable (Wording) -> Void = { _ in }

  package init(ledgerPath: String, period: Period, settings: Settings, asOf: Day) {
    self.ledgerPath = ledgerPath
    self.period = period
    self.settings = settings
    self.asOf = asOf
  }
}

/// Refunds and chains of renewals as a reconciliation lists them.
package enum PurchaseListing: Sendable {
  case none
  /// As a workbook and its summary show them: of more chains than a person reads only those that a
  /// finding is about.
  case readable
  case whole
}

extension ReconcileRequest {
  /// The same request, of which nothing is recorded.
  fileprivate var forFigures: ReconcileRequest {
    var request = self
    (request.recording, request.resolvesSales) = (nil, false)
    return request
  }

  /// Reads one state of the ledger, with a connection for each thread that reads at the same time.
  func reading<Value>(_ body: (Ledger) throws -> Value) throws -> Value {
    try Ledger.reading(ledgerPath, connections: 5, body)
  }
}

/// What `reconcile` shows of a period.
package enum PeriodResult: Sendable {
  case open(Reconciliation)
  /// What its close kept, whatever was imported since.
  case closed(ClosedPeriod)

  /// What the period's close kept; where the period is open, what a reconciliation says now. All is
  /// read from one state of the ledger.
  ///
  /// - Throws: a ``Stop`` where nothing is loaded for the period, `LedgerError`.
  package init(_ request: ReconcileRequest) throws {
    self = try request.reading { ledger in
      try requireFacts(of: request.period, in: ledger, asOf: request.asOf)
      let book = try CloseBook(ledger)
      if let close = book.close(of: request.period) {
        return .closed(try ClosedPeriod(close, book, ledger))
      }
      return .open(try reconcile(request, ledger))
    }
  }
}

/// Ties a period out: reads its facts, matches its levels, and states every difference. What later
/// imports changed of closed periods is booked in the earliest open one.
///
/// - Throws: `LedgerError`.
package func reconcile(_ request: ReconcileRequest) throws -> Reconciliation {
  try request.reading { try reconcile(request, $0) }
}

/// Ties a period out, books what changed of closed periods, and adds what people said of the
/// findings, as ``reconcile(_:)`` does.
///
/// - Parameter ledger: a snapshot that the caller has opened for reading.
func reconcile(_ request: ReconcileRequest, _ ledger: Ledger) throws -> Reconciliation {
  var request = request
  let basis = try request.basis(ledger)
  // What was recorded is recorded again only where it rests on something else.
  if basis != nil, try ledger.recordedRun(request.period)?.basis == basis {
    request.recording = nil
  }
  var result = try reconcileFacts(request, ledger)
    .booking(Bookings(request, ledger), request, ledger).withRecorded(in: ledger)
  result.restsOn = basis
  return result
}

/// Ties a period out by the facts that are in the ledger, whatever was closed: reads and matches
/// purchases, ties all levels out, and puts findings, figures and lists together.
///
/// - Parameter onlyFigures: what a close keeps to book changes against, without lists, patterns and
///   the schedule of deferred revenue.
func reconcileFacts(
  _ request: ReconcileRequest, _ ledger: Ledger, onlyFigures: Bool = false
) throws -> Reconciliation {
  let request = onlyFigures ? request.forFigures : request
  request.phase("@reconcile.reading-orders-transactions-and-reports \(request.period)")
  let beside = try factsBesidePurchases(request, ledger)
  let context = matchingContext(request, beside)
  let reported = beside.withoutPurchases
  var levels = try tiedOut(request, ledger, beside, reported, context)
  // What follows expects what the rows show.
  var shown = context
  shown.priceBook = levels.apple.reports.priceBook
  request.phase("@reconcile.tying-settlement-and-payment-out \(request.period)")
  let (settled, logged) = inTwoThreads(
    { [levels, shown] in
      Result { try SettlementPart(request, ledger, levels.apple.reports, shown) }
    },
    { [levels] in
      Result { () -> (EventSurvey?, CoinTieOut?) in
        let events = onlyFigures ? nil : try eventSurvey(ledger, levels.orders, context)
        return (events, try coinTieOut(ledger, levels.table, context))
      }
    })
  let settlement = try settled.get()
  let (events, coins) = try logged.get()
  var findings = levels.takeFindings(with: settlement)
  findings += coins?.findings ?? []
  let choosesChains =
    request.lists == .readable && levels.subscriptions.chainCount > Rules.readableChains
  let conclusion = Conclusion(
    request: request, context: shown, reported: reported, levels: consume levels,
    named: choosesChains ? findings.flatMap(\.transactions).sortedOnce() : nil,
    findings: MovedValue(consume findings), settlement: settlement, events: events,
    coins: coins?.flow)
  request.phase("@reconcile.putting-findings-and-lists-together \(request.period)")
  let result =
    onlyFigures ? try conclusion.figures(ledger) : try conclusion.reconciliation(ledger)
  freeInBackground(consume conclusion)
  return result
}

/// All levels of a period, whose rows are still numbers of the ledger.
private struct Conclusion: Sendable {
  let request: ReconcileRequest
  let context: MatchingContext
  /// The period's facts without orders and transactions.
  let reported: MonthFacts
  /// Without the findings of orders, which were moved.
  let levels: TieOut
  /// The transactions that findings name, where chains are chosen by them; nil where all are listed
  /// or none.
  let named: [TransactionRow.ID]?
  /// Of all levels; given up once they are resolved.
  let findings: MovedValue<[UnresolvedFinding]>
  /// Levels 3 and 4, where there are any.
  let settlement: SettlementPart?
  /// The company's log, where it is loaded.
  let events: EventSurvey?
  /// Coins, where their movements are loaded.
  let coins: CoinFlow?

  /// The reconciliation with findings and figures alone.
  func figures(_ ledger: Ledger) throws -> Reconciliation {
    var result = try statement(ledger, looksForPatterns: false)
    if request.settings.maskUsers { result.hideUsers(try UserMask(ledger)) }
    return result
  }

  /// The whole reconciliation, with the ids and places of its rows. The lists look theirs up while
  /// everything else is put together.
  func reconciliation(_ ledger: Ledger) throws -> Reconciliation {
    let (stated, listed) = inTwoThreads(
      { Result { try statement(ledger) } },
      {
        Result { () -> PurchaseLists? in
          if request.lists == .none { return nil }
          let chains = try listedChains(ledger)
          let told = levels.subscriptionReports?.proceeds ?? ToldProceeds()
          let moves =
            request.lists == .readable
            ? levels.sales.movedUnits(oneByOne: Rules.readableMoves) : []
          return try PurchaseLists(ledger, levels.sales.refunds(), chains, moves, told)
        }
      })
    var result = try stated.get()
    let lists = try listed.get()
    result.flow = levels.flow
    result.coins = coins
    result.sales = levels.resolvedSales
    result.stages = try events.flatMap { try purchaseStages($0, ledger, levels.flow, context) }
    result.refunds = lists?.refunds ?? []
    result.movedUnits = lists?.moved ?? []
    result.subscriptions = lists?.subscriptions ?? []
    if let lists {
      result.unlistedSubscriptions = levels.subscriptions.chainCount - lists.subscriptions.count
    }
    result.subscriptionCounts = levels.subscriptions.counts
    result.subscriptionReports = levels.subscriptionReports?.lines ?? []
    try result.deferRevenue(request, ledger, levels.apple.reports, context)
    try result.valueCoins(request, ledger, levels.table, context)
    if request.settings.maskUsers { result.hideUsers(try UserMask(ledger)) }
    return result
  }

  /// The chains of renewals to list: all of them, but where they are more than a person reads only
  /// those that have a transaction which a finding names. It may be older than all that was read.
  private func listedChains(_ ledger: Ledger) throws -> [UnresolvedSubscription] {
    let survey = levels.subscriptions
    guard let named else { return survey.chains() }
    var originals = try Set(ledger.transactionDetails(named).map(\.original))
    originals.formUnion(try ledger.transactions(rows: named).map(\.key))
    return survey.chains(of: originals)
  }

  /// The reconciliation with findings and figures; patterns are looked for while the figures are
  /// put together.
  private func statement(
    _ ledger: Ledger, looksForPatterns: Bool = true
  ) throws -> Reconciliation {
    var unresolved = findings.take()
    let resolver = try Resolver(ledger, unresolved)
    let given = MovedValue(unresolved)
    unresolved = []
    let resolved = resolver.resolved(given)
    let orderCells = resolver.orderCells
    let (found, stated) = inTwoThreads(
      {
        Result {
          !looksForPatterns
            ? nil
            : try searchPatterns(
              resolved.cases, ledger, levels.table, levels.apple.reports, events?.traces,
              context)
        }
      },
      { [found = resolved.findings] in
        Result { try statement(ledger, found) }
      })
    freeInBackground(consume resolved)
    var result = try stated.get()
    result.orderCells = orderCells
    if let found = try found.get() {
      (result.patterns, result.rowsAsked.users) = found
    }
    return result
  }

  /// The reconciliation with these findings and all figures, without patterns.
  private func statement(_ ledger: Ledger, _ findings: [Finding]) throws -> Reconciliation {
    let (reports, sales) = (levels.apple.reports, levels.sales)
    let rates = RateBook(reported.rates)
    var result = Reconciliation(
      period: request.period, baseCurrency: request.settings.baseCurrency, asOf: request.asOf,
      findings: findings)
    result.assumptions = request.settings.assumptions
    result.company = request.settings.company
    result.apps = request.settings.bundleIDs
    result.vendors = request.settings.vendorNumbers
    result.markMaterial(request.settings, rates)
    request.recording?.add(result.findings)
    result.inputs = try inputFiles(ledger, of: reportDays(request.period))
    result.dayBoundaries = sales.dayBoundaries
    result.proceeds = levels.apple.proceeds
    result.products = levels.apple.products
    result.nameProducts(context.catalogue)
    if request.settings.revenueRate == .day { result.dayProceeds = reports.dayProceeds() }
    result.bridges = sales.bridges(rates: rates, settlement: settlement?.tieOut)
    result.settlement = settlement.flatMap { $0.conclusion(reported: result.proceeds) }
    result.basis = sales.basis(levels.flow)
    result.clockRules = levels.correction.rules
    if let unclear = levels.unclearUnits {
      result.basis.absences.append(
        Absence(.clocks, count: Int(unclear.units), of: Int(unclear.all)))
    }
    try result.addOpenPages(ledger)
    result.addRejectedRows()
    let rejected = try ledger.rejectedFiles()
    if !rejected.isEmpty { result.basis.absences.append(Absence(.rejectedFiles, names: rejected)) }
    result.rowsAsked = levels.rowsAsked
    result.addRates(rates)
    result.addCounted(levels.handedOver, reported.counts)
    result.deductions = levels.apple.deductions.lines
    result.terms = reports.termsLines
    result.foundTaxes = reports.priceBook.found
    result.matchedUnits = sales.matchedUnits
    result.unmatchedUnits = sales.unmatchedUnits
    result.previousProceeds = levels.apple.previousProceeds
    result.notes =
      notes(request, context, sales, hasEvents: events != nil) + reports.sellerNotes
      + (settlement?.tieOut.notes ?? [])
    result.notes += levels.subscriptionReports?.notes ?? []
    result.notes += coins?.notes ?? []
    return result
  }
}

extension Reconciliation {
  /// Adds to the basis what is missing of purchases that Spark counted: later messages about them,
  /// rows that rules ask for, and rows that were handed over beside the counts.
  ///
  /// - Parameter handedOver: how many such rows the counts tell of, and how many are loaded.
  fileprivate mutating func addCounted(
    _ handedOver: (told: Int, found: Int)?, _ counts: PurchaseCounts
  ) {
    if counts.hasLaterMessages { basis.absences.append(Absence(.laterMessages, names: [])) }
    if rowsAsked.purchases > 0 {
      basis.absences.append(Absence(.countedRows, count: Int(rowsAsked.purchases)))
    }
    if let handedOver, handedOver.told != handedOver.found {
      basis.absences.append(Absence(.handedRows, count: handedOver.found, of: handedOver.told))
    }
  }

  /// Adds to the basis the answers that are not there to their end, where the rest may be of the
  /// period; the Sandbox's never count.
  fileprivate mutating func addOpenPages(_ ledger: Ledger) throws {
    let open = try OpenPages(ledger.answerPages()).pages.filter {
      $0.page.environment ?? .production == .production && $0.page.mayTouch(period.days)
    }
    if open.isEmpty { return }
    basis.absences.append(Absence(.pages, names: open.map(\.place)))
  }

  /// Adds to the basis the files that rows were left out of because they could not be read.
  fileprivate mutating func addRejectedRows() {
    let files = inputs.filter { $0.rejected > 0 }
    if files.isEmpty { return }
    var absence = Absence(.rejectedRows, count: files.reduce(0) { $0 + $1.rejected })
    absence.names = files.map(\.file)
    basis.absences.append(absence)
  }

  /// Notes the catalogue's names of the SKUs that findings and products have.
  fileprivate mutating func nameProducts(_ catalogue: CatalogueBook) {
    for sku in Set(products.map(\.sku) + findings.compactMap(\.sku)) {
      guard let name = catalogue.product(sku, on: period.last)?.name, !name.isEmpty else {
        continue
      }
      productNames[sku] = name
    }
  }

  /// Sets the rate into the base currency of each currency that occurs, and adds to the basis which
  /// of them have none and which regions lack a financial report.
  fileprivate mutating func addRates(_ book: RateBook) {
    var currencies = Set(bridges.map(\.currency))
    currencies.formUnion(proceeds.map(\.proceedsCurrency))
    for place in findings.indices {
      for part in findings.worth(at: place) { currencies.insert(part.amount.currency) }
    }
    currencies.formUnion(basis.money.map(\.currency))
    for currency in currencies {
      let dated = book.dated(from: currency, to: baseCurrency, on: period.last)
      rates[currency] = dated?.rate
      if currency != baseCurrency { rateDays[currency] = dated?.day }
    }
    let absent = currencies.filter { rates[$0] == nil }.map(\.code).sorted()
    if !absent.isEmpty { basis.absences.append(Absence(.rates, names: absent)) }
    let regions = Set(
      findings.indices.filter { findings[$0].code == .regionReportMissing }
        .compactMap { findings[$0].storefront?.code })
    if !regions.isEmpty { basis.absences.append(Absence(.regionReports, names: regions.sorted())) }
    basis.absences.sort { left, right in
      (left.comesFirst ? 0 : 1, left.kind.rank) < (right.comesFirst ? 0 : 1, right.kind.rank)
    }
  }
}

/// The times of purchases that may fall on a day of the period under any rule, with a day to trace
/// orders back.
func purchaseWindow(_ period: Period) -> ClosedRange<Instant> {
  period.purchaseDays.lowerBound.startUTC...period.purchaseDays.upperBound.startUTC
}

/// The period's report days and their neighbours, across whose boundary units may have moved.
func reportDays(_ period: Period) -> ClosedRange<Day> {
  period.first.advanced(by: -1)...period.last.advanced(by: 1)
}

/// What all rules share for a period: its settings, and the catalogue, prices, tiers, storefronts
/// and time zones, from the facts and the program's own tables.
func matchingContext(_ request: ReconcileRequest, _ facts: MonthFacts) -> MatchingContext {
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
    catalogue: CatalogueBook(facts.products, facts.shared),
    priceBook: PriceBook(facts, request.settings),
    tiers: TierBook(facts.tiers, standIns: .lasting), storefronts: storefronts,
    zones: Dictionary(uniqueKeysWithValues: zones))
}

extension MonthFacts {
  /// The same facts without what only purchases need; orders and transactions have not been added
  /// yet.
  var withoutPurchases: MonthFacts {
    var facts = self
    facts.renewals = []
    return facts
  }
}

/// The files that a conclusion rests on: those of its days, those that hold for every period, and
/// those of any other days that have rows which its own name. By kind, then by day.
func inputFiles(_ ledger: Ledger, of days: ClosedRange<Day>) throws -> [InputFile] {
  let lookedUp = try ledger.lookedUpFiles()
  return try ledger.inputs()
    .filter {
      ($0.from ?? days.lowerBound) <= days.upperBound
        && ($0.to ?? days.upperBound) >= days.lowerBound || lookedUp.contains($0.sha256)
    }
    .sorted {
      ($0.kind.rawValue, $0.from?.number ?? .min, $0.file, $0.sha256)
        < ($1.kind.rawValue, $1.from?.number ?? .min, $1.file, $1.sha256)
    }
}

/// The remarks that stand below every reconciliation: Apple's fiscal months, a missing catalogue,
/// units without a price, purchases that Spark counted, assumptions, the version of the time zones.
///
/// - Parameter hasEvents: whether the company's log of events is loaded.
private func notes(
  _ request: ReconcileRequest, _ context: MatchingContext, _ sales: SalesTieOut, hasEvents: Bool
) -> [Wording] {
  var notes: [Wording] = []
  let first = FiscalMonth(containing: request.period.first)
  let last = FiscalMonth(containing: request.period.last)
  if request.period.fiscalMonth == nil {
    notes.append(
      first == last
        ? "@reconcile.apple-settles-this-period \(first)"
        : "@reconcile.apple-settles-this-period-in-fiscal \(first) \(last)")
  }
  if context.catalogue.isEmpty {
    notes.append("@shared.no-catalogue-is-loaded-skus")
  }
  if sales.unpricedUnits > 0 {
    notes.append(
      "@reconcile.billable-units-without-a-price \(sales.unpricedUnits)")
  }
  let purchases = sales.countedPurchases
  if purchases > 0 {
    notes.append(
      "@reconcile.purchases-that-spark-matched \(grouped(Int(purchases)))")
    if hasEvents {
      notes.append("@reconcile.patterns-leave-the-event-log")
    }
  }
  notes += request.settings.assumptions.map(\.text)
  notes.append("@reconcile.time-zones-by-tz-database \(timeZoneDataVersion)")
  return notes
}
