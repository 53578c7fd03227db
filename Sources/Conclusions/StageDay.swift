package import Billing

/// How a step of purchases went on one business day, by the company's log.
package struct StageDay: Hashable, Sendable {
  package var day: Day
  /// Empty for steps that are not told one by one, because there are too many names.
  package var stage: String
  /// Nil where no event is loaded of the day, or none of this step although other days have some:
  /// it is not known.
  package var events: Int?
  /// Of the events.
  package var failed: Int?
  package var cancelled: Int?
  /// Milliseconds: half of the events that tell it, and 95 in 100 of them, took no longer.
  package var medianDuration: Int64?
  package var lateDuration: Int64?
  /// What makes the day stand out.
  package var marks: [StageMark] = []

  package init(
    day: Day, stage: String, events: Int? = nil, failed: Int? = nil, cancelled: Int? = nil,
    medianDuration: Int64? = nil, lateDuration: Int64? = nil, marks: [StageMark] = []
  ) {
    self.day = day
    self.stage = stage
    self.events = events
    self.failed = failed
    self.cancelled = cancelled
    self.medianDuration = medianDuration
    self.lateDuration = lateDuration
    self.marks = marks
  }

  /// The part of the events that failed, in millionths; nil where there are none or they are not
  /// known.
  package var failedShare: Int64? {
    guard let events, let failed, events > 0 else { return nil }
    return (Int64(failed) * 2_000_000 + Int64(events)) / (2 * Int64(events))
  }
}

/// What a step did on a day that it did at no other time.
package enum StageMark: Hashable, Sendable {
  /// No event of the day is loaded, or none of the step.
  case unknownDay, unknownStage
  /// An hour in which far more purchases failed at the step than at other times: when it began, how
  /// many purchases, of how many events, and the share at other times in millionths.
  case failing(from: Instant, purchases: Int, events: Int, usual: Int64)
  /// Milliseconds, and the other days' median of the same.
  case slowMedian(Int64, usual: Int64)
  case slowLate(Int64, usual: Int64)
}

/// What became of a business day's purchases beside the log: how late they were fulfilled, and
/// which receipts Apple refused.
package struct DeliveryDay: Hashable, Sendable {
  package var day: Day
  /// Purchases of the day whose fulfilment tells its time, and those of them that came later than
  /// is allowed.
  package var delivered: Int
  package var late: Int
  /// Receipts that Apple refused on the day, by its status, ascending.
  package var refused: [RefusedCount] = []

  package init(day: Day, delivered: Int, late: Int, refused: [RefusedCount] = []) {
    self.day = day
    self.delivered = delivered
    self.late = late
    self.refused = refused
  }

  /// The part of the delivered that came late, in millionths; nil where none was delivered.
  package var lateShare: Int64? {
    guard delivered > 0 else { return nil }
    return (Int64(late) * 2_000_000 + Int64(delivered)) / (2 * Int64(delivered))
  }
}

/// Receipts that Apple refused with one status.
package struct RefusedCount: Hashable, Sendable {
  package var status: Int32
  package var receipts: Int

  package init(status: Int32, receipts: Int) {
    self.status = status
    self.receipts = receipts
  }
}

/// The steps of a period's purchases, by the company's log.
package struct PurchaseStages: Hashable, Sendable {
  /// By day, and of a day in the order of the steps.
  package var stages: [StageDay]
  package var deliveries: [DeliveryDay]
  /// Receipts that Apple refused at a time that nobody told.
  package var undatedRefusals: Int

  package init(stages: [StageDay], deliveries: [DeliveryDay], undatedRefusals: Int) {
    self.stages = stages
    self.deliveries = deliveries
    self.undatedRefusals = undatedRefusals
  }
}
