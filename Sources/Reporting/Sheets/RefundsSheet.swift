import Billing
import Languages
import Conclusions

/// A refund of the period, or a finding about another.
enum ListedRefund {
  /// With the finding that it leads to.
  case refund(RefundLine, finding: ListedFinding?)
  case finding(ListedFinding)

  /// The refund of the row; nil for a finding.
  var refund: RefundLine? {
    if case .refund(let line, _) = self { line } else { nil }
  }

  /// The finding that the row leads to.
  var finding: ListedFinding? {
    switch self {
    case .refund(_, let finding): finding
    case .finding(let finding): finding
    }
  }
}

extension List<ListedRefund> {
  /// The columns of the refunds of the period one by one, and of findings about others.
  ///
  /// - Parameters:
  ///   - contents: the workbook that the list stands in; nil for scripts.
  ///   - scripts: what scripts get, in their order.
  static func refunds(in contents: WorkbookContents? = nil, scripts: [String] = []) -> List {
    List(columns(contents), scripts: scripts)
  }

  /// All columns: those that are printed, then those that a reader folds away.
  private static func columns(_ contents: WorkbookContents?) -> [Column<ListedRefund>] {
    printed(contents) + onScreen(contents).map(\.grouped)
  }

  /// The columns that a reader needs on one page.
  private static func printed(_ contents: WorkbookContents?) -> [Column<ListedRefund>] {
    [
      // A finding about no transaction has its own id.
      column("transaction_id", .text("@sheet.transaction-or-finding", 9...24)) {
        .text(ifAny: $0.transactionID)
      } finding: {
        $0.transactionIDs.isEmpty ? .text($0.id) : list($0.transactionIDs)
      },
      column("order_id", .text("@sheet.order-id", 9...24)) {
        .text(ifAny: $0.orderID)
      } finding: {
        list($0.orderIDs)
      },
      column("what", .text("@sheet.what", 8...20)) {
        .words($0.what.wording)
      } finding: { _ in
        .words("@shared.finding")
      }.coded { $0.refund?.what.code },
      column("storefront", .prose("@shared.storefront", 20)) {
        .place($0.storefront)
      } finding: {
        .place($0.storefront)
      }.coded { $0.refund.map(\.storefront?.code) ?? $0.finding?.finding.storefront?.code },
      column("currency", .text("@shared.currency", 6...12)) {
        .text(ifAny: $0.currency?.code)
      } finding: {
        .text(ifAny: $0.currency?.code)
      },
      column("refunded_on", .text("@sheet.refunded", 12...16)) {
        .day($0.refundedOn)
      } finding: {
        $0.isOfRevocation ? .day(ifAny: $0.date) : .blank
      },
      column("purchased_on", .text("@sheet.purchased", 12...16)) {
        .day($0.purchasedOn)
      } finding: {
        $0.isOfRevocation || $0.isOfReport ? .blank : .day(ifAny: $0.date)
      },
      column("age", .number("@sheet.age-days")) { .integer(Int64($0.age)) },
      column("beyond_window", .text("@sheet.beyond-window")) { .mark($0.isBeyondWindow) }
        .tinted(refund: { $0.isBeyondWindow ? .warning : nil }).deciding(\.refund?.isBeyondWindow),
      column("units", .number("@shared.units")) {
        .integer(Int64($0.units))
      } finding: {
        .integer(ifAny: $0.units)
      },
      column("amount", .number("@shared.amount")) {
        .money(ifAny: $0.amount.map { -$0 }, $0.currency)
      } finding: {
        .money(ifAny: $0.amount, $0.currency)
      },
      inBase(contents),
      column("not_taken_back", .text("@sheet.not-taken-back")) { .mark($0.isDeliveredAndKept) }
        .tinted(refund: { $0.isDeliveredAndKept ? .error : nil })
        .deciding(\.refund?.isDeliveredAndKept),
      column("sku", .text("@shared.sku", 6...36)) {
        .text(ifAny: $0.sku)
      } finding: {
        .text(ifAny: $0.sku)
      },
      Column("finding", .prose("@shared.finding", 22)) {
        .text(ifAny: $0.finding?.finding.code.named)
      }.coded { $0.finding?.finding.code.rawValue }
        .tinted { $0.finding?.finding.severity },
      Column("company", .prose("@sheet.company-says", 14)) {
        .words($0.finding?.finding.bothValues?.company ?? "")
      },
      Column("apple", .prose("@sheet.apple-says", 14)) {
        .words($0.finding?.finding.bothValues?.apple ?? "")
      },
    ]
  }

  /// The column of what a refund is worth in base currency; one that is not shown for scripts,
  /// which have no workbook. Blank for findings: what they are about may be a listed refund.
  private static func inBase(_ contents: WorkbookContents?) -> Column<ListedRefund> {
    guard let month = contents?.reconciliation else { return Column("", nil) { _ in .blank } }
    return column("base", .number("@shared.in-2 \(month.baseCurrency)")) {
      .money(ifAny: month.inBase($0))
    }
  }

