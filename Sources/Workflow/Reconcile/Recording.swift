package import Billing
import Ledger
package import Matching
import Pricing
import Reporting

/// Keeps a copy of what was found in the ledger, where `explain` and `finding` look it up.
///
/// - Returns: why it could not be kept, nil where it was. A ledger that is in use or read-only is
///   no failure of what was concluded.
package func recordFindings(of result: Reconciliation, in ledgerPath: String) -> Wording? {
  do {
    try Ledger(path: ledgerPath, mode: .readWrite).record(result)
    return nil
  } catch let error as LedgerError {
    return error.message
  } catch {
    preconditionFailure("the ledger throws nothing but its own errors: \(error)")
  }
}

extension Ledger {
  /// Records the findings of `result` in place of those of an earlier run.
  func record(_ result: Reconciliation) throws {
    var run = RecordedRun(
      period: result.period, asOf: result.asOf, matchedUnits: result.matchedUnits,
      unmatchedUnits: result.unmatchedUnits)
    run.basis = result.restsOn
    run.dayBoundaries = result.dayBoundaries
    // What no row tells apart is no more known than without it.
    run.terms = result.terms.filter { $0.confidence != nil }.map { line in
      RecordedTerms(
        storefront: line.storefront, platform: line.platform, skus: line.skus,
        isAfterOneYear: line.isAfterOneYear, commissionClass: line.terms.state.commissionClass,
        agreement: line.terms.state.agreement, from: line.from)
    }
    run.clocks = result.clockRules
    run.sales = result.sales
    (run.patterns, run.flow) = (result.patternRecords, result.flowRecords)
    run.unsettled = (result.settlement?.openItems ?? []).filter { $0.settledIn == nil }
      .map { DatedAmount($0.amount, since: $0.first) }
    try record(result.findings, of: run)
  }
}
