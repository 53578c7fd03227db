import Billing
import Conclusions

extension Reconciliation {
  /// The same conclusions in the order of every output: storefront, date, SKU, code, id, nils
  /// first; the summary bridge before the others; files by the days they cover.
  func inOutputOrder() -> Reconciliation {
    var ordered = self
    ordered.inputs.sort(by: precedes)
    ordered.dayBoundaries.sort { $0.storefront < $1.storefront }
    ordered.proceeds.sort(by: precedes)
    ordered.previousProceeds.sort(by: precedes)
    ordered.bridges.sort(by: precedes)
    ordered.findings = findings.inOutputOrder
    ordered.refunds = ordered.refunds.sortedUnlessOrdered(by: precedes)
    ordered.subscriptions = ordered.subscriptions.sortedUnlessOrdered(by: precedes)
    ordered.subscriptionCounts.sort { ($0.sku, $0.state.rawValue) < ($1.sku, $1.state.rawValue) }
    ordered.subscriptionReports.sort {
      ($0.storefront?.code ?? "", $0.sku) < ($1.storefront?.code ?? "", $1.sku)
    }
    ordered.deductions.sort(by: DeductionLine.isOrderedBefore)
    ordered.terms.sort(by: TermsLine.isOrderedBefore)
    return ordered
  }
}

extension Array {
  /// The elements sorted; nothing is moved where they are in order already. Long lists of large
  /// values mostly are, as they were concluded.
  fileprivate func sortedUnlessOrdered(by precedes: (Element, Element) -> Bool) -> [Element] {
    zip(self, dropFirst()).contains { precedes($1, $0) } ? sorted(by: precedes) : self
  }
}

extension Reconciliation {
  /// The same conclusions with what matters first among the findings, for people: what is open
  /// before what was accepted, then errors, then the largest in base currency; else in the same
  /// order.
  func byRank() -> Reconciliation {
    // By index: a copy of each finding would cost more than what is asked of it.
    let keys = findings.indices.map { place in
      let parts = findings.worth(at: place)
      // What has no rate stands behind what has one, and before what has no amount.
      let worth = worth(of: parts).map { Int64(clamping: $0.micros.magnitude) }
      return (
        rank: findings[place].rank * 4 + findings[place].severity.urgency,
        worth: worth ?? (parts.isEmpty ? -1 : 0), place: place
      )
    }
    var ranked = self
    ranked.findings = keys.sorted { left, right in
      (left.rank, -left.worth, left.place) < (right.rank, -right.worth, right.place)
    }.map { findings[$0.place] }
    return ranked
  }
}

extension Severity {
  /// The place of the severity in order, the most severe at 0.
  fileprivate var urgency: Int {
    switch self {
    case .error: 0
    case .warning: 1
    case .info: 2
    }
  }
}

/// Whether one comes before another in output. By storefront, then the day of the refund, SKU and
/// transaction.
private func precedes(_ left: RefundLine, _ right: RefundLine) -> Bool {
  if left.storefront != right.storefront {
    return (left.storefront?.code ?? "") < (right.storefront?.code ?? "")
  }
  return (left.refundedOn, left.sku, left.transactionID)
    < (right.refundedOn, right.sku, right.transactionID)
}

/// Whether one comes before another in output. By storefront, then SKU and the chain's first
/// transaction.
private func precedes(_ left: SubscriptionLine, _ right: SubscriptionLine) -> Bool {
  if left.storefront != right.storefront {
    return (left.storefront?.code ?? "") < (right.storefront?.code ?? "")
  }
  return (left.sku, left.originalTransactionID) < (right.sku, right.originalTransactionID)
}

/// Whether one comes before another in output. By the first day that the file covers, then kind,
/// name and digest.
private func precedes(_ left: InputFile, _ right: InputFile) -> Bool {
  if left.from != right.from {
    return (left.from?.number ?? .min) < (right.from?.number ?? .min)
  }
  return (left.kind.rawValue, left.file, left.sha256)
    < (right.kind.rawValue, right.file, right.sha256)
}

/// Whether one comes before another in output. By storefront, then the customer's currency and that
/// of proceeds.
private func precedes(_ left: ProceedsLine, _ right: ProceedsLine) -> Bool {
  (left.storefront, left.currency, left.proceedsCurrency)
    < (right.storefront, right.currency, right.proceedsCurrency)
}

/// Whether one comes before another in output. The summary bridge first, the others by storefront
/// and currency.
private func precedes(_ left: Bridge, _ right: Bridge) -> Bool {
  if left.isSummary != right.isSummary { return left.isSummary }
  return (left.storefront, left.currency) < (right.storefront, right.currency)
}

extension Bridge {
  /// Whether the bridge is over all storefronts, in base currency.
  var isSummary: Bool { storefront == "ALL" }
}
