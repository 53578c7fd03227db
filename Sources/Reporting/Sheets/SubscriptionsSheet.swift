import Billing
import Conclusions

extension List<ListedChain> {
  /// The columns of the chains of renewals, one by one.
  ///
  /// - Parameter contents: the workbook that the list stands in; nil for scripts.
  static func subscriptions(in contents: WorkbookContents? = nil) -> List {
    // Amounts of what is deferred stand below the days.
    let isOverAmounts = contents?.reconciliation.deferral.isEmpty == false
    /// A column of days, wider where amounts stand below it.
    func date(_ title: Wording) -> ColumnHead {
      isOverAmounts ? .text(title, 12...24) : .date(title)
    }
    var columns: [Column<ListedChain>] = [
      // Every printed page begins with it; SKUs stand below it.
      Column("original_transaction_id", .text("@sheet.original-transaction-id", 9...40)) {
        .text(ifAny: $0.chain.originalTransactionID)
      },
      Column("sku", .text("@shared.sku", 6...40)) { .text(ifAny: $0.chain.sku) },
      Column("state", .text("@sheet.state")) { .words($0.chain.state.wording) }
        .coded(\.chain.state.code),
      Column("storefront", .text("@shared.storefront")) { .place($0.chain.storefront) }
        .coded { $0.chain.storefront?.code },
      Column("currency", .text("@shared.currency")) { .text(ifAny: $0.chain.currency?.code) },
      Column("bought_in_period", .number("@sheet.bought-in-period")) {
        .integer(Int64($0.chain.boughtInPeriod))
      },
      Column("amount", .number("@shared.amount")) {
        .money(ifAny: $0.chain.amount, $0.chain.currency)
      },
      Column("first_bought_on", date("@sheet.first-bought")) { .day($0.chain.firstBoughtOn) },
      Column("last_bought_on", date("@sheet.last-bought")) { .day($0.chain.lastBoughtOn) },
      Column("expires_on", date("@sheet.expires")) { .day(ifAny: $0.chain.expiresOn) },
      Column("will_renew", .text("@sheet.will-renew")) { .yesOrNo($0.chain.willRenew) }
        .deciding(\.chain.willRenew),
      Column("finding", .text("@shared.finding", 6...40)) {
        .text(ifAny: $0.finding?.finding.code.named)
      }.coded { $0.finding?.finding.code.rawValue }
        .tinted { $0.finding?.finding.severity },
    ]
    if let contents { columns.append(mismatch(in: contents)) }
    columns += behind
    if contents?.reconciliation.subscriptionReports.isEmpty != true { columns += reported }
    return List(columns, scripts: contents == nil ? scripted : [])
  }

  /// The names of the columns that scripts get, in their order.
  private static let scripted = [
    "original_transaction_id", "sku", "state", "storefront", "currency", "bought_in_period",
    "amount", "first_bought_on", "last_bought_on", "expires_on", "will_renew",
    "expiration_intent", "next_sku", "group", "order_id", "user", "finding", "proceeds",
    "proceeds_currency", "reported_on",
  ]

  /// The columns that lead on from a chain; a reader folds them away.
  private static var behind: [Column<ListedChain>] {
    let columns: [Column<ListedChain>] = [
      Column("expiration_intent", .text("@sheet.why-it-ends")) {
        $0.chain.expirationIntent.map { .words(expirationIntent($0)) } ?? .blank
      }.coded { $0.chain.expirationIntent.map(String.init) },
      Column("next_sku", .text("@sheet.next-sku")) { .text(ifAny: $0.chain.nextSKU) },
      Column("group", .text("@shared.group")) { .text(ifAny: $0.chain.subscriptionGroup) },
      Column("order_id", .text("@sheet.order-id", 9...24)) { .text(ifAny: $0.chain.orderID) },
      Column("user", .text("@shared.user", 6...40)) { .text(ifAny: $0.chain.user) },
    ]
    return columns.map(\.grouped)
  }

  /// The column that leads to the finding about a chain.
  private static func mismatch(in contents: WorkbookContents) -> Column<ListedChain> {
    Column(
      "", .text("@sheet.mismatch"),
      leadingTo: { ($0.finding?.number).map(contents.mismatches.place) })
  }
}

extension List<ListedChain> {
  /// The columns of what Apple's subscriber report adds to a chain.
  fileprivate static var reported: [Column<ListedChain>] {
    [
      Column("proceeds", .number("@shared.proceeds")) {
        .money(ifAny: $0.chain.proceeds?.micros, $0.chain.proceeds?.currency)
      },
      Column("proceeds_currency") { .text(ifAny: $0.chain.proceeds?.currency.code) },
      Column("reported_on", .date("@shared.apple-day")) { .day(ifAny: $0.chain.reportedOn) },
    ]
  }
}

extension WorkbookContents {
  /// The sheets of the list of chains, and below it how many there are by product and state,
  /// Apple's reports, and what is deferred; none where there is nothing of these.
  func subscriptionsSheets() -> [Sheet] {
    let lines = reconciliation.subscriptions
    guard
      !lines.isEmpty || !reconciliation.subscriptionCounts.isEmpty
        || !reconciliation.subscriptionReports.isEmpty
        || !reconciliation.deferral.isEmpty
    else { return [] }
    var below = subscriptionTotals()
    addSubscriptionReports(to: &below)
    addDeferral(to: &below)
    let list = List.subscriptions(in: self)
    return subscriptionPages.divide(
      Sheet(
        name: subscriptionPages.name, columns: list.heads,
        rows: list.rows(count: listedChains.count) {
          chainFindings.listed(lines[listedChains[$0]])
        },
        totals: below.rows, frozenColumns: 1,
        // The reports below the list are as wide as all of it.
        printedColumns: reconciliation.subscriptionReports.isEmpty
          ? list.index("expiration_intent") : nil))
  }
}

extension SubscriptionState {
  /// Whether a customer's payment has failed and Apple still tries, so that a person should look at
  /// the chain.
  var needsAPerson: Bool { self == .billingRetry || self == .gracePeriod }
}

/// Apple's code of why a subscription ends, in words; one that is not known is shown as its number.
private func expirationIntent(_ code: Int32) -> Wording {
  switch code {
  case 1: "@sheet.customer-cancelled"
  case 2: "@sheet.billing-error"
  case 3: "@sheet.no-consent-to-a-price"
  case 4: "@sheet.product-not-available"
  case 5: "@sheet.other"
  default: Wording(verbatim: String(code))
  }
}
