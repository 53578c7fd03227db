import Billing
import Conclusions

/// What one cell of level 3 comes to in the reconciled month.
struct CellBalance {
  struct Sum {
    var units: Int64 = 0
    var amount: Int64 = 0

    /// Adds units and what they bring, both below zero for returns.
    mutating func add(_ units: Int64, _ terms: UnitTerms) {
      self.units += terms.isReturn ? -units : units
      amount += terms.amount(units)
    }
  }

  /// A difference of one day, with the rows that show it.
  struct Difference {
    var sum = Sum()
    var rows: [FinanceRow.ID] = []
    /// Shares reported and settled, per unit.
    var shares: Set<Shares> = []
  }

  struct Shares: Hashable, Comparable {
    var reported: Int64
    var settled: Int64
    static func < (left: Self, right: Self) -> Bool {
      (left.reported, left.settled) < (right.reported, right.settled)
    }
  }

  let cell: SettlementCellKey
  let cells: SettlementCells
  let month: Int
  let matching: LotMatching
  private(set) var carriedIn = Sum()
  /// The same by day of sale.
  private(set) var carriedInSold: [Day: Int64] = [:]
  private(set) var carriedOut = Sum()
  /// What of the two no dated row proves.
  private(set) var openIn = Sum()
  private(set) var openOut = Sum()
  /// What differs, in all.
  private(set) var difference = Sum()
  /// Units settled that no sales report has, by day of sale.
  private(set) var extra: [Day: Difference] = [:]
  /// Units settled at another share than reported, by day of sale.
  private(set) var shared: [Day: Difference] = [:]
  /// Units that were carried, by the month of their sale and that of their settlement.
  private(set) var carried: [Carried: (sum: Sum, first: Day, last: Day)] = [:]

  struct Carried: Hashable, Comparable {
    var soldIn: Int
    /// -1 while they are open.
    var settledIn: Int
    static func < (left: Self, right: Self) -> Bool {
      (left.soldIn, left.settledIn) < (right.soldIn, right.settledIn)
    }
  }

  /// Sums up a cell's matching for the month of an index.
  init(_ matching: LotMatching, cell: SettlementCellKey, cells: SettlementCells, month: Int) {
    self.matching = matching
    self.cell = cell
    self.cells = cells
    self.month = month
    addMatches()
    addLeftRows()
    addOpenLots()
  }

  private var fiscalMonth: FiscalMonth { cells.months[month].month }

  /// Adds what rows settled of lots: what was carried into the month or out of it, and what was
  /// settled at another share than reported.
  private mutating func addMatches() {
    for match in matching.matches {
      let (lot, row) = (matching.lots[match.lot], matching.rows[match.row])
      if lot.month != row.month {
        if row.month == month {
          carriedIn.add(match.units, lot.terms)
          carriedInSold[row.day ?? lot.begin, default: 0] += lot.terms.amount(match.units)
          if row.day == nil { openIn.add(match.units, lot.terms) }
        }
        if lot.month == month || row.month == month {
          addCarried(lot, match.units, settledIn: row.month)
        }
      }
      if lot.month == month, row.month != month {
        carriedOut.add(-match.units, lot.terms)
        if row.day == nil { openOut.add(-match.units, lot.terms) }
      }
      guard row.month == month, row.terms.share != lot.terms.share else { continue }
      let amount = row.terms.amount(match.units) - lot.terms.amount(match.units)
      addDifference(
        in: \.shared, on: lot.begin, units: 0, amount: amount, row.row,
        Shares(reported: lot.terms.share, settled: row.terms.share))
    }
  }

