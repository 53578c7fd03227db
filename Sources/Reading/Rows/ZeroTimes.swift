internal import Billing

/// Whether a time is one that databases and programs write for none: a clock or calendar's zero, or
/// its end.
@inline(__always)
func isZeroTime(_ bytes: UnsafeRawBufferPointer) -> Bool {
  guard bytes.count > 0 else { return false }
  // Times of purchases begin with 20, and in seconds since 1970 with a digit behind the year.
  switch bytes[0] {
  case 0x30, 0x39, 0x33: return isZeroDate(bytes)
  // Go's zero in seconds or milliseconds since 1970.
  case 0x2D: return names(bytes, "-62135596800") || names(bytes, "-62135596800000")
  case 0x31: return bytes.count > 7 && !(bytes[4] &- 0x30 < 10) && isZeroDate(bytes)
  default: return false
  }
}

/// Whether a time is one that programs write for none, with all of its digits looked at.
@inline(never)
private func isZeroDate(_ bytes: UnsafeRawBufferPointer) -> Bool {
  if bytes.allSatisfy({ $0 == 0x30 }) { return true }
  let head = bytes.prefix { $0 &- 0x30 < 10 || $0 == 0x2D || $0 == 0x2F || $0 == 0x2E }
  let parts = head.split { !($0 &- 0x30 < 10) }.compactMap {
    Int(String(decoding: $0, as: UTF8.self))
  }
  guard parts.count == 3, head.count >= 8 else { return false }
  let isYearLast = parts[2] > 31
  let (year, others) = isYearLast ? (parts[2], parts[..<2]) : (parts[0], parts[1...])
  let (first, last) = (others.first!, others.last!)
  switch year {
  // MySQL's zero, .NET's first day, SQL Server's and spreadsheets' first days, and Unix's.
  case 0, 1, 1753, 1900, 1970: return first <= 1 && last <= 1
  // The last day before, west of Greenwich; the last days of calendars.
  case 1899, 1969, 9999: return Swift.max(first, last) >= 30 && Swift.min(first, last) == 12
  default: return false
  }
}

/// The diagnostic of a required time that stands for none.
func zeroTimeDiagnostic(
  _ bytes: UnsafeRawBufferPointer, _ field: Int?, _ name: String
) -> RecordDiagnostic {
  let day = String(decoding: bytes.prefix(10), as: UTF8.self)
  return RecordDiagnostic(
    field, "date", "@row.stands-for-no-time \(name) \(shown(bytes))",
    help: "@row.every-row-needs-or-leave-out \(name)",
    hint: .skip(day + (bytes.count > 10 ? "*" : ""), column: name))
}

/// Times that were read as none.
struct ZeroTimes {
  private var count = 0
  /// One of them, as it is written.
  private var example = ""

  /// Counts a time.
  @inline(never)
  mutating func count(_ bytes: UnsafeRawBufferPointer) {
    count += 1
    if example.isEmpty { example = String(decoding: bytes, as: UTF8.self) }
  }

  static func + (left: ZeroTimes, right: ZeroTimes) -> ZeroTimes {
    var sum = left.count > 0 ? left : right
    sum.count = left.count + right.count
    return sum
  }

  /// How many there were; nil for none.
  var tally: Tally? {
    if count == 0 { return nil }
    return Tally(
      what: "@row.times-read-as-blank \(example)", one: "@row.time-read-as-blank \(example)",
      count: count)
  }
}
