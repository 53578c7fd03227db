import Billing

/// The spans by which level 2 compares: Apple's current reports, a day each where there are daily
/// ones, and the days of the period that have none.
struct ReportDays {
  struct Slot: Hashable {
    var begin: Day
    var end: Day
    /// Whether the period contains the whole span.
    var isInPeriod: Bool
    /// Neither a report nor a recorded no-sales.
    var isMissing: Bool
  }

  /// Ascending; a day before the period and one after it stand in as neighbours.
  let slots: [Slot]
  /// Slot by day, from `firstDay`.
  private let slotOfDay: [Int16]
  private let firstDay: Day

  static let none: Int16 = -1

  init(_ coverage: [ReportCoverage], period: Period) {
    let reach = period.first.advanced(by: -1)...period.last.advanced(by: 1)
    var spans: Set<[Int32]> = []
    for span in coverage where reach.contains(span.begin) && reach.contains(span.end) {
      spans.insert([span.begin.number, span.end.number])
    }
    var slots: [Slot] = []
    var next = reach.lowerBound
    for span in spans.sorted(by: { ($0[0], $0[1]) < ($1[0], $1[1]) }) {
      let (begin, end) = (Day(number: span[0]), Day(number: span[1]))
      guard begin >= next else { continue }
      slots += Self.missing(from: next, before: begin, period)
      slots.append(
        Slot(
          begin: begin, end: end, isInPeriod: period.contains(begin) && period.contains(end),
          isMissing: false))
      next = end.advanced(by: 1)
    }
    slots += Self.missing(from: next, before: reach.upperBound.advanced(by: 1), period)
    self.slots = slots
    firstDay = reach.lowerBound
    var table = [Int16](repeating: Self.none, count: firstDay.distance(to: reach.upperBound) + 1)
    for (index, slot) in slots.enumerated() {
      for day in slot.begin...slot.end { table[firstDay.distance(to: day)] = Int16(index) }
    }
    slotOfDay = table
  }

  private static func missing(from first: Day, before end: Day, _ period: Period) -> [Slot] {
    guard first < end else { return [] }
    return (first...end.advanced(by: -1)).filter(period.contains).map {
      Slot(begin: $0, end: $0, isInPeriod: true, isMissing: true)
    }
  }

  /// The slot of a day, or `none`.
  func slot(of day: Day) -> Int16 {
    let index = firstDay.distance(to: day)
    return slotOfDay.indices.contains(index) ? slotOfDay[index] : Self.none
  }

  /// Whether the period has any report or recorded no-sales.
  var hasReports: Bool { slots.contains { $0.isInPeriod && !$0.isMissing } }
}
