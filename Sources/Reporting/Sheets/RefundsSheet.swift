import Billing
import Languages
import Matching

/// The rows of the sheet of refunds: the refunds of the period, then the findings about refunds
/// that are about none of them.
struct RefundList: Sendable {
  let pages: Pages
  /// Of findings, as they stand in the reconciliation.
  let findings: [Int]
  let named: NamedFindings

  init(_ reconciliation: Reconciliation, limits: Limits) {
    let known = Set(reconciliation.refunds.map(\.transactionID))
    findings = reconciliation.findings.indices.filter { index in
      let finding = reconciliation.findings[index]
      guard FindingCode.refunds.contains(finding.code) else { return false }
      let ids = finding.transactionIDs
      return finding.code.level != 1 || ids.isEmpty || !ids.allSatisfy(known.contains)
    }
    named = NamedFindings(reconciliation.findings, naming: known) { code in
      FindingCode.refunds.firstIndex(of: code)
        ?? (code.level == 1 ? FindingCode.refunds.count : nil)
    }
    pages = Pages(
      name: say("Refunds"), count: reconciliation.refunds.count + findings.count, limits: limits)
  }
}

/// Columns of the list that totals and colours are about.
enum RefundColumn {
  static let what = 0
  static let storefront = 1
  static let currency = 2
  static let beyondWindow = 7
  static let units = 8
  static let amount = 9
  static let notTakenBack = 10
  static let inReport = 20
  static let finding = 21
  /// The file, its line and the words of findings are for the screen.
  static let printed = 23
}

extension WorkbookContents {
  /// The refunds of the period one by one, findings about others, and below them what they come to.
  func refundsSheets() -> [Sheet] {
    let lines = reconciliation.refunds
    let totals = refundTotals()
    guard refunds.pages.count > 0 || !totals.isEmpty else { return [] }
    return refunds.pages.divide(
      Sheet(
        name: refunds.pages.name, columns: Self.refundColumns,
        rows: Rows(count: refunds.pages.count) { index in
          index < lines.count
            ? row(of: lines[index]) : refundRow(ofFinding: refunds.findings[index - lines.count])
        }, totals: totals, frozenColumns: 1,
        printedColumns: RefundColumn.printed))
  }

  private static var refundColumns: [Column] {
    [
      .text("what", 8...20), .text("storefront"), .text("currency"),
      .text("refunded on", 12...16), .text("purchased on", 12...16),
      .number("age, days"), .number("window, days"), .text("beyond window"), .number("units"),
      .number("amount"), .text("not taken back"), .number("given back"), .text("sku"),
      .text("reason"), .text("order id", 9...24), .text("order status"),
      .text("transaction id", 9...24), .text("user", 6...40), .number("refunds of user"),
      .date("report day"), .text("in report"), .text("finding"), .text("mismatch"),
      .text("file", 6...40), .number("line"), .text("explanation", 12...60),
    ]
  }

  private func row(of refund: RefundLine) -> Row {
    let number = refunds.named[refund.transactionID]
    let finding = number.map { reconciliation.findings[$0] }
    let isUsers = !refund.user.isEmpty
    var row = Row(cells: [
      .words(refund.what.wording), .text(ifAny: refund.storefront?.code),
      .text(ifAny: refund.currency?.code), .day(refund.refundedOn), .day(refund.purchasedOn),
      .integer(Int64(refund.age)), .integer(ifAny: refund.windowDays.map { Int64($0) }),
      .mark(refund.isBeyondWindow), .integer(Int64(refund.units)),
      .money(ifAny: refund.amount.map { -$0 }, refund.currency), .mark(refund.isDeliveredAndKept),
      .ratio(ifAny: refund.share), .text(ifAny: refund.sku), .words(refund.reasonInWords),
      .text(ifAny: refund.orderID), refund.orderStatus.map { .words($0.wording) } ?? .blank,
      .text(ifAny: refund.transactionID), .text(ifAny: refund.user),
      isUsers ? .integer(Int64(refund.userRefunds)) : .blank, .day(refund.reportDay),
      .yesOrNo(refund.isReported), .text(ifAny: finding?.code.rawValue),
      .link(ifAny: number.map(mismatches.place)), file(of: refund.source),
      line(of: refund.source),
    ])
    if refund.isBeyondWindow { row.tint(RefundColumn.beyondWindow, .warning) }
    if refund.isDeliveredAndKept { row.tint(RefundColumn.notTakenBack, .error) }
    if refund.isReported == false { row.tint(RefundColumn.inReport, .warning) }
    if let finding { row.tint(RefundColumn.finding, finding.severity) }
    return row
  }

  private func refundRow(ofFinding number: Int) -> Row {
    let finding = reconciliation.findings[number]
    func date(_ isIts: Bool) -> Cell { isIts ? .day(ifAny: finding.date) : .blank }
    let isApples = finding.code.level == 2
    let isRevocations = finding.code == .refundNotReversed
    let source = finding.sources.first
    var row = Row(cells: [
      .words("finding"), .text(ifAny: finding.storefront?.code),
      .text(ifAny: finding.currency?.code), date(isRevocations), date(!isApples && !isRevocations),
      .blank, .blank, .blank, .integer(ifAny: finding.units),
      .money(ifAny: finding.amount, finding.currency), .blank, .blank, .text(ifAny: finding.sku),
      .blank, list(finding.orderIDs), .blank, list(finding.transactionIDs), .blank, .blank,
      date(isApples), .blank, .text(finding.code.rawValue),
      .link(ifAny: mismatches.place(number)), file(of: source), line(of: source),
      .words(finding.explanation),
    ])
    row.tint(RefundColumn.finding, finding.severity)
    return row
  }
}

extension RefundLine {
  /// What became of the money. A reversed refund was taken back and counts in no total.
  enum What {
    case whole, prorated, reversed

    var wording: Wording {
      switch self {
      case .whole: "whole refund"
      case .prorated: "prorated refund"
      case .reversed: "reversed"
      }
    }
  }

  var what: What {
    if isReversed { return .reversed }
    return share == 1_000_000 ? .whole : .prorated
  }

  var isCounted: Bool { what != .reversed }

  var reasonInWords: Wording {
    switch reason {
    case "0": "other"
    case "1": "issue in the app"
    default: Wording(verbatim: reason)
    }
  }
}

extension FindingCode {
  /// The codes that are about refunds; the first is what a refund leads to before the others.
  static let refunds: [FindingCode] = [
    .refundNotReversed, .refundNotInReport, .refundNotInLedger, .partialRefund,
    .refundedNotByApple,
  ]
}
