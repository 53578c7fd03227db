import Billing

/// Rows alike of a storefront, in one commission class: what they say about the rate.
struct Sighting {
  var sale: DeductedSale
  var day: Day
  var units: Int64
  /// Rates that explain the rows, as multiples of the rule's.
  var span: RateSpan
}

/// The days on which the rate that explains a storefront's rows becomes another one.
///
/// The days are divided into as few runs as possible so that one rate explains the rows of each;
/// a further run has to explain more rows than chance and slips would leave unexplained. Between
/// neighbouring runs the rows themselves must prove the change.
struct RateChanges {
  struct Change {
    /// The first day whose rows the rate before does not explain.
    var day: Day
    /// The last day whose rows the rate since does not explain.
    var lastBefore: Day
    /// The last day that the rate since holds.
    var end: Day
    /// Rates as multiples of the rule's.
    var before: Side
    var since: Side
  }

  /// What the rows on one side of a change say of both sides' rates.
  struct Side {
    var rates: RateSpan
    var units: Int64 = 0
    var explainedUnits: Int64 = 0
    /// Units that the other side's rates explain.
    var otherUnits: Int64 = 0
    /// Rows that this side's rates explain and the other's do not, by day.
    var proofs: [Sighting] = []
    var provenUnits: Int64 { proofs.reduce(0) { $0 + $1.units } }

    /// Whether it has enough rows and units that only its own rates explain, and these rates
    /// explain nearly all of its units.
    var holds: Bool {
      Int64(proofs.count) >= Rules.changeRows && provenUnits >= Rules.changeUnits
        && explainedUnits * 100 >= units * Rules.changeShare
    }
  }

  private let sightings: [Sighting]
  private let cells: RateCells
  /// Days with rows, ascending, and where the sightings of each begin.
  private var days: [Day] = []
  private var starts: [Int] = []

  /// Sorts the sightings by day, and divides the rates that explain them into cells.
  ///
  /// - Parameter sightings: of one storefront, currency and commission class, in any order.
  init(_ sightings: [Sighting]) {
    self.sightings = sightings.sorted { ($0.day, $0.sale.group) < ($1.day, $1.sale.group) }
    cells = RateCells(Set(sightings.map(\.span)))
    for (index, sighting) in self.sightings.enumerated() where days.last != sighting.day {
      days.append(sighting.day)
      starts.append(index)
    }
    starts.append(sightings.count)
  }

  /// All proven changes, ascending by day.
  var changes: [Change] {
    let runs = runs
    return zip(runs, runs.dropFirst()).compactMap { change(from: $0, to: $1) }
  }

  /// The days of each run, from its first row to the last.
  var runDays: [ClosedRange<Day>] { runs.map { days[$0.lowerBound]...days[$0.upperBound - 1] } }

  /// The runs, as indices into `days`: the division that leaves fewest rows unexplained, each cut
  /// weighing as much as `Rules.changeRows` of them.
  private var runs: [Range<Int>] {
    let byDay = days.indices.map { day in
      var coverage = Coverage(cells)
      for sighting in sightings[starts[day]..<starts[day + 1]] {
        coverage.add(cells.cells(of: sighting.span), 1)
      }
      return coverage
    }
    // Least cost of the days before each, and where its last run begins.
    var cost = [Int64](repeating: .max, count: days.count + 1)
    var begin = [Int](repeating: 0, count: days.count + 1)
    cost[0] = 0
    for first in days.indices {
      var coverage = Coverage(cells)
      let cut = first == 0 ? 0 : Rules.changeRows
      for last in first..<days.count {
        coverage.add(byDay[last])
        let total = cost[first] + cut + coverage.unexplained
        if total < cost[last + 1] { (cost[last + 1], begin[last + 1]) = (total, first) }
      }
    }
    var runs: [Range<Int>] = []
    var end = days.count
    while end > 0 {
      runs.append(begin[end]..<end)
      end = begin[end]
    }
    return runs.reversed()
  }

  /// The change between two neighbouring runs; nil where their rows do not prove it.
  ///
  /// - Parameter before: indices into `days`, as `since` has them.
  private func change(from before: Range<Int>, to since: Range<Int>) -> Change? {
    let (old, new) = nearest(coverage(of: before).bestRuns, coverage(of: since).bestRuns)
    guard old != new else { return nil }
    let earlier = side(before, explainedBy: old, not: new)
    let later = side(since, explainedBy: new, not: old)
    guard earlier.holds, later.holds, let day = later.proofs.first?.day,
      let lastBefore = earlier.proofs.last?.day
    else { return nil }
    return Change(
      day: day, lastBefore: lastBefore, end: days[since.upperBound - 1], before: earlier,
      since: later)
  }

  /// How many rows of a run each cell of rates explains.
  private func coverage(of run: Range<Int>) -> Coverage {
    var coverage = Coverage(cells)
    for sighting in sightings[starts[run.lowerBound]..<starts[run.upperBound]] {
      coverage.add(cells.cells(of: sighting.span), 1)
    }
    return coverage
  }

  /// Of the ranges of rates that explain either side of a change best, those two that lie nearest
  /// to each other: what they prove the others prove too.
  ///
  /// - Parameters:
  ///   - left: ranges of cells that explain one side equally well; at least one.
  ///   - right: those of the other side.
  private func nearest(_ left: [Range<Int>], _ right: [Range<Int>]) -> (Range<Int>, Range<Int>) {
    var found = (left[0], right[0])
    var least = Int.max
    for a in left {
      for b in right {
        let distance = max(0, max(a.lowerBound, b.lowerBound) - min(a.upperBound, b.upperBound) + 1)
        if distance < least { (least, found) = (distance, (a, b)) }
      }
    }
    return found
  }

  /// What the rows on one side of a change say of the rates of both sides.
  ///
  /// - Parameters:
  ///   - run: indices into `days`.
  ///   - rates: the cells of rates that explain this side.
  ///   - others: those that explain the other side.
  private func side(_ run: Range<Int>, explainedBy rates: Range<Int>, not others: Range<Int>)
    -> Side
  {
    var side = Side(rates: cells.span(of: rates))
    for sighting in sightings[starts[run.lowerBound]..<starts[run.upperBound]] {
      let explained = cells.cells(of: sighting.span)
      side.units += sighting.units
      let isOthers = explained.overlaps(others)
      if isOthers { side.otherUnits += sighting.units }
      guard explained.overlaps(rates) else { continue }
      side.explainedUnits += sighting.units
      if !isOthers { side.proofs.append(sighting) }
    }
    return side
  }
}
