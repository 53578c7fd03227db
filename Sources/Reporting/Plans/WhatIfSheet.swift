import Billing
import Languages
package import Pricing

/// Saves the answer as a workbook whose figures are formulas over its own cells. The same answer
/// gives the same bytes.
/// - Throws: `OutputError` where the file or a temporary file cannot be written.
package func writeWorkbook(_ plan: WhatIf, to path: String) throws(OutputError) {
  try write(
    [WhatIfSheet(plan).sheet()], titled: say("@plan.what-if-2 \(plan.day)"), made: plan.day,
    to: path,
    limits: .excel)
}

/// The sheet of changes: their values and effects at the top, below them what is sold, with a
/// column per change.
struct WhatIfSheet {
  let plan: WhatIf
  private var rows = PlacedRows()
  private var places = BlockPlaces<Block>()

  /// What formulas point at: things as they are, the changes by their size, and all together; what
  /// is sold; the tiers.
  private enum Block { case outcomes, sold, choices }

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

  /// Rows that are left free for the chart.
  private var chartRows: Int { 2 * plan.changes.count + 8 }

  /// The cell with the value of a change, by its index in the plan, as formulas write it. The rows
  /// of changes are below that of things as they are.
  private func valueCell(_ index: Int) -> String {
    let row = places[.outcomes].row(of: 1 + plan.ranking.firstIndex(of: index)!)
    return "$\(OutcomeColumn.value.letter)$\(row)"
  }

  /// The letters of the column with the proceeds of an outcome: 0 is as they are, then one per
  /// change, then all together.
  private func letter(ofOutcome outcome: Int) -> String {
    columnLetters(Column.allCases.count + outcome)
  }

  /// The sheet with its formulas, and the chart of effects.
  func sheet() -> Sheet {
    let maker = BlockPlaces.settled(self, \.places) { maker in
      maker.addHead()
      maker.addOutcomes()
      maker.rows.fill(before: maker.rows.next + chartRows)
      maker.addSold()
      maker.addChoices()
      for note in plan.notes { maker.rows.add([.words(note)]) }
    }
    let widths =
      [40, 30] + Array(repeating: 14, count: Column.allCases.count - 1)
      + plan.changes.map { max(14, min(displayWidth(say($0.name)) + 4, 40)) } + [14]
    return Sheet(
      name: say("@plan.what-if"), columns: widths.map { ColumnHead(title: "", width: $0...$0) },
      rows: Rows(maker.rows.rows), hasHeader: false, frozenRows: 0, charts: [maker.chart()])
  }

  /// Adds the titles above the changes.
  private mutating func addHead() {
    let volumes: Wording =
      plan.period.map { "@plan.volumes-2 \($0)" } ?? "@plan.one-unit-of-each-product"
    rows.add([.words("@plan.what-if-3 \(plan.day)")], .title)
    rows.add([.words("@plan.by-the-rules \(volumes) \(plan.baseCurrency)")], .subtitle)
    rows.add()
    rows.add([.words("@plan.change-a-value-here")], .section)
    rows.add(
      .tableHeader(
        ["@shared.change"],
        numbers: [
          "@shared.value", "@shared.proceeds", "@plan.effect", "@shared.in", "@plan.net-per-1-000",
          "@shared.in",
        ]))
  }

  /// Adds what is sold, a row per product and storefront, with proceeds under each outcome.
  private mutating func addSold() {
    rows.add([.words("@plan.what-is-sold-and-what")], .section)
    rows.add(listHeader())
    places.note(.sold, at: rows.next, count: plan.rows.count)
    for row in plan.rows { rows.add(cells(of: row, number: rows.next)) }
  }

  /// Adds a row for things as they are, one for each change by the size of its effect, and one for
  /// all together.
  private mutating func addOutcomes() {
    let ranked = plan.ranking.map {
      (plan.changes[$0].name, valueCell(of: plan.changes[$0]), $0 + 1)
    }
    let all: [(Wording, Cell, Int)] =
      [("@plan.as-it-is", Cell.blank, 0)] + ranked
      + [("@plan.all-together", Cell.blank, plan.changes.count + 1)]
    places.note(.outcomes, at: rows.next, count: all.count)
    for line in all {
      let sum =
        line.2 == 0
        ? plan.before : line.2 <= plan.changes.count ? plan.alone[line.2 - 1] : plan.together
      rows.add(
        [.words(line.0), line.1] + outcomeCells(sum, letter(ofOutcome: line.2), rows.next))
    }
  }

