import Billing
import Languages
import Conclusions

/// The rows of the sheet of refunds: the refunds of the period, then the findings about refunds
/// that are about none of them.
struct RefundList: Sendable {
  let pages: Pages
  /// Of findings, as they stand in the reconciliation.
  let findings: [Int]
  let named: NamedFindings

  /// Finds which findings get rows of their own, and which finding each refund leads to.
  init(_ reconciliation: Reconciliation, limits: Limits) {
    let known = Set(reconciliation.refunds.map(\.transactionID))
    findings = reconciliation.findings.indices.filter { index in
      let code = reconciliation.findings[index].code
      guard FindingCode.refunds.contains(code) else { return false }
      let ids = reconciliation.findings[index].transactionIDs
      // What else reports say may be about more refunds than those that it names; this one is about
      // the ledger's own, and a row of its own would show their units twice.
      let isAboutNamed = code.level == 1 || code == .refundNotInReport
      return !isAboutNamed || ids.isEmpty || !ids.allSatisfy(known.contains)
    }
    named = NamedFindings(reconciliation.findings, naming: known) { code in
      FindingCode.refunds.firstIndex(of: code)
        ?? (code.level == 1 ? FindingCode.refunds.count : nil)
    }
    pages = Pages(
      name: say("@sheet.refunds"), count: reconciliation.refunds.count + findings.count,
      limits: limits)
  }
}
