internal import Billing

/// What parsing the JSON object at the window's start came to.
enum ObjectParse {
  case incomplete
  /// One object of flat values, in the plain form.
  case object(Record, length: Int, lines: Int)
  /// An object that is JSON, but not as a row must be.
  case fault(Fault, length: Int, lines: Int)
  /// No JSON from `offset` on.
  case malformed(offset: Int, expected: Wording)
}

/// Reads flat JSON objects as records: numbers by their digits, strings unescaped, null as empty.
final class JSONObjectReader {
  private struct Value {
    /// In the window, or in `unescaped`.
    var start = 0
    var count = 0
    var isUnescaped = false
    var rawStart = 0
    var isSet = false
  }

  private let names: [[UInt8]]
  private let buffer: RecordBuffer
  private var values: [Value]
  private var unescaped: [UInt8] = []
  private var expectedOrder: [Int] = []
  /// Keys that are no column, in order of appearance.
  private(set) var unknownKeys: [String] = []
  private var fault: Fault?

  // The object being read.
  private var base = UnsafeRawPointer(bitPattern: 1)!
  private var limit = 0
  private var place = 0

  /// - Parameter names: the columns, as keys.
  init(names: [String]) {
    self.names = names.map { Array($0.utf8) }
    buffer = RecordBuffer(columns: names.count)
    values = Array(repeating: Value(), count: names.count)
  }

  private enum Stop: Error {
    case incomplete
    case malformed(Wording)
  }

  /// Reads the object at `base`, whose first byte is `{`.
  func read(_ base: UnsafeRawPointer, _ limit: Int, line: Int) -> ObjectParse {
    self.base = base
    self.limit = limit
    place = 1
    fault = nil
    unescaped.removeAll(keepingCapacity: true)
    for index in values.indices { values[index] = Value() }
    do throws(Stop) {
      try readMembers()
    } catch {
      switch error {
      case .incomplete: return .incomplete
      case .malformed(let expected): return .malformed(offset: place, expected: expected)
      }
    }
    let raw = UnsafeRawBufferPointer(start: base, count: place)
    let lines = raw.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
    if let offset = firstMalformedUTF8(raw) {
      return .fault(Divider.malformedText(offset), length: place, lines: lines)
    }
    if let fault { return .fault(fault, length: place, lines: lines) }
    return .object(assemble(line: line), length: place, lines: lines)
  }

  /// Where in the object's raw bytes the value of column `index` stands.
  func rawStart(_ index: Int) -> Int { values[index].rawStart }

  private func assemble(line: Int) -> Record {
    buffer.clear()
    unescaped.withUnsafeBytes { unescaped in
      for (index, value) in values.enumerated() {
        if value.count > 0 {
          let source = value.isUnescaped ? unescaped.baseAddress! : base
          buffer.append(source + value.start, value.count)
        }
        buffer.endField(index)
      }
    }
    return Record(
      base: UnsafeRawPointer(buffer.bytes), ends: UnsafePointer(buffer.ends),
      line: Int32(truncatingIfNeeded: line))
  }

  private func peek() throws(Stop) -> UInt8 {
    while place < limit {
      let byte = base.load(fromByteOffset: place, as: UInt8.self)
      if byte != 0x20, byte != 0x0A, byte != 0x0D, byte != 0x09 { return byte }
      place += 1
    }
    throw .incomplete
  }

  private func expect(_ byte: UInt8, _ what: @autoclosure () -> Wording) throws(Stop) {
    guard try peek() == byte else { throw .malformed(what()) }
    place += 1
  }

  private func readMembers() throws(Stop) {
    if try peek() == 0x7D {
      place += 1
      return
    }
    var position = 0
    while true {
      guard try peek() == 0x22 else { throw .malformed("a key in quotation marks") }
      let keyStart = place
      let key = try readString()
      let column = column(of: key, at: position, keyStart: keyStart)
      position += 1
      try expect(0x3A, "a colon")
      _ = try peek()
      let rawStart = place
      var value = try readValue(column: column)
      value.rawStart = rawStart
      value.isSet = true
      if let column {
        if values[column].isSet, fault == nil {
          fault = Fault(
            nil, "key", "the key \(quoted(names[column])) occurs twice in one object",
            offset: keyStart, help: "export the file again")
        }
        values[column] = value
      }
      let next = try peek()
      place += 1
      if next == 0x7D { return }
      if next != 0x2C {
        place -= 1
        throw .malformed("a comma or the end of the object")
      }
    }
  }

