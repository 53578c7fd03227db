import Billing

/// Time in quarter hours from three days before the period to three days after it: every zone's
/// offset is a multiple of a quarter hour, so days never begin inside one.
struct QuarterGrid {
  /// Seconds since 1970.
  let start: Int64
  /// Quarter hours.
  let count: Int

  /// Lays the grid over a period and `Rules.daysBefore` days on either side.
  init(_ period: Period) {
    start = period.first.advanced(by: -Rules.daysBefore).startUTC.seconds
    count = (period.dayCount + 2 * Rules.daysBefore) * 96
  }

  /// The quarter hour, from the grid's start on, of a moment in seconds since 1970; nil outside the
  /// grid.
  func quarter(_ seconds: UInt32) -> Int? {
    let since = Int64(seconds) - start
    return since >= 0 && since < Int64(count) * 900 ? Int(since / 900) : nil
  }

  /// When a quarter hour begins.
  func moment(_ quarter: Int) -> Instant { Instant(seconds: start + Int64(quarter) * 900) }

  /// The first quarter hour of a day in a zone, inside 0...count.
  func start(of day: Day, in zone: Zone) -> Int {
    let seconds = zone.start(of: day).seconds
    return min(max(Int((seconds - start + 899) / 900), 0), count)
  }

  /// For each quarter hour, the report slot of its date in a zone, or `ReportDays.none`.
  func slots(in zone: Zone, _ days: ReportDays) -> [Int16] {
    (0..<count).map { days.slot(of: zone.day(of: moment($0))) }
  }
}
