import Billing
import Pricing

/// Holds purchases by quarter hour against the units of Apple's report days, as the documented
/// zones cut them: how well a clock fits, without a product or a price.
struct ReportClock {
  private let facts: MonthFacts
  private let table: MatchTable
  private let grid: QuarterGrid
  private let storefronts: [Storefront]
  private let places: [Storefront: Int]
  private let days: [Day]
  /// By storefront and day.
  private let reported: [[Int64]]
  /// By storefront and zone, the first quarter hour of each day and that after its last, in turn.
  private let starts: [[[Int]]]
  /// Per transaction terms, the place of its storefront; -1 where it is none of these, and
  /// `untold` where only its order may tell it.
  private let placeOfTerms: [Int]
  private let placeOfOrderTerms: [Int]
  /// Per transaction terms.
  private let quantities: [Int64]
  private static let untold = -2

  /// Prepares the report days of a period, and how each zone cuts them.
  ///
  /// - Parameter table: the facts' rows, matched by ids alone.
  init(_ facts: MonthFacts, _ table: MatchTable, _ context: MatchingContext) {
    self.facts = facts
    self.table = table
    grid = QuarterGrid(context.period)
    let covered = Set(
      facts.coverage.lazy.filter { $0.begin == $0.end }.map(\.begin))
    let days = context.period.days.filter(covered.contains)
    let (storefronts, units) = Self.reportedUnits(facts, days, context.period)
    self.storefronts = storefronts
    let places = Dictionary(uniqueKeysWithValues: storefronts.enumerated().map { ($1, $0) })
    self.places = places
    self.days = days
    reported = units
    let grid = grid
    starts = storefronts.map { storefront in
      Self.zones(storefront, context).map { zone in
        days.flatMap {
          [grid.start(of: $0, in: zone), grid.start(of: $0.advanced(by: 1), in: zone)]
        }
      }
    }
    placeOfTerms = table.transactionTerms.map { terms in
      guard context.isBillable(terms) else { return -1 }
      return terms.storefront.map { places[$0] ?? -1 } ?? Self.untold
    }
    placeOfOrderTerms = table.orderTerms.map { $0.storefront.flatMap { places[$0] } ?? -1 }
    quantities = table.transactionTerms.map { Int64($0.quantity) }
  }

