import Billing
import Languages
package import Pricing

/// Saves the answer as a workbook whose figures are formulas over its own cells. The same answer
/// gives the same bytes.
/// - Throws: `OutputError` where the file or a temporary file cannot be written.
package func writeWorkbook(_ plan: WhatIf, to path: String) throws(OutputError) {
  try write(
    [WhatIfSheet(plan).sheet()], titled: say("What if, \(plan.day)"), made: plan.day, to: path,
    limits: .excel)
}

/// The sheet of changes: their values and effects at the top, below them what is sold, with a
/// column per change.
struct WhatIfSheet {
  let plan: WhatIf
  /// The columns of what is sold, before the ones of proceeds.
  enum Column: Int, CaseIterable, SheetColumn {
    case storefront, product, currency, units, reducedUnits, coins, price, tax, deducted
    case commission, reducedCommission, worth
  }

  /// Columns of the changes and their effects, in their order.
  private enum OutcomeColumn: Int, SheetColumn {
    case change, value, proceeds, effect, share, net, netShare
  }

  init(_ plan: WhatIf) { self.plan = plan }

  /// Row numbers: things as they are, the changes by their size, and all together.
  static let firstOutcome = 6
  private var lastOutcome: Int { Self.firstOutcome + plan.changes.count + 1 }
  private var chartRows: Int { 2 * plan.changes.count + 8 }
  private var firstRow: Int { lastOutcome + chartRows + 3 }
  private var lastRow: Int { firstRow + plan.rows.count - 1 }

  /// The cell with a change's value.
  private func valueCell(_ index: Int) -> String {
    "$\(OutcomeColumn.value.letter)$\(Self.firstOutcome + 1 + plan.ranking.firstIndex(of: index)!)"
  }

  /// Where proceeds stand: as they are, then one column per change, then all together.
  private func letter(ofOutcome outcome: Int) -> String {
    columnLetters(Column.allCases.count + outcome)
  }

  func sheet() -> Sheet {
    var rows = headRows() + outcomeRows()
    while rows.count < firstRow - 3 { rows.append(Row(cells: [])) }
    rows.append(
      Row(cells: [.words("What is sold, and what each change would bring")], style: .section))
    rows.append(listHeader())
    precondition(rows.count == firstRow - 1, "formulas point at what is sold")
    for (index, row) in plan.rows.enumerated() {
      rows.append(Row(cells: cells(of: row, number: firstRow + index)))
    }
    for note in plan.notes { rows.append(Row(cells: [.words(note)])) }
    let widths =
      [40, 30] + Array(repeating: 14, count: Column.allCases.count - 1)
      + plan.changes.map { max(14, min(displayWidth(say($0.name)) + 4, 40)) } + [14]
    return Sheet(
      name: say("What if"), columns: widths.map { ColumnHead(title: "", width: $0...$0) },
      rows: Rows(rows), hasHeader: false, frozenRows: 0, charts: [chart()])
  }

  private func headRows() -> [Row] {
    let volumes: Wording = plan.period.map { "volumes of \($0)" } ?? "one unit of each product"
    return [
      Row(cells: [.words("What if, on \(plan.day)")], style: .title),
      Row(
        cells: [.words("\(volumes) · by the rules · in \(plan.baseCurrency)")], style: .subtitle),
      Row(cells: []),
      Row(
        cells: [
          .words(
            plan.changes.contains(where: \.isTier)
              ? "Change a number here, and everything below follows; for another tier ask again"
              : "Change a value here, and everything below follows")
        ], style: .section),
      .tableHeader(
        ["change"], numbers: ["value", "proceeds", "effect", "in %", "net of 1,000", "in %"]),
    ]
  }

  private func outcomeRows() -> [Row] {
    let ranked = plan.ranking.map {
      (plan.changes[$0].name, valueCell(of: plan.changes[$0]), $0 + 1)
    }
    let all: [(Wording, Cell, Int)] =
      [("as it is", Cell.blank, 0)] + ranked
      + [("all together", Cell.blank, plan.changes.count + 1)]
    return all.enumerated().map { offset, line in
      let sum =
        line.2 == 0
        ? plan.before : line.2 <= plan.changes.count ? plan.alone[line.2 - 1] : plan.together
      return Row(
        cells: [.words(line.0), line.1]
          + outcomeCells(sum, letter(ofOutcome: line.2), Self.firstOutcome + offset))
    }
  }

  private func valueCell(of change: WhatIf.Change) -> Cell {
    switch change.kind {
    case .commission(let value, _), .afterOneYear(let value), .tax(let value, _),
      .worthShift(let value, _):
      .ratio(value)
    case .worth(let micros, _): .rate(micros)
    case .tier(_, let tier): .words("tier \(tier)")
    }
  }

