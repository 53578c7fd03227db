import Billing
import Matching

/// An order, transaction or row, and the finding of level 1 that it shows.
struct ListedEvidence {
  var listed: ListedFinding
  var shown: EvidenceRow

  var finding: Finding { _read { yield listed.finding } }
}

extension List<ListedEvidence> {
  /// The evidence of level 1: one row per finding and order, transaction or row that shows it.
  static func orders(in contents: WorkbookContents) -> List {
    List([
      Column("code", .text("code")) { .text($0.finding.code.rawValue) },
      Column("severity", .text("severity")) { .words($0.finding.severity.wording) }
        .tinted { $0.finding.severity },
      Column("storefront", .text("storefront")) { .text(ifAny: $0.finding.storefront?.code) },
      Column("date", .date("date")) { .day(ifAny: $0.finding.date) },
      Column("sku", .text("sku")) { .text(ifAny: $0.finding.sku) },
      Column("what", .text("what")) { .words($0.shown.what.wording) },
      Column("id", .text("id", 6...44)) { .text(ifAny: $0.shown.id) },
      Column("file", .text("file", 6...44)) { contents.file(of: $0.shown.source) },
      Column("line", .number("line")) { line(of: $0.shown.source) },
      Column(
        "mismatch", .text("mismatch"), leadingTo: { contents.mismatches.place($0.listed.number) }),
      Column("finding", .text("finding", 6...24)) { .text($0.finding.id) },
    ])
  }
}

extension WorkbookContents {
  func ordersSheet() -> Sheet? {
    guard orders.count > 0 else { return nil }
    let list = List.orders(in: self)
    return Sheet(
      name: orders.name, columns: list.heads,
      rows: list.rows(count: orders.count) { listedEvidence($0) }, frozenColumns: 1)
  }

  private func listedEvidence(_ index: Int) -> ListedEvidence {
    let number = findingIndex(ofEvidence: index)
    let listed = ListedFinding(reconciliation.findings, at: number)
    let place = index - evidenceBefore[number]
    return ListedEvidence(
      listed: listed,
      shown: longEvidence[number]?[place]
        ?? EvidenceRows(listed, kinds: inputKinds).row(at: place))
  }

  /// The finding that evidence row `index` belongs to: the last one with fewer rows before it.
  private func findingIndex(ofEvidence index: Int) -> Int {
    let next = evidenceBefore.partitioningIndex { $0 > index }
    precondition(evidenceBefore.indices.dropFirst().contains(next))
    return next - 1
  }
}