  /// The cell with the value that a change sets.
  private func valueCell(of change: WhatIf.Change) -> Cell {
    switch change.kind {
    case .commission(let value, _), .afterOneYear(let value), .tax(let value, _),
      .worthShift(let value, _):
      .ratio(value)
    case .worth(let rate, _): .quoted(rate)
    case .tier(_, let tier): .text(tierName(tier))
    }
  }

  /// The cells of an outcome after its value: proceeds, effect and what 1,000 coins net, with
  /// shares.
  ///
  /// - Parameters:
  ///   - letter: of its column in the rows of what is sold.
  ///   - row: the number of its own row.
  private func outcomeCells(_ sum: WhatIf.Sum, _ letter: String, _ row: Int) -> [Cell] {
    let base = plan.baseCurrency
    let (first, sold) = (places[.outcomes].firstRow, places[.sold])
    /// The row's cell in a column.
    func at(_ column: OutcomeColumn) -> String { "\(column.letter)\(row)" }
    /// The cell in a column for things as they are.
    func before(_ column: OutcomeColumn) -> String { "\(column.letter)$\(first)" }
    /// The cells of a column of what is sold.
    func cells(_ letter: String) -> String {
      "\(letter)$\(sold.firstRow):\(letter)$\(sold.lastRow)"
    }
    let (range, coins) = (cells(letter), cells(Column.coins.letter))
    var outcome: [Cell] = [.formula("SUM(\(range))", .money(sum.proceeds, base))]
    let isBefore = row == first
    outcome +=
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
      return outcome
    }
    outcome.append(
      .formula(
        "1000*SUMIF(\(coins),\">0\",\(range))/SUM(\(coins))", .quotient(net, places: 4)))
    if !isBefore, netBefore != .zero {
      outcome.append(.formula("\(at(.net))/\(before(.net))-1", .share(net / netBefore - .one)))
    }
    return outcome
  }

  /// The titles of the columns of what is sold.
  private func listHeader() -> Row {
    .tableHeader(
      ["@shared.storefront", "@shared.product", "@shared.currency"],
      numbers: [
        "@shared.units", "@plan.after-a-year", "@shared.coins", "@shared.price", "@shared.tax",
        "@plan.deducted", "@shared.commission", "@plan.after-a-year",
        "@plan.worth", "@plan.as-it-is",
      ] + plan.changes.map(\.name) + ["@plan.all-together"]
        + moves.flatMap { _ -> [Wording] in ["@plan.tier-price", "@plan.tier-proceeds"] })
  }

  /// The indices of the changes that move a product to another tier.
  private var moves: [Int] { plan.changes.indices.filter { plan.changes[$0].isTier } }

  /// The cells in a row with the price of the tier that a change moves its product to, and with
  /// what the list says of proceeds; empty where there is no such tier.
  ///
  /// - Parameter change: its index, one of ``moves``.
  private func moved(by change: Int, _ row: Int) -> (price: String, listed: String) {
    let first = Column.allCases.count + plan.changes.count + 2 + 2 * moves.firstIndex(of: change)!
    return ("$\(columnLetters(first))\(row)", "$\(columnLetters(first + 1))\(row)")
  }

  /// Columns of the tiers that can be named, in their order.
  private enum ChoiceColumn: Int, SheetColumn {
    case storefront, tier, currency, price, listed, key
  }

  /// Adds the tiers that a moved product could have, below what is sold; nothing without any.
  private mutating func addChoices() {
    guard !plan.tierChoices.isEmpty else { return }
    rows.add([.words("@plan.tiers-that-can-be-named")], .section)
    rows.add(
      .tableHeader(
        ["@shared.storefront", "@shared.tier", "@shared.currency"],
        numbers: ["@shared.price", "@plan.proceeds-at-30", "@plan.key"]))
    places.note(.choices, at: rows.next, count: plan.tierChoices.count)
    for choice in plan.tierChoices {
      rows.add([
        .text(choice.storefront.code), .text(choice.tier), .text(choice.price.currency.code),
        .money(choice.price), .money(ifAny: choice.listed, choice.price.currency),
        .text(choice.key),
      ])
    }
  }

  /// The cells of a column of the tiers that can be named.
  private func choices(_ column: ChoiceColumn) -> String {
    let (letter, block) = (column.letter, places[.choices])
    return "$\(letter)$\(block.firstRow):$\(letter)$\(block.lastRow)"
  }

  /// Two cells for each change of tier: the price of the tier that a row's product is moved to, and
  /// the proceeds that the tier list has for it; blank where the change does not move it.
  private func movedCells(of row: WhatIf.Row) -> [Cell] {
    moves.flatMap { change -> [Cell] in
      guard case .tier(_, let tier) = plan.changes[change].kind, row.moves.contains(change),
        !plan.tierChoices.isEmpty
      else { return [.blank, .blank] }
      let name = "\"\(row.storefront.code) \(row.table.rawValue) \"&\(valueCell(change))"
      let own = plan.tierChoices.first {
        $0.storefront == row.storefront && $0.table == row.table && $0.tier == tierName(tier)
      }
      let currency = row.before.plain.currency
      /// The formula that takes a column's value from the tier whose key is `name`, below in the
      /// sheet.
      func look(_ column: ChoiceColumn) -> String {
        "INDEX(\(choices(column)),MATCH(\(name),\(choices(.key)),0))"
      }
      let isMissing = "COUNTIF(\(choices(.key)),\(name))=0"
      let listed = look(.listed)
      return [
        .formula(
          "IF(\(isMissing),\"\",\(look(.price)))",
          own.map { .money($0.price) } ?? .text("")),
        .formula(
          "IF(\(isMissing),\"\",IF(\(listed)=\"\",\"\",\(listed)))",
          own?.listed.map { .money($0, currency) } ?? .text("")),
      ]
    }
  }

  /// The cells of a row of what is sold: its figures, then proceeds under each outcome.
  ///
  /// - Parameter number: of the row in the sheet.
  private func cells(of row: WhatIf.Row, number: Int) -> [Cell] {
    let plain = row.before.plain
    // Which of the tiers that a product is moved to counts, the last one first.
    let own = plan.tierChoices.isEmpty ? [] : Array(row.moves.reversed())
    let alone = zip(row.alone, plan.changes.indices).map { terms, change in
      (terms, own.filter { $0 == change })
    }
    let all = [(row.before, [])] + alone + [(row.together, own)]
    return [
      .text(row.storefront.code), .text(ifAny: row.sku), .text(plain.currency.code),
      .integer(row.units), .integer(row.reducedUnits),
      row.coins.map { .integer($0.multipliedExactly(by: row.units)) } ?? .blank,
      .money(plain.price, plain.currency), .ratio(plain.inside), .ratio(plain.deducted),
      .ratio(plain.commission), .ratio(ifAny: row.before.reduced?.commission),
      .quoted(row.worth),
    ]
      + all.map { terms, moves in
        .formula(
          formula(terms, before: row.before, moves, number),
          .money(terms.proceeds(of: row.units), plan.baseCurrency))
      } + movedCells(of: row)
  }

  /// The tornado chart: the effects by their size, the largest at the top.
  private func chart() -> Chart {
    let outcomes = places[.outcomes]
    let first = outcomes.row(of: 1)
    let colours = plan.ranking.map { index in
      plan.effect(plan.alone[index]) < 0
        ? CauseFamily.proceeds.colour : CauseFamily.commission.colour
    }
    return Chart(
      title: say("@plan.effect-on-proceeds-each-change \(plan.baseCurrency)"), isStacked: false,
      isHorizontal: true, categories: OutcomeColumn.change.rawValue,
      rows: first...(first + plan.changes.count - 1),
      series: [
        Chart.Series(
          name: say("@plan.effect"), column: OutcomeColumn.effect.rawValue, colours: colours)
      ], column: 0,
      row: outcomes.lastRow + 1, width: 820, height: (chartRows - 2) * 20)
  }
}

