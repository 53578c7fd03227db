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
        Column(.text("@shared.currency")) { .text(ifAny: $0.currency?.code) },
        Column("rate", .number("@shared.rate")) { $0.rate },
        Column("amount", .number("@shared.amount")) { $0.amount },
        Column("base", .number("@shared.in-2 \(base)")) { $0.base },
      ], style: { $0.isTotal ? .total : .body })
  }
}

extension WorkbookContents {
  /// Below the settlement: how what Apple owes came about, currency by currency, and what it is
  /// worth in base currency.
  func addReceivableTable(to below: inout PlacedRows) {
    let lines = reconciliation.receivable
    guard !lines.isEmpty else { return }
    let unit = reconciliation.baseCurrency
    let list = List.receivable(inBase: unit)
    below.addTable("@shared.what-apple-owes", [], of: list)
    var closings: [String] = []
    for line in lines {
      add(line, in: list, to: &below)
      closings.append("\(list.letter("base"))\(below.last)")
    }
    let inBase = lines.compactMap { $0.base?.closing }
    guard inBase.count == lines.count else { return }
    let all = Cell.formula(closings.joined(separator: "+"), .money(inBase.sum(in: unit, \.self)))
    below.add([ListedAmount(name: "@shared.all", base: all, isTotal: true)], of: list)
  }

  /// The movements that there were, one below the other, and what they come to.
  private func add(
    _ line: ReceivableLine, in list: List<ListedAmount>, to below: inout PlacedRows
  ) {
    let (own, base) = (line.own, line.base)
    let parts: [(Wording, Money, Money?)] = [
      ("@shared.opening", own.opening, base?.opening),
      ("@shared.proceeds-of-the-period", own.proceeds, base?.proceeds),
      ("@shared.settlement-difference", own.settlementDifference, base?.settlementDifference),
      ("@shared.payment-difference", own.paymentDifference, base?.paymentDifference),
      ("@shared.adjustment", own.adjustment, base?.adjustment),
      ("@shared.input-tax", own.inputTax, base?.inputTax),
      ("@shared.withholding", own.withholding, base?.withholding),
      ("@shared.paid-by-apple", -own.paid, base.map { -$0.paid }),
    ]
    let moved = parts.filter {
      $0.0 == "@shared.opening" || !$0.1.isZero || !($0.2?.isZero ?? true)
    }.map {
      ListedAmount(
        name: $0, currency: line.currency, amount: .money($1), base: .money(ifAny: $2))
    }
    let body = below.add(moved, of: list)
    func sum(_ column: String) -> String {
      let letter = list.letter(column)
      return "SUM(\(letter)\(body.rows.lowerBound):\(letter)\(body.rows.upperBound))"
    }
    let ending = ListBody.table(from: below.next, count: base == nil ? 1 : 2)
    var last = [closing(line, amount: sum("amount"))]
    if let base {
      let closing = "\(list.letter("base"))\(ending.rows.upperBound)"
      last.insert(
        ListedAmount(
          name: "@shared.exchange", currency: line.currency,
          base: .formula("\(closing)-\(sum("base"))", .money(base.exchange))), at: 0)
    }
    below.add(last, of: list)
  }

  /// - Parameter amount: the formula of what the movements come to.
  private func closing(_ line: ReceivableLine, amount: String) -> ListedAmount {
    let unit = reconciliation.baseCurrency
    let inBase = line.currency == unit ? "{amount}" : "ROUND({amount}*{rate},\(unit.minorDigits))"
    return ListedAmount(
      name: "@shared.closing", currency: line.currency,
      rate: line.rate.map { .quoted($0) } ?? .words("@shared.no-rate"),
      amount: .formula(amount, .money(line.own.closing)),
      base: line.base.map { base in
        line.rate == nil ? .money(base.closing) : .formula(inBase, .money(base.closing))
      } ?? .blank, isTotal: true)
  }
}
