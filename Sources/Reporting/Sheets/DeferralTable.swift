import Billing
import Matching

extension WorkbookContents {
  /// Below the subscriptions: what is paid for and not yet delivered, by product and currency, and
  /// when it will be.
  ///
  /// - Parameter first: the number of the sheet's row that the table begins in.
  func deferralTable(from first: Int) -> [Row] {
    let lines = reconciliation.deferral
    guard !lines.isEmpty else { return [] }
    var rows = [
      Row(cells: []), Row(cells: [.words("Deferred revenue")], style: .section),
      Row.tableHeader(
        ["sku", "kind", "", "currency"],
        numbers: ["at the start", "sold", "delivered", "refunded", "at the end"]),
    ]
    let body = first + rows.count
    rows += lines.enumerated().map { deferralRow($1, at: body + $0) }
    rows += deferralTotals(lines, body, from: first + rows.count)
    return rows + monthsAhead(from: first + rows.count)
  }

  private func deferralRow(_ line: DeferralLine, at row: Int) -> Row {
    func money(_ amount: Int64) -> Cell { .money(amount, line.currency) }
    return Row(cells: [
      .text(line.sku), .words(line.kind.wording), .blank,
      .text(line.currency.code), money(line.start), money(line.added), money(line.recognised),
      money(line.released), .formula("E\(row)+F\(row)-G\(row)-H\(row)", money(line.end)),
    ])
  }

  private func deferralTotals(_ lines: [DeferralLine], _ body: Int, from first: Int) -> [Row] {
    Set(lines.map(\.currency)).sorted().enumerated().map { index, currency in
      let own = lines.filter { $0.currency == currency }
      func sum(_ letter: String, _ part: (DeferralLine) -> Int64) -> Cell {
        .formula(
          sumOfCurrency(letter, body...(body + lines.count - 1), row: first + index),
          .money(own.reduce(0) { $0 + part($1) }, currency))
      }
      return Row(
        cells: [
          .words("total"), .blank, .blank, .text(currency.code), sum("E", \.start),
          sum("F", \.added), sum("G", \.recognised), sum("H", \.released), sum("I", \.end),
        ], style: .total)
    }
  }

  private func monthsAhead(from first: Int) -> [Row] {
    struct Key: Hashable {
      var currency: Currency
      var month: Day
    }
    var sums: [Key: (name: String, amount: Int64)] = [:]
    for line in reconciliation.deferral {
      for month in line.ahead {
        sums[Key(currency: line.currency, month: month.first), default: (month.name, 0)].amount +=
          month.amount
      }
    }
    guard !sums.isEmpty else { return [] }
    let sorted = sums.sorted { ($0.key.currency, $0.key.month) < ($1.key.currency, $1.key.month) }
    var rows = [
      Row(cells: []), Row(cells: [.words("Delivered in the months ahead")], style: .section),
      Row.tableHeader(["month", "", "", "currency"], numbers: ["amount"]),
    ]
    let body = first + rows.count
    rows += sorted.map { key, month in
      Row(cells: [
        .text(month.name), .blank, .blank, .text(key.currency.code),
        .money(month.amount, key.currency),
      ])
    }
    let last = first + rows.count - 1
    for currency in Set(sums.keys.map(\.currency)).sorted() {
      let own = sorted.filter { $0.key.currency == currency }
      rows.append(
        Row(
          cells: [
            .words("total"), .blank, .blank, .text(currency.code),
            .formula(
              sumOfCurrency("E", body...last, row: first + rows.count),
              .money(own.reduce(0) { $0 + $1.value.amount }, currency)),
          ], style: .total))
    }
    return rows
  }

  /// Adds up the rows of a column whose currency, in column D, is that of `row`.
  private func sumOfCurrency(_ letter: String, _ rows: ClosedRange<Int>, row: Int) -> String {
    let (top, bottom) = (rows.lowerBound, rows.upperBound)
    return "SUMIFS(\(letter)$\(top):\(letter)$\(bottom),D$\(top):D$\(bottom),D\(row))"
  }
}