extension WhatIfSheet {
  /// The formula of the proceeds of all units under some terms, from the row's own cells and the
  /// changes' values.
  ///
  /// - Parameters:
  ///   - before: the terms as they are.
  ///   - moves: the changes of its tier, of which the first counts that has a price here.
  ///   - row: the number of the row in the sheet.
  private func formula(
    _ terms: WhatIf.Terms, before: WhatIf.Terms, _ moves: [Int], _ row: Int
  ) -> String {
    /// The row's cell in a column.
    func at(_ column: Column) -> String { "$\(column.letter)\(row)" }
    let origins = terms.origins
    let commission = origins.commission.map(valueCell) ?? at(.commission)
    let plain = unitFormula(
      terms.plain, origins, before: before.plain, commission: commission, moves, row)
    var unit = plain
    if let reduced = terms.reduced {
      let lower =
        origins.commission.map { "MIN(\(valueCell($0)),\(at(.reducedCommission)))" }
        ?? at(.reducedCommission)
      let share =
        origins.share.map(valueCell) ?? "\(at(.reducedUnits))/\(at(.units))"
      let second = unitFormula(
        reduced, origins, before: before.reduced, commission: lower, moves, row)
      unit = "((1-\(share))*\(plain)+\(share)*\(second))"
    }
    return "ROUND(\(at(.units))*\(unit)*\(worth(origins, at(.worth))),6)"
  }

