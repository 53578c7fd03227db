import Billing
import Conclusions
import Ledger
import Matching
import Pricing

/// Levels 3 and 4 of a fiscal month.
struct SettlementPart: Sendable {
  let tieOut: SettlementTieOut
  let payments: PaymentTieOut
  private let paidInMonth: [RegionPayment]

  /// Ties the settlement and the payments of the request's fiscal month out, after the payments of
  /// the fiscal months before it. Nil where the period is no fiscal month, or nothing of its
  /// settlement is loaded and none is due yet.
  init?(
    _ request: ReconcileRequest, _ ledger: Ledger, _ reports: SalesReports,
    _ context: MatchingContext
  ) throws {
    guard let month = request.period.fiscalMonth else { return nil }
    let months = SettlementCells.reach(month, carryMax: request.settings.carryMax)
    let facts = try ledger.settlementFacts(months[0].first...months[months.count - 1].last)
      .naming(request.settings.paymentRegions)
    var cells = SettlementCells(facts, months: months, regions: .builtIn)
    for other in months where other != month && cells.needsSales(of: other) {
      // One month at a time: their rows are not needed together.
      try cells.add(
        sales: ledger.reportFacts(other.first...other.last), of: other, storefronts: .builtIn)
    }
    let tieOut = SettlementTieOut(cells, reports: reports, month: month)
    let setOff = facts.invoices.isEmpty ? nil : try SetOffInvoices(before: month, ledger)
    var open = facts
    open.invoices.removeAll { setOff?.contains($0) ?? false }
    let reach = months[0].first...months[months.count - 1].last
    let firstClosed = setOff?.firstClosed
    let oldest = open.invoices.map(\.last).min() ?? reach.lowerBound
    let since = min(max(oldest, firstClosed?.first ?? oldest), reach.lowerBound)
    if since < reach.lowerBound {
      // Any payment since an invoice may have been lowered by it, but what was before the first
      // close holds none.
      open.payments = try ledger.payments(of: since...reach.upperBound)
      open.bank = try ledger.bank(of: since...reach.upperBound)
      open = open.naming(request.settings.paymentRegions)
    }
    let rates = RateBook(
      try ledger.rates(since...month.last.advanced(by: Rules.ratesAfterMonth)))
    var all: [RegionPayment] = []
    for paid in Set(open.payments.map(\.month)).filter({ $0 < month }).sorted() {
      let mayHold =
        firstClosed.map { $0 <= paid } ?? true && !(setOff?.closed.contains(paid) ?? true)
      guard mayHold || reach.contains(paid.first) else { continue }
      let before = PaymentTieOut(
        open, settled: cells.settledByRegion(of: paid), month: paid, rates: rates,
        context: context)
      all += before.payments.map { payment in
        var payment = payment
        payment.month = paid
        return payment
      }
      // What an earlier payment likely paid is open no longer, until its close says otherwise.
      guard mayHold else { continue }
      let proposed = Set(before.offsets.flatMap(\.invoices))
      open.invoices.removeAll { proposed.contains($0.key) }
    }
    payments = PaymentTieOut(
      open, settled: tieOut.settledByRegion, month: month, rates: rates, context: context)
    all += payments.payments
    paidInMonth = all.filter { $0.paidOn.map(month.period.contains) ?? false }
    guard
      tieOut.isLoaded || !payments.payments.isEmpty || request.asOf > month.paymentDay
    else { return nil }
    self.tieOut = tieOut
  }

  /// The findings of both levels.
  var findings: [UnresolvedFinding] { tieOut.findings + payments.findings }

  /// The month's settlement and payments as they are shown; nil where nothing of the settlement is
  /// loaded, though it is due.
  ///
  /// - Parameter reported: the proceeds of the month's sales reports.
  func conclusion(reported: [ProceedsLine]) -> Settlement? {
    guard tieOut.isLoaded || !payments.payments.isEmpty else { return nil }
    var settlement = Settlement(
      month: tieOut.settlementMonth,
      lines: tieOut.isLoaded ? tieOut.lines(reported: reported) : [],
      openItems: tieOut.isLoaded ? tieOut.openItems : [], payments: payments.payments,
      payouts: payments.payouts)
    settlement.paidInMonth = paidInMonth
    settlement.carriedIn = tieOut.carriedIn
    settlement.offsets = payments.offsets
    settlement.isEstimated = tieOut.isEstimated
    settlement.carryTrials = tieOut.carryTrials
    settlement.missing = tieOut.missing
    return settlement
  }
}
