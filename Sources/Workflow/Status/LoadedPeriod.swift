import Billing
import Ledger

/// Makes sure that there is something to reconcile: a sales report, a recorded day without sales,
/// or transactions that meet the period. Throws a ``Stop`` that says what the ledger covers.
func requireFacts(of period: Period, in ledger: Ledger, asOf: Day) throws {
  let status = try LedgerStatus(ledger, asOf: asOf)
  let loaded = status.loadedSpans
  guard !loaded.contains(where: { $0.overlaps(period.days) }) else { return }
  let covered = status.kinds.compactMap { kind in
    span(kind.from, kind.to).map { "\(kind.kind.rawValue) \($0)" }
  }
  throw Stop(
    .badInput, "no sales reports or transactions are loaded for \(period)",
    help: covered.isEmpty
      ? "import sales reports and transactions first: tieout import PATH"
      : "the ledger covers \(covered.joined(separator: ", ")); import more, or name another period")
}
