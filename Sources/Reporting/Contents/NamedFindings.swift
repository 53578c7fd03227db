import Billing

/// Which finding to lead to from each of some transactions: of several that name it, the one whose
/// code comes first, then the first in output order.
struct NamedFindings: Sendable {
  private var byTransaction: [String: Int] = [:]

  /// Finds the finding to lead to from each transaction.
  ///
  /// - Parameters:
  ///   - transactions: the ids that are looked for; all others are passed over.
  ///   - rank: of a code, lowest first; nil where it is not to be led to.
  init(
    _ findings: [Finding], naming transactions: Set<String>, rank: (FindingCode) -> Int?
  ) {
    guard !transactions.isEmpty else { return }
    // By index: a copy of each finding would cost more than what is asked of it.
    let ranks = findings.indices.map { rank(findings[$0].code) }
    for index in findings.indices {
      guard let rank = ranks[index] else { continue }
      for id in findings[index].transactionIDs where transactions.contains(id) {
        if let known = byTransaction[id], let earlier = ranks[known], earlier <= rank { continue }
        byTransaction[id] = index
      }
    }
  }

  /// The index of the finding; nil where none names the transaction.
  subscript(transaction: String) -> Int? { byTransaction[transaction] }
}
