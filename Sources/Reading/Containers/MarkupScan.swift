internal import Glibc

/// Goes through the XML of a spreadsheet: elements and text, one after the other, as places in the
/// bytes: a sheet has millions of them, and most are looked at once. Prefixes of names are left
/// out; what is neither element nor text is passed over.
struct MarkupScan {
  enum Token { case start, end, text }

  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  /// Of an element: its name without a prefix.
  private var name: Range<Int> = 0..<0
  /// Of an element that begins: what stands behind its name.
  private var attributes: Range<Int> = 0..<0
  private var text: Range<Int> = 0..<0
  private var isPlain = false
  /// Whether an element that begins ends at once.
  private(set) var isEmpty = false

  /// - Parameter bytes: stay there as long as they are looked at.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Goes to the next element or text, which is then at hand; nil at the end of the bytes.
  mutating func next() -> Token? {
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "<") else {
        let end = find(UInt8(ascii: "<"), from: place)
        (text, place, isPlain) = (place..<end, end, false)
        return .text
      }
      switch place + 1 < bytes.count ? bytes[place + 1] : 0 {
      case UInt8(ascii: "!"):
        if begins("<!--") {
          skip(past: "-->")
        } else if begins("<![CDATA[") {
          let start = place + 9
          skip(past: "]]>")
          (text, isPlain) = (start..<max(start, place - 3), true)
          return .text
        } else {
          skip(past: ">")
        }
      case UInt8(ascii: "?"): skip(past: ">")
      default: return takeTag()
      }
    }
    return nil
  }

  /// Whether the element at hand has this name.
  @inline(__always)
  func isNamed(_ wanted: StaticString) -> Bool { equals(name, wanted) }

  /// The name of the element at hand.
  var localName: String { String(decoding: bytes[name], as: UTF8.self) }

  /// Whether the element at hand has a name of one letter.
  @inline(__always)
  func isNamed(letter: UInt8) -> Bool { name.count == 1 && bytes[name.lowerBound] == letter }

  /// The raw bytes of an attribute of the element at hand; nil for none.
  func attribute(_ key: StaticString) -> UnsafeRawBufferPointer? {
    var at = attributes.lowerBound
    while at < attributes.upperBound {
      let byte = bytes[at]
      if byte <= 0x20 || byte == UInt8(ascii: "/") {
        at += 1
        continue
      }
      let start = at
      while at < attributes.upperBound, bytes[at] > 0x20, bytes[at] != UInt8(ascii: "=") { at += 1 }
      let found = withoutPrefix(start..<at)
      while at < attributes.upperBound, bytes[at] != UInt8(ascii: "\""),
        bytes[at] != UInt8(ascii: "'")
      {
        at += 1
      }
      guard at < attributes.upperBound else { return nil }
      let first = at + 1
      let end = min(find(bytes[at], from: first), attributes.upperBound)
      if equals(found, key) { return UnsafeRawBufferPointer(rebasing: bytes[first..<end]) }
      at = end + 1
    }
    return nil
  }

  /// An attribute of the element at hand as text; nil for none.
  func textAttribute(_ key: StaticString) -> String? {
    attribute(key).map { raw in
      var text: [UInt8] = []
      Self.append(raw, to: &text)
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// An attribute of the element at hand as a whole number; nil for none, or for what is no number.
  func numberAttribute(_ key: StaticString) -> Int? {
    guard let raw = attribute(key), (1...9).contains(raw.count) else { return nil }
    var value = 0
    for byte in raw {
      guard byte &- 0x30 < 10 else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    return value
  }

  /// Appends the text at hand, with characters in place of entities.
  func appendText(to output: inout [UInt8]) {
    let raw = UnsafeRawBufferPointer(rebasing: bytes[text])
    if isPlain { output.append(contentsOf: raw) } else { Self.append(raw, to: &output) }
  }

  // MARK: - Bytes

  /// The place of the first such byte from `start` on; the end of the bytes when there is none.
  private func find(_ byte: UInt8, from start: Int) -> Int {
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, Int32(byte), bytes.count - start)
    else { return bytes.count }
    return UnsafeRawPointer(found) - base
  }

  /// Whether the bytes not yet passed begin with `mark`.
  private func begins(_ mark: StaticString) -> Bool {
    let end = place + mark.utf8CodeUnitCount
    return end <= bytes.count && equals(place..<end, mark)
  }

  /// Whether the bytes of `range` are those of `wanted`.
  private func equals(_ range: Range<Int>, _ wanted: StaticString) -> Bool {
    let count = wanted.utf8CodeUnitCount
    guard range.count == count, let base = bytes.baseAddress else { return false }
    return memcmp(base + range.lowerBound, wanted.utf8Start, count) == 0
  }

  /// Goes behind the next `mark`, or to the end of the bytes.
  private mutating func skip(past mark: StaticString) {
    let count = mark.utf8CodeUnitCount
    while place < bytes.count {
      place = find(mark.utf8Start[0], from: place)
      if place + count <= bytes.count, equals(place..<(place + count), mark) {
        place += count
        return
      }
      place = min(bytes.count, place + 1)
    }
  }

  /// Goes behind the tag that begins here, and notes its name and its attributes.
  private mutating func takeTag() -> Token {
    place += 1
    let isEnd = place < bytes.count && bytes[place] == UInt8(ascii: "/")
    if isEnd { place += 1 }
    let start = place
    while place < bytes.count, bytes[place] > 0x20, bytes[place] != UInt8(ascii: ">"),
      bytes[place] != UInt8(ascii: "/")
    {
      place += 1
    }
    name = withoutPrefix(start..<place)
    let behind = place
    // The end of the element: a bracket inside of quotation marks is none.
    var quote: UInt8 = 0
    while place < bytes.count, quote != 0 || bytes[place] != UInt8(ascii: ">") {
      let byte = bytes[place]
      if quote == 0, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == quote {
        quote = 0
      }
      place += 1
    }
    attributes = behind..<place
    isEmpty = place > behind && bytes[place - 1] == UInt8(ascii: "/")
    place = min(bytes.count, place + 1)
    return isEnd ? .end : .start
  }

  /// The part of a name behind its prefix.
  private func withoutPrefix(_ range: Range<Int>) -> Range<Int> {
    bytes[range].lastIndex(of: UInt8(ascii: ":")).map { ($0 + 1)..<range.upperBound } ?? range
  }

  /// Appends bytes in which entities stand for characters.
  private static func append(_ raw: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    var at = 0
    while at < raw.count {
      guard raw[at] == UInt8(ascii: "&") else {
        let next = raw[at...].firstIndex(of: UInt8(ascii: "&")) ?? raw.count
        output.append(contentsOf: raw[at..<next])
        at = next
        continue
      }
      let end = raw[at...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
      if let end, let character = entity(String(decoding: raw[(at + 1)..<end], as: UTF8.self)) {
        output.append(contentsOf: character.utf8)
        at = end + 1
      } else {
        output.append(raw[at])
        at += 1
      }
    }
  }

  /// The character that an entity stands for, by its name without `&` and `;`; nil for an unknown
  /// one.
  private static func entity(_ name: String) -> String? {
    let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    if let text = known[name] { return text }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let value = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return value.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
  }
}
