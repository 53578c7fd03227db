package import Billing
import Foundation
import Ledger
import Matching
import Pricing
import Synchronization

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

/// Ties a period out: reads its facts, matches levels 1 and 2, and states every difference.
///
/// - Throws: `LedgerError`.
package func reconcile(_ request: ReconcileRequest) throws -> Reconciliation {
  let ledger = try Ledger(path: request.ledgerPath, mode: .readOnly)
  var facts = try ledger.facts(
    purchases: purchaseWindow(request.period), reportDays: reportDays(request.period))
  try addOrdersOfEarlierSales(to: &facts, ledger, request.period)
  let context = matchingContext(request, facts)
  let reportFacts = facts.withoutPurchases
  let purchases = Handover(facts)
  facts = MonthFacts()
  // Apple's side needs no claims, so it is put in order meanwhile.
  let (claimed, reports) = inTwoThreads(
    { Result { try claims(ledger, purchases, context) } },
    { SalesReports(reportFacts, context) })
  let settled = try claimed.get()
  let rates = RateBook(reportFacts.rates)
  let (orders, sales) = tieOut(settled, reports, context)
  let resolver = try Resolver(ledger, orders + sales.drafts)
  var result = Reconciliation(
    period: request.period, baseCurrency: request.settings.baseCurrency, asOf: request.asOf)
  result.inputs = try inputs(ledger, request.period)
  result.cutoffs = sales.cutoffs
  result.proceeds = reports.proceedsLines(rates: rates)
  result.bridges = sales.bridges(rates: rates)
  result.findings = resolver.findings(orders + sales.drafts)
  result.matchedUnits = sales.matchedUnits
  result.unmatchedUnits = sales.unmatchedUnits
  result.previousProceeds = try previousProceeds(ledger, request, rates)
  result.notes = notes(request, context, sales)
  return result
}

/// Purchases that may fall on a day of the period under any rule, with a day to trace orders back.
func purchaseWindow(_ period: Period) -> ClosedRange<Instant> {
  period.first.advanced(by: -3).startUTC...period.last.advanced(by: 4).startUTC
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
    priceBook: PriceBook(
      developerCountry: request.settings.developerCountry,
      smallBusiness: request.settings.smallBusiness, overrides: facts.taxes, tiers: facts.tiers),
    tiers: TierBook(facts.tiers), storefronts: storefronts,
    zones: Dictionary(uniqueKeysWithValues: zones))
}

/// A sale of an earlier period that was refunded in this one brings its order along.
private func addOrdersOfEarlierSales(
  to facts: inout MonthFacts, _ ledger: Ledger, _ period: Period
) throws {
  let window = purchaseWindow(period)
  let earlier = facts.transactions.filter {
    Int64($0.purchasedAt) < window.lowerBound.seconds
  }
  if earlier.isEmpty { return }
  facts.orders += try ledger.orders(
    keys: earlier.map(\.order), claiming: earlier.map(\.key), outside: window)
}

/// All that the claims of a period came to, and what was made beside them.
private struct Claims: Sendable {
  var book: ClaimBook
  var details: LooseDetails
  var history: ChainHistory
  var units: BillableUnits
}

/// Makes the claims by id, looks up what the rest of the ledger has for rows that are left over,
/// and makes the looser claims.
private func claims(
  _ ledger: Ledger, _ handover: Handover<MonthFacts>, _ context: MatchingContext
) throws -> Claims {
  var facts = handover.take()
  let (claims, more) = try settle(ledger, facts, context, looksForStrays: true)
  if let claims { return claims }
  if let more {
    facts.orders += more.orders
    facts.transactions += more.transactions
    facts.chainDetails += more.chainDetails
    facts.chainDetails.sort { $0.row < $1.row }
  }
  guard let claims = try settle(ledger, facts, context, looksForStrays: false).claims else {
    preconditionFailure("claims are made when nothing is looked for")
  }
  return claims
}

/// Makes all claims, and beside the looser ones what needs only those by id. Rows of other periods
/// that leftovers name are looked for at the same time, because there are hardly ever any; where
/// there are, they are returned and the claims are to be made again with them.
private func settle(
  _ ledger: Ledger, _ facts: MonthFacts, _ context: MatchingContext, looksForStrays: Bool
) throws -> (claims: Claims?, more: MonthFacts?) {
  let byID = ClaimBook(facts, catalogue: context.catalogue)
  let (claimed, beside) = inTwoThreads(
    {
      Result {
        let details = try looseDetails(ledger, byID, known: facts.looseOrderDetails)
        var book = byID
        book.claimLoosely(details, context: context)
        return (book, details)
      }
    },
    {
      Result { () -> (BillableUnits?, ChainHistory?, MonthFacts?) in
        let other = try Ledger(path: ledger.path, mode: .readOnly)
        if looksForStrays, let more = try strays(other, facts, byID, context) {
          return (nil, nil, more)
        }
        let units = BillableUnits(beginning: byID, context: context)
        return (units, try chainHistory(other, byID, context), nil)
      }
    })
  let (book, details) = try claimed.get()
  let (units, history, more) = try beside.get()
  guard let units, let history else { return (nil, more) }
  return (Claims(book: book, details: details, history: history, units: units), nil)
}

/// Looks up the details that are asked for and not known.
private func looseDetails(_ ledger: Ledger, _ book: ClaimBook, known: [OrderDetail]) throws
  -> LooseDetails
{
  let rows = book.rowsNeedingDetail()
  var next = 0
  let unknown = rows.orders.filter { row in
    while next < known.count, known[next].row < row { next += 1 }
    return next == known.count || known[next].row != row
  }
  return LooseDetails(
    orders: known + (try ledger.orderDetails(unknown)),
    transactions: try ledger.transactionDetails(rows.transactions))
}

