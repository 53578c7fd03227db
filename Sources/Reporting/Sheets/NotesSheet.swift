import Billing
import Pricing
import Languages
import Conclusions

extension WorkbookContents {
  /// The sheet of what a reader must know beside the figures, and how to read the sheets.
  func notesSheet() -> Sheet {
    let base = reconciliation.baseCurrency
    var rows = reconciliation.notes.map { note("@shared.this-period", $0) }
    rows += [
      note(
        "@sheet.amounts",
        "@sheet.apple-side-minus-ours \(base)"),
      note(
        "@shared.difference-2",
        "@sheet.absolute-amounts-of-a-code \(base)"),
      note(
        "@sheet.evidence",
        "@sheet.finding-of-level-1-orders"),
    ]
    rows += listNotes()
    let period = reconciliation.period
    if pack == nil, period.fiscalMonth == nil, !period.description.contains("..") {
      rows.append(
        note("@close.journal", "@sheet.draft-of-the-journal \(period)"))
    }
    if reconciliation.inputs.contains(where: { $0.rejected > 0 }) {
      rows.append(note("@sheet.rejected", "@sheet.rejected-rows-are-in-the-ledger"))
    }
    if !reconciliation.dayBoundaries.isEmpty {
      rows.append(note("@shared.day-boundaries", "@sheet.how-day-boundaries-are-found"))
    }
    rows += [
      note("@summary.on-time", "@sheet.on-time-complete-cleared"),
      note("@summary.matched-units", "@sheet.what-matched-units-are"),
      note(
        "@sheet.bridge",
        "@sheet.each-total-is-the-previous"),
      note(
        "@shared.deduction",
        "@sheet.1-proceeds-gross-the-share"),
      note(
        "@sheet.figures",
        "@sheet.figure-with-more-than-15"),
      note(
        "@sheet.ids", "@sheet.same-facts-have-the-same"),
    ]
    rows += CauseFamily.allCases.map { family in
      Row(
        cells: [.words(family.wording), .words(family.meaning)],
        tints: [Row.Tint(column: 0, meaning: .cause(family))])
    }
    rows += Severity.allCases.reversed().map { severity in
      Row(
        cells: [.words(severity.wording), .words(severity.meaning)],
        tints: [Row.Tint(column: 0, meaning: .severity(severity))])
    }
    return Sheet(
      name: say("@shared.notes"),
      columns: [.text("@sheet.about", 12...24), .prose("@sheet.note", 110)], rows: Rows(rows))
  }

  /// The notes on how to read the lists of refunds, subscriptions and others, where there are some.
  private func listNotes() -> [Row] {
    var rows: [Row] = []
    if !refundTotals().isEmpty {
      rows.append(
        note(
          "@shared.refunds",
          "@sheet.one-row-per-refund"))
    }
    if !reconciliation.subscriptionCounts.isEmpty || !reconciliation.subscriptions.isEmpty {
      rows.append(
        note(
          "@shared.subscriptions",
          "@sheet.one-row-per-subscription-chain \(reconciliation.period)"))
    }
    if !reconciliation.subscriptionReports.isEmpty {
      rows.append(
        note(
          "@sheet.subscription-reports",
          "@sheet.apple-subscription-reports-beside"))
    }
    if !reconciliation.deductions.isEmpty {
      rows.append(
        note(
          "@sheet.price-check",
          "@sheet.sales-at-a-price-by"))
    }
    if !reconciliation.patterns.isEmpty {
      rows.append(
        note(
          "@sheet.patterns",
          "@sheet.what-findings-of-one-code"))
    }
    if !reconciliation.flow.isEmpty {
      rows.append(
        note(
          "@sheet.purchase-flow-2",
          "@sheet.by-business-day-orders-by"))
    }
    if reconciliation.stages != nil {
      rows.append(
        note(
          "@sheet.purchase-stages",
          "@sheet.by-business-day-and-step"))
    }
    if reconciliation.coins != nil {
      rows.append(note("@sheet.coins-2", "@sheet.coins-by-day-and-channel"))
    }
    return rows
  }

  /// A row of the sheet: what it is about, and the note.
  private func note(_ about: Wording, _ text: Wording) -> Row {
    Row(cells: [.words(about), .words(text)])
  }
}

extension Severity {
  /// What the severity asks of a reader, in words.
  var meaning: Wording {
    switch self {
    case .error: "@sheet.difference-that-someone-must-clear"
    case .warning: "@sheet.something-to-look"
    case .info: "@sheet.difference-that-has-its-explanation"
    }
  }
}
