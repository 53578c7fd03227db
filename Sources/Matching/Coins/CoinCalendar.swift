import Billing

/// Finds the business day of one movement after another: mostly it is the last one's.
struct CoinCalendar {
  private let zone: Zone
  private var seconds: Range<Int64> = 0..<0
  private var day: Int32 = 0

  init(_ zone: Zone) { self.zone = zone }

  /// The business day of a movement, in days since 1970.
  @inline(__always)
  mutating func day(_ entry: CoinMovementEntry) -> Int32 {
    if entry.isDay { return Int32(truncatingIfNeeded: entry.at / 86_400) }
    if seconds.contains(entry.at) { return day }
    let found = zone.day(of: Instant(seconds: entry.at))
    seconds = zone.start(of: found).seconds..<zone.start(of: found.advanced(by: 1)).seconds
    day = found.number
    return day
  }

  /// When a movement happened, in seconds since 1970. Where it has a day and no time, that is the
  /// start of the business day for coins that come, and its end for coins that go.
  ///
  /// - Parameter comes: whether the movement's coins come to their user.
  func moment(_ entry: CoinMovementEntry, comes: Bool) -> Int64 {
    if !entry.isDay { return entry.at }
    let own = Day(number: Int32(truncatingIfNeeded: entry.at / 86_400))
    return comes
      ? zone.start(of: own).seconds : zone.start(of: own.advanced(by: 1)).seconds - 1
  }
}