  /// The formula's part with what the price's money is worth in base currency: the row's cell, or
  /// as a change sets or shifts it.
  ///
  /// - Parameter own: the row's cell.
  private func worth(_ origins: WhatIf.Origins, _ own: String) -> String {
    guard let index = origins.worth else { return own }
    if case .worthShift = plan.changes[index].kind {
      return "\(own)*(1+\(valueCell(index)))"
    }
    return valueCell(index)
  }

  /// The formula of one unit's proceeds under terms that some changes have made.
  ///
  /// - Parameters:
  ///   - origins: which change each figure of the terms comes from.
  ///   - before: the terms as they are; nil where the product has none at this commission.
  ///   - commission: the cell or formula with it.
  ///   - moves: the changes of its tier, of which the first counts that has a price here.
  ///   - row: the number of the row in the sheet.
  private func unitFormula(
    _ terms: ProceedsTerms, _ origins: WhatIf.Origins, before: ProceedsTerms?,
    commission: String, _ moves: [Int], _ row: Int
  ) -> String {
    let changedTax = origins.tax.map(valueCell)
    let tax =
      changedTax
      ?? terms.taxFormula(commission: commission).map { "(\($0))" } ?? "$\(Column.tax.letter)\(row)"
    let places = ProceedsPlaces(
      price: "$\(Column.price.letter)\(row)", tax: tax,
      deducted: changedTax == nil ? "$\(Column.deducted.letter)\(row)" : "0",
      commission: commission)
    var own = terms
    // Where it is moved to no tier that is there, the tier that it had counts.
    if origins.price != nil { own.tierProceeds = changedTax == nil ? before?.tierProceeds : nil }
    var formula = own.proceedsFormula(places)
    for move in moves.reversed() {
      let cells = moved(by: move, row)
      var there = places
      there.price = cells.price
      var plain = terms
      plain.tierProceeds = nil
      let rule = plain.proceedsFormula(there)
      let listed =
        changedTax == nil
        ? "IF(AND(\(commission)=0.3,\(cells.listed)<>\"\"),\(cells.listed),\(rule))" : rule
      formula = "IF(\(cells.price)=\"\",\(formula),\(listed))"
    }
    return formula
  }
}

extension WhatIf.TierChoice {
  /// The text by which the cells of a moved product find the tier: storefront, table and tier.
  fileprivate var key: String { "\(storefront.code) \(table.rawValue) \(tier)" }
}
