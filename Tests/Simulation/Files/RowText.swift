import Billing
import Support

/// A value as the simulation's files print it.
enum Field: ExpressibleByStringLiteral {
  case text(String)
  /// What is text already, and long.
  case bytes([UInt8])
  /// Filled up with zeros to `width`, after a letter.
  case digits(UInt64, width: Int, prefix: String)
  /// An amount with the digits of its currency.
  case micros(Int64, digits: Int)
  /// The time in UTC, with what stands between day and hour and after the second.
  case moment(Int64, between: String, after: String)
  /// A UUID that nothing else has, made from a counter.
  case token(UInt64)

  static let blank = Field.text("")

  init(stringLiteral text: String) { self = .text(text) }

  /// A count or an identifier, which is not negative.
  static func number(_ value: some BinaryInteger) -> Field {
    .digits(UInt64(value), width: 1, prefix: "")
  }

  /// Blank for 0.
  static func unlessZero(_ value: UInt64) -> Field { value == 0 ? blank : number(value) }

  /// ISO 8601 in UTC; blank for 0.
  static func time(_ seconds: Int64) -> Field {
    seconds == 0 ? blank : .moment(seconds, between: "T", after: "Z")
  }
}

/// Text in the making, as bytes.
struct RowText {
  var bytes: [UInt8] = []
  private var lastDay: Day?
  private var lastBetween = ""
  /// The last day that was put, and what stands between it and the hour.
  private var lastDayText: [UInt8] = []

  mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }
  mutating func put(byte: UInt8) { bytes.append(byte) }
  mutating func endRow() { bytes.append(0x0A) }

  /// A row of a table, and its end.
  mutating func row(_ fields: [Field], separator: UInt8) {
    // Loops over indices: debug builds, which the tests are, spend most of their time here.
    var index = 0
    while index < fields.count {
      if index > 0 { bytes.append(separator) }
      put(fields[index])
      index += 1
    }
    endRow()
  }

  mutating func put(_ field: Field) {
    switch field {
    case .text(let text): if !text.isEmpty { put(text) }
    case .bytes(let text): bytes.append(contentsOf: text)
    case .digits(let number, let width, let prefix):
      if !prefix.isEmpty { put(prefix) }
      put(number: number, width: width)
    case .micros(let micros, let digits): put(micros: micros, digits: digits)
    case .moment(let seconds, let between, let after): put(moment: seconds, between, after)
    case .token(let counter): put(token: counter)
    }
  }

  mutating func put(number: UInt64, width: Int = 1) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = number
      var index = 20
      while rest > 0 || 20 - index < width {
        index -= 1
        digits[index] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[index..<20]))
    }
  }

  mutating func put(micros: Int64, digits: Int) {
    if micros < 0 { bytes.append(0x2D) }
    let magnitude = micros.magnitude
    put(number: magnitude / 1_000_000)
    let step: UInt64 = digits == 0 ? 1_000_000 : 10_000
    precondition(
      (digits == 0 || digits == 2) && magnitude % step == 0, "an amount finer than its currency")
    guard digits > 0 else { return }
    bytes.append(0x2E)
    put(number: magnitude % 1_000_000 / step, width: 2)
  }

  private mutating func put(moment seconds: Int64, _ between: String, _ after: String) {
    let day = Instant(seconds: seconds).day()
    if day != lastDay || between != lastBetween {
      (lastDay, lastBetween) = (day, between)
      lastDayText = Array("\(day)\(between)".utf8)
    }
    bytes.append(contentsOf: lastDayText)
    let second = UInt64(seconds - day.startUTC.seconds)
    put(number: second / 3600, width: 2)
    bytes.append(0x3A)
    put(number: second / 60 % 60, width: 2)
    bytes.append(0x3A)
    put(number: second % 60, width: 2)
    put(after)
  }

  private mutating func put(token: UInt64) {
    guard token != 0 else { return }
    let halves = (mixed(token), mixed(token ^ 0x5DEE_CE66_D1CE_4E5B))
    var place = 0
    while place < 32 {
      if place == 8 || place == 12 || place == 16 || place == 20 { bytes.append(0x2D) }
      let half = place < 16 ? halves.0 : halves.1
      let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - place % 16 * 4) & 15)
      bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
      place += 1
    }
  }
}
