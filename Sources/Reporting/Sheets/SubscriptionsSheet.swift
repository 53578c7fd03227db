import Billing
import Matching

/// The columns of the list of subscriptions that colours are about.
private enum SubscriptionColumn {
  static let finding = 16
}

extension WorkbookContents {
  /// The chains of renewals one by one, and below them how many there are by product and state.
  func subscriptionsSheets() -> [Sheet] {
    let lines = reconciliation.subscriptions
    guard
      !lines.isEmpty || !reconciliation.subscriptionCounts.isEmpty
        || !reconciliation.deferral.isEmpty
    else { return [] }
    let totals = subscriptionTotals()
    return subscriptionPages.divide(
      Sheet(
        name: subscriptionPages.name, columns: subscriptionColumns,
        rows: Rows(count: lines.count) { row(of: lines[$0]) },
        totals: totals + deferralTable(from: subscriptionPages.totalPlace(totals.count).row),
        frozenColumns: 1))
  }

  private var subscriptionColumns: [Column] {
    // Amounts of what is deferred stand below the days.
    func date(_ title: Wording) -> Column {
      reconciliation.deferral.isEmpty ? .date(title) : .text(title, 12...24)
    }
    return [
      .text("sku", 6...40), .text("state"), .text("storefront"), .text("currency"),
      .number("bought in period"), .number("amount"), date("first bought"), date("last bought"),
      date("expires"), .text("will renew"), .text("why it ends"), .text("next sku"),
      .text("group"), .text("original transaction id", 9...26), .text("order id", 9...24),
      .text("user", 6...40), .text("finding"), .text("mismatch"),
    ]
  }

  private func row(of chain: SubscriptionLine) -> Row {
    let number = subscriptionFinding(of: chain)
    let finding = number.map { reconciliation.findings[$0] }
    var row = Row(cells: [
      .text(ifAny: chain.sku), .words(chain.state.wording), .text(ifAny: chain.storefront?.code),
      .text(ifAny: chain.currency?.code), .integer(Int64(chain.boughtInPeriod)),
      .money(ifAny: chain.amount, chain.currency), .day(chain.firstBoughtOn),
      .day(chain.lastBoughtOn), .day(ifAny: chain.expiresOn), .yesOrNo(chain.willRenew),
      chain.expirationIntent.map { .words(expirationIntent($0)) } ?? .blank,
      .text(ifAny: chain.nextSKU),
      .text(ifAny: chain.subscriptionGroup), .text(ifAny: chain.originalTransactionID),
      .text(ifAny: chain.orderID), .text(ifAny: chain.user), .text(ifAny: finding?.code.rawValue),
      .link(ifAny: number.map(mismatches.place)),
    ])
    if let finding { row.tint(SubscriptionColumn.finding, finding.severity) }
    return row
  }

  /// Of the findings that name a transaction of the chain, the one that comes first.
  private func subscriptionFinding(of chain: SubscriptionLine) -> Int? {
    func rank(_ finding: Int) -> (Int, Int) {
      (FindingCode.subscriptions[reconciliation.findings[finding].code] ?? 0, finding)
    }
    let ids = [chain.originalTransactionID] + chain.transactionIDs
    return ids.compactMap { subscriptionFindings[$0] }.min { rank($0) < rank($1) }
  }
}

extension FindingCode {
  /// The codes that are about chains of renewals, and which a chain leads to first.
  static let subscriptions: [FindingCode: Int] = [
    .subscriptionShared: 0, .renewalGap: 1, .offerReused: 2,
  ]
}

/// Apple's code in words; a number that Apple added later stays one.
private func expirationIntent(_ code: Int32) -> Wording {
  switch code {
  case 1: "customer cancelled"
  case 2: "billing error"
  case 3: "no consent to a price increase"
  case 4: "product not available"
  case 5: "other"
  default: Wording(verbatim: String(code))
  }
}
