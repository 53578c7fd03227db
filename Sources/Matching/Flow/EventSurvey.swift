package import Billing
package import Conclusions

/// Counts the events of a period, one after another.
package struct EventSurvey: Sendable {
  let terms: [PurchaseEventTerms]
  private let days: BusinessDays
  /// The steps in their order; of a log with too many the rest have one place at the end.
  private let stages: [String]
  private let stageOfTerms: [Int32]
  /// By stage and day.
  private var counts: [Counts]
  private var durations: DelayHistogram
  /// By stage and hour: events, and purchases that failed.
  private var hours: [Hour]
  /// Purchases that failed at a step in an hour: who tries ten times is one.
  private var failures: Set<UInt64> = []
  package private(set) var traces: EventTraces?

  private struct Counts {
    var events: Int32 = 0
    var failed: Int32 = 0
    var cancelled: Int32 = 0
  }

  private struct Hour {
    var events: Int32 = 0
    var purchases: Int32 = 0
  }

  /// A day has so many hours at most, where clocks are set back.
  private static let hoursOfDay = 25

  /// Prepares the survey of a period's events.
  ///
  /// - Parameters:
  ///   - terms: what events point into.
  ///   - traces: whether to keep which purchases the events are of.
  package init(_ terms: [PurchaseEventTerms], _ context: MatchingContext, traces: Bool) {
    self.terms = terms
    days = BusinessDays(context)
    let known = PurchaseEventTerms.stages
    let further = Set(terms.map(\.stage)).subtracting(known).sorted()
    let named = known + further.prefix(Rules.stages - known.count)
    stages = named + (known.count + further.count > named.count ? [""] : [])
    let places = Dictionary(uniqueKeysWithValues: stages.enumerated().map { ($1, Int32($0)) })
    let rest = Int32(stages.count - 1)
    stageOfTerms = terms.map { places[$0.stage] ?? rest }
    counts = Array(repeating: Counts(), count: stages.count * days.count)
    durations = DelayHistogram(days: stages.count * days.count)
    hours = Array(repeating: Hour(), count: counts.count * Self.hoursOfDay)
    self.traces = traces ? EventTraces(terms) : nil
  }

  /// Adds an event to the day and the hour of its step, if it is of the period.
  package mutating func add(_ event: PurchaseEventEntry) {
    traces?.add(event)
    let day = days.index(UInt32(clamping: event.at))
    guard day >= 0 else { return }
    let stage = Int(stageOfTerms[event.terms])
    let place = stage * days.count + day
    let hour =
      place * Self.hoursOfDay + Int((event.at - days.seconds(day).lowerBound) / 3600)
    counts[place].events += 1
    hours[hour].events += 1
    if let duration = event.duration { durations.add(duration, on: place) }
    switch terms[event.terms].outcome {
    case .ok: break
    case .cancelled: counts[place].cancelled += 1
    case .failed:
      counts[place].failed += 1
      if isFirst(event, in: hour) { hours[hour].purchases += 1 }
    }
  }

  /// Whether an event is the first failure of its purchase to be added in an hour of a step. Where
  /// no id says which purchase it is of, it is taken for the first.
  ///
  /// - Parameter hour: its place in ``hours``.
  private mutating func isFirst(_ event: PurchaseEventEntry, in hour: Int) -> Bool {
    let key = [event.order, event.transaction, event.user].first { !$0.isNone }
    guard let key else { return true }
    let digest = withUnsafeBytes(of: (key.raw, Int64(hour))) { hash64($0) }
    return failures.insert(digest).inserted
  }

  /// What the period's events come to; nil where all are of other days.
  ///
  /// - Parameters:
  ///   - flow: the period's purchases by day.
  ///   - refused: receipts that Apple refused; those of other days are left out.
  package func conclusion(_ flow: [FlowDay], refused: [RefusedReceipt])
    -> PurchaseStages?
  {
    let eventDays = (0..<days.count).filter { day in
      stages.indices.contains { counts[$0 * days.count + day].events > 0 }
    }
    guard let first = eventDays.first, let last = eventDays.last else { return nil }
    let (deliveries, undated) = deliveries(flow, refused)
    let bought = flow.map { days.first.distance(to: $0.day) }
    let shownDays = min(first, bought.min() ?? first)...max(last, bought.max() ?? last)
    var byStage: [[StageDay]] = []
    for stage in stages.indices where eventDays.contains(where: { count(stage, $0).events > 0 }) {
      byStage.append(lines(stage, shownDays, Set(eventDays)))
    }
    return PurchaseStages(
      stages: (0..<shownDays.count).flatMap { day in byStage.map { $0[day] } },
      deliveries: deliveries, undatedRefusals: undated)
  }

  /// How many events of a step a day has, and how many failed or were cancelled; both are named by
  /// their places.
  private func count(_ stage: Int, _ day: Int) -> Counts { counts[stage * days.count + day] }

  /// The lines of a step, one for each day that is shown, with what makes days stand out.
  ///
  /// - Parameters:
  ///   - stage: its place in ``stages``.
  ///   - shownDays: places of the days.
  ///   - eventDays: places of the days that have an event of any step.
  private func lines(
    _ stage: Int, _ shownDays: ClosedRange<Int>, _ eventDays: Set<Int>
  ) -> [StageDay] {
    let sorted = eventDays.map { count(stage, $0).events }.sorted()
    // A step that nearly every day has a few of may well have none on one.
    let isExpected = Int(sorted[sorted.count / 2]) >= Rules.flowPurchases
    var lines = shownDays.map { day in
      var line = StageDay(day: days.day(day), stage: stages[stage])
      let count = count(stage, day)
      guard eventDays.contains(day) else {
        line.marks = [.unknownDay]
        return line
      }
      if count.events == 0, isExpected {
        line.marks = [.unknownStage]
        return line
      }
      line.events = Int(count.events)
      line.failed = Int(count.failed)
      line.cancelled = Int(count.cancelled)
      line.medianDuration = durations.percentile(50, on: stage * days.count + day)
      line.lateDuration = durations.percentile(95, on: stage * days.count + day)
      return line
    }
    for (day, mark) in failingHours(stage) { lines[day - shownDays.lowerBound].marks.append(mark) }
    markSlow(&lines, stage, shownDays)
    return lines
  }

  /// For each day, the hour in which the number of purchases that failed at a step is the least
  /// likely, if the part that failed in all other hours is the rule; only hours that are unlikely
  /// enough, ascending by day.
  ///
  /// - Parameter stage: its place in ``stages``.
  private func failingHours(_ stage: Int) -> [(day: Int, StageMark)] {
    let own = stage * days.count * Self.hoursOfDay..<(stage + 1) * days.count * Self.hoursOfDay
    let (events, purchases) = hours[own].reduce((0, 0)) {
      ($0.0 + Int($1.events), $0.1 + Int($1.purchases))
    }
    // Each hour of each step could have been the one.
    let places = hours.count { $0.events > 0 }
    var worst: [Int: (chance: Double, mark: StageMark)] = [:]
    for place in own {
      let (failed, tried) = (Int(hours[place].purchases), Int(hours[place].events))
      guard failed >= Rules.flowUnfulfilled else { continue }
      // One more each, so that a share of none is not certain.
      let share = Double(purchases - failed + 1) / Double(events - tried + 1)
      let chance =
        Chance.logTail(hits: failed, of: tried, share: min(share, 1))
        + naturalLog(Double(places))
      guard Double(failed) >= Rules.flowUnfulfilledExcess * share * Double(tried),
        Chance.rarity(log: chance) >= Rules.flowRarity
      else { continue }
      let hour = place - own.lowerBound
      let day = hour / Self.hoursOfDay
      let start = days.seconds(day).lowerBound + Int64(hour % Self.hoursOfDay) * 3600
      let others = Int64(max(events - tried, 1))
      let usual = (Int64(purchases - failed) * 2_000_000 + others) / (2 * others)
      if chance < worst[day]?.chance ?? 0 {
        worst[day] = (
          chance,
          .failing(
            from: Instant(seconds: start), purchases: failed, events: tried, usual: usual)
        )
      }
    }
    return worst.sorted { $0.key < $1.key }.map { (day: $0.key, $0.value.mark) }
  }

  /// Marks the days on which a step took longer than is usual on the others.
  ///
  /// - Parameters:
  ///   - stage: its place in ``stages``.
  ///   - shownDays: places of the lines' days.
  private func markSlow(_ lines: inout [StageDay], _ stage: Int, _ shownDays: ClosedRange<Int>) {
    // With fewer nobody can say what is usual.
    guard lines.count >= Rules.flowDays else { return }
    /// The value of the line at an index, where its day has at least `fewest` events, so that it
    /// can be compared; else nil.
    func comparable(_ index: Int, _ fewest: Int, _ value: Int64?) -> Int64? {
      lines[index].events ?? 0 >= fewest ? value : nil
    }
    let medians = lines.indices.map {
      comparable($0, Rules.flowPurchases, lines[$0].medianDuration)
    }
    let lates = lines.indices.map {
      comparable($0, Rules.flowPurchasesForLate, lines[$0].lateDuration)
    }
    for index in lines.indices {
      /// The median of the values of all lines but that at `index`, where the value there is far
      /// above it; else nil.
      ///
      /// - Parameters:
      ///   - values: by line, in milliseconds.
      ///   - least: by how much the value has to be above the median.
      func usual(_ values: [Int64?], by least: Int64) -> Int64? {
        Usual(values.indices.filter { $0 != index }.compactMap { values[$0] })?
          .ifSlower(values[index], by: least)
      }
      if let usual = usual(medians, by: Rules.stageSlowMedian), let median = medians[index] {
        lines[index].marks.append(.slowMedian(median, usual: usual))
      }
      if let usual = usual(lates, by: Rules.stageSlowLate), let late = lates[index],
        isMore(stage, shownDays.lowerBound + index, than: usual + Rules.stageSlowLate)
      {
        lines[index].marks.append(.slowLate(late, usual: usual))
      }
    }
  }

  /// Whether so many of a day's events at a step took longer than `delay` milliseconds that chance
  /// hardly explains it, given the part that did on all other days: where one in a hundred times
  /// out, some days have five in a hundred.
  ///
  /// - Parameters:
  ///   - stage: its place in ``stages``.
  ///   - day: its place in the period.
  private func isMore(_ stage: Int, _ day: Int, than delay: Int64) -> Bool {
    let own = stage * days.count + day
    var (above, count) = (0, 0)
    for place in stage * days.count..<(stage + 1) * days.count where place != own {
      above += durations.count(above: delay, on: place)
      count += durations.count(on: place)
    }
    // One more each, so that a share of none is not certain; each day of each step could have been
    // the one.
    let chance =
      Chance.logTail(
        hits: durations.count(above: delay, on: own), of: durations.count(on: own),
        share: Double(above + 1) / Double(count + 1))
      + naturalLog(Double(counts.count))
    return Chance.rarity(log: chance) >= Rules.flowRarity
  }

  /// How late each day's purchases were fulfilled and which receipts Apple refused, ascending by
  /// day; and how many refusals have no time.
  private func deliveries(
    _ flow: [FlowDay], _ refused: [RefusedReceipt]
  ) -> ([DeliveryDay], undated: Int) {
    var refusals: [Day: [Int32: Int]] = [:]
    for receipt in refused {
      guard let moment = receipt.observedAt else { continue }
      let day = days.index(UInt32(clamping: moment.seconds))
      if day >= 0 { refusals[days.day(day), default: [:]][receipt.status, default: 0] += 1 }
    }
    let delivered = Dictionary(uniqueKeysWithValues: flow.map { ($0.day, $0) })
    let lines = Set(delivered.keys).union(refusals.keys).sorted().map { day in
      DeliveryDay(
        day: day, delivered: delivered[day]?.delivered ?? 0, late: delivered[day]?.late ?? 0,
        refused: (refusals[day] ?? [:]).sorted { $0.key < $1.key }.map {
          RefusedCount(status: $0.key, receipts: $0.value)
        })
    }
    return (lines, refused.count { $0.observedAt == nil })
  }
}
