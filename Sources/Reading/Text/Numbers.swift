internal import Billing

/// The whole number that the bytes are in plain digits, with a fraction of zeros at most (`12`,
/// `-3`, `12.00`); nil for all else and for more than eighteen bytes.
@inline(__always)
func wholeNumber(_ bytes: UnsafeRawBufferPointer) -> Int64? {
  var index = 0
  let count = bytes.count
  guard count > 0, count < 19 else { return nil }
  let negative = bytes[0] == 0x2D
  if negative { index = 1 }
  let first = index
  var value: Int64 = 0
  while index < count, bytes[index] &- 0x30 < 10 {
    value = value &* 10 &+ Int64(bytes[index] &- 0x30)
    index &+= 1
  }
  if index == first { return nil }
  if index < count {
    guard bytes[index] == 0x2E else { return nil }
    index &+= 1
    while index < count {
      guard bytes[index] == 0x30 else { return nil }
      index &+= 1
    }
  }
  return negative ? -value : value
}

/// The number that the bytes at `range` are in decimal digits; nil when one of them is no digit, or
/// the range is empty or past the end.
func digits(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
  guard range.upperBound <= bytes.count, !range.isEmpty else { return nil }
  var value = 0
  for index in range {
    guard bytes[index] &- 0x30 < 10 else { return nil }
    value = value * 10 + Int(bytes[index] - 0x30)
  }
  return value
}

/// Apple's `MM/DD/YYYY`; one digit for month or day is read too. Remembers the last date.
struct AppleDateReader {
  private var head: UInt64 = 0
  private var tail: UInt64 = 0
  private var last = Day(number: 0)

  /// The day that the bytes are; nil when they are no day.
  @inline(__always)
  mutating func read(_ bytes: UnsafeRawBufferPointer) -> Day? {
    if bytes.count == 10, let base = bytes.baseAddress, loadWord(base) == head,
      loadWord(base + 8, count: 2) == tail
    {
      return last
    }
    return readNew(bytes)
  }

  /// The day that the bytes `MM/DD/YYYY` are, which is remembered; nil when they are no day.
  @inline(never)
  private mutating func readNew(_ bytes: UnsafeRawBufferPointer) -> Day? {
    let parts = bytes.split(separator: 0x2F, omittingEmptySubsequences: false)
    guard parts.count == 3, (1...2).contains(parts[0].count), (1...2).contains(parts[1].count),
      parts[2].count == 4, let month = digits(bytes, parts[0].indices),
      let day = digits(bytes, parts[1].indices), let year = digits(bytes, parts[2].indices),
      let date = Day(year: year, month: month, day: day)
    else { return nil }
    if bytes.count == 10, let base = bytes.baseAddress {
      head = loadWord(base)
      tail = loadWord(base + 8, count: 2)
      last = date
    }
    return date
  }
}

/// The day of `YYYY-MM-DD`; nil for any other bytes.
func isoDay(_ bytes: UnsafeRawBufferPointer) -> Day? {
  guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D, let year = digits(bytes, 0..<4),
    let month = digits(bytes, 5..<7), let day = digits(bytes, 8..<10)
  else { return nil }
  return Day(year: year, month: month, day: day)
}

/// Reads the times of company tables as seconds since 1970; remembers a few months, because rows of
/// a file lie close together, though not in order.
struct InstantReader {
  private struct Month {
    /// As it is written, `YYYY-MM-`.
    var text: UInt64 = 0
    /// The last day of the month before.
    var dayBefore: Int64 = 0
    var days: UInt64 = 0
  }

  /// By the last digit of the month.
  private var months = InlineArray<16, Month>(repeating: Month())

  /// Seconds since 1970, or nil when the text is no time with an offset.
  @inline(__always)
  mutating func read(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard let base = bytes.baseAddress, bytes.count == 20, bytes[19] == 0x5A, bytes[10] == 0x54
    else { return readSlowly(bytes) }
    guard let day = day(bytes), let second = secondOfDay(base + 11) else { return nil }
    return day &* 86_400 &+ second
  }

  /// Days from 1970 to the day `YYYY-MM-DD` that the bytes begin with; nil when they do not.
  @inline(__always)
  private mutating func day(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    let text = loadWord(bytes.baseAddress!)
    let month = months[Int(text &>> 48) & 15]
    if text != month.text { return newMonth(bytes) }
    let (tens, ones) = (UInt64(bytes[8]) &- 0x30, UInt64(bytes[9]) &- 0x30)
    let day = tens &* 10 &+ ones
    guard tens < 4, ones < 10, day &- 1 < month.days else { return nil }
    return month.dayBefore &+ Int64(truncatingIfNeeded: day)
  }

