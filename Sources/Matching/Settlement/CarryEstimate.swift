import Billing

/// How much of what was sold before its first settled month was still to be settled then, where no
/// detail tells it.
///
/// Of one product at one price, what a month settles less what it sold is what was carried into it
/// less what was carried out. Over all products the pattern of sales around the months' ends gives
/// away how long Apple takes (``SettlementLag``); that lag, and what each month settled, leave
/// little choice for how many units were carried. All else that was sold before counts as settled.
struct CarryEstimate {
  struct Key: Hashable {
    var cell: SettlementCellKey
    var terms: UnitTerms
    /// Index of the month that they were sold in.
    var month: Int
  }

  private let cells: SettlementCells
  private(set) var lag = SettlementLag()
  /// Units that were carried; none where a key is missing.
  private var carried: [Key: Int64] = [:]

  /// Estimates what was carried into months whose reports have no detail; nothing where each loaded
  /// month has one.
  ///
  /// - Parameters:
  ///   - lots: ascending by cell and terms.
  ///   - rows: ascending by cell and terms.
  init(
    _ cells: SettlementCells, lots: [(cell: SettlementCellKey, lot: Lot)],
    rows: [(cell: SettlementCellKey, units: SettledUnits)]
  ) {
    self.cells = cells
    guard
      cells.months.indices.contains(where: { cells.isLoaded($0) && !cells.months[$0].hasDetail })
    else { return }
    lag = SettlementLag(detailed: rows.lazy.map(\.units))
    if !lag.isKnown {
      var fit = LagFit()
      forEachGroup(lots, rows) { group in
        for month in group.settledMonths { fit.add(group, month) }
      }
      lag = fit.lag
    }
    var guesses: [Guess] = []
    forEachGroup(lots, rows) { group in
      for start in group.settledMonths where !group.isKnown(start - 1) {
        guesses.append(group.guess(start, lag))
      }
    }
    round(guesses)
  }

  /// The lots of a cell with what rows without a day may settle of them. Lots stay as they are
  /// where reports tell what was settled of their month. Of other months only the units that the
  /// estimate carries stay open, in the newest lots; the rest is taken as settled before
  /// (``Lot/isTaken``).
  func prepared(_ lots: some Sequence<Lot>, _ cell: SettlementCellKey) -> [Lot] {
    let region = cells.region(cell)
    guard cells.months.indices.contains(where: { !isKnown($0, region) }) else { return Array(lots) }
    var left: [Key: Int64] = [:]
    var prepared: [Lot] = []
    for lot in lots.sorted(by: { ($0.end, $0.terms) > ($1.end, $1.terms) }) {
      guard !isKnown(lot.month, region) else {
        prepared.append(lot)
        continue
      }
      let key = Key(cell: cell, terms: lot.terms, month: lot.month)
      let open = min(lot.units, left[key] ?? carried[key] ?? 0)
      left[key] = (left[key] ?? carried[key] ?? 0) - open
      if open > 0 { prepared.append(lot.part(open, isTaken: false)) }
      if open < lot.units { prepared.append(lot.part(lot.units - open, isTaken: true)) }
    }
    return prepared
  }

  /// The region that a cell's money is settled in; empty where none is known.
  func region(of cell: SettlementCellKey) -> String { cells.region(cell) }

  /// Whether the reports tell what was settled of a month's sales; the month is named by its index.
  /// What the first month settled of earlier ones is beyond reach, so without its detail it is not
  /// known what it settled of its own.
  func isKnown(_ month: Int, _ region: String) -> Bool {
    guard month >= 0, cells.months[month].covers(region) else { return false }
    return month > 0 || cells.months[month].hasDetail
  }
}

