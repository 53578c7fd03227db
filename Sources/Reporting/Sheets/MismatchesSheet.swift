import Billing

extension Book {
  /// All findings, what matters first, each with a link to its evidence.
  func mismatchesSheet() -> Sheet? {
    guard !reconciliation.findings.isEmpty else { return nil }
    return Sheet(
      name: mismatches.name,
      columns: [
        .text("code"), .text("severity"), .number("level", 5...7), .text("storefront"),
        .text("currency"), .date("date"), .text("sku"), .number("units"), .number("amount"),
        .text("order ids", 9...18), .text("transaction ids", 9...18), .text("file", 6...40),
        .number("line"), .text("evidence"), .prose("explanation", 48), .prose("action", 32),
        .text("id", 6...20),
      ] + workColumns(),
      rows: Rows(count: reconciliation.findings.count) { row(ofFinding: $0) },
      totals: mismatchTotals(), frozenColumns: 1)
  }

  private func row(ofFinding index: Int) -> Row {
    let finding = reconciliation.findings[index]
    let source = finding.sources.first
    return Row(
      cells: [
        .text(finding.code.rawValue), .words(finding.severity.wording),
        .ordinal(Int64(finding.code.level)), .text(ifAny: finding.storefront?.code),
        .text(ifAny: finding.currency?.code), .day(ifAny: finding.date),
        .text(ifAny: finding.sku), .integer(ifAny: finding.units),
        .money(ifAny: finding.amount, finding.currency), list(finding.orderIDs),
        list(finding.transactionIDs), .text(ifAny: source?.file), line(of: source),
        .link(ifAny: evidencePlace(ofFinding: index)), .words(finding.explanation),
        .words(finding.action), .text(finding.id),
      ] + workCells(of: finding),
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
        mismatches.sum { "SUMIFS(\($0(column)),\($0(4)),\"\(currency)\")" }
      }
      return Row(
        cells: [
          .words("total"), .blank, .blank, .blank, .text(currency.code), .blank, .blank,
          .formula(total(7), .integer(sum.units)),
          .formula(total(8), .money(sum.amount, currency)),
        ] + Array(repeating: .blank, count: 8), style: .total)
    }
  }
}

/// A source's line; files that are evidence as a whole have none.
func line(of source: Source?) -> Cell {
  guard let source, source.line > 0 else { return .blank }
  return .ordinal(Int64(source.line))
}