  /// Adds what the month's rows settled that no lot was found for, and what they come to beyond
  /// units times share: as a difference or, where no sales report covers a day before the month, as
  /// carried in.
  private mutating func addLeftRows() {
    for row in matching.rows where row.month == month {
      if row.excess != 0 {
        addDifference(
          in: \.shared, on: row.day ?? fiscalMonth.last, units: 0, amount: row.excess, row.row)
      }
      guard row.left > 0 else { continue }
      let units = row.terms.isReturn ? -row.left : row.left
      let amount = row.terms.amount(row.left)
      if !isComparable(row) {
        // The day without a report is a finding of its own.
        if let day = row.day, day < fiscalMonth.first {
          carriedIn.units += units
          carriedIn.amount += amount
          carriedInSold[day, default: 0] += amount
          // No sales report has them.
          openIn.units += units
          openIn.amount += amount
        } else {
          difference.units += units
          difference.amount += amount
        }
      } else {
        addDifference(
          in: \.extra, on: row.day ?? fiscalMonth.last, units: units, amount: amount, row.row)
      }
    }
  }

  /// Adds units that were sold until the month's end and not settled in it: carried out of it or
  /// still open.
  private mutating func addOpenLots() {
    let region = cells.region(cell)
    for lot in matching.lots where lot.open > 0 && lot.month <= month && !lot.isTaken {
      // Where the month's own reports are not loaded, nobody knows what was settled.
      guard cells.months[lot.month].covers(region) else { continue }
      if lot.month == month {
        carriedOut.add(-lot.open, lot.terms)
        openOut.add(-lot.open, lot.terms)
      }
      addCarried(lot, lot.open, settledIn: -1)
    }
    // Open at the month's end, though a later one settled it: an item of an older month.
    for match in matching.matches {
      let (lot, row) = (matching.lots[match.lot], matching.rows[match.row])
      guard lot.month < month, row.month > month, cells.months[lot.month].covers(region) else {
        continue
      }
      addCarried(lot, match.units, settledIn: row.month)
    }
  }

  /// Whether Apple's sales reports cover what a row settles: its day, or some of its month.
  private func isComparable(_ row: SettledUnits) -> Bool {
    guard let day = row.day else { return !cells.months[month].covered.isEmpty }
    return cells.months.contains { $0.covered.contains(day) }
  }

  /// Adds to what differs in all, and to a list of differences by day of sale.
  ///
  /// - Parameters:
  ///   - units: settled beyond what was reported; 0 where only the share differs.
  ///   - shares: reported and settled, where both are known.
  private mutating func addDifference(
    in part: WritableKeyPath<CellBalance, [Day: Difference]>, on day: Day, units: Int64,
    amount: Int64, _ row: FinanceRow.ID, _ shares: Shares? = nil
  ) {
    difference.units += units
    difference.amount += amount
    self[keyPath: part][day, default: Difference()].sum.units += units
    self[keyPath: part][day]!.sum.amount += amount
    self[keyPath: part][day]!.rows.append(row)
    if let shares { self[keyPath: part][day]!.shares.insert(shares) }
  }

  /// Adds units of a lot to those that were carried.
  ///
  /// - Parameter settledIn: index of the month that settled them; -1 while they are open.
  private mutating func addCarried(_ lot: Lot, _ units: Int64, settledIn: Int) {
    let key = Carried(soldIn: lot.month, settledIn: settledIn)
    var known = carried[key] ?? (Sum(), lot.begin, lot.end)
    known.sum.add(units, lot.terms)
    known.first = min(known.first, lot.begin)
    known.last = max(known.last, lot.end)
    carried[key] = known
  }

  /// What was carried into the month, out of it, or over it; the oldest first.
  var openItems: [OpenItem] {
    carried.sorted { $0.key < $1.key }.map { key, item in
      let end = key.settledIn < 0 ? month : key.settledIn
      return OpenItem(
        storefront: cell.storefront, sku: cells.sku(cell),
        soldIn: cells.months[key.soldIn].month, first: item.first, last: item.last,
        units: item.sum.units, amount: Money(micros: item.sum.amount, cell.currency),
        settledIn: key.settledIn < 0 ? nil : cells.months[key.settledIn].month,
        age: end - key.soldIn)
    }
  }
}