/// Units of one product at one price and share, by month.
struct CarryGroup {
  let cell: SettlementCellKey
  let terms: UnitTerms
  /// Sold in each month, without what a dated row of another month settled.
  fileprivate(set) var sold: [Int64]
  /// Settled in each month by rows without a day.
  fileprivate(set) var settled: [Int64]
  /// Days and units of each month's last weeks: days before its end.
  fileprivate(set) var tails: [[(daysBefore: Int, units: Int64)]]
  fileprivate let known: [Bool]
  /// Months whose financial report has no days, and that are known.
  let settledMonths: [Int]
  /// Whether the month after tells by its detail what each month carried.
  fileprivate let isTold: [Bool]

  /// Whether the reports tell what was settled of a month's sales; not of a month before the first.
  func isKnown(_ month: Int) -> Bool { month >= 0 && known[month] }

  /// Guesses how many units the month before `start` sold and left for `start` to settle: by the
  /// usual lag, and by what `start` and the months after it sold and settled.
  ///
  /// - Parameters:
  ///   - start: the index of a month, at least 1.
  ///   - lag: how long Apple usually takes to settle.
  fileprivate func guess(_ start: Int, _ lag: SettlementLag) -> CarryEstimate.Guess {
    var guess = CarryEstimate.Guess(
      key: CarryEstimate.Key(cell: cell, terms: terms, month: start - 1), most: sold[start - 1])
    guess.weigh(lag.expected(tails[start - 1]), since: 0)
    var sum: Int64 = 0
    for month in start..<sold.count where settledMonths.contains(month) {
      guard month == start || settledMonths.contains(month - 1) else { break }
      sum += sold[month] - settled[month]
      // Never fewer than none are open, nor more than the month sold.
      guess.least = max(guess.least, -sum)
      guess.most = min(guess.most, sold[month] - sum)
      guess.weigh(isTold[month] ? (0, 0) : lag.expected(tails[month]), since: sum)
    }
    return guess
  }
}

extension CarryEstimate {
  fileprivate struct Guess {
    var key: Key
    var least: Int64 = 0
    var most: Int64
    private var weights: Int128 = 0
    private var sum: Int128 = 0

    /// A guess that nothing is known of yet.
    ///
    /// - Parameter most: how many units can have been carried at most.
    init(key: Key, most: Int64) {
      self.key = key
      self.most = most
    }

    /// Adds an expectation of what is open at some month's end to the weighted mean: it counts the
    /// more the less it may vary.
    ///
    /// - Parameters:
    ///   - open: in millionths of units.
    ///   - since: what became open since the end of the month that is guessed.
    mutating func weigh(_ open: (mean: Int64, variance: Int64), since: Int64) {
      let weight = Int128(1_000_000_000_000) / Int128(max(open.variance, Self.leastVariance))
      weights += weight
      sum += weight * (Int128(open.mean) - Int128(since) * 1_000_000)
    }

    /// Of millionths; a unit may always be late.
    private static let leastVariance: Int64 = 2_000

    /// The units that were carried, in millionths, no fewer and no more than there can be. More
    /// than the month sold there never can be: what Apple settled beyond that is a difference.
    var expected: Int64 {
      let mean = Int64(sum / max(weights, 1))
      return max(0, min(max(mean, least * 1_000_000), most * 1_000_000))
    }
  }

  /// Sets ``carried`` to whole units. For each storefront, currency and month, sales and returns
  /// apart, their sum is that of the guesses, rounded; units that rounding down loses go to the
  /// guesses with the largest remainders.
  fileprivate mutating func round(_ guesses: [Guess]) {
    var groups: [RoundedTogether: [Guess]] = [:]
    for guess in guesses { groups[RoundedTogether(guess.key), default: []].append(guess) }
    for guesses in groups.values {
      let expected = guesses.map(\.expected)
      let parts = expected.map { $0 % 1_000_000 }
      let further = roundedHalfUp(
        Int128(parts.reduce(0, +)), dividedBy: 1_000_000, toMultipleOf: 1)
      let likeliest = parts.indices.filter { parts[$0] > 0 }.sorted {
        (-parts[$0], guesses[$0].key.terms, guesses[$0].key.cell)
          < (-parts[$1], guesses[$1].key.terms, guesses[$1].key.cell)
      }.prefix(Int(further))
      for (guess, units) in zip(guesses, expected) where units >= 1_000_000 {
        carried[guess.key] = units / 1_000_000
      }
      for index in likeliest { carried[guesses[index].key, default: 0] += 1 }
    }
  }