  private func quoted(_ bytes: [UInt8]) -> String {
    "\"\(String(decoding: bytes, as: UTF8.self))\""
  }

  /// The column that a key names; objects of one file mostly have the same keys in the same order.
  private func column(of key: Value, at position: Int, keyStart: Int) -> Int? {
    let expected = position < expectedOrder.count ? expectedOrder[position] : -1
    if expected >= 0, equals(key, names[expected]) { return expected }
    var found = names.firstIndex { equals(key, $0) }
    if found == nil {
      let text = self.text(key)
      let normal = text.lowercased()
      found = names.firstIndex { $0.elementsEqual(normal.utf8) }
      if found == nil, !unknownKeys.contains(text), unknownKeys.count < 1000 {
        unknownKeys.append(text)
      }
    }
    while expectedOrder.count <= position { expectedOrder.append(-1) }
    expectedOrder[position] = found ?? -1
    return found
  }

  private func equals(_ value: Value, _ name: [UInt8]) -> Bool {
    guard value.count == name.count else { return false }
    return bytes(of: value) { $0.elementsEqual(name) }
  }

  private func text(_ value: Value) -> String {
    bytes(of: value) { String(decoding: $0, as: UTF8.self) }
  }

  private func bytes<Result>(
    of value: Value, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    if !value.isUnescaped {
      return body(UnsafeRawBufferPointer(start: base + value.start, count: value.count))
    }
    return unescaped.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[value.start..<value.start + value.count]))
    }
  }

  private func readValue(column: Int?) throws(Stop) -> Value {
    let first = try peek()
    switch first {
    case 0x22: return try readString()
    case 0x7B, 0x5B:
      let start = place
      try skipNested()
      if let column, fault == nil {
        fault = Fault(
          nil, "value", "\(String(decoding: names[column], as: UTF8.self)) is not a plain value",
          offset: start, help: "write a text or a number")
      }
      return Value()
    default: return try readWord(column: column)
    }
  }

  /// A number, `true`, `false` or `null`.
  private func readWord(column: Int?) throws(Stop) -> Value {
    let start = place
    while true {
      guard place < limit else { throw .incomplete }
      let byte = base.load(fromByteOffset: place, as: UInt8.self)
      let belongs =
        byte &- 0x30 < 10 || byte | 0x20 &- 0x61 < 26 || byte == 0x2B || byte == 0x2D
        || byte == 0x2E
      if !belongs { break }
      place += 1
    }
    let word = UnsafeRawBufferPointer(start: base + start, count: place - start)
    if word.elementsEqual("null".utf8) { return Value() }
    if word.elementsEqual("true".utf8) || word.elementsEqual("false".utf8) {
      return Value(start: start, count: word.count)
    }
    guard let plain = plainDecimal(json: word) else {
      place = start
      throw .malformed("a value")
    }
    if plain.elementsEqual(word) { return Value(start: start, count: word.count) }
    let offset = unescaped.count
    unescaped += plain
    return Value(start: offset, count: plain.count, isUnescaped: true)
  }

  private func skipNested() throws(Stop) {
    var depth = 0
    repeat {
      let byte = try peek()
      switch byte {
      case 0x22:
        _ = try readString()
        continue
      case 0x7B, 0x5B: depth += 1
      case 0x7D, 0x5D: depth -= 1
      default: break
      }
      place += 1
    } while depth > 0
  }

  private func readString() throws(Stop) -> Value {
    place += 1
    let start = place
    while true {
      guard place < limit else { throw .incomplete }
      let byte = base.load(fromByteOffset: place, as: UInt8.self)
      if byte == 0x22 {
        defer { place += 1 }
        return Value(start: start, count: place - start)
      }
      if byte == 0x5C { return try readEscaped(from: start) }
      if byte < 0x20 { throw .malformed("the end of a text") }
      place += 1
    }
  }

  private func readEscaped(from start: Int) throws(Stop) -> Value {
    let offset = unescaped.count
    unescaped.append(contentsOf: UnsafeRawBufferPointer(start: base + start, count: place - start))
    while true {
      guard place + 1 < limit else { throw .incomplete }
      let byte = base.load(fromByteOffset: place, as: UInt8.self)
      if byte == 0x22 {
        place += 1
        return Value(start: offset, count: unescaped.count - offset, isUnescaped: true)
      }
      if byte < 0x20 { throw .malformed("the end of a text") }
      place += 1
      if byte != 0x5C {
        unescaped.append(byte)
        continue
      }
      let escape = base.load(fromByteOffset: place, as: UInt8.self)
      place += 1
      switch escape {
      case 0x22, 0x5C, 0x2F: unescaped.append(escape)
      case 0x62: unescaped.append(0x08)
      case 0x66: unescaped.append(0x0C)
      case 0x6E: unescaped.append(0x0A)
      case 0x72: unescaped.append(0x0D)
      case 0x74: unescaped.append(0x09)
      case 0x75: try appendScalar()
      default:
        place -= 1
        throw .malformed("an escape that JSON knows")
      }
    }
  }

  private func appendScalar() throws(Stop) {
    var scalar = try readHex()
    if (0xD800...0xDBFF).contains(scalar) {
      guard place + 1 < limit else { throw .incomplete }
      guard base.load(fromByteOffset: place, as: UInt8.self) == 0x5C,
        base.load(fromByteOffset: place + 1, as: UInt8.self) == 0x75
      else { throw .malformed("the second half of a character") }
      place += 2
      let low = try readHex()
      guard (0xDC00...0xDFFF).contains(low) else {
        throw .malformed("the second half of a character")
      }
      scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
    } else if (0xDC00...0xDFFF).contains(scalar) {
      throw .malformed("a whole character")
    }
    withUnsafeTemporaryAllocation(byteCount: 4, alignment: 1) { room in
      let count = encode(scalar, at: room.baseAddress!)
      unescaped.append(contentsOf: room[..<count])
    }
  }

  private func readHex() throws(Stop) -> UInt32 {
    guard place + 4 <= limit else { throw .incomplete }
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = base.load(fromByteOffset: place, as: UInt8.self)
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x41...0x46: digit = byte - 0x37
      case 0x61...0x66: digit = byte - 0x57
      default: throw .malformed("four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      place += 1
    }
    return value
  }
}

