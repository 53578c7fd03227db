/// A plain calendar date, never an instant: days since 1970-01-01 in the proleptic Gregorian
/// calendar. Apple's report days are such dates; no zone converts them.
package struct Day: Hashable, Sendable, Comparable, CustomStringConvertible, Strideable {
  package let number: Int32

  package init(number: Int32) { self.number = number }

  /// Years that anything here can be of: what lies outside is a slip or a stand-in for never.
  package static let years = 1900...2199

  /// The date, or nil when the calendar has no such day (30 February, month 13) or its year is none
  /// of ``years``.
  package init?(year: Int, month: Int, day: Int) {
    guard Self.years.contains(year), (1...12).contains(month), day >= 1,
      day <= Day.length(ofMonth: month, year: year)
    else { return nil }
    self.init(ofYear: year, month, day)
  }

  /// The date of any year, month from 1 and day of the month from 1; the month and the day must be
  /// there.
  init(ofYear year: Int, _ month: Int, _ day: Int) {
    // Howard Hinnant's days-from-civil: years start in March, eras have 400 years.
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    number = Int32(era * 146_097 + dayOfEra - 719_468)
  }

  /// The date written `YYYY-MM-DD`.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2,
      parts[2].utf8.count == 2, let year = plainNumber(parts[0]),
      let month = plainNumber(parts[1]), let day = plainNumber(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// How many days a month has; January is 1.
  package static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The date's year, its month from 1 and its day of the month from 1.
  package var parts: (year: Int, month: Int, day: Int) {
    let shifted = Int(number) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// The day of the week: 0 is Sunday, 6 is Saturday.
  package var weekday: Int { Int(((number + 4) % 7 + 7) % 7) }

  /// The date as `YYYY-MM-DD`.
  package var description: String {
    let (year, month, day) = parts
    guard 0...9999 ~= year else {
      return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
    return String(unsafeUninitializedCapacity: 10) { digits in
      put(year / 100, into: digits, at: 0)
      put(year % 100, into: digits, at: 2)
      put(month, into: digits, at: 5)
      put(day, into: digits, at: 8)
      (digits[4], digits[7]) = (0x2D, 0x2D)
      return 10
    }
  }

  package func distance(to other: Day) -> Int { Int(other.number - number) }
  package func advanced(by days: Int) -> Day { Day(number: number + Int32(days)) }
  package static func < (left: Day, right: Day) -> Bool { left.number < right.number }

  /// Midnight UTC of this date.
  package var startUTC: Instant { Instant(seconds: Int64(number) * 86_400) }
}

/// The number that the text writes in plain digits; nil for anything else. Unlike `Int`, it takes
/// no sign.
package func plainNumber(_ text: some StringProtocol) -> Int? {
  text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
}

/// Writes `value`, from 0 to 99, as two decimal digits into `text` at `place`. By hand for speed:
/// dates and times are told with each finding.
private func put(_ value: Int, into text: UnsafeMutableBufferPointer<UInt8>, at place: Int) {
  text[place] = 0x30 + UInt8(value / 10)
  text[place + 1] = 0x30 + UInt8(value % 10)
}

/// A decimal number with zeros before it, so that it has at least `width` digits.
package func padded(_ value: Int, _ width: Int) -> String {
  let text = String(value)
  return text.count >= width ? text : String(repeating: "0", count: width - text.count) + text
}

/// A moment, in whole seconds since 1970-01-01T00:00:00Z.
package struct Instant: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let seconds: Int64
  package init(seconds: Int64) { self.seconds = seconds }
  package static func < (left: Instant, right: Instant) -> Bool { left.seconds < right.seconds }

  /// The day of this moment in a zone that is `offset` seconds ahead of UTC.
  package func day(offset: Int32 = 0) -> Day {
    let local = seconds + Int64(offset)
    return Day(number: Int32(local >= 0 ? local / 86_400 : (local - 86_399) / 86_400))
  }

  /// ISO 8601 in UTC, `2023-06-19T08:30:00Z`.
  package var description: String {
    let day = day()
    let second = Int(seconds - day.startUTC.seconds)
    let time = String(unsafeUninitializedCapacity: 10) { digits in
      put(second / 3600, into: digits, at: 1)
      put(second / 60 % 60, into: digits, at: 4)
      put(second % 60, into: digits, at: 7)
      (digits[0], digits[3], digits[6], digits[9]) = (0x54, 0x3A, 0x3A, 0x5A)
      return 10
    }
    return day.description + time
  }
}