  private struct RoundedTogether: Hashable {
    var storefront: Storefront
    var currency: Currency
    var isReturn: Bool
    var month: Int

    init(_ key: Key) {
      (storefront, currency) = (key.cell.storefront, key.cell.currency)
      (isReturn, month) = (key.terms.isReturn, key.month)
    }
  }

  /// Calls `body` for each cell, price and share with what each month sold and settled of it; only
  /// of regions of which some month's report has no days.
  ///
  /// - Parameters:
  ///   - lots: ascending by cell and terms.
  ///   - rows: ascending by cell and terms.
  private func forEachGroup(
    _ lots: [(cell: SettlementCellKey, lot: Lot)],
    _ rows: [(cell: SettlementCellKey, units: SettledUnits)], _ body: (CarryGroup) -> Void
  ) {
    var (lot, row) = (0, 0)
    var known: [String: Months] = [:]
    while lot < lots.count || row < rows.count {
      let isLot =
        row == rows.count
        || lot < lots.count
          && (lots[lot].cell, lots[lot].lot.terms) < (rows[row].cell, rows[row].units.terms)
      let first =
        isLot
        ? (lots[lot].cell, lots[lot].lot.terms) : (rows[row].cell, rows[row].units.terms)
      let region = cells.region(first.0)
      let months = known[region] ?? months(of: region)
      known[region] = months
      var group = CarryGroup(
        cell: first.0, terms: first.1, sold: months.zeros, settled: months.zeros,
        tails: months.empty, known: months.known, settledMonths: months.settled,
        isTold: months.told)
      while lot < lots.count, (lots[lot].cell, lots[lot].lot.terms) == first {
        add(lots[lot].lot, to: &group)
        lot += 1
      }
      while row < rows.count, (rows[row].cell, rows[row].units.terms) == first {
        add(rows[row].units, to: &group)
        row += 1
      }
      if !months.settled.isEmpty { body(group) }
    }
  }

  /// What is known of a region's months.
  private struct Months {
    var known: [Bool]
    var settled: [Int]
    var told: [Bool]
    /// A zero for each month.
    var zeros: [Int64] { [Int64](repeating: 0, count: known.count) }
    /// An empty list for each month.
    var empty: [[(daysBefore: Int, units: Int64)]] {
      [[(Int, Int64)]](repeating: [], count: known.count)
    }
  }

  /// Which months of a region have reports that tell what was settled, which of these have no days,
  /// and which are told by the detail of the month after.
  private func months(of region: String) -> Months {
    let indices = cells.months.indices
    return Months(
      known: indices.map { isKnown($0, region) },
      settled: indices.filter { $0 > 0 && isKnown($0, region) && !cells.months[$0].hasDetail },
      told: indices.map { $0 + 1 < indices.count && cells.months[$0 + 1].hasDetail })
  }

  /// Adds a lot to what its month sold and, where it is of the month's last weeks, to these.
  private func add(_ lot: Lot, to group: inout CarryGroup) {
    group.sold[lot.month] += lot.units
    let days = lot.end.distance(to: cells.months[lot.month].month.last)
    if days < SettlementLag.days { group.tails[lot.month].append((days, lot.units)) }
  }

  /// Adds a row of a financial report to its group: without a day, to what its month settled. A row
  /// with a day is subtracted from what the month of that day sold, where that is another month.
  private func add(_ row: SettledUnits, to group: inout CarryGroup) {
    guard let day = row.day else {
      group.settled[row.month] += row.units
      return
    }
    guard let sold = cells.months.firstIndex(where: { $0.month.period.contains(day) }),
      sold != row.month
    else { return }
    group.sold[sold] = max(0, group.sold[sold] - row.units)
  }
}
