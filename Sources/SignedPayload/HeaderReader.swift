internal import Billing

/// A value in a header, as far as a signature's check has use for it.
indirect enum HeaderValue: Hashable {
  case text(String)
  case list([HeaderValue])
  /// A number, `true`, `false`, `null` or an object.
  case other(String)
}

/// Reads a header: one JSON object (RFC 8259), nothing before or after it. Unlike most readers it
/// refuses a key that occurs twice, of which two readers may take different ones.
struct HeaderReader {
  /// Something that is no such object.
  struct HeaderDiagnostic: Error {
    /// Counted from 0.
    var offset: Int
    var expected: Wording
  }

  /// How deep lists and objects may lie in each other; Apple's header has a list.
  private static let deepest = 8

  private let bytes: [UInt8]
  private var place = 0

  /// The values of a JSON object by key. Throws ``HeaderDiagnostic`` for any other text.
  static func members(_ bytes: [UInt8]) throws(HeaderDiagnostic) -> [String: HeaderValue] {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw HeaderDiagnostic(offset: 0, expected: "UTF-8")
    }
    var reader = HeaderReader(bytes: bytes)
    let members = try reader.object(depth: 0)
    guard reader.next() == nil else { throw reader.malformed("@payload.nothing-after-the-object") }
    return members
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// The error that something else was expected at this place.
  private func malformed(_ expected: Wording) -> HeaderDiagnostic {
    HeaderDiagnostic(offset: place, expected: expected)
  }

  /// The next byte that is no white space, at which the reader then stands; nil at the end.
  private mutating func next() -> UInt8? {
    while place < bytes.count {
      let byte = bytes[place]
      if byte != 0x20, byte != 0x0A, byte != 0x0D, byte != 0x09 { return byte }
      place += 1
    }
    return nil
  }

  /// Passes a character, white space before it too, and returns whether it was there.
  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next() == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  /// Reads an object, of which no key may occur twice; `depth` is how many lists and objects are
  /// around it.
  private mutating func object(depth: Int) throws(HeaderDiagnostic) -> [String: HeaderValue] {
    guard skip("{") else { throw malformed("@payload.json-object") }
    var members: [String: HeaderValue] = [:]
    if skip("}") { return members }
    repeat {
      let start = place
      let key = try text()
      guard skip(":") else { throw malformed("@shared.colon") }
      guard members.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
        throw HeaderDiagnostic(offset: start, expected: "@payload.each-key-once")
      }
    } while skip(",")
    guard skip("}") else { throw malformed("@shared.comma-or-the-end") }
    return members
  }

  /// Reads a value of any kind; `depth` is how many lists and objects are around it.
  private mutating func value(depth: Int) throws(HeaderDiagnostic) -> HeaderValue {
    guard depth <= Self.deepest else { throw malformed("@payload.no-deeper-lists-or-objects") }
    switch next() {
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "["): return .list(try list(depth: depth))
    case UInt8(ascii: "{"):
      _ = try object(depth: depth)
      return .other("an object")
    default: return .other(try word())
    }
  }

  /// Reads a list, at whose bracket the reader stands.
  private mutating func list(depth: Int) throws(HeaderDiagnostic) -> [HeaderValue] {
    place += 1
    var values: [HeaderValue] = []
    if skip("]") { return values }
    repeat { values.append(try value(depth: depth + 1)) } while skip(",")
    guard skip("]") else { throw malformed("@payload.comma-or-the-end") }
    return values
  }

  /// A number, `true`, `false` or `null`, as it is written.
  private mutating func word() throws(HeaderDiagnostic) -> String {
    let start = place
    let isPart: (UInt8) -> Bool = {
      $0 &- 0x30 < 10 || $0 | 0x20 &- 0x61 < 26 || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
    }
    while place < bytes.count, isPart(bytes[place]) { place += 1 }
    let word = String(decoding: bytes[start..<place], as: UTF8.self)
    let number = #/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/#
    guard ["true", "false", "null"].contains(word) || word.wholeMatch(of: number) != nil else {
      place = start
      throw malformed("@shared.value-2")
    }
    return word
  }

  /// Reads a text in quotation marks, without its escapes.
  private mutating func text() throws(HeaderDiagnostic) -> String {
    guard skip("\"") else { throw malformed("@payload.text-in-quotation-marks") }
    var unescaped: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      guard byte >= 0x20 else { break }
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: unescaped, as: UTF8.self)
      case UInt8(ascii: "\\"): unescaped += try escaped().utf8
      default: unescaped.append(byte)
      }
    }
    throw malformed("@shared.end-of-a-text")
  }

  /// What the escape means whose backslash has just passed.
  private mutating func escaped() throws(HeaderDiagnostic) -> String {
    guard place < bytes.count else { throw malformed("@payload.escape") }
    let byte = bytes[place]
    place += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      var units = [try codeUnit()]
      if UTF16.isLeadSurrogate(units[0]), bytes[place...].starts(with: "\\u".utf8) {
        place += 2
        units.append(try codeUnit())
      }
      guard let text = String(validating: units, as: UTF16.self) else {
        throw malformed("@shared.other-half-of-a-character")
      }
      return text
    default: throw malformed("@shared.escape-that-json-knows")
    }
  }

  /// Reads four hexadecimal digits, a code unit of UTF-16.
  private mutating func codeUnit() throws(HeaderDiagnostic) -> UInt16 {
    let digits = bytes[place...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw malformed("@payload.four-hexadecimal-digits") }
    place += 4
    return unit
  }
}
