package import Billing

/// The spans by which level 2 compares: Apple's current reports, a day each where there are daily
/// ones, and the days of the period that have none.
struct ReportDays {
  /// A span of days by which level 2 compares.
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

  /// Finds the slots of a period: the spans of its reports and the days that have none, and of the
  /// days on either side those with a report.
  ///
  /// - Parameter coverage: days for which Apple's side is known, by a report or as days without
  ///   sales.
  init(_ coverage: [ReportCoverage], period: Period) {
    let reach = period.first.advanced(by: -1)...period.last.advanced(by: 1)
    var slots = Self.reported(coverage, period, reach)
    let covered = Set(slots.flatMap { Array($0.begin...$0.end) })
    for day in period.days where !covered.contains(day) {
      slots.append(Slot(begin: day, end: day, isInPeriod: true, isMissing: true))
    }
    slots.sort { $0.begin < $1.begin }
    self.slots = slots
    firstDay = reach.lowerBound
    var table = [Int16](repeating: Self.none, count: firstDay.distance(to: reach.upperBound) + 1)
    for (index, slot) in slots.enumerated() {
      for day in slot.begin...slot.end { table[firstDay.distance(to: day)] = Int16(index) }
    }
    slotOfDay = table
  }

  /// Spans of reports inside the period and of the days beside it; a shorter one goes before a
  /// longer one that covers a day of it.
  ///
  /// - Parameter reach: the period's days with one before and one after.
  fileprivate static func reported(
    _ coverage: [ReportCoverage], _ period: Period, _ reach: ClosedRange<Day>
  ) -> [Slot] {
    var taken: Set<Day> = []
    var slots: [Slot] = []
    let spans = coverage.sorted {
      ($0.begin.distance(to: $0.end), $0.begin) < ($1.begin.distance(to: $1.end), $1.begin)
    }
    for span in spans where span.begin <= span.end {
      let isInPeriod = period.contains(span.begin) && period.contains(span.end)
      guard isInPeriod || (span.begin == span.end && reach.contains(span.begin)),
        !(span.begin...span.end).contains(where: taken.contains)
      else { continue }
      taken.formUnion(span.begin...span.end)
      slots.append(
        Slot(begin: span.begin, end: span.end, isInPeriod: isInPeriod, isMissing: false))
    }
    return slots
  }

  /// The index of the slot that a day is in, or `none`.
  func slot(of day: Day) -> Int16 {
    let index = firstDay.distance(to: day)
    return slotOfDay.indices.contains(index) ? slotOfDay[index] : Self.none
  }

  /// The index of the slot of a report's span, or `none` where another report counts.
  func slot(begin: Day, end: Day) -> Int16 {
    let slot = slot(of: begin)
    guard slot >= 0, !slots[Int(slot)].isMissing, slots[Int(slot)].begin == begin,
      slots[Int(slot)].end == end
    else { return Self.none }
    return slot
  }

  /// Whether the slot at an index is one of the period's; `none` is not.
  func isInPeriod(_ slot: Int16) -> Bool { slot >= 0 && slots[Int(slot)].isInPeriod }

  /// Whether the period has any report or recorded no-sales.
  var hasReports: Bool { slots.contains { $0.isInPeriod && !$0.isMissing } }
}

/// The days of which a reconciliation has Apple's side.
///
/// - Parameters:
///   - coverage: reports that count, and days without sales.
///   - period: that is reconciled; nil for one that holds them all.
package func daysCovered(by coverage: [ReportCoverage], of period: Period?) -> Set<Day> {
  guard let first = coverage.map(\.begin).min(), let last = coverage.map(\.end).max() else {
    return []
  }
  let period = period ?? Period(first: first, last: last)
  let slots = ReportDays.reported(coverage, period, first...last).filter(\.isInPeriod)
  return Set(slots.flatMap { Array($0.begin...$0.end) })
}

/// Vendors of which a day has no report while it has those of others, and what they sell: its
/// absence says nothing of what the others sell.
struct AbsentVendors {
  /// By slot, ascending.
  private(set) var bySlot: [Int16: [String]] = [:]
  /// Vendors whose reports have a SKU.
  private var vendorsOf: [String: Set<String>] = [:]

  /// Finds for each day of the period the vendors that have no report of it, though they sold
  /// before and after it or on most days.
  init(_ facts: MonthFacts, _ days: ReportDays, period: Period) {
    let named = facts.coverage.filter { !$0.vendor.isEmpty && $0.begin == $0.end }
    let covered = Dictionary(grouping: named, by: \.vendor).mapValues { Set($0.map(\.begin)) }
    guard covered.count > 1 else { return }
    for (vendor, own) in covered {
      // Who sold here before and after, or on most days, did so in between.
      let isUsual = 2 * own.count > period.dayCount
      guard let first = own.min(), let last = own.max() else { continue }
      for (index, slot) in days.slots.enumerated()
      where slot.isInPeriod && !slot.isMissing && slot.begin == slot.end
        && !own.contains(slot.begin) && (isUsual || (first < slot.begin && slot.begin < last))
      {
        bySlot[Int16(index), default: []].append(vendor)
      }
    }
    guard !bySlot.isEmpty else { return }
    bySlot = bySlot.mapValues { $0.sorted() }
    addProducts(facts)
  }

  /// Notes which vendors' reports have each SKU.
  private mutating func addProducts(_ facts: MonthFacts) {
    let reports = facts.coverage.compactMap { report in report.rows.map { ($0, report.vendor) } }
      .sorted { $0.0.lowerBound < $1.0.lowerBound }
    for entry in facts.sales {
      let next = reports.partitioningIndex { $0.0.lowerBound > entry.row.number }
      guard next > 0, reports[next - 1].0.contains(entry.row.number) else { continue }
      vendorsOf[facts.salesProducts[Int(entry.product)].sku, default: []]
        .insert(reports[next - 1].1)
    }
  }

  /// The vendor without a report on a slot that alone sells a SKU, the first of several; nil where
  /// another's report, or none, would have it.
  func vendor(of sku: String, slot: Int) -> String? {
    guard let absent = bySlot[Int16(slot)], let vendors = vendorsOf[sku],
      vendors.isSubset(of: absent)
    else { return nil }
    return vendors.min()
  }
}
