import Billing
import Matching

/// A chain of renewals and the finding that it leads to.
struct ListedChain {
  var chain: SubscriptionLine
  var finding: ListedFinding?
}

extension List<ListedChain> {
  /// The chains of renewals one by one.
  static func subscriptions(in contents: WorkbookContents) -> List {
    // Amounts of what is deferred stand below the days.
    func date(_ title: Wording) -> ColumnHead {
      contents.reconciliation.deferral.isEmpty ? .date(title) : .text(title, 12...24)
    }
    return List(
      [
        // Every printed page begins with it; SKUs stand below it.
        Column(.text("original transaction id", 9...40)) {
          .text(ifAny: $0.chain.originalTransactionID)
        },
        Column(.text("sku", 6...40)) { .text(ifAny: $0.chain.sku) },
        Column(.text("state")) { .words($0.chain.state.wording) },
        Column(.text("storefront")) { .text(ifAny: $0.chain.storefront?.code) },
        Column(.text("currency")) { .text(ifAny: $0.chain.currency?.code) },
        Column(.number("bought in period")) { .integer(Int64($0.chain.boughtInPeriod)) },
        Column(.number("amount")) { .money(ifAny: $0.chain.amount, $0.chain.currency) },
        Column(date("first bought")) { .day($0.chain.firstBoughtOn) },
        Column(date("last bought")) { .day($0.chain.lastBoughtOn) },
        Column(date("expires")) { .day(ifAny: $0.chain.expiresOn) },
        Column(.text("will renew")) { .yesOrNo($0.chain.willRenew) },
        Column(.text("why it ends")) {
          $0.chain.expirationIntent.map { .words(expirationIntent($0)) } ?? .blank
        },
        Column(.text("next sku")) { .text(ifAny: $0.chain.nextSKU) },
        Column(.text("group")) { .text(ifAny: $0.chain.subscriptionGroup) },
        Column(.text("order id", 9...24)) { .text(ifAny: $0.chain.orderID) },
        Column(.text("user", 6...40)) { .text(ifAny: $0.chain.user) },
        Column("finding", .text("finding")) { .text(ifAny: $0.finding?.finding.code.rawValue) }
          .tinted { $0.finding?.finding.severity },
        Column(
          "", .text("mismatch"),
          leadingTo: {
            ($0.finding?.number).map(contents.mismatches.place)
          }),
      ] + (contents.reconciliation.subscriptionReports.isEmpty ? [] : reported))
  }
}

extension List<ListedChain> {
  /// What Apple's subscriber report adds to a chain.
  fileprivate static var reported: [Column<ListedChain>] {
    [
      Column(.number("proceeds")) {
        .money(ifAny: $0.chain.proceeds?.micros, $0.chain.proceeds?.currency)
      },
      Column(.date("Apple's day")) { .day(ifAny: $0.chain.reportedOn) },
    ]
  }
}

extension WorkbookContents {
  /// The list, and below it how many chains there are by product and state.
  func subscriptionsSheets() -> [Sheet] {
    let lines = reconciliation.subscriptions
    guard
      !lines.isEmpty || !reconciliation.subscriptionCounts.isEmpty
        || !reconciliation.subscriptionReports.isEmpty
        || !reconciliation.deferral.isEmpty
    else { return [] }
    var totals = subscriptionTotals()
    totals += subscriptionReportTable(from: subscriptionPages.totalPlace(totals.count).row)
    let list = List.subscriptions(in: self)
    return subscriptionPages.divide(
      Sheet(
        name: subscriptionPages.name, columns: list.heads,
        rows: list.rows(count: lines.count) { listedChain(lines[$0]) },
        totals: totals + deferralTable(from: subscriptionPages.totalPlace(totals.count).row),
        frozenColumns: 1))
  }

  private func listedChain(_ chain: SubscriptionLine) -> ListedChain {
    ListedChain(
      chain: chain,
      finding: subscriptionFinding(of: chain).map {
        ListedFinding(finding: reconciliation.findings[$0], number: $0)
      })
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
    .subscriptionShared: 0, .renewalGap: 1, .renewalRefunded: 2, .offerReused: 3,
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
