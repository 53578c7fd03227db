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
  /// Per transaction terms, the place of its storefront; -1 where it is none of these.
  private let placeOfTerms: [Int]

  init(_ facts: MonthFacts, _ table: MatchTable, _ context: MatchingContext) {
    self.facts = facts
    self.table = table
    grid = QuarterGrid(context.period)
    let covered = Set(
      facts.coverage.lazy.filter { $0.begin == $0.end }.map(\.begin))
    let days = context.period.days.filter(covered.contains)
    let numbers = Dictionary(uniqueKeysWithValues: days.enumerated().map { ($1, $0) })
    var units: [Storefront: [Int64]] = [:]
    for row in facts.sales where row.units > 0 && row.begin == row.end {
      guard let day = numbers[row.begin], facts.salesProducts[Int(row.product)].type.isCovered
      else { continue }
      units[
        facts.salesTerms[Int(row.terms)].storefront,
        default: Array(repeating: 0, count: days.count)][day] += Int64(row.units)
    }
    storefronts = units.keys.sorted()
    let places = Dictionary(uniqueKeysWithValues: storefronts.enumerated().map { ($1, $0) })
    self.places = places
    self.days = days
    reported = storefronts.map { units[$0]! }
    let grid = grid
    starts = storefronts.map { storefront in
      Self.zones(storefront, context).map { zone in
        days.flatMap {
          [grid.start(of: $0, in: zone), grid.start(of: $0.advanced(by: 1), in: zone)]
        }
      }
    }
    placeOfTerms = facts.transactionTerms.map { terms in
      guard let storefront = terms.storefront, context.isBillable(terms) else { return -1 }
      return places[storefront] ?? -1
    }
  }

  /// The kinds of zones by which documents of Apple's cut its days; `utc` is none of them.
  private static let documented = 0..<3
  private static let utc = 3

  /// A storefront's zone of each kind.
  private static func zones(_ storefront: Storefront, _ context: MatchingContext) -> [Zone] {
    if let zone = context.settings.dayBoundary[storefront] {
      return Array(repeating: zone, count: utc + 1)
    }
    let pacific = context.zone(Territory.pacific.zoneName)
    let territory = context.storefronts.territory(of: storefront)
      .map { context.zone($0.zoneName) }
    let own = context.storefronts.zoneName(of: storefront).flatMap { context.zones[$0] }
    return [pacific, territory ?? pacific, own ?? pacific, Zone.utc]
  }

  /// Units by storefront that were bought before each quarter hour.
  ///
  /// - Parameter ahead: seconds by which each transaction's time is taken back; empty for none.
  func counts(ahead: [Int32]) -> [[Int64]] {
    var counts = storefronts.map { _ in [Int64](repeating: 0, count: grid.count + 1) }
    if storefronts.isEmpty { return counts }
    for (index, entry) in facts.transactions.enumerated() {
      let place = placeOfTerms[Int(entry.terms)]
      if place < 0 || table.orderOf[index] == .merged || table.chains.role(of: index) == .restore {
        continue
      }
      let seconds = Int64(entry.purchasedAt) - (ahead.isEmpty ? 0 : Int64(ahead[index]))
      guard let quarter = grid.quarter(UInt32(clamping: seconds)) else { continue }
      counts[place][quarter + 1] += Int64(facts.transactionTerms[Int(entry.terms)].quantity)
    }
    for place in counts.indices {
      for quarter in 1...grid.count { counts[place][quarter] += counts[place][quarter - 1] }
    }
    return counts
  }

  /// Units by which the days differ, each storefront's by the zone that fits it best.
  func residual(of counts: [[Int64]]) -> Int64 {
    storefronts.indices.reduce(0) { sum, place in
      sum + (Self.documented.map { residual(of: counts, at: place, $0, ahead: 0) }.min() ?? 0)
    }
  }

  /// - Parameter ahead: quarter hours by which the purchases' clock is taken to be ahead.
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

  /// The quarter hours by which all purchases are ahead, where Apple's zones do not fit its reports
  /// and one shift makes all storefronts with enough units fit by one kind of zone: several of them
  /// better, none worse.
  func shiftOfAll(_ counts: [[Int64]]) -> (quarters: Int, before: Int64, after: Int64)? {
    let large = storefronts.indices.filter { reported[$0].reduce(0, +) >= Rules.boundaryUnits }
    // One storefront alone may have days that no document knows.
    guard large.count >= 2 else { return nil }
    func differences(_ kind: Int, ahead: Int) -> [Int64] {
      large.map { residual(of: counts, at: $0, kind, ahead: ahead) }
    }
    func best(ahead: Int) -> (total: Int64, each: [Int64]) {
      Self.documented.map { differences($0, ahead: ahead) }.map { ($0.reduce(0, +), $0) }
        .min { $0.0 < $1.0 }!
    }
    let units = large.reduce(0) { $0 + reported[$1].reduce(0, +) }
    let before = best(ahead: 0)
    guard Rules.clockMisfit * before.total >= units else { return nil }
    let limit = Rules.clockQuarters
    let scores = (-limit...limit).map { (quarters: $0, fit: best(ahead: $0)) }
    let found = scores.min {
      ($0.fit.total, abs($0.quarters)) < ($1.fit.total, abs($1.quarters))
    }!
    let after = found.fit
    guard found.quarters != 0, 3 * after.total <= before.total,
      differences(Self.utc, ahead: 0).reduce(0, +) > after.total + Rules.boundaryDoubt,
      large.indices.count(where: { after.each[$0] < before.each[$0] }) >= 2,
      zip(after.each, before.each).allSatisfy({ $0 <= $1 + Rules.boundaryDoubt })
    else { return nil }
    return (found.quarters, before.total, after.total)
  }
}
