import Billing
import Languages
import Matching

extension WorkbookContents {
  /// What is behind many findings, the least likely by chance first, each with the way to its first
  /// finding.
  func patternsSheet() -> Sheet? {
    guard !reconciliation.patterns.isEmpty else { return nil }
    let rates = reconciliation.rates
    return Sheet(
      name: say("Patterns"),
      columns: [
        .prose("pattern", 52), .text("what is shared", 8...24), .text("which", 8...28),
        .prose("code", 24), .number("findings"), .number("of"), .number("share"),
        .number("of all business"), .text("chance below", 6...14), .number("units"),
        .text("currency", 6...12), .number("amount"),
        .number("in \(reconciliation.baseCurrency)"), .text("first finding"), .prose("action", 40),
        .text("finding ids", 6...24),
      ],
      rows: Rows(reconciliation.patterns.map { row(of: $0, rates) }), frozenColumns: 1,
      printedColumns: 15)
  }

  private func row(of pattern: Pattern, _ rates: [Currency: Int64]) -> Row {
    let single = pattern.amounts.count == 1 ? pattern.amounts.first : nil
    let codes = pattern.codes.map(\.rawValue).joined(separator: ", ")
    let severity = pattern.codes.map(\.severity).max() ?? .info
    return Row(
      cells: [
        .words(pattern.explanation), .words(pattern.dimension.wording), .text(pattern.place),
        .text(codes), .integer(Int64(pattern.count)), .integer(Int64(pattern.total)),
        .ratio(ifAny: ratio(Int64(pattern.count), of: Int64(pattern.total))),
        .ratio(pattern.baseShare), .text(pattern.chance), .integer(pattern.units),
        list(pattern.amounts.map(\.currency.code)),
        .money(ifAny: single?.micros, single?.currency),
        .money(ifAny: inBase(pattern.amounts, rates), reconciliation.baseCurrency),
        .link(ifAny: pattern.findingIDs.first.flatMap { findingPlace(id: $0) }),
        .words(pattern.advice), list(pattern.findingIDs),
      ],
      tints: [Row.Tint(column: 3, meaning: .severity(severity))])
  }

  /// Amounts in base currency, added up; nil where one of them has no rate.
  private func inBase(_ amounts: [Money], _ rates: [Currency: Int64]) -> Int64? {
    if amounts.isEmpty { return nil }
    var sum: Int64 = 0
    for amount in amounts {
      guard let rate = rates[amount.currency] else { return nil }
      sum += converted(amount.micros, at: rate, to: reconciliation.baseCurrency)
    }
    return sum
  }
}
