import Billing
import Matching
import Languages

extension WorkbookContents {
  /// Where each storefront's report day begins, and how sure that is.
  func dayBoundariesSheet() -> Sheet? {
    guard !reconciliation.cutoffs.isEmpty else { return nil }
    let rows = reconciliation.cutoffs.map { cutoff in
      Row(cells: [
        .text(cutoff.storefront.code), .text(cutoff.rule), .text(cutoff.zone),
        .text(Zone.fixed(minutes: cutoff.utcOffsetMinutes).name),
        .ratio(ifAny: cutoff.confidence), .integer(cutoff.residualUnits),
        .text(ifAny: cutoff.runnerUp),
      ])
    }
    let last = rows.count + 1
    let residual = reconciliation.cutoffs.reduce(0) { $0 + $1.residualUnits }
    return Sheet(
      name: say("Day boundaries"),
      columns: [
        .text("storefront"), .text("rule"), .text("zone"), .text("UTC offset"),
        .number("confidence"), .number("residual units"), .text("runner-up"),
      ],
      rows: Rows(rows),
      totals: [
        Row(
          cells: [
            .words("total"), .blank, .blank, .blank, .blank,
            .formula("SUBTOTAL(109,F2:F\(last))", .integer(residual)), .blank,
          ], style: .total)
      ], frozenColumns: 1)
  }
}
