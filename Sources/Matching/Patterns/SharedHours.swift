import Billing
import Conclusions

/// The hours of the company's day that hold more of some moments, over many days, than chance
/// brings there: what runs every night, or one shift.
struct SharedHours {
  /// Of a day.
  static let quarters = 96

  private let moments: [(quarter: Int, day: Day, index: Int)]
  /// Business by quarter hour.
  private let counts: [Int]
  private let fewest: Int
  private let all: Int

  /// Puts moments into quarter hours of the company's day.
  ///
  /// - Parameters:
  ///   - moments: when each case happened, in seconds since 1970, with the case's index.
  ///   - counts: how all business divides over the minutes.
  ///   - all: moments with those that another pattern explains.
  ///   - fewest: moments that the hours have to hold.
  init(
    _ moments: [(at: Int64, index: Int)], _ counts: BusinessCounts, _ context: MatchingContext,
    of all: Int, fewest: Int
  ) {
    self.all = max(all, moments.count)
    self.moments = moments.filter { counts.minute(of: $0.at) >= 0 }.map { moment in
      let day = context.businessDay(UInt32(moment.at))
      let start = context.settings.businessZone.start(of: day).seconds
      let quarter = min(Int((moment.at - start) / 900), Self.quarters - 1)
      return (quarter, day, moment.index)
    }
    self.counts = counts.quarters(context)
    self.fewest = max(fewest, Rules.patternFindings)
  }

  /// The least likely hours, which may go over midnight; nil where none hold half as much again as
  /// their share, on as many days as recur.
  func trait() -> SharedTrait? {
    var held = [Int](repeating: 0, count: Self.quarters)
    for moment in moments { held[moment.quarter] += 1 }
    let others = zip(counts, held).map { max($0 - $1, 0) }
    let business = others.reduce(0, +)
    let places = naturalLog(Double(Self.quarters * Rules.recurringQuarters))
    var found: [(first: Int, length: Int, share: Double, chance: Double)] = []
    for first in held.indices where held[first] > 0 {
      var (hits, rows) = (0, 0)
      for length in 1...Rules.recurringQuarters {
        let quarter = (first + length - 1) % Self.quarters
        hits += held[quarter]
        rows += others[quarter]
        let share = Double(rows + 1) / Double(business + 1)
        guard held[quarter] > 0, hits >= fewest,
          Double(hits) >= Rules.patternExcess * share * Double(all)
        else { continue }
        let chance = Chance.logTail(hits: hits, of: all, share: share) + places
        if chance < 0 { found.append((first, length, share, chance)) }
      }
    }
    for hours in found.sorted(by: { ($0.chance, $0.first) < ($1.chance, $1.first) }) {
      let members = moments.filter {
        ($0.quarter - hours.first + Self.quarters) % Self.quarters < hours.length
      }
      guard recurs(members.map(\.day)) else { continue }
      let last = (hours.first + hours.length) % Self.quarters
      return SharedTrait(
        dimension: .hours, value: "\(Self.clock(hours.first))-\(Self.clock(last))",
        hours: (0..<hours.length).map { (hours.first + $0) % Self.quarters },
        cases: members.map(\.index).sorted(), share: hours.share, chance: hours.chance)
    }
    return nil
  }

  /// Whether moments on these days recur: on many days, and on none by far the most.
  private func recurs(_ days: [Day]) -> Bool {
    let byDay = Dictionary(days.map { ($0, 1) }, uniquingKeysWith: +)
    return byDay.count >= Rules.recurringDays
      && byDay.values.allSatisfy { $0 * Rules.recurringDays <= days.count * 2 }
  }

  /// The time of day at which a quarter hour, by its number from midnight, begins: `02:15`.
  private static func clock(_ quarter: Int) -> String {
    "\(padded(quarter / 4, 2)):\(padded(quarter % 4 * 15, 2))"
  }
}
