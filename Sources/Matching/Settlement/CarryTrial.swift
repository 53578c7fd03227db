import Billing
import Conclusions

extension SettlementCells {
  /// Trials of the estimate, one for each month before `month` whose detail is loaded, with the
  /// sales reports of it and of the month before; ascending. Each has what the month would be
  /// thought to carry without its detail, beside what the detail tells.
  func carryTrials(before month: Int) -> [CarryTrial] {
    (1..<max(month, 1)).filter { past in
      months[past].hasDetail && !months[past].covered.isEmpty && months[past - 1].hasSales
    }.map { past in
      CarryTrial(
        month: months[past].month, estimated: asIfUndated(from: past).carried(past),
        told: carried(past))
    }
  }

  /// How much a month, named by its index, carries, by currency, ascending: what came in and what
  /// went out, each a sum within its storefront, and added up over all without their signs.
  private func carried(_ month: Int) -> [Money] {
    struct Place: Hashable {
      var storefront: Storefront
      var currency: Currency
    }
    var sums: [Place: (in: Int64, out: Int64)] = [:]
    let sides = SettlementSides(self)
    forEachMatching(sides, CarryEstimate(self, lots: sides.lots, rows: sides.rows)) {
      cell, matching in
      guard months[month].covers(region(cell)) else { return }
      let balance = CellBalance(matching, cell: cell, cells: self, month: month)
      let place = Place(storefront: cell.storefront, currency: cell.currency)
      let known = sums[place] ?? (0, 0)
      sums[place] = (known.in + balance.carriedIn.amount, known.out + balance.carriedOut.amount)
    }
    let amounts = Dictionary(grouping: sums) { $0.key.currency }
    return amounts.sorted { $0.key < $1.key }.map { currency, sums in
      Money(micros: sums.reduce(0) { $0 + abs($1.value.in) + abs($1.value.out) }, currency)
    }
  }
}

/// What was sold and what was settled, each ascending by cell and terms.
struct SettlementSides {
  let lots: [(cell: SettlementCellKey, lot: Lot)]
  let rows: [(cell: SettlementCellKey, units: SettledUnits)]

  init(_ cells: SettlementCells) {
    lots = cells.lots.sorted { ($0.cell, $0.lot.terms) < ($1.cell, $1.lot.terms) }
    rows = cells.settled.sorted { ($0.cell, $0.units.terms) < ($1.cell, $1.units.terms) }
  }
}

extension SettlementCells {
  /// Matches what was sold and what was settled, cell by cell, and hands each cell's matching to
  /// `body`, ascending by cell.
  func forEachMatching(
    _ sides: SettlementSides, _ estimate: CarryEstimate,
    _ body: (SettlementCellKey, LotMatching) -> Void
  ) {
    let (lots, rows) = (sides.lots, sides.rows)
    let spans = months.map { $0.month.first...$0.month.last }
    var (lot, row) = (0, 0)
    while lot < lots.count || row < rows.count {
      let cell = min(
        lot < lots.count ? lots[lot].cell : rows[row].cell,
        row < rows.count ? rows[row].cell : lots[lot].cell)
      let (firstLot, firstRow) = (lot, row)
      while lot < lots.count, lots[lot].cell == cell { lot += 1 }
      while row < rows.count, rows[row].cell == cell { row += 1 }
      body(
        cell,
        LotMatching(
          lots[firstLot..<lot].lazy.map(\.lot), rows[firstRow..<row].lazy.map(\.units),
          months: spans, estimate, cell))
    }
  }
}
