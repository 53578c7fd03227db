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

  /// The document as text.
  ///
  /// - Precondition: every object and array is closed.
  package consuming func text() -> String {
    precondition(depth == 0, "the document is not closed")
    return String(decoding: bytes, as: UTF8.self)
  }

  /// An object as the next value, whose members `members` writes.
  package mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
    try nest(0x7B, 0x7D, members)
  }

  /// An array as the next value, whose elements `elements` writes.
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
  ///   - element: writes the one at an index, from 0.
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

  /// A writer without bytes that goes on at the same depth, for a part that another thread writes.
  private var beginning: JSONWriter {
    var part = JSONWriter(isOneLine: isOneLine)
    part.depth = depth
    return part
  }

  /// Writes the name of the member whose value is written next.
  package mutating func key(_ name: String) {
    precondition(!followsKey, "a key stands where its value belongs")
    startItem()
    bytes.append(0x22)
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: [0x22, 0x3A, 0x20])
    followsKey = true
  }

  /// A text as the next value; null without one.
  package mutating func string(_ value: String?) {
    guard let value else { return null() }
    startItem()
    bytes.append(quoted: value)
  }

  /// A whole number as the next value; null without one.
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

  /// A string with micro-units as decimal text of at least `minimumDigits` places; null without a
  /// value.
  package mutating func decimal(_ micros: Int64?, minimumDigits: Int = 0) {
    guard let micros else { return null() }
    startItem()
    bytes.append(0x22)
    bytes.append(decimal: micros, minimumDigits: minimumDigits)
    bytes.append(0x22)
  }

  /// Writes an object or array: its opening and closing bytes around what `body` writes.
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

  /// Writes what stands before a key or value: the comma after the one before, and a new line;
  /// nothing after a key.
  private mutating func startItem() {
    if followsKey {
      followsKey = false
      return
    }
    if hasMember { bytes.append(0x2C) }
    if depth > 0 { newLine() }
    hasMember = true
  }

  /// Begins a line at the present depth, unless all stands on one line.
  private mutating func newLine() {
    if isOneLine { return }
    bytes.append(0x0A)
    for _ in 0..<depth {
      bytes.append(0x20)
      bytes.append(0x20)
    }
  }
}
