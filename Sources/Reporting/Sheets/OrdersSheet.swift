import Billing
import Matching

extension WorkbookContents {
  /// The evidence of level 1: one row per finding and order, transaction or row that shows it.
  func ordersSheet() -> Sheet? {
    guard orders.count > 0 else { return nil }
    return Sheet(
      name: orders.name,
      columns: [
        .text("code"), .text("severity"), .text("storefront"), .date("date"), .text("sku"),
        .text("what"), .text("id", 6...44), .text("file", 6...44), .number("line"),
        .text("mismatch"), .text("finding", 6...24),
      ],
      rows: Rows(count: orders.count) { row(ofEvidence: $0) }, frozenColumns: 1)
  }

  private func row(ofEvidence index: Int) -> Row {
    let number = findingIndex(ofEvidence: index)
    let finding = reconciliation.findings[number]
    let shown = evidence(of: finding, kinds: inputKinds)[index - evidenceBefore[number]]
    return Row(
      cells: [
        .text(finding.code.rawValue), .words(finding.severity.wording),
        .text(ifAny: finding.storefront?.code), .day(ifAny: finding.date),
        .text(ifAny: finding.sku), .words(shown.what.wording), .text(ifAny: shown.id),
        file(of: shown.source), line(of: shown.source),
        .link(ifAny: mismatches.place(number)), .text(finding.id),
      ],
      tints: [Row.Tint(column: 1, meaning: .severity(finding.severity))])
  }

  /// The finding that evidence row `index` belongs to: the last one with fewer rows before it.
  private func findingIndex(ofEvidence index: Int) -> Int {
    var low = 0
    var high = reconciliation.findings.count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if evidenceBefore[middle] <= index { low = middle } else { high = middle }
    }
    precondition(evidenceBefore[low] <= index && index < evidenceBefore[low + 1])
    return low
  }
}
