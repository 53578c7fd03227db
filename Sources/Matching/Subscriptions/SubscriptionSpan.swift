import Billing

/// The length of a subscription's period: whole calendar months, or a number of seconds.
struct SubscriptionSpan {
  private let months: Int
  private let seconds: Int64

  /// The span of a paid period; nil where there is none, or where it was a trial.
  init?(from start: UInt32, to end: UInt32, isPaid: Bool) {
    guard isPaid, end > start else { return nil }
    seconds = Int64(end) - Int64(start)
    let rounded = Int((seconds + Rules.averageMonth / 2) / Rules.averageMonth)
    let isCalendar =
      rounded > 0
      && abs(Self.moment(start, plus: rounded) - Int64(end)) <= Rules.calendarMonthSlack
    months = isCalendar ? rounded : 0
  }

  /// How many whole periods lie between two moments, in seconds since 1970: at least one, give or
  /// take a day (less for periods of a few days). Nil where it is no whole number.
  func periods(from end: UInt32, to next: UInt32) -> Int64? {
    let gap = Int64(next) - Int64(end)
    let slack = min(Rules.periodSlack, seconds / 4)
    let length = months > 0 ? Int64(months) * Rules.averageMonth : seconds
    let count = (gap + length / 2) / length
    guard gap > slack, count >= 1 else { return nil }
    let expected =
      months > 0
      ? Self.moment(end, plus: Int(count) * months) : Int64(end) + count * seconds
    return abs(Int64(next) - expected) <= slack ? count : nil
  }

  /// The same time of the same day some months later, or of that month's last day.
  private static func moment(_ start: UInt32, plus months: Int) -> Int64 {
    let day = Instant(seconds: Int64(start)).day()
    let (year, month, number) = day.parts
    let index = year * 12 + month - 1 + months
    let length = Day.length(ofMonth: index % 12 + 1, year: index / 12)
    let later = Day(year: index / 12, month: index % 12 + 1, day: min(number, length))
    return (later ?? day).startUTC.seconds + Int64(start) - day.startUTC.seconds
  }
}
