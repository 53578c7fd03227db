import Billing
import Matching

extension WorkbookContents {
  /// Below the settlement: how what Apple owes came about, currency by currency, and what it is
  /// worth in base currency.
  ///
  /// - Parameter first: the number of the sheet's row that the table begins in.
  func receivableTable(from first: Int) -> [Row] {
    let lines = reconciliation.receivable
    guard !lines.isEmpty else { return [] }
    var rows = [
      Row(cells: []), Row(cells: [.words("What Apple owes")], style: .section),
      Row.tableHeader(
        ["", "", "currency"], numbers: ["rate", "amount", "in \(reconciliation.baseCurrency)"]),
    ]
    var closings: [Int] = []
    for line in lines {
      rows += receivableRows(line, from: first + rows.count)
      closings.append(first + rows.count - 1)
    }
    let inBase = lines.compactMap { $0.base?.closing }
    if inBase.count == lines.count {
      let sum = closings.map { "F\($0)" }.joined(separator: "+")
      rows.append(
        Row(
          cells: [
            .words("all"), .blank, .blank, .blank, .blank,
            .formula(sum, .money(inBase.reduce(0, +), reconciliation.baseCurrency)),
          ], style: .total))
    }
    return rows
  }

  /// The movements that there were, one below the other, and what they come to.
  private func receivableRows(_ line: ReceivableLine, from first: Int) -> [Row] {
    let (own, base) = (line.own, line.base)
    let parts: [(Wording, Int64, Int64?)] = [
      ("opening", own.opening, base?.opening), ("proceeds", own.proceeds, base?.proceeds),
      ("settlement difference", own.settlementDifference, base?.settlementDifference),
      ("payment difference", own.paymentDifference, base?.paymentDifference),
      ("adjustment", own.adjustment, base?.adjustment),
      ("input tax", own.inputTax, base?.inputTax),
      ("withholding", own.withholding, base?.withholding),
      ("paid", -own.paid, base.map { -$0.paid }),
    ]
    let shown = parts.filter { $0.0 == "opening" || $0.1 != 0 || $0.2 ?? 0 != 0 }
    let unit = reconciliation.baseCurrency
    var rows = shown.map { name, amount, inBase in
      Row(cells: [
        .words(name), .blank, .text(line.currency.code), .blank, .money(amount, line.currency),
        .money(ifAny: inBase, unit),
      ])
    }
    let last = first + rows.count - 1
    if let base {
      rows.append(
        Row(cells: [
          .words("exchange"), .blank, .text(line.currency.code), .blank, .blank,
          .formula("F\(last + 2)-SUM(F\(first):F\(last))", .money(base.exchange, unit)),
        ]))
    }
    let closing = first + rows.count
    rows.append(
      Row(
        cells: [
          .words("closing"), .blank, .text(line.currency.code),
          line.rate.map(Cell.rate) ?? .words("no rate"),
          .formula("SUM(E\(first):E\(last))", .money(own.closing, line.currency)),
          base.map {
            .formula("ROUND(E\(closing)*D\(closing),\(unit.minorDigits))", .money($0.closing, unit))
          } ?? .blank,
        ], style: .total))
    return rows
  }
}
