/// Goes through the XML of a spreadsheet: elements and text, one after the other. Prefixes of names
/// are left out; what is neither element nor text is passed over.
struct MarkupScan {
  enum Token {
    case start(name: String, attributes: [String: String], isEmpty: Bool)
    case end(name: String)
    case text(String)
  }

  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Token? {
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "<") else {
        let end = bytes[place...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        defer { place = end }
        return .text(Self.unescaped(bytes[place..<end]))
      }
      if bytes[place...].starts(with: "<!--".utf8) {
        skip(past: "-->")
      } else if bytes[place...].starts(with: "<![CDATA[".utf8) {
        let start = place + 9
        skip(past: "]]>")
        return .text(String(decoding: bytes[start..<max(start, place - 3)], as: UTF8.self))
      } else if bytes[place...].starts(with: "<?".utf8) || bytes[place...].starts(with: "<!".utf8) {
        skip(past: ">")
      } else {
        return element()
      }
    }
    return nil
  }

  private mutating func skip(past mark: String) {
    let mark = Array(mark.utf8)
    while place < bytes.count, !bytes[place...].starts(with: mark) { place += 1 }
    place = min(bytes.count, place + mark.count)
  }

  private mutating func element() -> Token {
    place += 1
    let isEnd = place < bytes.count && bytes[place] == UInt8(ascii: "/")
    if isEnd { place += 1 }
    let name = takeName()
    var attributes: [String: String] = [:]
    var isEmpty = false
    while place < bytes.count, bytes[place] != UInt8(ascii: ">") {
      switch bytes[place] {
      case UInt8(ascii: "/"):
        isEmpty = true
        place += 1
      case 0x20, 0x09, 0x0A, 0x0D: place += 1
      default:
        let key = takeName()
        while place < bytes.count, bytes[place] != UInt8(ascii: "\""),
          bytes[place] != UInt8(ascii: "'"), bytes[place] != UInt8(ascii: ">")
        {
          place += 1
        }
        guard place < bytes.count, bytes[place] != UInt8(ascii: ">") else { continue }
        let quote = bytes[place]
        let start = place + 1
        let end = bytes[start...].firstIndex(of: quote) ?? bytes.count
        attributes[key] = Self.unescaped(bytes[start..<end])
        place = min(bytes.count, end + 1)
      }
    }
    place = min(bytes.count, place + 1)
    return isEnd ? .end(name: name) : .start(name: name, attributes: attributes, isEmpty: isEmpty)
  }

  /// A name without its prefix; at least one byte is taken.
  private mutating func takeName() -> String {
    let start = place
    while place < bytes.count, bytes[place] > 0x20, bytes[place] != UInt8(ascii: "="),
      bytes[place] != UInt8(ascii: ">"), bytes[place] != UInt8(ascii: "/")
    {
      place += 1
    }
    if place == start { place += 1 }
    let name = bytes[start..<min(place, bytes.count)]
    let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    return String(decoding: local, as: UTF8.self)
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
    var text = ""
    var rest = String(decoding: bytes, as: UTF8.self)[...]
    while let start = rest.firstIndex(of: "&") {
      text += rest[..<start]
      rest = rest[start...]
      guard let end = rest.firstIndex(of: ";") else { break }
      let name = rest[rest.index(after: rest.startIndex)..<end]
      text += entity(name) ?? String(rest[...end])
      rest = rest[rest.index(after: end)...]
    }
    return text + rest
  }

  private static func entity(_ name: Substring) -> String? {
    let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    if let text = known[String(name)] { return text }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let value = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return value.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
  }
}
