import Billing
import Conclusions

/// An order, a transaction or both, and the finding of level 1 that they show.
struct ListedEvidence {
  var listed: ListedFinding
  var shown: EvidenceRow

  var finding: Finding { _read { yield listed.finding } }
}

extension List<ListedEvidence> {
  /// The columns of the evidence of level 1: of each finding the order and the transaction, side by
  /// side where it has one of each.
  static func orders(in contents: WorkbookContents) -> List {
    let listed = OrderTerms.sheetColumns.enumerated().map { place, column in
      Column<ListedEvidence>(column.name, .text(column.sheetHead!, 6...44)) { line in
        let cells = line.shown.order.source.flatMap { contents.reconciliation.orderCells[$0] }
        return .text(ifAny: cells?[place])
      }
    }
    let found: [Column<ListedEvidence>] = [
      Column("severity", .text("@shared.severity", 8...10)) {
        .words($0.finding.severity.wording)
      }.tinted { $0.finding.severity },
      Column("code", .text("@shared.code", 6...40)) { .text($0.finding.code.named) },
      Column("finding", .text("@shared.finding", 6...24), reading: { $0.finding.id }) {
        contents.mismatches.place($0.listed.number)
      },
      Column("date", .date("@shared.date")) { .day(ifAny: $0.finding.date) },
      Column("storefront", .text("@sheet.place", 8...24)) { .place($0.finding.storefront) },
      Column("sku", .text("@shared.sku", 6...36)) { .text(ifAny: $0.finding.sku) },
      Column("order_id", .text("@shared.order", 6...44)) { .text(ifAny: $0.shown.order.id) },
      Column("transaction_id", .text("@shared.transaction", 6...44)) {
        .text(ifAny: $0.shown.transaction.id)
      },
      Column("company", .prose("@sheet.company-says", 20)) {
        .words($0.finding.bothValues?.company ?? "")
      },
      Column("apple", .prose("@sheet.apple-says", 20)) {
        .words($0.finding.bothValues?.apple ?? "")
      },
    ]
    let places: [Column<ListedEvidence>] = [
      Column("order_file", .text("@sheet.order-file", 6...44)) {
        contents.file(of: $0.shown.order.source)
      },
      Column("order_line", .number("@sheet.order-line")) { line(of: $0.shown.order.source) },
      Column("file", .text("@shared.file", 6...44)) {
        contents.file(of: $0.shown.transaction.source)
      },
      Column("line", .number("@sheet.line")) { line(of: $0.shown.transaction.source) },
    ]
    return List(found + listed + places.map(\.grouped))
  }
}

extension WorkbookContents {
  /// The sheet of the evidence of level 1; nil without any.
  func ordersSheet() -> Sheet? {
    guard orders.count > 0 else { return nil }
    let list = List.orders(in: self)
    return Sheet(
      name: orders.name, columns: list.heads,
      rows: list.rows(count: orders.count) { listedEvidence($0) }, frozenColumns: 2,
      printedColumns: list.index("order_file"))
  }

  /// The evidence row at an index over all findings, with its finding.
  private func listedEvidence(_ index: Int) -> ListedEvidence {
    let number = findingIndex(ofEvidence: index)
    let place = index - evidenceBefore[number]
    return ListedEvidence(
      listed: ListedFinding(reconciliation.findings, at: number),
      shown: longEvidence[number]?[place]
        ?? EvidenceRows(reconciliation.findings, at: number, kinds: inputKinds).row(at: place))
  }

  /// The index of the finding that evidence row `index` belongs to: the last one with fewer rows
  /// before it.
  private func findingIndex(ofEvidence index: Int) -> Int {
    let next = evidenceBefore.partitioningIndex { $0 > index }
    precondition(evidenceBefore.indices.dropFirst().contains(next))
    return next - 1
  }
}