  private func outcomeCells(_ sum: WhatIf.Sum, _ letter: String, _ row: Int) -> [Cell] {
    let base = plan.baseCurrency
    let first = Self.firstOutcome
    func at(_ column: OutcomeColumn) -> String { "\(column.letter)\(row)" }
    func before(_ column: OutcomeColumn) -> String { "\(column.letter)$\(first)" }
    let range = "\(letter)$\(firstRow):\(letter)$\(lastRow)"
    let coins = "\(Column.coins.letter)$\(firstRow):\(Column.coins.letter)$\(lastRow)"
    var cells: [Cell] = [.formula("SUM(\(range))", .money(sum.proceeds, base))]
    let isBefore = row == first
    cells +=
      isBefore
      ? [.blank, .blank]
      : [
        .formula("\(at(.proceeds))-\(before(.proceeds))", .money(plan.effect(sum), base)),
        plan.before.proceeds == 0
          ? .blank
          : .formula(
            "\(at(.effect))/\(before(.proceeds))",
            .share(Fraction(Int128(plan.effect(sum)), over: Int128(plan.before.proceeds)))),
      ]
    guard let net = sum.netPerThousand, let netBefore = plan.before.netPerThousand else {
      return cells
    }
    cells.append(
      .formula(
        "1000*SUMIF(\(coins),\">0\",\(range))/SUM(\(coins))", .quotient(net, places: 4)))
    if !isBefore, netBefore != .zero {
      cells.append(.formula("\(at(.net))/\(before(.net))-1", .share(net / netBefore - .one)))
    }
    return cells
  }

  private func listHeader() -> Row {
    .tableHeader(
      ["storefront", "product", "currency"],
      numbers: [
        "units", "after a year", "coins", "price", "tax", "deducted", "commission", "after a year",
        "worth", "as it is",
      ] + plan.changes.map(\.name) + ["all together"])
  }

  private func cells(of row: WhatIf.Row, number: Int) -> [Cell] {
    let plain = row.before.plain
    let all = [row.before] + row.alone + [row.together]
    return [
      .text(row.storefront.code), .text(ifAny: row.sku), .text(plain.currency.code),
      .integer(row.units), .integer(row.reducedUnits),
      row.coins.map { .integer($0.multipliedExactly(by: row.units)) } ?? .blank,
      .money(plain.price, plain.currency), .ratio(plain.inside), .ratio(plain.deducted),
      .ratio(plain.commission), .ratio(ifAny: row.before.reduced?.commission),
      .rate(row.before.worth),
    ]
      + all.map { terms in
        .formula(
          formula(terms, number), .money(terms.proceeds(of: row.units), plan.baseCurrency))
      }
  }

  /// Tornado: the effects by their size, the largest at the top.
  private func chart() -> Chart {
    let first = Self.firstOutcome + 1
    let colours = plan.ranking.map { index in
      plan.effect(plan.alone[index]) < 0
        ? CauseFamily.proceeds.colour : CauseFamily.commission.colour
    }
    return Chart(
      title: say("Effect on proceeds, each change alone, \(plan.baseCurrency)"), isStacked: false,
      isHorizontal: true, categories: OutcomeColumn.change.rawValue,
      rows: first...(first + plan.changes.count - 1),
      series: [
        Chart.Series(
          name: say("effect"), column: OutcomeColumn.effect.rawValue, colours: colours)
      ], column: 0,
      row: lastOutcome + 1, width: 820, height: (chartRows - 2) * 20)
  }
}

extension WhatIfSheet {
  /// Proceeds of all units under some terms, from the row's own cells and the changes' values.
  private func formula(_ terms: WhatIf.Terms, _ row: Int) -> String {
    func at(_ column: Column) -> String { "$\(column.letter)\(row)" }
    let origins = terms.origins
    let commission = origins.commission.map(valueCell) ?? at(.commission)
    let plain = unitFormula(terms.plain, origins, commission: commission, row)
    var unit = plain
    if let reduced = terms.reduced {
      let lower =
        origins.commission.map { "MIN(\(valueCell($0)),\(at(.reducedCommission)))" }
        ?? at(.reducedCommission)
      let share =
        origins.share.map(valueCell) ?? "\(at(.reducedUnits))/\(at(.units))"
      let second = unitFormula(reduced, origins, commission: lower, row)
      unit = "((1-\(share))*\(plain)+\(share)*\(second))"
    }
    return "ROUND(\(at(.units))*\(unit)*\(worth(origins, at(.worth))),6)"
  }

  private func worth(_ origins: WhatIf.Origins, _ own: String) -> String {
    guard let index = origins.worth else { return own }
    if case .worthShift = plan.changes[index].kind {
      return "ROUND(\(own)*(1+\(valueCell(index))),6)"
    }
    return valueCell(index)
  }

  private func unitFormula(
    _ terms: ProceedsTerms, _ origins: WhatIf.Origins, commission: String, _ row: Int
  ) -> String {
    let changedTax = origins.tax.map(valueCell)
    let tax =
      changedTax
      ?? terms.taxFormula(commission: commission).map { "(\($0))" } ?? "$\(Column.tax.letter)\(row)"
    return terms.proceedsFormula(
      ProceedsPlaces(
        price: origins.price == nil
          ? "$\(Column.price.letter)\(row)" : decimalText(micros: terms.price), tax: tax,
        deducted: changedTax == nil ? "$\(Column.deducted.letter)\(row)" : "0",
        commission: commission))
  }
}
