import Billing
import Matching

extension WorkbookContents {
  /// All findings, what matters first, each with a link to its evidence.
  func mismatchesSheet() -> Sheet? {
    guard !reconciliation.findings.isEmpty else { return nil }
    return Sheet(
      name: mismatches.name,
      columns: mismatchColumns + workColumns() + traceColumns,
      rows: Rows(count: reconciliation.findings.count) { row(ofFinding: $0) },
      totals: mismatchTotals(), frozenColumns: 1,
      printedColumns: mismatchColumns.count + workColumns().count)
  }

  /// What a reader needs on paper.
  private var mismatchColumns: [Column] {
    [
      .text("code"), .text("severity"), .text("storefront"), .text("currency"), .date("date"),
      .text("sku"), .number("units"), .number("amount"), .text("evidence"),
      .prose("explanation", 48), .prose("action", 32),
    ]
  }

  /// What leads on from there.
  private var traceColumns: [Column] {
    [
      .number("level", 5...7), .prose("order ids", 18), .prose("transaction ids", 18),
      .text("file", 6...44), .number("line"), .text("id", 6...20),
    ]
  }

  private func row(ofFinding index: Int) -> Row {
    let finding = reconciliation.findings[index]
    let source = finding.sources.first
    return Row(
      cells: [
        .text(finding.code.rawValue), .words(finding.severity.wording),
        .text(ifAny: finding.storefront?.code), .text(ifAny: finding.currency?.code),
        .day(ifAny: finding.date), .text(ifAny: finding.sku), .integer(ifAny: finding.units),
        .money(ifAny: finding.amount, finding.currency),
        .link(ifAny: evidencePlace(ofFinding: index)), .words(finding.explanation),
        .words(finding.action),
      ] + workCells(of: finding) + [
        .ordinal(Int64(finding.code.level)), list(finding.orderIDs, shown: Self.shownIDs),
        list(finding.transactionIDs, shown: Self.shownIDs), file(of: source), line(of: source),
        .text(finding.id),
      ],
      tints: [Row.Tint(column: 1, meaning: .severity(finding.severity))])
  }

  /// Per currency, its findings' units and amounts.
  private func mismatchTotals() -> [Row] {
    var sums: [Currency: (findings: Int64, units: Int64, amount: Int64)] = [:]
    for finding in reconciliation.findings {
      guard let currency = finding.currency else { continue }
      sums[currency, default: (0, 0, 0)].findings += 1
      sums[currency, default: (0, 0, 0)].units += finding.units ?? 0
      sums[currency, default: (0, 0, 0)].amount += finding.amount ?? 0
    }
    return sums.sorted { $0.key < $1.key }.map { currency, sum in
      func total(_ column: Int) -> String {
        mismatches.sum { "SUMIFS(\($0(column)),\($0(3)),\"\(currency)\")" }
      }
      return Row(
        cells: [
          .words("total"), .blank, .blank, .text(currency.code), .blank, .blank,
          .formula(total(6), .integer(sum.units)),
          .formula(total(7), .money(sum.amount, currency)),
        ] + Array(repeating: .blank, count: 3), style: .total)
    }
  }

  /// Ids of a cell; `explain` tells all of them.
  private static let shownIDs = 3

  /// A source's file by a name as short as tells it from the others; Inputs has all of it.
  func file(of source: Source?) -> Cell {
    .text(ifAny: source.map { fileNames[$0.file] ?? $0.file })
  }
}

/// A source's line; files that are evidence as a whole have none.
func line(of source: Source?) -> Cell {
  guard let source, source.line > 0 else { return .blank }
  return .ordinal(Int64(source.line))
}