/// Rows of other periods that the period's leftovers name; nil when there are none.
private func strays(
  _ ledger: Ledger, _ facts: MonthFacts, _ book: ClaimBook, _ context: MatchingContext
) throws -> MonthFacts? {
  let stray = book.strayKeys(context)
  if stray.isEmpty { return nil }
  let window = purchaseWindow(context.period)
  let known = outsiders(facts, window)
  var more = MonthFacts()
  more.orders = try ledger.orders(
    keys: stray.ordersNamed, claiming: stray.transactions, outside: window
  ).filter { !known.orders.contains($0.row) }
  more.transactions = try ledger.transactions(
    keys: stray.transactionsNamed, claiming: stray.orders, outside: window
  ).filter { !known.transactions.contains($0.row) }
  if more.orders.isEmpty, more.transactions.isEmpty { return nil }
  more.chainDetails = try ledger.transactionDetails(more.transactions.map(\.row).sorted())
  return more
}

/// What came before in chains that go on in the period: most had their last renewal in the weeks
/// before, the others are looked for in all that is older.
private func chainHistory(_ ledger: Ledger, _ book: ClaimBook, _ context: MatchingContext) throws
  -> ChainHistory
{
  let originals = book.chainsBegunEarlier(context)
  if originals.isEmpty { return ChainHistory([]) }
  let window = purchaseWindow(context.period)
  let recent = Instant(seconds: window.lowerBound.seconds - 45 * 86_400)...window.lowerBound
  let older = Instant(seconds: 0)...Instant(seconds: recent.lowerBound.seconds - 1)
  func links(_ originals: [IDKey], _ purchased: ClosedRange<Instant>) throws -> [ChainLink] {
    try ledger.chainTransactions(originals, purchased: purchased, outside: window).map {
      ChainLink(
        row: $0.row, terms: $0.terms, original: $1.original.isNone ? $0.key : $1.original,
        user: $1.user, purchasedAt: $0.purchasedAt, expiresAt: $1.expiresAt,
        revokedAt: $0.revokedAt)
    }
  }
  let first = try links(originals, recent)
  let missing = ChainHistory(first).unknown(among: originals)
  return ChainHistory(first + (missing.isEmpty ? [] : try links(missing, older)))
}

/// Rows of other periods that the facts have already.
private func outsiders(_ facts: MonthFacts, _ window: ClosedRange<Instant>)
  -> (orders: Set<RowID>, transactions: Set<RowID>)
{
  func isOutside(_ seconds: UInt32) -> Bool {
    !window.contains(Instant(seconds: Int64(seconds)))
  }
  return (
    Set(facts.orders.lazy.filter { isOutside($0.placedAt) }.map(\.row)),
    Set(facts.transactions.lazy.filter { isOutside($0.purchasedAt) }.map(\.row))
  )
}

/// Both levels at the same time: neither needs the other's findings.
private func tieOut(_ claims: Claims, _ reports: SalesReports, _ context: MatchingContext)
  -> ([Draft], SalesTieOut)
{
  inTwoThreads(
    {
      OrderTieOut.drafts(
        claims.book, details: claims.details, history: claims.history, context: context)
    },
    { SalesTieOut(claims.book, reports: reports, begun: claims.units, context: context) })
}

/// Gives a value away, so that whoever takes it holds the only copy.
private final class Handover<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: consuming Value) { self.value = Mutex(value) }

  func take() -> Value {
    value.withLock { value in
      defer { value = nil }
      guard let value else { preconditionFailure("given away twice") }
      return value
    }
  }
}

extension MonthFacts {
  /// The same without orders and transactions.
  fileprivate var withoutPurchases: MonthFacts {
    var facts = self
    facts.orders = []
    facts.transactions = []
    facts.chainDetails = []
    facts.looseOrderDetails = []
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

/// Apple's proceeds of the period before, where reports cover all of it: a part would compare
/// badly.
private func previousProceeds(
  _ ledger: Ledger, _ request: ReconcileRequest, _ rates: RateBook
) throws -> [ProceedsLine] {
  var earlier = request
  earlier.period = request.period.previous
  let facts = try ledger.reportFacts(earlier.period.days)
  let covered = Set(facts.coverage.flatMap { Array($0.begin...$0.end) })
  guard covered.isSuperset(of: earlier.period.days) else { return [] }
  let context = matchingContext(earlier, facts)
  return SalesReports(facts, context).proceedsLines(rates: rates)
}

private func notes(
  _ request: ReconcileRequest, _ context: MatchingContext, _ sales: SalesTieOut
) -> [String] {
  var notes: [String] = []
  let first = FiscalMonth(containing: request.period.first)
  let last = FiscalMonth(containing: request.period.last)
  notes.append(
    "Apple settles this period in fiscal month \(first)"
      + (first == last ? "" : " to \(last)")
      + "; settlement and payment are not part of this version")
  if context.catalogue.isEmpty {
    notes.append("no catalogue is loaded: SKUs, tiers and coins are not checked")
  }
  if sales.unpricedUnits > 0 {
    notes.append(
      "\(sales.unpricedUnits) billable units have a price from no source; the bridge counts their "
        + "units without money")
  }
  notes.append("time zones by tz database \(timeZoneDataVersion)")
  return notes
}
