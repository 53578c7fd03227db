import Billing
import Languages
import Matching

extension WorkbookContents {
  /// What Apple's rows of the period add up to, per storefront and currency.
  func proceedsSheet() -> Sheet? {
    let lines = reconciliation.proceeds
    guard !lines.isEmpty else { return nil }
    let totals = proceedsTotals()
    return Sheet(
      name: proceedsSheetName,
      columns: [
        .text("storefront", 6...40), .text("currency"), .text("proceeds currency", 8...20),
        .number("units sold"), .number("units refunded"), .number("gross"), .number("tax"),
        .number("commission"), .number("proceeds"), .number("deduction"), .number("rate"),
        .number("proceeds, \(reconciliation.baseCurrency)"),
      ],
      rows: Rows(lines.map(row(of:))),
      totals: totals + productTables(from: lines.count + 3 + totals.count), frozenColumns: 1)
  }

  var proceedsSheetName: String { say("Proceeds by country") }

  /// Where the total of all proceeds in base currency stands; nil without one.
  var proceedsInBaseReference: String? {
    guard reconciliation.proceedsInBase != nil else { return nil }
    let row = 2 + reconciliation.proceeds.count + 1 + proceedsCurrencies.count
    return "\(quoted(sheet: proceedsSheetName))!$L$\(row)"
  }

  private var proceedsCurrencies: [Currency] {
    let lines = reconciliation.proceeds
    return Set(lines.map(\.currency)).union(lines.map(\.proceedsCurrency)).sorted()
  }

  private func row(of line: ProceedsLine) -> Row {
    Row(cells: [
      .text(line.storefront.code), .text(line.currency.code), .text(line.proceedsCurrency.code),
      .integer(line.unitsSold), .integer(line.unitsRefunded), .money(line.gross, line.currency),
      .money(line.tax, line.currency), .money(ifAny: line.commission, line.currency),
      .money(line.proceeds, line.proceedsCurrency), .ratio(ifAny: line.deduction),
      line.rate.map(Cell.rate) ?? .blank,
      .money(ifAny: line.proceedsBase, reconciliation.baseCurrency),
    ])
  }

  /// One row per currency: units, gross, tax and commission of what customers paid in it,
  /// proceeds of what Apple pays in it. Then all units, and all proceeds in base currency.
  private func proceedsTotals() -> [Row] {
    let lines = reconciliation.proceeds
    let firstTotalRow = 2 + lines.count + 1
    var rows = proceedsCurrencies.enumerated().map { index, currency in
      totalRow(of: currency, row: firstTotalRow + index)
    }
    func subtotal(_ letter: String) -> String {
      "SUBTOTAL(109,\(letter)2:\(letter)\(lines.count + 1))"
    }
    let inBase = reconciliation.proceedsInBase.map {
      Cell.formula(subtotal("L"), .money($0, reconciliation.baseCurrency))
    }
    rows.append(
      Row(
        cells: [
          .words("all"), .blank, .blank,
          .formula(subtotal("D"), .integer(lines.reduce(0) { $0 + $1.unitsSold })),
          .formula(subtotal("E"), .integer(lines.reduce(0) { $0 + $1.unitsRefunded })),
          .blank, .blank, .blank, .blank, .blank, .blank, inBase ?? .blank,
        ], style: .total))
    return rows
  }

  private func totalRow(of currency: Currency, row: Int) -> Row {
    let paid = reconciliation.proceeds.filter { $0.currency == currency }
    let settled = reconciliation.proceeds.filter { $0.proceedsCurrency == currency }
    let last = reconciliation.proceeds.count + 1
    func sum(_ letter: String, where criterion: String) -> String {
      "SUMIFS(\(letter)$2:\(letter)$\(last),\(criterion)$2:\(criterion)$\(last),\(criterion)\(row))"
    }
    func money(_ letter: String, where criterion: String, _ values: [Int64?], _ unit: Currency)
      -> Cell
    {
      let known = values.compactMap(\.self)
      if known.isEmpty { return .blank }
      return .formula(sum(letter, where: criterion), .money(known.reduce(0, +), unit))
    }
    func units(_ letter: String, _ values: [Int64]) -> Cell {
      values.isEmpty
        ? .blank : .formula(sum(letter, where: "B"), .integer(values.reduce(0, +)))
    }
    return Row(
      cells: [
        .words("total"), paid.isEmpty ? .blank : .text(currency.code),
        settled.isEmpty ? .blank : .text(currency.code),
        units("D", paid.map(\.unitsSold)), units("E", paid.map(\.unitsRefunded)),
        money("F", where: "B", paid.map(\.gross), currency),
        money("G", where: "B", paid.map(\.tax), currency),
        money("H", where: "B", paid.map(\.commission), currency),
        money("I", where: "C", settled.map(\.proceeds), currency), .blank, .blank,
        money("L", where: "C", settled.map(\.proceedsBase), reconciliation.baseCurrency),
      ], style: .total)
  }

  /// What the sheet's columns add up to is what the reconciliation says, cell for cell.
  /// - Precondition: it is; anything else is an error of the program.
  func check(_ sheet: Sheet, against lines: [ProceedsLine]) {
    precondition(sheet.rows.count == lines.count)
    let columns: [(Int, (ProceedsLine) -> Money?)] = [
      (5, { Money(micros: $0.gross, $0.currency) }),
      (6, { Money(micros: $0.tax, $0.currency) }),
      (7, { line in line.commission.map { Money(micros: $0, line.currency) } }),
      (8, { Money(micros: $0.proceeds, $0.proceedsCurrency) }),
    ]
    for (column, amount) in columns {
      var expected: [Currency: Int64] = [:]
      for money in lines.compactMap(amount) { expected[money.currency, default: 0] += money.micros }
      var written: [Currency: Int64] = [:]
      for row in 0..<sheet.rows.count {
        guard case .money(let micros, let currency) = sheet.rows[row].cells[column] else {
          continue
        }
        written[currency, default: 0] += micros
      }
      precondition(written == expected, "a column of the sheet is not what was reconciled")
      for total in sheet.totals.prefix(proceedsCurrencies.count) {
        guard case .formula(_, .money(let micros, let currency)) = total.cells[column] else {
          continue
        }
        precondition(expected[currency] == micros, "a total is not the sum of its column")
      }
    }
  }
}