  /// Days from 1970 to the day `YYYY-MM-DD` that the bytes begin with, whose month is then
  /// remembered; nil when they do not.
  @inline(never)
  private mutating func newMonth(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard let date = isoDay(UnsafeRawBufferPointer(rebasing: bytes[..<10])) else { return nil }
    let (parts, text) = (date.parts, loadWord(bytes.baseAddress!))
    let day = Int64(date.number)
    months[Int(text &>> 48) & 15] = Month(
      text: text, dayBefore: day - Int64(parts.day),
      days: UInt64(Day.length(ofMonth: parts.month, year: parts.year)))
    return day
  }

  /// Seconds since 1970 of a time in any other form: a Unix time in seconds, milliseconds or
  /// microseconds, or a day and a time of day with an offset from UTC or Los Angeles' name; nil for
  /// all else.
  @inline(never)
  private mutating func readSlowly(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    let count = bytes.count
    if count == 10, let seconds = digits(bytes, 0..<10) { return Int64(seconds) }
    if count == 13, let milliseconds = digits(bytes, 0..<13) { return Int64(milliseconds / 1000) }
    if count == 16, let micros = digits(bytes, 0..<16) { return Int64(micros / 1_000_000) }
    guard count >= 17, bytes[10] == 0x54 || bytes[10] == 0x20 || bytes[10] == 0x74,
      let day = day(bytes), let base = bytes.baseAddress
    else { return nil }
    var second: Int64
    var index: Int
    if count >= 19, bytes[16] == 0x3A {
      guard let found = secondOfDay(base + 11) else { return nil }
      second = found
      index = 19
      if index < count, bytes[index] == 0x2E || bytes[index] == 0x2C {
        index += 1
        let first = index
        while index < count, bytes[index] &- 0x30 < 10 { index += 1 }
        if index == first { return nil }
      }
    } else {
      guard bytes[13] == 0x3A, let hour = digits(bytes, 11..<13), hour < 24,
        let minute = digits(bytes, 14..<16), minute < 60
      else { return nil }
      second = Int64(hour * 3600 + minute * 60)
      index = 16
    }
    let rest = trimmed(UnsafeRawBufferPointer(rebasing: bytes[index...]))
    if names(rest, "America/Los_Angeles") { return pacificTime(day: day, second: second) }
    guard let offset = zoneOffset(rest) else { return nil }
    second -= offset
    return day * 86_400 + second
  }

  /// Seconds ahead of UTC that `Z`, `+08:00`, `+0800`, `+08`, `UTC` or Apple's ` Etc/GMT` mean, and
  /// Go's `+0800 CST`; nil for any other zone.
  private func zoneOffset(_ whole: UnsafeRawBufferPointer) -> Int64? {
    var zone = whole
    // A name of one word behind an offset says nothing further.
    if let end = whole.firstIndex(of: 0x20), whole[0] == 0x2B || whole[0] == 0x2D,
      whole[end...].dropFirst().allSatisfy({ $0 != 0x20 && $0 != 0x3D })
    {
      zone = UnsafeRawBufferPointer(rebasing: whole[..<end])
    }
    if zone.count == 1, zone[0] | 0x20 == 0x7A { return 0 }
    guard let first = zone.first else { return nil }
    guard first == 0x2B || first == 0x2D else {
      let isUTC = names(zone, "Etc/GMT") || names(zone, "UTC") || names(zone, "GMT")
      return isUTC ? 0 : nil
    }
    let hour: Int?
    var minute: Int? = 0
    switch zone.count {
    case 3: hour = digits(zone, 1..<3)
    case 5:
      hour = digits(zone, 1..<3)
      minute = digits(zone, 3..<5)
    case 6 where zone[3] == 0x3A:
      hour = digits(zone, 1..<3)
      minute = digits(zone, 4..<6)
    default: return nil
    }
    guard let hour, let minute, hour <= 14, minute < 60 else { return nil }
    let magnitude = Int64(hour * 3600 + minute * 60)
    return first == 0x2D ? -magnitude : magnitude
  }
}

