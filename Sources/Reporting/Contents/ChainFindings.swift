import Billing
import Matching

/// Which finding each chain leads to.
struct ChainFindings: Sendable {
  private let findings: [Finding]
  private let named: NamedFindings

  init(_ reconciliation: Reconciliation) {
    findings = reconciliation.findings
    named = NamedFindings(
      findings,
      naming: Set(
        reconciliation.subscriptions.lazy.flatMap { [$0.originalTransactionID] + $0.transactionIDs }
      )
    ) { FindingCode.subscriptions[$0] }
  }

  /// The chain with the first of the findings that name a transaction of it.
  func listed(_ chain: SubscriptionLine) -> ListedChain {
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
