import Billing
import Conclusions

/// The span of time that holds more of some moments than chance brings there.
struct SharedSpan {
  /// Ascending, with the case that each belongs to.
  private let moments: [(at: Int64, index: Int)]
  private let counts: BusinessCounts
  private let fewest: Int
  private let all: Int

  /// Puts moments of the period in order.
  ///
  /// - Parameters:
  ///   - moments: when each case happened, in seconds since 1970, with the case's index.
  ///   - counts: how all business divides over the minutes.
  ///   - all: moments with those that another pattern explains: where these lie others are few, so
  ///     that the rest would crowd elsewhere without a cause.
  ///   - fewest: moments that a span has to hold.
  init(_ moments: [(at: Int64, index: Int)], _ counts: BusinessCounts, of all: Int, fewest: Int) {
    self.all = max(all, moments.count)
    self.moments = moments.filter { counts.minute(of: $0.at) >= 0 }
      .sorted { ($0.at, $0.index) < ($1.at, $1.index) }
    self.counts = counts
    self.fewest = max(fewest, Rules.patternFindings)
  }

  /// The least likely span from one moment to another; nil where none has half as much again as its
  /// share: what grows slowly has little more.
  func trait() -> SharedTrait? {
    var best: (first: Int, last: Int, chance: Double)?
    /// Keeps the span from one moment to another, named by their places, if it is the least likely
    /// one so far.
    func judge(_ first: Int, _ last: Int) {
      guard moments.indices.contains(first), moments.indices.contains(last),
        last - first + 1 >= fewest
      else { return }
      let chance = chance(first, last)
      if chance < best?.chance ?? 0 { best = (first, last, chance) }
    }
    for size in sizes {
      for first in 0..<max(moments.count - size + 1, 0) { judge(first, first + size - 1) }
    }
    // Between the sizes that were looked at lies a better one, perhaps.
    while let before = best {
      for reach in -reach...reach {
        judge(before.first + reach, before.last)
        judge(before.first, before.last + reach)
      }
      if best! == before { break }
    }
    guard let best else { return nil }
    let (first, last) = (moments[best.first].at, moments[best.last].at)
    return SharedTrait(
      dimension: .time, span: Instant(seconds: first)...Instant(seconds: last),
      cases: moments[best.first...best.last].map(\.index).sorted(),
      share: counts.share(
        from: first, to: last, hits: best.last - best.first + 1, of: moments.count),
      chance: best.chance)
  }

  /// Numbers of moments to look for: all of them, and of very many some.
  private var sizes: [Int] {
    if moments.count <= 300 { return Array(fewest..<max(fewest, moments.count + 1)) }
    var sizes: [Int] = []
    var size = fewest
    while size <= moments.count {
      sizes.append(size)
      size += max(1, size / 16)
    }
    return sizes
  }

  /// By how many moments either end of a span is moved to find a better one.
  private var reach: Int { min(moments.count, 64) }

  /// The chance, as a logarithm, that a span between two moments, named by their places, holds as
  /// many as it does; 0 where that is not half as much again as its share. Two of the moments are
  /// the ends of the span: given any two, the others fall between them by the share of business
  /// that lies there.
  private func chance(_ first: Int, _ last: Int) -> Double {
    let count = last - first + 1
    let share = counts.share(
      from: moments[first].at, to: moments[last].at, hits: count, of: all)
    guard Double(count) >= Rules.patternExcess * share * Double(all) else { return 0 }
    let pairs = naturalLog(Double(moments.count)) + naturalLog(Double(moments.count - 1))
    return Chance.logTail(hits: count - 2, of: all - 2, share: share) + pairs
  }
}

/// The run of report days that holds more of some findings than chance brings there.
struct SharedDays {
  private let days: [(day: Day, index: Int)]
  private let counts: ReportCounts
  private let period: Period
  private let fewest: Int
  private let all: Int

  /// Takes the findings whose days are of the period.
  ///
  /// - Parameters:
  ///   - days: the report day of each finding, with the index of its case.
  ///   - counts: how all reported units divide over the days.
  ///   - all: days of findings with those that another pattern explains.
  ///   - fewest: findings that a run of days has to hold.
  init(
    _ days: [(day: Day, index: Int)], _ counts: ReportCounts, period: Period, of all: Int,
    fewest: Int
  ) {
    self.all = max(all, days.count)
    self.days = days.filter { period.contains($0.day) }
    self.counts = counts
    self.period = period
    self.fewest = max(fewest, Rules.patternFindings)
  }

  /// The least likely run of days; nil where none has twice its share.
  func trait() -> SharedTrait? {
    var best: SharedTrait?
    let places = Double(period.dayCount * (period.dayCount + 1) / 2)
    let shares = period.days.map { counts.share(counts.days[$0], among: period.dayCount) }
    var held = [[Int]](repeating: [], count: period.dayCount)
    for (day, index) in days { held[period.first.distance(to: day)].append(index) }
    for first in held.indices where !held[first].isEmpty {
      var (cases, share) = ([Int](), 0.0)
      for last in first..<held.count {
        share += shares[last]
        cases += held[last]
        guard !held[last].isEmpty, cases.count >= fewest,
          Double(cases.count) >= 2 * share * Double(all)
        else { continue }
        let chance =
          Chance.logTail(hits: cases.count, of: all, share: share) + naturalLog(places)
        guard chance < best?.chance ?? 0 else { continue }
        best = SharedTrait(
          dimension: .day,
          days: period.first.advanced(by: first)...period.first.advanced(by: last),
          cases: cases.sorted(), share: share, chance: chance)
      }
    }
    return best
  }
}
