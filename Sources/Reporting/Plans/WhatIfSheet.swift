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
  private var lists: WhatIfLists

  init(_ plan: WhatIf) {
    self.plan = plan
    lists = WhatIfLists(plan)
  }

  /// Rows that are left free for the chart.
  private var chartRows: Int { 2 * plan.changes.count + 8 }

  /// The sheet with its formulas, and the chart of effects.
  func sheet() -> Sheet {
    let maker = BlockPlaces.settled(self, \.lists.places) { maker in
      maker.addHead()
      maker.add(
        [lists.before] + lists.alone + [lists.together], of: maker.lists.outcomes, .outcomes)
      maker.rows.fill(before: maker.rows.next + chartRows)
      maker.rows.add([.words("@plan.what-is-sold-and-what")], .section)
      maker.add(plan.rows, of: maker.lists.sold, .sold)
      if !plan.tierChoices.isEmpty {
        maker.rows.add([.words("@plan.tiers-that-can-be-named")], .section)
        maker.add(plan.tierChoices, of: lists.choices, .choices)
      }
      for note in plan.notes { maker.rows.add([.words(note)]) }
    }
    let widths =
      [40, 30] + Array(repeating: 14, count: lists.sold.index("outcome_0") - 1)
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
  }

  /// Adds the titles and lines of a list, and notes where these stand.
  private mutating func add<Line>(
    _ lines: [Line], of list: List<Line>, _ block: WhatIfLists.Block
  ) {
    rows.add(list.header)
    lists.places.note(block, at: rows.next, count: lines.count)
    rows.add(lines, of: list)
  }

  /// The tornado chart: the effects by their size, the largest at the top.
  private func chart() -> Chart {
    let (list, outcomes) = (lists.outcomes, lists.places[.outcomes])
    let first = outcomes.row(of: 1)
    let colours = plan.ranking.map { index in
      plan.effect(plan.alone[index]) < 0
        ? CauseFamily.proceeds.colour : CauseFamily.commission.colour
    }
    return Chart(
      title: say("@plan.effect-on-proceeds-each-change \(plan.baseCurrency)"), isStacked: false,
      isHorizontal: true, categories: list.index("change"),
      rows: first...(first + plan.changes.count - 1),
      series: [
        Chart.Series(
          name: say("@plan.effect"), column: list.index("effect"), colours: colours)
      ], column: 0,
      row: outcomes.lastRow + 1, width: 820, height: (chartRows - 2) * 20)
  }
}
