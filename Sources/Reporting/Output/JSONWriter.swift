import Billing

/// Writes JSON as UTF-8 bytes, indented by two spaces or on one line, members in the order of the
/// calls.
///
/// Nothing is kept but the bytes: a document of any length can be handed on in runs by
/// ``takeBytes()`` while it is being written.
package struct JSONWriter {
  private var bytes: [UInt8] = []
  private var depth = 0
  /// Whether the innermost object or array has a member already.
  private var hasMember = false
  private var followsKey = false
  private let isOneLine: Bool

  package init(reserving capacity: Int = 0, isOneLine: Bool = false) {
    self.isOneLine = isOneLine
    bytes.reserveCapacity(capacity)
  }

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

  /// An array of many elements, which all cores write.
  ///
  /// - Parameters:
  ///   - count: of the elements.
  ///   - element: writes the one at a place.
  ///   - flush: called after each part, to take its bytes; few parts are held at a time.
  package mutating func array(
    ofMany count: Int, _ element: @escaping @Sendable (inout JSONWriter, Int) -> Void,
    flush: (inout JSONWriter) throws -> Void
  ) rethrows {
    try array { writer in
      let window = Self.valuesOfPart * coreCount * 8
      for start in stride(from: 0, to: count, by: window) {
        let end = min(start + window, count)
        let starts = Array(stride(from: start, to: end, by: Self.valuesOfPart))
        let beginning = writer.beginning
        let parts = inThreads(starts.count) { number in
          var part = beginning
          part.hasMember = starts[number] > 0
          for place in starts[number]..<min(starts[number] + Self.valuesOfPart, end) {
            element(&part, place)
          }
          return part.bytes
        }
        for part in parts {
          writer.bytes += part
          writer.hasMember = true
          try flush(&writer)
        }
      }
    }
  }

  private static let valuesOfPart = 128

  /// One that goes on where this one is, and has no bytes.
  private var beginning: JSONWriter {
    var part = JSONWriter(isOneLine: isOneLine)
    part.depth = depth
    return part
  }

  /// The name of the member whose value is written next.
  package mutating func key(_ name: String) {
    precondition(!followsKey, "a key stands where its value belongs")
    startItem()
    bytes.append(0x22)
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: [0x22, 0x3A, 0x20])
    followsKey = true
  }

  package mutating func string(_ value: String?) {
    guard let value else { return null() }
    startItem()
    bytes.append(quoted: value)
  }

  package mutating func integer(_ value: Int64?) {
    guard let value else { return null() }
    startItem()
    bytes.append(digitsOf: value)
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
    bytes.append(decimal: micros, minimumDigits: minimumDigits)
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
    if isOneLine { return }
    bytes.append(0x0A)
    for _ in 0..<depth {
      bytes.append(0x20)
      bytes.append(0x20)
    }
  }
}
