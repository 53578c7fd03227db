internal import Billing

/// Reads days and times as a company's export writes them, and writes them anew in ISO 8601. What
/// it does not understand it leaves as it is: the table's reader says what is wrong with it.
struct WallTimes {
  private let order: TableMapping.DateOrder
  private let zone: Zone?
  /// Whether a day may have a time behind it: a bank's does, and means the day on its own clock.
  private let takesTimes: Bool
  /// The last day on a clock, and its seconds ahead of UTC where they are the same all day.
  private var lastDay: Int64?
  private var lastOffset: Int64?
  /// Days as a file wrote them, `YYYY-MM-DD`, whose offset is the same all day: rows lie in any
  /// order, and a month has few days.
  private var known = [KnownDay](repeating: KnownDay(), count: 64)
  /// Days in UTC, as text.
  private var written = [WrittenDay](repeating: WrittenDay(), count: 64)
  /// Times that clocks show twice or skip.
  private(set) var uncertain = 0

  init(_ mapping: TableMapping) {
    order = mapping.dates
    zone = mapping.zone
    takesTimes = mapping.kind == .bank
  }

  /// Appends a time to the buffer in ISO 8601, or as it stands where it is no time. False, with
  /// nothing appended, for a time without an offset where the mapping names no zone.
  mutating func appendTime(_ bytes: UnsafeRawBufferPointer, to buffer: RecordBuffer) -> Bool {
    if let seconds = secondsOfKnownDay(bytes) {
      append(seconds: seconds, zone: nil, to: buffer)
      return true
    }
    var scan = Scan(bytes)
    guard let day = scan.day(order), scan.takeTimeMark(), let second = scan.timeOfDay() else {
      buffer.append(bytes.baseAddress!, bytes.count)
      return true
    }
    let wall = Int64(day.number) * 86_400 + second
    if !scan.isAtEnd {
      // An offset, or a zone's name: the reader knows them behind a time of its own form.
      append(seconds: wall, zone: scan.rest, to: buffer)
      return true
    }
    guard let zone else { return false }
    append(seconds: seconds(wall: wall, day: Int64(day.number), zone), zone: nil, to: buffer)
    if order == .ymd, bytes.count == 19, let lastOffset, let start = bytes.baseAddress {
      let (head, tail) = (loadWord(start), loadWord(start + 8, count: 2))
      known[KnownDay.place(head, tail)] = KnownDay(
        head: head, tail: tail, midnight: Int64(day.number) * 86_400 - lastOffset)
    }
    return true
  }

  /// Seconds since 1970 of a time `YYYY-MM-DD hh:mm:ss` on a day that was there before, as most
  /// are; nil for any other.
  private func secondsOfKnownDay(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard bytes.count == 19, let start = bytes.baseAddress else { return nil }
    let (head, tail) = (loadWord(start), loadWord(start + 8, count: 2))
    let day = known[KnownDay.place(head, tail)]
    guard day.head == head, day.tail == tail, bytes[10] == 0x20 || bytes[10] == 0x54,
      let second = secondOfDay(start + 11)
    else { return nil }
    return day.midnight &+ second
  }

  /// Whether the bytes are a day and a time of day with nothing behind them.
  static func isTime(_ bytes: UnsafeRawBufferPointer, _ order: TableMapping.DateOrder) -> Bool {
    var scan = Scan(bytes)
    return scan.day(order) != nil && scan.takeTimeMark() && scan.timeOfDay() != nil
      && scan.isAtEnd
  }

  /// Whether the bytes are a day without a time.
  func isDay(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var scan = Scan(bytes)
    return scan.day(order) != nil && scan.isAtEnd
  }

  /// Writes a day as `YYYY-MM-DD`; as it stands where it is none, or has a time that may not be
  /// left out.
  mutating func appendDay(_ bytes: UnsafeRawBufferPointer, to buffer: RecordBuffer) {
    var scan = Scan(bytes)
    guard let day = scan.day(order), scan.isAtEnd || scan.takeTimeMark(),
      scan.isAtEnd || scan.timeOfDay().map({ $0 == 0 || takesTimes }) ?? false, scan.isAtEnd
    else { return buffer.append(bytes.baseAddress!, bytes.count) }
    appendDay(Int64(day.number), to: buffer)
  }

  /// Seconds since 1970 of a time on a zone's clock; one that the clock shows twice or skips is
  /// noted.
  ///
  /// - Parameters:
  ///   - wall: seconds since 1970 as the clock shows them.
  ///   - day: days since 1970 as it shows them.
  private mutating func seconds(wall: Int64, day: Int64, _ zone: Zone) -> Int64 {
    if day == lastDay, let lastOffset { return wall - lastOffset }
    if day != lastDay {
      // Two days around, so that no change of the clock is near.
      let before = zone.offset(at: Instant(seconds: (day - 1) * 86_400))
      let after = zone.offset(at: Instant(seconds: (day + 2) * 86_400))
      let isSame =
        before == after
        && !zone.transitions.contains { $0.at / 86_400 >= day - 1 && $0.at / 86_400 <= day + 2 }
      lastDay = day
      lastOffset = isSame ? Int64(before) : nil
      if isSame { return wall - Int64(before) }
    }
    let (instant, isOnce) = zone.instant(wall: wall)
    if !isOnce { uncertain += 1 }
    return instant.seconds
  }

