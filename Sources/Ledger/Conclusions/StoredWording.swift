import Billing

/// A text as the ledger keeps it, in JSON: an array of its parts. A part that is the same in every
/// language is a string; a template is an array of itself, in English, and its values, which are
/// texts, or strings where one string is all there is. A key would say nothing once its text is
/// gone.
enum StoredWording {
  static func json(of wording: Wording) -> String {
    var json: [UInt8] = []
    json.reserveCapacity(512)
    append(wording, to: &json)
    return String(decoding: json, as: UTF8.self)
  }

  /// Nil for anything that ``json(of:)`` did not write.
  static func wording(_ json: String) -> Wording? {
    var reader = Reader(rest: json.unicodeScalars[...])
    guard case .list(let parts) = reader.value(), reader.rest.isEmpty else { return nil }
    return wording(parts)
  }

  private static let comma = UInt8(ascii: ",")
  private static let open = UInt8(ascii: "[")
  private static let close = UInt8(ascii: "]")
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

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
    var rest: Substring.UnicodeScalarView
    private var depth = 0

    init(rest: Substring.UnicodeScalarView) { self.rest = rest }

    /// Lists in lists: more than any text has, fewer than a stack holds.
    private static let deepest = 100

    mutating func value() -> Value? {
      switch rest.popFirst() {
      case "\"": string().map { .text($0) }
      case "[": list().map { .list($0) }
      default: nil
      }
    }

    private mutating func list() -> [Value]? {
      depth += 1
      defer { depth -= 1 }
      guard depth < Self.deepest else { return nil }
      var values: [Value] = []
      while rest.first != "]" {
        guard let value = value() else { return nil }
        values.append(value)
        if rest.first == "," { rest.removeFirst() }
      }
      rest.removeFirst()
      return values
    }

    /// The string whose opening quote was read.
    private mutating func string() -> String? {
      var text = String.UnicodeScalarView()
      while let scalar = rest.popFirst() {
        switch scalar {
        case "\"": return String(text)
        case "\\":
          guard let escaped = escaped() else { return nil }
          text.append(escaped)
        default: text.append(scalar)
        }
      }
      return nil
    }

    private mutating func escaped() -> Unicode.Scalar? {
      switch rest.popFirst() {
      case "n": return "\n"
      case "u":
        let digits = String(String.UnicodeScalarView(rest.prefix(4)))
        rest = rest.dropFirst(4)
        return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
      case let same: return same
      }
    }
  }
}