  /// The columns that lead on from a refund, or tell more of it.
  private static func onScreen(_ contents: WorkbookContents?) -> [Column<ListedRefund>] {
    [
      Column(
        "mismatch", .text("@sheet.mismatch"),
        leadingTo: {
          guard let contents else { return nil }
          return ($0.finding?.number).map(contents.mismatches.place)
        }),
      column("explanation", .text("@sheet.explanation", 12...60)) { _ in
        .blank
      } finding: {
        .words($0.explanation)
      },
      column("window", .number("@sheet.window-days")) {
        .integer(ifAny: $0.windowDays.map { Int64($0) })
      },
      column("share", .number("@sheet.share-refunded")) { .ratio(ifAny: $0.share) },
      column("reason", .text("@shared.reason")) { .words($0.reasonInWords) }.coded(
        \.refund?.reason),
      column("order_status", .text("@sheet.order-status")) {
        $0.orderStatus.map { .words($0.wording) } ?? .blank
      }.coded(\.refund?.orderStatus?.name),
      column("user", .text("@shared.user", 6...40)) { .text(ifAny: $0.user) },
      column("user_refunds", .number("@sheet.refunds-of-user")) {
        $0.user.isEmpty ? .blank : .integer(Int64($0.userRefunds))
      },
      column("report_day", .date("@shared.report-day")) {
        .day($0.reportDay)
      } finding: {
        $0.isOfReport ? .day(ifAny: $0.date) : .blank
      },
      column("in_report", .text("@sheet.in-report")) { .yesOrNo($0.isReported) }
        .tinted(refund: { $0.isReported == false ? .warning : nil }).deciding(\.refund?.isReported),
      column("file", .text("@shared.file", 6...40)) {
        contents?.file(of: $0.source) ?? .blank
      } finding: {
        contents?.file(of: $0.sources.first) ?? .blank
      }.coded(\.refund?.source.file),
      column("line", .number("@sheet.line")) {
        line(of: $0.source)
      } finding: {
        line(of: $0.sources.first)
      },
    ]
  }

  /// A column that says one thing of refunds and another, or nothing, of findings.
  private static func column(
    _ name: String, _ head: ColumnHead, refund: @escaping @Sendable (RefundLine) -> Cell,
    finding: @escaping @Sendable (Finding) -> Cell = { _ in .blank }
  ) -> Column<ListedRefund> {
    Column(name, head) { line in
      switch line {
      case .refund(let line, _): refund(line)
      case .finding(let listed): finding(listed.finding)
      }
    }
  }
}

extension Column<ListedRefund> {
  /// The same column with the colour of a severity behind the cells of refunds that have one.
  fileprivate func tinted(refund: @escaping @Sendable (RefundLine) -> Severity?) -> Column {
    tinted { line in
      guard case .refund(let line, _) = line else { return nil }
      return refund(line)
    }
  }
}

extension Finding {
  /// Whether the finding is of level 2, about Apple's reports.
  fileprivate var isOfReport: Bool { code.level == 2 }
  /// Whether the finding's day is the day of a refund.
  fileprivate var isOfRevocation: Bool { code == .refundNotReversed || code == .renewalRefunded }
}

extension WorkbookContents {
  /// The columns of the sheet of refunds.
  var refundList: List<ListedRefund> { .refunds(in: self) }

  /// The sheets of the list of refunds, and below it what they come to; none without refunds.
  func refundsSheets() -> [Sheet] {
    let totals = refundTotals()
    guard refunds.pages.count > 0 || !totals.isEmpty else { return [] }
    let list = refundList
    return refunds.pages.divide(
      Sheet(
        name: refunds.pages.name, columns: list.heads,
        rows: list.rows(count: refunds.pages.count) { listedRefund($0) }, totals: totals,
        frozenColumns: 1, printedColumns: list.index("mismatch")))
  }

  /// The row of the list at an index: refunds first, each with the finding that it leads to, then
  /// findings about others.
  private func listedRefund(_ index: Int) -> ListedRefund {
    func listed(_ number: Int) -> ListedFinding {
      ListedFinding(reconciliation.findings, at: number)
    }
    let lines = reconciliation.refunds
    guard index < lines.count else {
      return .finding(listed(refunds.findings[index - lines.count]))
    }
    return .refund(lines[index], finding: refunds.named[lines[index].transactionID].map(listed))
  }
}

extension RefundLine {
  /// What became of the money. A reversed refund was taken back and counts in no total.
  enum What {
    case whole, prorated, reversed

    /// What became of the money, in words.
    var wording: Wording {
      switch self {
      case .whole: "@sheet.whole-refund"
      case .prorated: "@sheet.prorated-refund"
      case .reversed: "@sheet.reversed"
      }
    }

    /// What became of the money, for scripts.
    var code: String {
      switch self {
      case .whole: "whole"
      case .prorated: "prorated"
      case .reversed: "reversed"
      }
    }
  }

  /// What became of the refund's money.
  var what: What {
    if isReversed { return .reversed }
    return share == 1_000_000 ? .whole : .prorated
  }

  /// Whether the refund is added up in totals.
  var isCounted: Bool { what != .reversed }

  /// Apple's reason of the refund in words; one that is not known as Apple writes it.
  var reasonInWords: Wording {
    switch reason {
    case "0": "@sheet.other"
    case "1": "@sheet.issue-in-the-app"
    default: Wording(verbatim: reason)
    }
  }
}

extension FindingCode {
  /// The codes that are about refunds; the first is what a refund leads to before the others.
  static let refunds: [FindingCode] = [
    .refundNotReversed, .renewalRefunded, .refundNotInReport, .refundNotInLedger, .partialRefund,
    .refundedNotByApple,
  ]
}