  /// Storefronts of which Apple's daily reports have units that the ledger should have, and these
  /// units by storefront and day; what products and terms say is asked once for each, not for each
  /// row.
  ///
  /// - Parameter days: those of the period that have a daily report.
  private static func reportedUnits(_ facts: MonthFacts, _ days: [Day], _ period: Period) -> (
    [Storefront], [[Int64]]
  ) {
    var numbers = [Int](repeating: -1, count: period.dayCount)
    for (number, day) in days.enumerated() { numbers[period.first.distance(to: day)] = number }
    let isCovered = facts.salesProducts.map(\.type.isCovered)
    let all = Set(facts.salesTerms.map(\.storefront)).sorted()
    let places = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1, $0) })
    let placeOfTerms = facts.salesTerms.map { places[$0.storefront]! }
    var units = all.map { _ in [Int64]() }
    for row in facts.sales where row.units > 0 && row.begin == row.end {
      guard period.contains(row.begin), isCovered[Int(row.product)] else { continue }
      let day = numbers[period.first.distance(to: row.begin)]
      if day < 0 { continue }
      let place = placeOfTerms[Int(row.terms)]
      if units[place].isEmpty { units[place] = Array(repeating: 0, count: days.count) }
      units[place][day] += Int64(row.units)
    }
    let told = all.indices.filter { !units[$0].isEmpty }
    return (told.map { all[$0] }, told.map { units[$0] })
  }

  /// The kinds of zones by which documents of Apple's cut its days; `utc` is none of them.
  private static let documented = 0..<3
  private static let utc = 3

  /// All kinds of zones: any territory's days may be a storefront's, beside its own and UTC.
  private var everyKind: Range<Int> { 0..<Self.utc + 1 + Territory.allCases.count }

  /// A storefront's zone of each kind: Apple's Pacific days, its territory's, its own, UTC, and
  /// every territory's; where the settings have one, that alone.
  private static func zones(_ storefront: Storefront, _ context: MatchingContext) -> [Zone] {
    if let zone = context.settings.dayBoundary[storefront] {
      return Array(repeating: zone, count: utc + 1 + Territory.allCases.count)
    }
    let pacific = context.zone(Territory.pacific.zoneName)
    let territory = context.storefronts.territory(of: storefront)
      .map { context.zone($0.zoneName) }
    let own = context.storefronts.zoneName(of: storefront).flatMap { context.zones[$0] }
    return [pacific, territory ?? pacific, own ?? pacific, Zone.utc]
      + Territory.allCases.map { context.zone($0.zoneName) }
  }

  /// Units by storefront that were bought before each quarter hour.
  ///
  /// - Parameter transactions: as they were read, their times as they are to be judged; nil for the
  ///   table's own times.
  func counts(of transactions: [TransactionEntry]? = nil) -> [[Int64]] {
    var counts = storefronts.map { _ in [Int64](repeating: 0, count: grid.count + 1) }
    if storefronts.isEmpty { return counts }
    for (index, entry) in (transactions ?? table.transactions).enumerated() {
      let place = storefrontPlace(of: index, entry.terms)
      guard place >= 0, let quarter = grid.quarter(entry.purchasedAt) else { continue }
      counts[place][quarter + 1] += quantities[Int(entry.terms)]
    }
    // Each row counts by what it says itself.
    for change in transactions == nil ? table.changes!.all : [] {
      let index = Int(change.position)
      guard let quarter = grid.quarter(table.transactions[index].purchasedAt) else { continue }
      for (terms, sign) in [(change.newTerms, Int64(-1)), (change.terms, 1)] {
        let place = storefrontPlace(of: index, terms)
        if place >= 0 { counts[place][quarter + 1] += sign * quantities[Int(terms)] }
      }
    }
    for sold in facts.counts.sold {
      let place = placeOfTerms[Int(sold.transaction)]
      guard place >= 0, let quarter = grid.quarter(sold.at) else { continue }
      counts[place][quarter + 1] += quantities[Int(sold.transaction)] * sold.count
    }
    for place in counts.indices {
      for quarter in 1...grid.count { counts[place][quarter] += counts[place][quarter - 1] }
    }
    return counts
  }

  /// The index in `storefronts` of the one that the transaction at position `index` was sold in, by
  /// the terms at `terms`, else by its order's; negative where it is none of these, and for merged
  /// rows and restores.
  @inline(__always)
  private func storefrontPlace(of index: Int, _ terms: Int32) -> Int {
    var place = placeOfTerms[Int(terms)]
    if place == Self.untold, let order = table.orderOf[index].position {
      place = placeOfOrderTerms[Int(table.orders[order].terms)]
    }
    if place < 0 || table.orderOf[index] == .merged || table.chains.role(of: index) == .restore {
      return -1
    }
    return place
  }

  /// Units by which the purchases differ from Apple's reports over all days, each storefront's by
  /// the zone that fits it best.
  ///
  /// - Parameter counts: by storefront, units bought before each quarter hour.
  func residual(of counts: [[Int64]]) -> Int64 {
    storefronts.indices.reduce(0) { sum, place in
      sum + (Self.documented.map { residual(of: counts, at: place, $0, ahead: 0) }.min() ?? 0)
    }
  }

  /// Units by which one storefront's purchases differ from Apple's reports over all days.
  ///
  /// - Parameters:
  ///   - counts: by storefront, units bought before each quarter hour.
  ///   - place: index of the storefront in `storefronts`.
  ///   - kind: index among its zones, as ``zones(_:_:)`` has them, of the one that cuts the days.
  ///   - ahead: quarter hours by which the purchases' clock is taken to be ahead.
  private func residual(of counts: [[Int64]], at place: Int, _ kind: Int, ahead: Int) -> Int64 {
    let (units, running, starts) = (reported[place], counts[place], starts[place][kind])
    var total: Int64 = 0
    for day in days.indices {
      let begin = min(max(starts[2 * day] + ahead, 0), grid.count)
      let end = min(max(starts[2 * day + 1] + ahead, 0), grid.count)
      total += abs(units[day] - (running[end] - running[begin]))
    }
    return total
  }

  /// What Apple's report days say of the clock of all purchases.
  enum Verdict {
    case fits
    /// Quarter hours ahead, and the units by which the days differ before and after.
    case shifted(Int, before: Int64, after: Int64)
    /// Units that stand on other days, of all: more than one shift would explain them, and so
    /// would days that no document of Apple's knows.
    case unclear(Int64, of: Int64)
  }

  /// What the report days of storefronts with enough units say of the clock of all purchases.
  ///
  /// - Parameter counts: by storefront, units bought before each quarter hour.
  func verdict(_ counts: [[Int64]]) -> Verdict {
    let large = storefronts.indices.filter { reported[$0].reduce(0, +) >= Rules.boundaryUnits }
    if large.isEmpty { return .fits }
    return shiftOfAll(counts, large) ?? shiftOfEach(counts, large)
  }

  /// The one shift that makes all storefronts with enough units fit by one kind of zone, several of
  /// them better, none worse; nil where there is none.
  ///
  /// - Parameters:
  ///   - counts: by storefront, units bought before each quarter hour.
  ///   - large: indices in `storefronts` of those with enough units.
  private func shiftOfAll(_ counts: [[Int64]], _ large: [Int]) -> Verdict? {
    // One storefront alone may have days that no document knows.
    guard large.count >= 2 else { return nil }

    /// For each storefront of `large`, units by which `counts` differ from Apple's reports, with a
    /// kind of zone and a clock taken to be some quarter hours ahead.
    func differences(_ kind: Int, ahead: Int) -> [Int64] {
      large.map { residual(of: counts, at: $0, kind, ahead: ahead) }
    }

    /// Units that differ by the documented kind of zone that fits best: in all, and by storefront.
    func best(ahead: Int) -> (total: Int64, each: [Int64]) {
      Self.documented.map { differences($0, ahead: ahead) }.map { ($0.reduce(0, +), $0) }
        .min { $0.0 < $1.0 }!
    }
    let before = best(ahead: 0)
    guard Rules.clockMisfit * before.total >= units(of: large) else { return nil }
    let scores = Self.shifts.map { (quarters: $0, fit: best(ahead: $0)) }
    let found = scores.min {
      ($0.fit.total, abs($0.quarters)) < ($1.fit.total, abs($1.quarters))
    }!
    let after = found.fit
    guard found.quarters != 0, 3 * after.total <= before.total,
      differences(Self.utc, ahead: 0).reduce(0, +) > after.total + Rules.boundaryDoubt,
      large.indices.count(where: { after.each[$0] < before.each[$0] }) >= 2,
      zip(after.each, before.each).allSatisfy({ $0 <= $1 + Rules.boundaryDoubt })
    else { return nil }
    return .shifted(found.quarters, before: before.total, after: after.total)
  }

  /// What the days say where Apple cuts those of each storefront by a zone of its own kind: one
  /// shift alone has to make them fit.
  ///
  /// - Parameters:
  ///   - counts: by storefront, units bought before each quarter hour.
  ///   - large: indices in `storefronts` of those with enough units.
  private func shiftOfEach(_ counts: [[Int64]], _ large: [Int]) -> Verdict {
    /// Units by which `counts` differ from Apple's reports, with a clock taken to be some quarter
    /// hours ahead, each storefront's by the zone that fits it best.
    func total(ahead: Int) -> Int64 {
      large.reduce(0) { sum, place in
        sum + (everyKind.map { residual(of: counts, at: place, $0, ahead: ahead) }.min() ?? 0)
      }
    }
    let (before, all) = (total(ahead: 0), units(of: large))
    guard Rules.clockMisfit * before >= all else { return .fits }
    let scores = Self.shifts.map { (quarters: $0, total: total(ahead: $0)) }
    let found = scores.min { ($0.total, abs($0.quarters)) < ($1.total, abs($1.quarters)) }!
    guard found.quarters != 0, 3 * found.total <= before else {
      // Where any days at all would fit, Apple's are none that a document knows, or the clock is
      // off; what no days make better has another reason.
      let anyDays = large.reduce(Int64(0)) { sum, place in
        sum
          + (Self.shifts.map { residual(of: counts, at: place, Self.utc, ahead: $0) }.min() ?? 0)
      }
      return 3 * anyDays <= before ? .unclear(before, of: all) : .fits
    }
    let others = scores.filter {
      abs($0.quarters - found.quarters) > Rules.clockNeighbours
        && $0.total <= 2 * found.total + Rules.boundaryDoubt
    }
    guard large.count >= 2, others.isEmpty else { return .unclear(before, of: all) }
    return .shifted(found.quarters, before: before, after: found.total)
  }

  /// Quarter hours by which a clock may be off.
  private static let shifts = -Rules.clockQuarters...Rules.clockQuarters

  /// All units that Apple reports in the storefronts at some places.
  private func units(of places: [Int]) -> Int64 {
    places.reduce(0) { $0 + reported[$1].reduce(0, +) }
  }
}