/// A JSON number as plain decimal digits, its exponent worked out exactly; nil when it is no JSON
/// number, or one with an exponent past ±40.
func plainDecimal(json bytes: UnsafeRawBufferPointer) -> [UInt8]? {
  var index = 0
  func isDigit() -> Bool { index < bytes.count && bytes[index] &- 0x30 < 10 }
  let negative = bytes.first == 0x2D
  if negative { index = 1 }
  let wholeStart = index
  while isDigit() { index += 1 }
  let whole = bytes[wholeStart..<index]
  guard !whole.isEmpty, whole.count == 1 || whole.first != 0x30 else { return nil }
  var fraction = bytes[index..<index]
  if index < bytes.count, bytes[index] == 0x2E {
    index += 1
    let start = index
    while isDigit() { index += 1 }
    fraction = bytes[start..<index]
    if fraction.isEmpty { return nil }
  }
  if index == bytes.count { return [UInt8](bytes) }
  guard bytes[index] | 0x20 == 0x65 else { return nil }
  index += 1
  var exponentIsNegative = false
  if index < bytes.count, bytes[index] == 0x2B || bytes[index] == 0x2D {
    exponentIsNegative = bytes[index] == 0x2D
    index += 1
  }
  guard index < bytes.count, bytes.count - index <= 3,
    let magnitude = digits(bytes, index..<bytes.count), magnitude <= 40
  else { return nil }
  let exponent = exponentIsNegative ? -magnitude : magnitude
  var all = [UInt8](whole) + [UInt8](fraction)
  var point = whole.count + exponent
  if point <= 0 {
    all.insert(contentsOf: repeatElement(0x30, count: 1 - point), at: 0)
    point = 1
  }
  while all.count < point { all.append(0x30) }
  let left = all[..<point].drop { $0 == 0x30 }
  var right = all[point...]
  while right.last == 0x30 { right.removeLast() }
  var text: [UInt8] = negative ? [0x2D] : []
  text += left.isEmpty ? [0x30] : Array(left)
  if !right.isEmpty { text += [0x2E] + right }
  return text
}
