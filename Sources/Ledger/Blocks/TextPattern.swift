import Billing

/// What many texts of a column have in common, by which they are written in a few bytes: ids such
/// as `O0001789471` (letters, then as many digits each) as numbers, UUIDs as their sixteen bytes.
///
/// Each text that is none of these stands as it is: packing loses nothing, whatever a column has.
struct TextPattern {
  /// What stands before the digits.
  private(set) var prefix: [UInt8] = []
  /// How many digits follow; 0 where no text has such a form.
  private(set) var digits = 0
  /// The least number, and how many bytes hold what others are more.
  private(set) var base: UInt64 = 0
  private(set) var width = 0

  /// Characters of a UUID, and its bytes.
  static let uuidLength = 36
  static let uuidSize = 16
  /// More digits are no number of a column.
  private static let mostDigits = 18
  /// Texts by whose form the others are judged.
  private static let sample = 64

  /// How a text is written, as its row's code; texts as they are have their length above the last.
  enum Code {
    static let nothing = 0
    static let digits = 1
    static let uuid = 2
    static let plain = 3
  }

  /// Characters of a text that has the form.
  var length: Int { prefix.count + digits }

  init() {}

  /// Finds the commonest form among the first 64 texts of a column: a prefix, and how many digits
  /// stand behind it. Where no text ends in a digit, both stay empty.
  init(_ texts: some Sequence<UnsafeRawBufferPointer>) {
    var counts: [[UInt8]: [Int: Int]] = [:]
    for text in texts.prefix(Self.sample) {
      let digits = min(text.reversed().prefix { $0 &- 0x30 < 10 }.count, Self.mostDigits)
      if digits > 0 { counts[Array(text.dropLast(digits)), default: [:]][digits, default: 0] += 1 }
    }
    var most = 0
    for (prefix, byDigits) in counts where prefix.count <= 255 {
      for (digits, count) in byDigits
      where (count, digits, prefix.count) > (most, self.digits, self.prefix.count) {
        (most, self.prefix, self.digits) = (count, prefix, digits)
      }
    }
  }

  /// The pattern that a block has: a prefix, and how many digits follow.
  init(prefix: [UInt8], digits: Int) { (self.prefix, self.digits) = (prefix, digits) }

  /// Sets the range of the numbers that stand for texts, from which base and width follow; for nil,
  /// where no text has the form, the pattern gets none.
  mutating func set(_ numbers: ClosedRange<UInt64>?) {
    guard let numbers else {
      (prefix, digits) = ([], 0)
      return
    }
    base = numbers.lowerBound
    width = BlockContent.width(of: numbers.upperBound - numbers.lowerBound)
  }

  /// The number that a text of the form has; nil for others.
  @inline(__always)
  func number(_ text: UnsafeRawBufferPointer) -> UInt64? {
    guard digits > 0, text.count == prefix.count &+ digits else { return nil }
    for place in prefix.indices where text[place] != prefix[place] { return nil }
    var number: UInt64 = 0
    for place in prefix.count..<text.count {
      let digit = text[place] &- 0x30
      if digit > 9 { return nil }
      number = number &* 10 &+ UInt64(digit)
    }
    return number
  }

  /// Writes the text of a number, prefix and digits; its bytes are ``length``.
  @inline(__always)
  func write(_ number: UInt64, to place: UnsafeMutableRawPointer) {
    for index in prefix.indices {
      place.storeBytes(of: prefix[index], toByteOffset: index, as: UInt8.self)
    }
    var rest = number
    var index = length
    while index > prefix.count {
      index &-= 1
      place.storeBytes(
        of: 0x30 &+ UInt8(truncatingIfNeeded: rest % 10), toByteOffset: index, as: UInt8.self)
      rest /= 10
    }
  }

  // MARK: UUIDs

  /// Whether a text is a UUID in small letters, as it is written again.
  static func isUUID(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count == uuidLength else { return false }
    for place in 0..<uuidLength {
      let byte = text[place]
      if isHyphen(place) {
        if byte != 0x2D { return false }
      } else if byte &- 0x30 > 9, byte &- 0x61 > 5 {
        return false
      }
    }
    return true
  }

  /// Whether a hyphen stands at this place of a UUID's text.
  private static func isHyphen(_ place: Int) -> Bool {
    place == 8 || place == 13 || place == 18 || place == 23
  }

  /// Writes the sixteen bytes of the UUID that a text spells.
  static func pack(_ text: UnsafeRawBufferPointer, to place: UnsafeMutableRawPointer) {
    var (from, to) = (0, 0)
    while from < uuidLength {
      if isHyphen(from) { from += 1 }
      place.storeBytes(
        of: value(text[from]) << 4 | value(text[from + 1]), toByteOffset: to, as: UInt8.self)
      (from, to) = (from + 2, to + 1)
    }
  }

  /// Writes the text of the UUID that has these sixteen bytes.
  static func unpack(_ bytes: UnsafeRawPointer, to place: UnsafeMutableRawPointer) {
    var to = 0
    for from in 0..<uuidSize {
      if isHyphen(to) {
        place.storeBytes(of: 0x2D, toByteOffset: to, as: UInt8.self)
        to += 1
      }
      let byte = bytes.load(fromByteOffset: from, as: UInt8.self)
      place.storeBytes(of: letter(byte >> 4), toByteOffset: to, as: UInt8.self)
      place.storeBytes(of: letter(byte & 0xF), toByteOffset: to + 1, as: UInt8.self)
      to += 2
    }
  }

  /// The number that a hexadecimal digit stands for.
  private static func value(_ letter: UInt8) -> UInt8 {
    letter < 0x3A ? letter &- 0x30 : letter &- 0x57
  }

  /// The hexadecimal digit of a number below 16.
  private static func letter(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
