import Billing
import Ledger

/// Throws where there is nothing to reconcile: no sales report, recorded day without sales, or
/// transactions that meet the period. The ``Stop`` says what the ledger covers.
func requireFacts(of period: Period, in ledger: Ledger, asOf: Day) throws {
  let status = try LedgerStatus(ledger, asOf: asOf)
  let loaded = status.loadedSpans
  guard !loaded.contains(where: { $0.overlaps(period.days) }) else { return }
  let covered = status.kinds.compactMap { kind in
    span(kind.from, kind.to).map { "\(kind.kind.wording) \($0)" as Wording }
  }.joined(separator: "@shared.list-mark")
  throw Stop(
    .badInput, "@status.no-sales-reports-or-transactions \(period)",
    help: covered.isEmpty
      ? "@status.import-sales-reports-and-transactions"
      : "@status.ledger-covers-import-more \(covered)")
}
