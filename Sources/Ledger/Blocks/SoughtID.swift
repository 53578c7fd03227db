import Glibc

/// An id, or how one begins, as rows are held against it: numbers as numbers, since spelling each
/// of a month's would take longer than reading it.
struct SoughtID {
  let text: [UInt8]
  /// Whether ids are found that begin so.
  let isBeginning: Bool
  /// Numbers whose decimal spelling it is, or begins.
  let numbers: [ClosedRange<Int64>]

  /// Looks for the id itself.
  init(_ id: String) {
    (text, isBeginning) = (Array(id.utf8), false)
    numbers = Int64(id).flatMap { String($0) == id ? [$0...$0] : nil } ?? []
  }

  /// Looks for all ids that begin so.
  init(beginning: String) {
    (text, isBeginning) = (Array(beginning.utf8), true)
    var found: [ClosedRange<Int64>] = []
    if let first = Int64(beginning), String(first) == beginning, first >= 0 {
      var (lower, upper) = (first, first)
      found = [lower...upper]
      while first > 0, let next = Self.tenfold(lower, plus: 0) {
        lower = next
        upper = Self.tenfold(upper, plus: 9) ?? .max
        found.append(lower...upper)
      }
    }
    numbers = found
  }

  /// Ten times the number, plus a digit; nil where that is too large.
  private static func tenfold(_ number: Int64, plus digit: Int64) -> Int64? {
    let (tenfold, isTooLarge) = number.multipliedReportingOverflow(by: 10)
    let (sum, exceeds) = tenfold.addingReportingOverflow(digit)
    return isTooLarge || exceeds ? nil : sum
  }

  /// Whether a text is the id, or begins so.
  @inline(__always)
  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard isBeginning ? bytes.count >= text.count : bytes.count == text.count else { return false }
    guard let start = bytes.baseAddress, !text.isEmpty else { return true }
    return memcmp(start, text, text.count) == 0
  }

  /// Whether the decimal spelling of a number is the id, or begins so.
  @inline(__always)
  func matches(_ number: Int64) -> Bool {
    for range in numbers where range.contains(number) { return true }
    return false
  }

  /// The numbers that stand for texts that match, in a column packed by a pattern; nil where no
  /// such text can.
  func numbers(of pattern: TextPattern) -> ClosedRange<UInt64>? {
    let known = min(text.count, pattern.prefix.count)
    guard text.count <= pattern.length, isBeginning || text.count == pattern.length,
      text[..<known].elementsEqual(pattern.prefix[..<known])
    else { return nil }
    var (least, most): (UInt64, UInt64) = (0, 0)
    for digit in text[known...] {
      guard digit &- 0x30 < 10 else { return nil }
      (least, most) = (least * 10 + UInt64(digit &- 0x30), most * 10 + UInt64(digit &- 0x30))
    }
    for _ in 0..<(pattern.length - max(text.count, pattern.prefix.count)) {
      (least, most) = (least * 10, most * 10 + 9)
    }
    return least...most
  }
}