/// Whether the bytes are exactly that name.
@inline(__always)
func names(_ bytes: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
  guard let base = bytes.baseAddress, bytes.count == name.utf8CodeUnitCount else { return false }
  return name.withUTF8Buffer {
    UnsafeRawBufferPointer($0).elementsEqual(
      UnsafeRawBufferPointer(start: base, count: bytes.count))
  }
}

/// Seconds since 1970 of a time on the wall in Los Angeles. Of the hour that comes twice in autumn
/// the first is meant; the hour that spring leaves out is read as daylight time.
///
/// Daylight time is from the second Sunday of March to the first of November since 2007, and was
/// from the first Sunday of April to the last of October in the years before.
///
/// - Parameters:
///   - day: days since 1970.
///   - second: seconds since that day's midnight.
private func pacificTime(day: Int64, second: Int64) -> Int64 {
  let date = Day(number: Int32(day))
  let year = date.parts.year
  let isLater = year >= 2007
  /// The day number of the first Sunday from the day `first` of a month on.
  func sunday(month: Int, from first: Int) -> Int64 {
    guard let day = Day(year: year, month: month, day: first) else { return 0 }
    return Int64(day.number) + Int64((7 - day.weekday) % 7)
  }
  let spring = sunday(month: isLater ? 3 : 4, from: isLater ? 8 : 1)
  let autumn = sunday(month: isLater ? 11 : 10, from: isLater ? 1 : 25)
  let wall = day * 86_400 + second
  let isDaylight = wall >= spring * 86_400 + 2 * 3600 && wall < autumn * 86_400 + 2 * 3600
  return wall + (isDaylight ? 7 : 8) * 3600
}

/// Seconds since midnight of the eight bytes `HH:MM:SS` at `pointer`; nil when they are no time.
@inline(__always)
func secondOfDay(_ pointer: UnsafeRawPointer) -> Int64? {
  let word = loadWord(pointer) ^ 0x3030_3A30_303A_3030
  let excess = word &+ 0x7676_7F76_767F_7676
  guard (word | excess) & 0x8080_8080_8080_8080 == 0 else { return nil }
  /// The digit that the word's byte at an index is.
  func digit(_ index: UInt64) -> Int64 { Int64(word &>> (index &* 8) & 0xF) }
  let hour = digit(0) &* 10 &+ digit(1)
  let minute = digit(3) &* 10 &+ digit(4)
  let second = digit(6) &* 10 &+ digit(7)
  guard hour < 24, minute < 60, second < 60 else { return nil }
  return hour &* 3600 &+ minute &* 60 &+ second
}

/// In micro-units, the amount that a program kept as a binary float and printed with all of its
/// digits, such as `3787.9999999999999999`: the one that the first 15 of them come to, which every
/// such number of 15 digits survives. Nil where there are no more than 15, and where more than six
/// places are left.
func micros(ofFloat bytes: UnsafeRawBufferPointer) -> Int64? {
  let isNegative = bytes.first == 0x2D
  let text = bytes.dropFirst(isNegative ? 1 : 0)
  guard text.count < 40, let point = text.firstIndex(of: 0x2E) else { return nil }
  var digits = text.filter { $0 != 0x2E }.map { $0 &- 0x30 }
  guard digits.allSatisfy({ $0 < 10 }), digits.count == text.count - 1 else { return nil }
  let zeros = digits.prefix { $0 == 0 }.count
  guard digits.count - zeros > 15 else { return nil }
  // A zero before takes what is carried.
  digits.insert(0, at: 0)
  var whole = point - text.startIndex + 1
  if zeros + 16 < whole { return nil }
  let isUp = digits[zeros + 16] >= 5
  digits = Array(digits[..<(zeros + 16)])
  if isUp {
    var place = digits.count - 1
    while digits[place] == 9 {
      digits[place] = 0
      place -= 1
    }
    digits[place] += 1
  }
  while digits.count > whole, digits.last == 0 { digits.removeLast() }
  if digits.first == 0, whole > 1 {
    digits.removeFirst()
    whole -= 1
  }
  var plain: [UInt8] = isNegative ? [0x2D] : []
  plain += digits[..<whole].map { $0 + 0x30 }
  if digits.count > whole { plain += [0x2E] + digits[whole...].map { $0 + 0x30 } }
  return plain.withUnsafeBytes { micros(decimal: $0) }
}

/// How a number that a sheet or JSON holds as a number is told apart from text, which may have a
/// comma: by a control character before it, which every reader of values trims off.
enum TypedNumber {
  static let mark: UInt8 = 0x01
}
