// How JSON spells texts and numbers, and CSV its cells: the one place that knows.

import Billing

extension [UInt8] {
  /// Appends a text as a JSON string.
  mutating func append(quoted value: String) {
    var value = value
    value.withUTF8 { append(quoted: UnsafeRawBufferPointer($0)) }
  }

  /// Appends UTF-8 bytes as a JSON string.
  mutating func append(quoted text: UnsafeRawBufferPointer) {
    append(0x22)
    var copied = 0
    for (index, byte) in text.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
      append(contentsOf: text[copied..<index])
      append(escaped: byte)
      copied = index + 1
    }
    append(contentsOf: text[copied...])
    append(0x22)
  }

  /// Appends the JSON escape of a byte, which is a control character, a quote or a backslash.
  private mutating func append(escaped byte: UInt8) {
    append(0x5C)
    switch byte {
    case 0x22, 0x5C: append(byte)
    case 0x0A: append(0x6E)
    case 0x0D: append(0x72)
    case 0x09: append(0x74)
    default:
      let digits = Array("0123456789abcdef".utf8)
      append(contentsOf: [0x75, 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }
  }

  /// Appends a cell of CSV (RFC 4180), in quotes only where it must.
  mutating func append(cell text: UnsafeRawBufferPointer) {
    let isPlain = text.allSatisfy { $0 != 0x22 && $0 != 0x2C && $0 != 0x0A && $0 != 0x0D }
    guard !isPlain else { return append(contentsOf: text) }
    append(0x22)
    for byte in text {
      if byte == 0x22 { append(0x22) }
      append(byte)
    }
    append(0x22)
  }

  /// Appends a number in decimal digits.
  mutating func append(digitsOf value: Int64) {
    if value < 0 { append(0x2D) }
    append(digitsOf: value.magnitude, atLeast: 1)
  }

  /// Appends a number in decimal digits, with zeros before it up to a width.
  private mutating func append(digitsOf magnitude: UInt64, atLeast width: Int) {
    var (digits, above) = (1, magnitude / 10)
    while above > 0 || digits < width { (digits, above) = (digits + 1, above / 10) }
    append(contentsOf: repeatElement(0x30, count: digits))
    var (rest, place) = (magnitude, count)
    while rest > 0 {
      place -= 1
      self[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  /// Appends a moment as ISO 8601 in UTC.
  mutating func append(_ time: Instant) {
    let day = time.day()
    let second = Int(time.seconds - day.startUTC.seconds)
    append(contentsOf: day.description.utf8)
    append(0x54, twoDigits: second / 3600)
    append(0x3A, twoDigits: second / 60 % 60)
    append(0x3A, twoDigits: second % 60)
    append(0x5A)
  }

  /// Appends a character (`T`, `:`) and a number below 100 in two digits.
  private mutating func append(_ separator: UInt8, twoDigits number: Int) {
    append(separator)
    append(0x30 + UInt8(truncatingIfNeeded: number / 10))
    append(0x30 + UInt8(truncatingIfNeeded: number % 10))
  }

  /// Appends micro-units as decimal text of at least `minimumDigits` places.
  mutating func append(decimal micros: Int64, minimumDigits: Int) {
    if micros < 0 { append(0x2D) }
    append(digitsOf: micros.magnitude / 1_000_000, atLeast: 1)
    var fraction = micros.magnitude % 1_000_000
    var digits = 6
    while digits > minimumDigits, fraction % 10 == 0 {
      fraction /= 10
      digits -= 1
    }
    guard digits > 0 else { return }
    append(0x2E)
    append(digitsOf: fraction, atLeast: digits)
  }
}
