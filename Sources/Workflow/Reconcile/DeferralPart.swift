import Billing
import Conclusions
import Ledger
import Matching

extension Reconciliation {
  /// Adds the schedule of deferred revenue, where the configuration asks for it: from this month's
  /// rows, and from those of earlier months whose paid periods may reach into it.
  mutating func deferRevenue(
    _ request: ReconcileRequest, _ ledger: Ledger, _ reports: SalesReports,
    _ context: MatchingContext
  ) throws {
    guard request.settings.deferral, period.fiscalMonth == nil else { return }
    var book = DeferralBook(context)
    for month in monthsBefore(reports.longestPaidPeriod) {
      // One month at a time: their rows are not needed together.
      try book.add(sales: ledger.reportFacts(month.days), of: month)
    }
    book.add(reports)
    deferral = book.lines()
    deferredCommission = book.commissionLines()
    notes += book.notes
  }

  /// The calendar months, the earliest first, that have one of so many days before the period.
  private func monthsBefore(_ days: Int) -> [Period] {
    var months: [Period] = []
    var last = period.first.advanced(by: -1)
    while last >= period.first.advanced(by: -days) {
      let first = last.advanced(by: 1 - last.parts.day)
      months.insert(Period(first: first, last: last), at: 0)
      last = first.advanced(by: -1)
    }
    return months
  }
}
