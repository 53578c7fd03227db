import Billing

extension MatchTable {
  /// Per transaction terms, whether Apple's identifier of the app is another than the bundle's.
  ///
  /// Nobody tells which identifier a bundle has; an app keeps its own for ever, so the one that ten
  /// times as many transactions have as any other is the bundle's.
  func termsOfOtherApps() -> [Bool] {
    guard transactionTerms.contains(where: { !$0.appItemID.isEmpty }) else {
      return Array(repeating: false, count: transactionTerms.count)
    }
    var rows = [Int](repeating: 0, count: transactionTerms.count)
    for entry in transactions { rows[Int(entry.terms)] += 1 }
    var counts: [String: [String: Int]] = [:]
    for (terms, count) in zip(transactionTerms, rows)
    where !terms.appItemID.isEmpty && !terms.bundleID.isEmpty {
      counts[terms.bundleID, default: [:]][terms.appItemID, default: 0] += count
    }
    let most = counts.mapValues { $0.values.max() ?? 0 }
    return transactionTerms.map { terms in
      guard let known = counts[terms.bundleID]?[terms.appItemID], let most = most[terms.bundleID]
      else { return false }
      return known * Rules.mostOfApp <= most
    }
  }
}
