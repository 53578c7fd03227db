import Billing

/// JSON as bytes, written in the order in which Apple prints its fields. Texts hold nothing that
/// JSON escapes.
struct JSONText {
  private(set) var text = RowText()

  var bytes: [UInt8] { text.bytes }

  mutating func object(
    _ key: StaticString? = nil, _ fields: (inout JSONText) throws -> Void
  ) rethrows {
    begin(key, opening: 0x7B)
    try fields(&self)
    text.put(byte: 0x7D)
  }

  mutating func array(
    _ key: StaticString? = nil, _ elements: (inout JSONText) throws -> Void
  ) rethrows {
    begin(key, opening: 0x5B)
    try elements(&self)
    text.put(byte: 0x5D)
  }

  mutating func put(_ key: StaticString, _ value: [UInt8]) {
    begin(key, opening: 0x22)
    text.put(value)
    text.put(byte: 0x22)
  }

  mutating func put(_ key: StaticString, _ value: String) { put(key, Array(value.utf8)) }

  mutating func put(_ key: StaticString, _ value: Bool) {
    name(key)
    text.put(value ? "true" : "false")
  }

  mutating func put(_ key: StaticString, number: Int64) {
    name(key)
    if number < 0 { text.put(byte: 0x2D) }
    text.put(number: number.magnitude)
  }

  mutating func putNull(_ key: StaticString) {
    name(key)
    text.put("null")
  }

  /// A number in quotes, as receipts have them.
  mutating func put(_ key: StaticString, quoted number: UInt64) {
    begin(key, opening: 0x22)
    text.put(number: number)
    text.put(byte: 0x22)
  }

  /// The app account token of a counter.
  mutating func put(_ key: StaticString, token: UInt64) {
    begin(key, opening: 0x22)
    text.put(token: token)
    text.put(byte: 0x22)
  }

  /// A text of an array.
  mutating func element(_ value: [UInt8]) {
    begin(nil, opening: 0x22)
    text.put(value)
    text.put(byte: 0x22)
  }

  mutating func put(_ key: StaticString, iso seconds: Int64) {
    begin(key, opening: 0x22)
    text.put(time: seconds)
    text.put(byte: 0x22)
  }

  /// `2023-06-01 12:00:00 Etc/GMT` under the key, milliseconds and Pacific Time under its twins.
  mutating func put(date key: StaticString, _ seconds: Int64, pacific: Zone, twins: Bool = true) {
    put(key, "", seconds, zone: " Etc/GMT")
    guard twins else { return }
    putMilliseconds(key, "_ms", seconds)
    let offset = Int64(pacific.offset(at: Instant(seconds: seconds)))
    put(key, "_pst", seconds + offset, zone: " America/Los_Angeles")
  }

  /// Milliseconds in quotes.
  mutating func putMilliseconds(_ key: StaticString, _ suffix: StaticString, _ seconds: Int64) {
    name(key, suffix)
    text.put(byte: 0x22)
    text.put(number: UInt64(seconds * 1000))
    text.put(byte: 0x22)
  }

  /// The time on the wall of a zone that is `seconds` of it away from 1970.
  mutating func put(
    _ key: StaticString, _ suffix: StaticString, _ seconds: Int64, zone: StaticString
  ) {
    name(key, suffix)
    text.put(byte: 0x22)
    let day = Int64(Instant(seconds: seconds).day().number)
    let (year, month, number) = Day(number: Int32(day)).parts
    let second = UInt64(seconds - day * 86_400)
    text.put(number: UInt64(year), width: 4)
    for part in [month, number] {
      text.put(byte: 0x2D)
      text.put(number: UInt64(part), width: 2)
    }
    text.put(byte: 0x20)
    text.put(number: second / 3600, width: 2)
    for part in [second / 60 % 60, second % 60] {
      text.put(byte: 0x3A)
      text.put(number: part, width: 2)
    }
    put(zone)
    text.put(byte: 0x22)
  }

  /// Ready-made JSON, as an element of an array or after a key.
  mutating func put(_ key: StaticString? = nil, json: [UInt8]) {
    if let key { name(key) } else { separate() }
    text.put(json)
  }

  private mutating func begin(_ key: StaticString?, opening: UInt8) {
    if let key { name(key) } else { separate() }
    text.put(byte: opening)
  }

  private mutating func name(_ key: StaticString, _ suffix: StaticString = "") {
    separate()
    text.put(byte: 0x22)
    put(key)
    put(suffix)
    text.put(byte: 0x22)
    text.put(byte: 0x3A)
  }

  /// A comma, except at the beginning of an object or array.
  private mutating func separate() {
    guard let last = text.bytes.last, last != 0x7B, last != 0x5B else { return }
    text.put(byte: 0x2C)
  }

  private mutating func put(_ literal: StaticString) {
    literal.withUTF8Buffer { text.bytes.append(contentsOf: $0) }
  }
}
