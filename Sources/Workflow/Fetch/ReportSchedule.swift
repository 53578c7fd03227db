import Billing

/// When Apple makes its reports ("Sales and Trends reports availability", "Download financial
/// reports", App Store Connect help, read 2026-11-22).
enum ReportSchedule {
  /// Days back that daily, weekly and monthly reports are kept.
  static let horizon = 365
  /// Days back that notification histories of Production go.
  static let notificationHorizon = 180
  /// Newest days whose reports may still be revised.
  static let revisedDays = 2
  /// Seconds before now that notifications are asked up to: Apple lists them a little later than it
  /// sends them [?].
  static let notificationDelay: Int64 = 120
  /// Seconds after which it is worth asking again for a financial report that there was none of.
  static let financePause: Int64 = 12 * 3600

  /// The last day whose report may be there: those of the Americas by 5 am Pacific of the day
  /// after, the latest of all; 12:00 UTC in summer.
  static func lastDay(at now: Instant) -> Day {
    Instant(seconds: now.seconds - 36 * 3600).day()
  }

  /// The moment from which a day's report is there for certain: 8 am Pacific of the day after,
  /// 16:00 UTC in winter.
  static func isDue(_ day: Day) -> Instant {
    Instant(seconds: day.advanced(by: 1).startUTC.seconds + 16 * 3600)
  }

  /// The Sunday that ends the last week whose report may be there: made on Monday.
  static func lastWeek(at now: Instant) -> Day {
    let day = lastDay(at: now)
    return day.advanced(by: -day.weekday)
  }

  /// The last day of the last month whose report may be there: made 5 days after its end.
  static func lastMonth(at now: Instant) -> Day {
    let day = now.day().advanced(by: -5)
    return day.advanced(by: -day.parts.day)
  }

  /// The last fiscal month whose financial reports may be there: by the first Friday of the next
  /// one, which begins on a Sunday.
  static func lastFiscalMonth(at now: Instant) -> FiscalMonth {
    let current = FiscalMonth(containing: now.day())
    let friday = current.first.advanced(by: 5)
    return now.day() >= friday ? current.previous : current.previous.previous
  }
}