  /// Writes a time as `YYYY-MM-DDTHH:MM:SS` and the zone, `Z` for none.
  private mutating func append(
    seconds: Int64, zone: UnsafeRawBufferPointer?, to buffer: RecordBuffer
  ) {
    let day = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    appendDay(day, to: buffer)
    let second = seconds - day * 86_400
    /// Two decimal digits in ASCII, the tens in the lower byte.
    func digits(_ value: Int64) -> UInt64 {
      UInt64(0x3030 + value / 10) + UInt64(value % 10) << 8
    }
    // `HH:MM:SS` in one word, its first byte the lowest.
    var clock =
      (digits(second / 3600) | 0x3A << 16 | digits(second / 60 % 60) << 24 | 0x3A << 40
      | digits(second % 60) << 48).littleEndian
    buffer.append(0x54)
    withUnsafeBytes(of: &clock) { buffer.append($0.baseAddress!, 8) }
    if let zone, let start = zone.baseAddress {
      buffer.append(start, zone.count)
    } else {
      buffer.append(0x5A)
    }
  }

  /// Writes the day that is `day` days after 1970 began.
  private mutating func appendDay(_ day: Int64, to buffer: RecordBuffer) {
    let place = Int(day & 63)
    if written[place].day != day {
      let text = Array(Day(number: Int32(clamping: day)).description.utf8)
      written[place] = WrittenDay(day: day, text: text)
    }
    written[place].text.withUnsafeBytes { buffer.append($0.baseAddress!, $0.count) }
  }
}

/// A day as a file wrote it, in two words, and when it begins in UTC.
private struct KnownDay {
  var head: UInt64 = 0
  var tail: UInt64 = 0
  var midnight: Int64 = 0

  /// The place in the table at which the day is looked for.
  static func place(_ head: UInt64, _ tail: UInt64) -> Int {
    Int(((head ^ tail << 40) &* 0x9E37_79B9_7F4A_7C15) >> 58)
  }
}

private struct WrittenDay {
  var day = Int64.min
  var text: [UInt8] = []
}

/// Goes through a date and a time of day.
private struct Scan {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[place...]) }

  /// Reads a number at the place and goes behind it; nil for too few digits.
  ///
  /// - Parameter width: the fewest digits that it needs, and the most that are read.
  private mutating func number(_ width: ClosedRange<Int>) -> Int? {
    let first = place
    var value = 0
    while place < bytes.count, place - first < width.upperBound, bytes[place] &- 0x30 < 10 {
      value = value * 10 + Int(bytes[place] - 0x30)
      place += 1
    }
    return place - first >= width.lowerBound ? value : nil
  }

  /// Goes behind `byte` where it is the next one; false, without a move, where it is not.
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  /// Goes behind `mark` where it comes next; false, without a move, where it does not.
  private mutating func skip(_ mark: String) -> Bool {
    guard bytes[place...].starts(with: mark.utf8) else { return false }
    place += mark.utf8.count
    return true
  }

  /// Goes behind a day and returns it: three numbers with one mark between them, `2023年6月13日`, or a
  /// day, a month's name and a year; a year that comes last may have two digits. Nil for none.
  mutating func day(_ order: TableMapping.DateOrder) -> Day? {
    if let day = namedDay(bytes) {
      place = bytes.count
      return day
    }
    // A year that comes first is one in any order.
    let order = bytes.count >= 8 && digits(bytes, 0..<4) != nil ? .ymd : order
    let year: ClosedRange<Int> = order == .ymd ? 4...4 : 2...4
    let short: ClosedRange<Int> = 1...2
    guard let first = number(order == .ymd ? year : short), place < bytes.count else { return nil }
    if order == .ymd, skip("年") {
      guard let month = number(short), skip("月"), let day = number(short), skip("日") else {
        return nil
      }
      return Day(year: first, month: month, day: day)
    }
    let mark = bytes[place]
    guard mark == 0x2D || mark == 0x2F || mark == 0x2E, skip(mark), let second = number(short),
      skip(mark), let third = number(order == .ymd ? short : year)
    else { return nil }
    let last = third < 100 ? 2000 + third : third
    return switch order {
    case .ymd: Day(year: first, month: second, day: third)
    case .dmy: Day(year: last, month: second, day: first)
    case .mdy: Day(year: last, month: first, day: second)
    }
  }

  /// Goes behind what divides a day and a time: `T`, or spaces with or without a comma before them;
  /// false for neither.
  mutating func takeTimeMark() -> Bool {
    if skip(0x54) || skip(0x74) { return true }
    _ = skip(0x2C)
    guard skip(0x20) else { return false }
    while skip(0x20) {}
    return true
  }

  /// Goes behind a time and returns its seconds since midnight: `9:05`, `09:05:00.123`, `9:05 PM`;
  /// nil for none.
  mutating func timeOfDay() -> Int64? {
    guard var hour = number(1...2), skip(0x3A), let minute = number(2...2), minute < 60 else {
      return nil
    }
    var second = 0
    if skip(0x3A) {
      guard let found = number(2...2), found < 60 else { return nil }
      second = found
      if skip(0x2E) || skip(0x2C) {
        guard number(1...12) != nil else { return nil }
      }
    }
    if let half = takeHalf() {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + half * 12
    }
    guard hour < 24 else { return nil }
    return Int64(hour * 3600 + minute * 60 + second)
  }

  /// Goes behind `AM` (0) or `PM` (1), if one of them ends the text; nil for neither.
  private mutating func takeHalf() -> Int? {
    let tail = bytes[place...].drop { $0 == 0x20 }
    guard tail.count == 2, let first = tail.first, let last = tail.last, last | 0x20 == 0x6D else {
      return nil
    }
    guard first | 0x20 == 0x61 || first | 0x20 == 0x70 else { return nil }
    place = bytes.count
    return first | 0x20 == 0x61 ? 0 : 1
  }
}
