import Billing

/// One cell of level 3 on its way to a conclusion: which row settled which day's units.
struct LotMatching {
  /// Ascending by day.
  private(set) var lots: [Lot]
  /// Those with a day first; ascending by month, then day.
  private(set) var rows: [SettledUnits]
  /// Which row settled units of which lot.
  private(set) var matches: [Match] = []
  /// Whether reports of weeks or months are among the lots.
  private let hasLongLots: Bool

  struct Match {
    var lot: Int
    var row: Int
    var units: Int64
  }

  /// The ways in which a row may settle a lot, the surest first.
  private enum Likeness: CaseIterable {
    /// The same day, price and share.
    case same
    /// The same day and price, another share.
    case sameDayAndPrice
    /// The same day.
    case sameDay
    /// A neighbouring day, where Apple's two reports put a sale on either side of midnight.
    case neighbouringDay

    /// Whether a row may settle units of a lot in this way.
    func fits(_ row: SettledUnits, _ lot: Lot) -> Bool {
      guard row.terms.isReturn == lot.terms.isReturn else { return false }
      let distance = row.day.map(lot.distance) ?? 0
      switch self {
      case .same: return distance == 0 && row.terms == lot.terms
      case .sameDayAndPrice: return distance == 0 && row.terms.price == lot.terms.price
      case .sameDay: return distance == 0
      case .neighbouringDay: return distance == 1 && row.terms == lot.terms
      }
    }
  }

  /// Matches the rows of a cell with its lots.
  ///
  /// - Parameters:
  ///   - months: first and last day of each fiscal month.
  ///   - estimate: which lots rows without a day may take.
  init(
    _ lots: some Sequence<Lot>, _ rows: some Sequence<SettledUnits>, months: [ClosedRange<Day>],
    _ estimate: CarryEstimate, _ cell: SettlementCellKey
  ) {
    self.lots = estimate.prepared(lots, cell).sorted {
      ($0.begin, $0.end, $0.terms, $0.isTaken ? 0 : 1)
        < ($1.begin, $1.end, $1.terms, $1.isTaken ? 0 : 1)
    }
    hasLongLots = self.lots.contains { $0.begin != $0.end }
    let region = estimate.region(of: cell)
    // What has a day names its lot, so it goes before what has none.
    self.rows = rows.filter { $0.day != nil || estimate.isKnown($0.month, region) }.sorted {
      ($0.day == nil ? 1 : 0, $0.month, $0.day?.number ?? .min, $0.terms, $0.row)
        < ($1.day == nil ? 1 : 0, $1.month, $1.day?.number ?? .min, $1.terms, $1.row)
    }
    var start = 0
    while start < self.rows.count {
      let (month, isDated) = (self.rows[start].month, self.rows[start].day != nil)
      let end =
        self.rows[start...].firstIndex { $0.month != month || ($0.day != nil) != isDated }
        ?? self.rows.count
      for likeness in Likeness.allCases { match(start..<end, likeness, until: months[month]) }
      start = end
    }
  }

  /// Finds lots for the rows of one month. A row without a day takes the oldest units of the month
  /// or before it: what is sold first is settled first.
  ///
  /// - Parameters:
  ///   - range: the places of these rows.
  ///   - likeness: how like a row has to be to a lot.
  ///   - month: the month's first and last day.
  private mutating func match(
    _ range: Range<Int>, _ likeness: Likeness, until month: ClosedRange<Day>
  ) {
    var firstOpen = 0
    for index in range where rows[index].left > 0 {
      let row = rows[index]
      while firstOpen < lots.count, lots[firstOpen].open == 0 || lots[firstOpen].isTaken {
        firstOpen += 1
      }
      var place = row.day.map { firstLot(from: $0.advanced(by: -1)) } ?? firstOpen
      while place < lots.count, rows[index].left > 0 {
        if lots[place].begin > (row.day?.advanced(by: 1) ?? month.upperBound) { break }
        if lots[place].open > 0, !lots[place].isTaken || row.day != nil,
          likeness.fits(row, lots[place])
        {
          settle(place, by: index)
        }
        place += 1
      }
    }
  }

  /// The first lot whose days may reach `day`; reports of weeks and months begin long before.
  private func firstLot(from day: Day) -> Int {
    let day = hasLongLots ? day.advanced(by: -Rules.longestReport) : day
    return lots.partitioningIndex { $0.begin >= day }
  }

  /// Settles what is open of a lot by what is left of a row, both named by their places.
  private mutating func settle(_ lot: Int, by row: Int) {
    let units = min(lots[lot].open, rows[row].left)
    lots[lot].open -= units
    lots[lot].settled.append((rows[row].month, units))
    rows[row].left -= units
    matches.append(Match(lot: lot, row: row, units: units))
  }
}
