import Billing
import Languages
import Matching

extension WorkbookContents {
  /// Level 3, per storefront and currency: from what Apple reported as sold to what it settled.
  func settlementSheet() -> Sheet? {
    guard let lines = reconciliation.settlement?.lines, !lines.isEmpty else { return nil }
    let totals = settlementTotals(lines)
    return Sheet(
      name: say("Settlement"),
      columns: [
        .text("region", 8...10), .text("storefront"), .text("currency"), .number("units settled"),
        .number("reported proceeds"), .number("carried in"), .number("carried out"),
        .number("difference"), .number("settled"), .number("unexplained"),
      ],
      rows: Rows(lines.enumerated().map { settlementRow($1, row: $0 + 2) }),
      totals: totals + receivableTable(from: lines.count + 3 + totals.count), frozenColumns: 2)
  }

  private func settlementRow(_ line: SettlementLine, row: Int) -> Row {
    let named = line.reported + line.carryIn + line.carryOut + line.difference
    return Row(cells: [
      .text(line.region), .text(line.storefront.code), .text(line.currency.code),
      .integer(line.units), .money(line.reported, line.currency),
      .money(line.carryIn, line.currency), .money(line.carryOut, line.currency),
      .money(line.difference, line.currency), .money(line.settled, line.currency),
      .formula("I\(row)-SUM(E\(row):H\(row))", .money(line.settled - named, line.currency)),
    ])
  }

  private func settlementTotals(_ lines: [SettlementLine]) -> [Row] {
    Set(lines.map(\.currency)).sorted().enumerated().map { index, currency in
      let row = lines.count + 3 + index
      let own = lines.filter { $0.currency == currency }
      func sum(_ letter: String, _ part: (SettlementLine) -> Int64) -> Cell {
        .formula(
          currencySum(letter, rows: lines.count, row: row),
          .money(own.reduce(0) { $0 + part($1) }, currency))
      }
      return Row(
        cells: [
          .words("total"), .blank, .text(currency.code), .blank, sum("E", \.reported),
          sum("F", \.carryIn), sum("G", \.carryOut), sum("H", \.difference),
          sum("I", \.settled),
          sum("J") { $0.settled - $0.reported - $0.carryIn - $0.carryOut - $0.difference },
        ], style: .total)
    }
  }

  /// Adds up the column's body where the currency, in column C, is that of `row`.
  func currencySum(_ letter: String, rows: Int, row: Int) -> String {
    "SUMIFS(\(letter)$2:\(letter)$\(rows + 1),C$2:C$\(rows + 1),C\(row))"
  }
}
