import Billing

/// JSON as bytes, written in the order in which Apple prints its fields. Texts hold nothing that
/// JSON escapes.
struct SimulatedJSON {
  private var text = RowText()

  var bytes: [UInt8] { text.bytes }

  init(_ fields: (inout SimulatedJSON) throws -> Void) rethrows { try object(nil, fields) }

  mutating func object(
    _ key: StaticString? = nil, _ fields: (inout SimulatedJSON) throws -> Void
  ) rethrows {
    begin(key, opening: 0x7B)
    try fields(&self)
    text.put(byte: 0x7D)
  }

  mutating func array(
    _ key: StaticString? = nil, _ elements: (inout SimulatedJSON) throws -> Void
  ) rethrows {
    begin(key, opening: 0x5B)
    try elements(&self)
    text.put(byte: 0x5D)
  }

  mutating func put(_ key: StaticString, _ value: Field) { quote(key, "", value) }

  /// A text of an array.
  mutating func element(_ value: Field) { quote(nil, "", value) }

  /// A text, under `key` and what follows it.
  private mutating func quote(_ key: StaticString?, _ suffix: StaticString, _ value: Field) {
    begin(key, suffix, opening: 0x22)
    text.put(value)
    text.put(byte: 0x22)
  }

  mutating func put(_ key: StaticString, _ value: String) { put(key, .text(value)) }

  /// `null` where there is none.
  mutating func put(_ key: StaticString, optional value: String?) {
    if let value { put(key, value) } else { put(key, json: Array("null".utf8)) }
  }

  mutating func put(_ key: StaticString, _ value: Bool) {
    put(key, json: Array((value ? "true" : "false").utf8))
  }

  mutating func put(_ key: StaticString, number: (some BinaryInteger)?) {
    put(key, json: Array((number.map { "\($0)" } ?? "null").utf8))
  }

  /// Ready-made JSON.
  mutating func put(_ key: StaticString, json: [UInt8]) {
    begin(key)
    text.put(.bytes(json))
  }

  /// `2023-06-01 12:00:00 Etc/GMT` under the key, milliseconds and Pacific Time under its twins.
  mutating func put(date key: StaticString, _ seconds: Int64, pacific: Zone, twins: Bool = true) {
    put(key, .moment(seconds, between: " ", after: " Etc/GMT"))
    guard twins else { return }
    quote(key, "_ms", .number(seconds * 1000))
    put(pacific: key, "_pst", seconds, pacific)
  }

  mutating func put(
    pacific key: StaticString, _ suffix: StaticString, _ seconds: Int64, _ zone: Zone
  ) {
    let offset = Int64(zone.offset(at: Instant(seconds: seconds)))
    quote(key, suffix, .moment(seconds + offset, between: " ", after: " America/Los_Angeles"))
  }

  /// A comma, except at the beginning of an object or array; the key; what the value begins with.
  private mutating func begin(
    _ key: StaticString?, _ suffix: StaticString = "", opening: UInt8? = nil
  ) {
    if let last = text.bytes.last, last != 0x7B, last != 0x5B { text.put(byte: 0x2C) }
    if let key {
      text.put(byte: 0x22)
      for part in [key, suffix] {
        part.withUTF8Buffer { text.bytes.append(contentsOf: $0) }
      }
      text.put("\":")
    }
    if let opening { text.put(byte: opening) }
  }
}
