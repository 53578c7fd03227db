/// Writes JSON as UTF-8 bytes, indented by two spaces, members in the order of the calls.
///
/// Nothing is kept but the bytes: a document of any length can be handed on in runs by
/// ``takeBytes()`` while it is being written.
package struct JSONWriter {
  private var bytes: [UInt8] = []
  private var depth = 0
  /// Whether the innermost object or array has a member already.
  private var hasMember = false
  private var followsKey = false

  package init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Bytes that were written and not taken yet.
  package var byteCount: Int { bytes.count }

  /// The bytes written since the last call.
  package mutating func takeBytes() -> [UInt8] {
    var taken: [UInt8] = []
    taken.reserveCapacity(bytes.capacity)
    swap(&taken, &bytes)
    return taken
  }

  /// The document.
  /// - Precondition: every object and array is closed.
  package consuming func text() -> String {
    precondition(depth == 0, "the document is not closed")
    return String(decoding: bytes, as: UTF8.self)
  }

  package mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
    try nest(0x7B, 0x7D, members)
  }

  package mutating func array(_ elements: (inout JSONWriter) throws -> Void) rethrows {
    try nest(0x5B, 0x5D, elements)
  }

  /// An array with one element per value.
  package mutating func array<Values: Sequence>(
    of values: Values, _ element: (inout JSONWriter, Values.Element) throws -> Void
  ) rethrows {
    try array { writer in for value in values { try element(&writer, value) } }
  }

  /// The name of the member whose value is written next.
  package mutating func key(_ name: StaticString) {
    precondition(!followsKey, "a key stands where its value belongs")
    startItem()
    name.withUTF8Buffer { buffer in
      bytes.append(0x22)
      bytes.append(contentsOf: buffer)
      bytes.append(contentsOf: [0x22, 0x3A, 0x20])
    }
    followsKey = true
  }

  package mutating func string(_ value: String?) {
    guard let value else { return null() }
    startItem()
    append(quoted: value)
  }

  package mutating func integer(_ value: Int64?) {
    guard let value else { return null() }
    startItem()
    append(digitsOf: value)
  }

  package mutating func string(_ name: StaticString, _ value: String?) {
    key(name)
    string(value)
  }

  package mutating func integer(_ name: StaticString, _ value: Int64?) {
    key(name)
    integer(value)
  }

  package mutating func integer(_ name: StaticString, _ value: Int) {
    integer(name, Int64(value))
  }

  package mutating func decimal(
    _ name: StaticString, _ micros: Int64?, minimumDigits: Int = 0
  ) {
    key(name)
    decimal(micros, minimumDigits: minimumDigits)
  }

  package mutating func bool(_ value: Bool) {
    startItem()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  package mutating func null() {
    startItem()
    bytes.append(contentsOf: [0x6E, 0x75, 0x6C, 0x6C])
  }

  /// Micro-units as a string with decimal text of at least `minimumDigits` places.
  package mutating func decimal(_ micros: Int64?, minimumDigits: Int = 0) {
    guard let micros else { return null() }
    startItem()
    bytes.append(0x22)
    append(decimal: micros, minimumDigits: minimumDigits)
    bytes.append(0x22)
  }

  private mutating func nest(
    _ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) throws -> Void
  ) rethrows {
    startItem()
    bytes.append(open)
    depth += 1
    hasMember = false
    try body(&self)
    precondition(!followsKey, "a key has no value")
    depth -= 1
    if hasMember { newLine() }
    bytes.append(close)
    hasMember = true
  }

  private mutating func startItem() {
    if followsKey {
      followsKey = false
      return
    }
    if hasMember { bytes.append(0x2C) }
    if depth > 0 { newLine() }
    hasMember = true
  }

  private mutating func newLine() {
    bytes.append(0x0A)
    for _ in 0..<depth {
      bytes.append(0x20)
      bytes.append(0x20)
    }
  }

  private mutating func append(quoted value: String) {
    bytes.append(0x22)
    var value = value
    value.withUTF8 { buffer in
      var clean = 0
      for (index, byte) in buffer.enumerated()
      where byte < 0x20 || byte == 0x22 || byte == 0x5C {
        bytes.append(contentsOf: buffer[clean..<index])
        append(escaped: byte)
        clean = index + 1
      }
      bytes.append(contentsOf: buffer[clean...])
    }
    bytes.append(0x22)
  }

  private mutating func append(escaped byte: UInt8) {
    bytes.append(0x5C)
    switch byte {
    case 0x22, 0x5C: bytes.append(byte)
    case 0x0A: bytes.append(0x6E)
    case 0x0D: bytes.append(0x72)
    case 0x09: bytes.append(0x74)
    default:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: [0x75, 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }
  }

  private mutating func append(digitsOf value: Int64) {
    if value < 0 { bytes.append(0x2D) }
    append(digitsOf: value.magnitude, atLeast: 1)
  }

  private mutating func append(digitsOf magnitude: UInt64, atLeast width: Int) {
    let start = bytes.count
    var rest = magnitude
    while rest > 0 || bytes.count - start < width {
      bytes.append(0x30 + UInt8(rest % 10))
      rest /= 10
    }
    bytes[start...].reverse()
  }

  private mutating func append(decimal micros: Int64, minimumDigits: Int) {
    if micros < 0 { bytes.append(0x2D) }
    append(digitsOf: micros.magnitude / 1_000_000, atLeast: 1)
    var fraction = micros.magnitude % 1_000_000
    var digits = 6
    while digits > minimumDigits, fraction % 10 == 0 {
      fraction /= 10
      digits -= 1
    }
    guard digits > 0 else { return }
    bytes.append(0x2E)
    append(digitsOf: fraction, atLeast: digits)
  }
}
