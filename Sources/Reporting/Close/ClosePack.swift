package import Billing
package import Conclusions

/// What a close says of itself, for whoever signs it: who closed what, from which inputs, the
/// figures, the journal's totals, and what was accepted.
package struct ClosePack: Sendable {
  /// Whose figures these are; empty where nobody told.
  let company: String
  /// With its number.
  let record: CloseRecord
  /// Whether a second person has to sign it, whose places in it ``SignaturePlaces`` fills.
  package let awaitsSecond: Bool
  /// One digest of all inputs, lower-case hex.
  let inputsDigest: String
  /// Files that the digest is of.
  let inputCount: Int
  package let statement: CloseStatement
  let receivable: [ReceivableLine]
  /// What the journal comes to; nil where the month is a fiscal one, which has none.
  let journal: JournalTotals?
  let coins: CloseCoins
  /// What stands beside figures: the days of rates, and what was paid for.
  let remarksBeside: [CloseFigure: BesideFigure]
  /// What stands below the figures.
  let remarks: [Wording]
  /// The same that nobody should sign unread.
  let urgentRemarks: [Wording]
  /// Of which day the rate of each currency is at the month's end.
  let rateDays: [Currency: Day]
  /// Of those the ones that are too old.
  let staleCurrencies: Set<Currency>
  let accepted: [AcceptedFinding]
  /// Of a fiscal month.
  private let payments: [BankPayout]

  /// Puts together what a close says of itself.
  ///
  /// - Parameters:
  ///   - acceptances: what the close itself let stand, beside what was accepted before.
  ///   - before: what the close of the month before keeps; nil where there is none.
  package init(
    of reconciliation: Reconciliation, _ settings: Settings, record: CloseRecord,
    inputsDigest: String, accepting acceptances: [Acceptance], awaitsSecond: Bool = false,
    comparison: CloseStatement.Comparison, before: CloseStatement?
  ) {
    company = reconciliation.company
    self.record = record
    self.awaitsSecond = awaitsSecond
    self.inputsDigest = inputsDigest
    inputCount = reconciliation.inputs.count
    receivable = reconciliation.receivable
    let journal = Journal(reconciliation, settings: settings)
    self.journal =
      reconciliation.period.fiscalMonth == nil ? JournalTotals(journal, settings) : nil
    coins = CloseCoins(reconciliation, journal)
    remarksBeside = reconciliation.remarksBesideFigures(settings)
    let now = Dictionary(
      acceptances.map { ($0.finding, $0.reason) }, uniquingKeysWith: { first, _ in first })
    accepted = reconciliation.findings.compactMap { finding in
      if let reason = now[finding.id] {
        return AcceptedFinding(
          finding: finding, worth: reconciliation.worth(of: finding), by: record.by,
          on: record.at.day(), reason: reason)
      }
      guard finding.isAccepted,
        let remark = finding.work?.remarks.last(where: { $0.action == .accept })
      else { return nil }
      return AcceptedFinding(
        finding: finding, worth: reconciliation.worth(of: finding), by: remark.by,
        on: remark.at.day(), reason: remark.reason)
    }
    var figures = reconciliation.closeFigures(journal)
    figures[.accepted] = Int64(accepted.count)
    statement = CloseStatement(
      reconciliation.period, in: reconciliation.baseCurrency, figures, comparison: comparison,
      before: before, opening: reconciliation.openingBasis, gaps: reconciliation.openingGaps)
    remarks = statement.remarks { reconciliation.inBase($0) }
    urgentRemarks =
      reconciliation.staleRemarks + (reconciliation.settlement?.unprovenReceipts ?? [])
    rateDays = reconciliation.rateDays
    payments = reconciliation.settlement?.payouts ?? []
    let last = reconciliation.period.last
    staleCurrencies = Set(
      rateDays.filter { $0.value.distance(to: last) > DatedRate.mostDays }.keys)
  }

  /// The line that says that the month is closed, by which close, when and by whom.
  var headline: Wording {
    awaitsSecond
      ? SignaturePlaces(record).headline
      : "@close.closed-close-no-made \(record.period) \(record.number) \(record.at) \(record.by)"
  }

  /// The line that says in which calendar months the payments of a fiscal month are booked; a
  /// fiscal month has no journal.
  var journalOfPayments: Wording {
    let names = Set(payments.map(\.day)).sorted().map(\.description).joined(separator: ", ")
    return payments.isEmpty
      ? "@close.fiscal-month-has-no-journal" : "@close.no-journal-payments-booked \(names)"
  }

  /// The line that says what the figures rest on: how many inputs, and their digest.
  var inputsLine: Wording {
    inputCount == 1
      ? "@close.1-input-sha-256 \(inputsDigest)"
      : "@close.inputs-sha-256 \(inputCount) \(inputsDigest)"
  }
}

/// A finding that a close let stand.
struct AcceptedFinding: Sendable {
  var finding: Finding
  /// In base currency; nil where it has no amount or a rate is missing.
  var worth: Money?
  /// Who accepted it.
  var by: String
  var on: Day
  var reason: String
}
