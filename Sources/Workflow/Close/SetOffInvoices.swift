import Billing
import Ledger
import Matching

/// Findings that people let stand, as far as a booking depends on it.
struct AcceptedFindings {
  private let remarks: RemarkBook

  init(_ ledger: Ledger) throws { remarks = RemarkBook(try ledger.remarks()) }

  /// What was last said of it counts; else whether the close was told to let it stand.
  func has(_ finding: String, _ close: CloseRecord, _ ledger: Ledger) throws -> Bool {
    try remarks.isAccepted(finding)
      ?? ledger.acceptances(ofClose: close.number).contains { $0.finding == finding }
  }
}

/// Invoices of commission that people accepted as set off against payments of closed fiscal months:
/// no later payment was lowered by them again.
struct SetOffInvoices {
  /// Fiscal months whose close says what of their proposals counts.
  private(set) var closed: Set<FiscalMonth> = []
  private var invoices: Set<CommissionInvoice.Key> = []
  /// Of closes of versions before this one, which kept no currency.
  private var numbers: Set<String> = []

  /// - Parameter month: whose payments are looked at: only what was closed before counts.
  init(before month: FiscalMonth, _ ledger: Ledger) throws {
    let book = try CloseBook(ledger)
    let accepted = try AcceptedFindings(ledger)
    for close in book.closed {
      guard let earlier = close.period.fiscalMonth, earlier < month else { continue }
      closed.insert(earlier)
      let figures = try PeriodFigures(of: close, booking: book.lastBooking(of: close), ledger)
      for (finding, offset) in figures.offsets ?? [:] {
        guard try accepted.has(finding, close, ledger) else { continue }
        if let keys = offset.keys {
          invoices.formUnion(keys)
        } else {
          numbers.formUnion(offset.invoices)
        }
      }
    }
  }

  func contains(_ invoice: CommissionInvoice) -> Bool {
    invoices.contains(invoice.key) || numbers.contains(invoice.number)
  }
}
