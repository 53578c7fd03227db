import Billing
import Conclusions

/// Which finding each chain of renewals leads to.
struct ChainFindings: Sendable {
  private let findings: [Finding]
  private let named: NamedFindings

  /// Looks for findings about subscriptions that name a transaction of a chain.
  init(_ reconciliation: Reconciliation) {
    findings = reconciliation.findings
    named = NamedFindings(
      findings,
      naming: Set(
        reconciliation.subscriptions.lazy.flatMap { [$0.originalTransactionID] + $0.transactionIDs }
      )
    ) { FindingCode.subscriptions[$0] }
  }

  /// The chain with the finding that it leads to: of those that name a transaction of it, the one
  /// whose code comes first.
  func listed(_ chain: SubscriptionLine) -> ListedChain {
    /// The order in which findings are led to: by code, then as they stand.
    func rank(_ finding: Int) -> (Int, Int) {
      (FindingCode.subscriptions[findings[finding].code] ?? 0, finding)
    }
    let ids = [chain.originalTransactionID] + chain.transactionIDs
    let first = ids.compactMap { named[$0] }.min { rank($0) < rank($1) }
    return ListedChain(
      chain: chain, finding: first.map { ListedFinding(findings, at: $0) })
  }
}

/// A chain of renewals and the finding that it leads to.
struct ListedChain {
  var chain: SubscriptionLine
  var finding: ListedFinding?
}
