import Billing
import Ledger
import Matching

/// Findings that people let stand, as far as a booking depends on it.
struct AcceptedFindings {
  private let remarks: RemarkBook

  /// Reads all that people said of findings.
  init(_ ledger: Ledger) throws { remarks = RemarkBook(try ledger.remarks(), .none) }

  /// Whether people let the finding of this id stand: what was last said of it counts; else whether
  /// the close was told to let it stand.
  func has(_ finding: String, _ close: CloseRecord, _ ledger: Ledger) throws -> Bool {
    try remarks.isAccepted(finding)
      ?? ledger.acceptances(ofClose: close.number).contains { $0.finding == finding }
  }
}

/// Invoices of commission that people accepted as set off against payments of closed fiscal months:
/// no other payment was lowered by them again, so of two acceptances the earlier month's counts.
struct SetOffInvoices {
  /// What a payment likely paid.
  struct Proposal {
    var month: FiscalMonth
    var offset: PeriodFigures.Offset
  }

  /// Fiscal months whose close says what of their proposals counts.
  private(set) var closed: Set<FiscalMonth> = []
  private(set) var accepted: [Proposal] = []
  /// Accepted, though an earlier one has some of the invoices, by whose numbers these are: it holds
  /// none of its own.
  private(set) var refused: [(proposal: Proposal, twice: [String])] = []
  private var invoices: Set<CommissionInvoice.Key> = []
  /// Of all invoices.
  private var numbers: Set<String> = []
  /// Of closes of versions before this one, which kept no currency.
  private var bareNumbers: Set<String> = []

  init() {}

  /// Reads which invoices the closes of earlier fiscal months set off against payments: those that
  /// they proposed and people accepted.
  ///
  /// - Parameter month: the fiscal month whose payments are looked at; only closes of months before
  ///   it are read.
  init(before month: FiscalMonth, _ ledger: Ledger) throws {
    let book = try CloseBook(ledger)
    let people = try AcceptedFindings(ledger)
    for close in book.closed {
      guard let earlier = close.period.fiscalMonth, earlier < month else { continue }
      let figures = try PeriodFigures(of: close, booking: book.lastBooking(of: close), ledger)
      try add(figures, of: earlier) { try people.has($0, close, ledger) }
    }
  }

  /// Adds what a closed month proposed, as far as it is accepted. The earliest month comes first.
  ///
  /// - Parameter isAccepted: by the id of the finding that proposes it.
  mutating func add(
    _ figures: PeriodFigures, of month: FiscalMonth, where isAccepted: (String) throws -> Bool
  ) rethrows {
    closed.insert(month)
    for (finding, offset) in (figures.offsets ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard try isAccepted(finding) else { continue }
      let proposal = Proposal(month: month, offset: offset)
      let twice = overlap(offset)
      guard twice.isEmpty else {
        refused.append((proposal, twice))
        continue
      }
      accepted.append(proposal)
      numbers.formUnion(offset.invoices)
      if let keys = offset.keys {
        invoices.formUnion(keys)
      } else {
        bareNumbers.formUnion(offset.invoices)
      }
    }
  }

  /// The numbers of those of the offset's invoices that an earlier accepted offset has set off.
  private func overlap(_ offset: PeriodFigures.Offset) -> [String] {
    guard let keys = offset.keys else { return offset.invoices.filter(numbers.contains) }
    return keys.filter { invoices.contains($0) || bareNumbers.contains($0.number) }.map(\.number)
  }

  /// Whether the invoice is set off already.
  func contains(_ invoice: CommissionInvoice) -> Bool {
    invoices.contains(invoice.key) || bareNumbers.contains(invoice.number)
  }

  /// The earliest closed fiscal month; nil where none is closed. Months before it can be closed no
  /// more, so that their payments hold no invoice.
  var firstClosed: FiscalMonth? { closed.min() }
}
