import Billing
import Matching
import Languages

/// A movement of what Apple owes, or a total of them.
private struct ListedAmount {
  var name: Wording
  var currency: Currency?
  var rate: Cell = .blank
  var amount: Cell = .blank
  var base: Cell = .blank
  var isTotal = false
}

extension List<ListedAmount> {
  fileprivate static func receivable(inBase base: Currency) -> List {
    List(
      [
        Column(.text("")) { .words($0.name) },
        Column(.text("")) { _ in .blank },
        Column(.text("currency")) { .text(ifAny: $0.currency?.code) },
        Column("rate", .number("rate")) { $0.rate },
        Column("amount", .number("amount")) { $0.amount },
        Column("base", .number("in \(base)")) { $0.base },
      ], style: { $0.isTotal ? .total : .body })
  }
}

extension WorkbookContents {
  /// Below the settlement: how what Apple owes came about, currency by currency, and what it is
  /// worth in base currency.
  ///
  /// - Parameter first: the number of the sheet's row that the table begins in.
  func receivableTable(from first: Int) -> [Row] {
    let lines = reconciliation.receivable
    guard !lines.isEmpty else { return [] }
    let unit = reconciliation.baseCurrency
    let list = List.receivable(inBase: unit)
    // An empty row, a title and the columns' titles stand above.
    let body = first + 3
    var listed: [ListedAmount] = []
    var closings: [String] = []
    for line in lines {
      listed += movements(line, in: list, from: body + listed.count)
      closings.append("\(list.letter("base"))\(body + listed.count - 1)")
    }
    let inBase = lines.compactMap { $0.base?.closing }
    if inBase.count == lines.count {
      listed.append(
        ListedAmount(
          name: "all",
          base: .formula(closings.joined(separator: "+"), .money(inBase.sum(in: unit, \.self))),
          isTotal: true))
    }
    return list.table("What Apple owes", listed, from: first)
  }

  /// The movements that there were, one below the other, and what they come to.
  private func movements(
    _ line: ReceivableLine, in list: List<ListedAmount>, from first: Int
  ) -> [ListedAmount] {
    let (own, base) = (line.own, line.base)
    let parts: [(Wording, Money, Money?)] = [
      ("opening", own.opening, base?.opening),
      ("proceeds of the period", own.proceeds, base?.proceeds),
      ("settlement difference", own.settlementDifference, base?.settlementDifference),
      ("payment difference", own.paymentDifference, base?.paymentDifference),
      ("adjustment", own.adjustment, base?.adjustment),
      ("input tax", own.inputTax, base?.inputTax),
      ("withholding", own.withholding, base?.withholding),
      ("paid by Apple", -own.paid, base.map { -$0.paid }),
    ]
    let unit = reconciliation.baseCurrency
    var listed = parts.filter { $0.0 == "opening" || !$0.1.isZero || !($0.2?.isZero ?? true) }.map {
      ListedAmount(
        name: $0, currency: line.currency, amount: .money($1), base: .money(ifAny: $2))
    }
    let last = first + listed.count - 1
    func sum(_ column: String) -> String {
      "SUM(\(list.letter(column))\(first):\(list.letter(column))\(last))"
    }
    if let base {
      listed.append(
        ListedAmount(
          name: "exchange", currency: line.currency,
          base: .formula(
            "\(list.letter("base"))\(last + 2)-\(sum("base"))", .money(base.exchange))))
    }
    listed.append(
      ListedAmount(
        name: "closing", currency: line.currency,
        rate: line.rate.map(Cell.rate) ?? .words("no rate"),
        amount: .formula(sum("amount"), .money(own.closing)),
        base: base.map { base in
          line.rate == nil
            ? .money(base.closing)
            : .formula("ROUND({amount}*{rate},\(unit.minorDigits))", .money(base.closing))
        } ?? .blank, isTotal: true))
    return listed
  }
}
