import Billing

/// A text as the ledger keeps it, in JSON: an array of its parts. A part that is the same in every
/// language is a string; a template is an array of itself, in English, and its values, which are
/// texts, or strings where one string is all there is. A key would say nothing once its text is
/// gone.
enum StoredWording {
  /// The JSON that the ledger keeps of a text.
  static func json(of wording: Wording) -> String {
    var json: [UInt8] = []
    json.reserveCapacity(512)
    append(wording, to: &json)
    return String(decoding: json, as: UTF8.self)
  }

  /// The text that a JSON of the ledger stands for; nil for anything that ``json(of:)`` did not
  /// write.
  static func wording(_ json: String) -> Wording? {
    var json = json
    let parts = json.withUTF8 { bytes -> [Value]? in
      var reader = Reader(bytes)
      guard case .list(let parts) = reader.value(), reader.isAtEnd else { return nil }
      return parts
    }
    return parts.flatMap(wording)
  }

  private static let comma = UInt8(ascii: ",")
  private static let open = UInt8(ascii: "[")
  private static let close = UInt8(ascii: "]")
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  /// Appends the array of a text's parts.
  private static func append(_ wording: Wording, to json: inout [UInt8]) {
    json.append(open)
    for (index, part) in wording.parts.enumerated() {
      if index > 0 { json.append(comma) }
      switch part {
      case .verbatim(let text): append(text, to: &json)
      case .phrase(let key, let values):
        json.append(open)
        append(template(of: key), to: &json)
        for value in values {
          json.append(comma)
          if case .verbatim(let text) = value.parts.first, value.parts.count == 1 {
            append(text, to: &json)
          } else {
            append(value, to: &json)
          }
        }
        json.append(close)
      }
    }
    json.append(close)
  }

  /// What stands for a key: its English, where that leads back to it; some texts differ in Chinese
  /// alone.
  private static func template(of key: String) -> String {
    guard let english = Texts.template(key, in: .english) else { return key }
    return (Texts.key(ofEnglish: english) ?? english) == key ? english : key
  }

  /// Appends a text as a JSON string.
  private static func append(_ text: String, to json: inout [UInt8]) {
    json.append(quote)
    var text = text
    text.withUTF8 { bytes in
      // Most texts stand in JSON as they are; those are taken whole.
      guard bytes.contains(where: { $0 < 0x20 || $0 == quote || $0 == backslash }) else {
        json.append(contentsOf: bytes)
        return
      }
      for byte in bytes {
        switch byte {
        case quote, backslash: json += [backslash, byte]
        case 0x0A: json += [backslash, UInt8(ascii: "n")]
        case 0..<0x20:
          let digits = String(byte, radix: 16)
          json += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
        default: json.append(byte)
        }
      }
    }
    json.append(quote)
  }

  /// The text whose parts are the elements of a JSON array; nil where they are no parts of a text.
  private static func wording(_ parts: [Value]) -> Wording? {
    var known: [Wording.Part] = []
    for part in parts {
      switch part {
      case .text(let text): known.append(.verbatim(text))
      case .list(let items):
        guard case .text(let template) = items.first else { return nil }
        let values = items.dropFirst().compactMap(wording)
        guard values.count + 1 == items.count else { return nil }
        known.append(.phrase(Texts.key(ofEnglish: template) ?? template, values))
      }
    }
    return Wording(parts: known)
  }

  /// The text of a template's value: a string, or an array of parts.
  private static func wording(_ value: Value) -> Wording? {
    switch value {
    case .text(let text): Wording(parts: [.verbatim(text)])
    case .list(let parts): wording(parts)
    }
  }

  /// What the JSON of a text is made of.
  private enum Value {
    case text(String)
    case list([Value])
  }

  /// Reads what `json` wrote; nil for anything else.
  private struct Reader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    private var depth = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Lists in lists: more than any text has, fewer than a stack holds.
    private static let deepest = 100

    var isAtEnd: Bool { place == bytes.count }

    /// The next byte; nil at the end.
    private mutating func next() -> UInt8? {
      guard place < bytes.count else { return nil }
      place += 1
      return bytes[place - 1]
    }

    /// The string or array that begins here; nil where none does.
    mutating func value() -> Value? {
      switch next() {
      case quote: string().map { .text($0) }
      case open: list().map { .list($0) }
      default: nil
      }
    }

    /// The array whose opening bracket was read; nil where it does not end or is too deep.
    private mutating func list() -> [Value]? {
      depth += 1
      defer { depth -= 1 }
      guard depth < Self.deepest else { return nil }
      var values: [Value] = []
      while place < bytes.count, bytes[place] != close {
        guard let value = value() else { return nil }
        values.append(value)
        if place < bytes.count, bytes[place] == comma { place += 1 }
      }
      return next() == nil ? nil : values
    }

    /// The string whose opening quote was read.
    private mutating func string() -> String? {
      var text = ""
      while true {
        let rest = bytes[place...]
        guard let end = rest.firstIndex(where: { $0 == quote || $0 == backslash }) else {
          return nil
        }
        text += String(decoding: rest[..<end], as: UTF8.self)
        place = end + 1
        if bytes[end] == quote { return text }
        guard let escaped = escaped() else { return nil }
        text.unicodeScalars.append(escaped)
      }
    }

    /// The character that is meant by what follows a backslash; nil for what is never written.
    private mutating func escaped() -> Unicode.Scalar? {
      switch next() {
      case UInt8(ascii: "n"): return "\n"
      case UInt8(ascii: "u"):
        let digits = String(decoding: bytes[place...].prefix(4), as: UTF8.self)
        place = min(place + 4, bytes.count)
        return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
      case quote: return "\""
      case backslash: return "\\"
      default: return nil
      }
    }
  }
}
