import Billing
import Languages
import Conclusions

extension StageMark {
  /// In words: what makes the day stand out, beside other times.
  var explanation: Wording {
    switch self {
    case .unknownDay: "@list.no-event-of-this-day"
    case .unknownStage: "@list.no-event-of-this-step"
    case .failing(let from, let purchases, let events, let usual):
      """
      @list.failed-between-and-utc-against \
      \(percent(Int64(purchases) * 1_000_000 / Int64(events))) \(clock(from)) \
      \(clock(Instant(seconds: from.seconds + 3600))) \(percent(usual))
      """
    case .slowMedian(let value, let usual):
      "@list.half-took-ms-or-longer \(value) \(usual)"
    case .slowLate(let value, let usual):
      "@list.5-in-100-took-ms \(value) \(usual)"
    }
  }

  /// A moment's hour and minute in UTC: `02:10`.
  private func clock(_ moment: Instant) -> String {
    let minutes = (moment.seconds - moment.day().startUTC.seconds) / 60
    return "\(padded(Int(minutes / 60), 2)):\(padded(Int(minutes % 60), 2))"
  }

  /// The name of what is measured, for scripts.
  fileprivate var measure: String {
    switch self {
    case .unknownDay: "unknown_day"
    case .unknownStage: "unknown_stage"
    case .failing: "failing_hour"
    case .slowMedian: "median_ms"
    case .slowLate: "p95_ms"
    }
  }

  /// The figure of the day and the usual one; nil where no event is known.
  fileprivate var figures: (value: Int64, usual: Int64)? {
    switch self {
    case .unknownDay, .unknownStage: nil
    case .failing(_, let purchases, _, let usual): (Int64(purchases), usual)
    case .slowMedian(let value, let usual), .slowLate(let value, let usual): (value, usual)
    }
  }

  /// The beginning and the events of the hour in which purchases failed; nil for other marks.
  fileprivate var hour: (from: Instant, events: Int)? {
    guard case .failing(let from, _, let events, _) = self else { return nil }
    return (from, events)
  }

  /// Whether no event is known of the day or of the step.
  fileprivate var isUnknown: Bool { self == .unknownDay || self == .unknownStage }
}

extension List<StageMark> {
  /// The columns of what makes days stand out, as scripts get them.
  fileprivate static var marks: List {
    List([
      Column("measure") { .text($0.measure) },
      Column("from") { .text(ifAny: $0.hour?.from.description) },
      Column("value") { .integer(ifAny: $0.figures?.value) },
      Column("of") { .integer(ifAny: $0.hour.map { Int64($0.events) }) },
      Column("usual") { mark in
        mark.hour == nil ? .integer(ifAny: mark.figures?.usual) : .ratio(ifAny: mark.figures?.usual)
      },
      Column("text") { .text(say($0.explanation)) },
    ])
  }
}

extension StageDay {
  /// The step's name for a reader.
  var name: Wording { stage.isEmpty ? "@list.other-steps" : Wording(verbatim: stage) }
}

extension List<StageDay> {
  /// The columns of the steps of purchases by the company's log, a line for each day and step.
  static var stages: List {
    List([
      Column("date", .date("@shared.day")) { .day($0.day) },
      Column("stage", .text("@shared.step")) { .words($0.name) }.coded { $0.stage },
      Column("events", .number("@list.events")) { .integer(ifAny: $0.events.map { Int64($0) }) },
      Column("failed", .number("@shared.failed")) { .integer(ifAny: $0.failed.map { Int64($0) }) },
      Column("cancelled", .number("@shared.cancelled")) {
        .integer(ifAny: $0.cancelled.map { Int64($0) })
      },
      Column("failed_share", .number("@list.share-failed")) { .ratio(ifAny: $0.failedShare) },
      Column("median_ms", .number("@list.median-ms")) { .integer(ifAny: $0.medianDuration) },
      Column("p95_ms", .number("@list.95-in-100-ms")) { .integer(ifAny: $0.lateDuration) },
      Column<StageDay>("marks", .prose("@shared.what-stands-out", 60)) {
        .words($0.marks.map(\.explanation).joined(separator: "; "))
      }.documented { $0.lines($1.marks, of: .marks) }
        .tinted { $0.marks.contains { !$0.isUnknown } ? .warning : nil },
    ])
  }
}

extension List<RefusedCount> {
  /// The columns of refused receipts by Apple's status.
  fileprivate static var refused: List {
    List([
      Column("status") { .integer(Int64($0.status)) },
      Column("receipts") { .integer(Int64($0.receipts)) },
    ])
  }
}

extension List<DeliveryDay> {
  /// The columns of what came late, and what Apple refused, a line for each day.
  static var deliveries: List {
    List([
      Column("date", .date("@shared.day")) { .day($0.day) },
      Column("delivered", .number("@shared.fulfilled")) { .integer(Int64($0.delivered)) },
      Column("late", .number("@list.late")) { .integer(Int64($0.late)) },
      Column("late_share", .number("@list.share-late")) { .ratio(ifAny: $0.lateShare) },
      Column<DeliveryDay>("refused", .text("@list.receipts-refused-by-apple", 8...40)) {
        .text(ifAny: $0.refused.isEmpty ? nil : $0.refused.told)
      }.documented { $0.lines($1.refused, of: .refused) },
    ])
  }
}

extension [RefusedCount] {
  /// The refused receipts in one text, by Apple's status: `21002 × 3, 21005 × 1`.
  var told: String {
    map { "\($0.status) × \($0.receipts)" }.joined(separator: ", ")
  }
}

extension JSONWriter {
  /// The members `stages`, `deliveries` and `undated_refusals`; none without events of the log.
  mutating func writeStages(of reconciliation: Reconciliation) {
    guard let stages = reconciliation.stages else { return }
    lines("stages", stages.stages, of: .stages)
    lines("deliveries", stages.deliveries, of: .deliveries)
    integer("undated_refusals", stages.undatedRefusals)
  }
}

extension WorkbookContents {
  /// The sheet of the steps of purchases; nil without events of the company's log.
  func stagesSheet() -> Sheet? {
    guard let stages = reconciliation.stages else { return nil }
    let list = List<StageDay>.stages
    let body = ListBody.sheet(count: stages.stages.count)
    var below = PlacedRows(from: body.row(of: stages.stages.count))
    below.addTable(
      "@list.late-fulfilments-and-refused-receipts", stages.deliveries,
      of: List<DeliveryDay>.deliveries)
    return Sheet(
      name: say("@list.purchase-stages"), columns: list.heads,
      rows: Rows(list.rows(stages.stages, at: body) + below.rows), totals: [], frozenColumns: 2)
  }
}
