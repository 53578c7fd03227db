import Billing

/// A text as the ledger keeps it, in JSON: an array of its parts. A part that is the same in every
/// language is a string; a template is an array of itself and its values, which are texts, or
/// strings where one string is all there is.
enum StoredWording {
  static func json(of wording: Wording) -> String {
    var json = ""
    append(wording, to: &json)
    return json
  }

  static func wording(_ json: String) -> Wording {
    var reader = Reader(rest: json.unicodeScalars[...])
    guard case .list(let parts) = reader.value() else {
      preconditionFailure("a text that is no list of parts: \(json)")
    }
    return wording(parts)
  }

  private static func append(_ wording: Wording, to json: inout String) {
    json += "["
    for (index, part) in wording.parts.enumerated() {
      if index > 0 { json += "," }
      switch part {
      case .verbatim(let text): append(text, to: &json)
      case .phrase(let template, let values):
        json += "["
        append(template, to: &json)
        for value in values {
          json += ","
          if case .verbatim(let text) = value.parts.first, value.parts.count == 1 {
            append(text, to: &json)
          } else {
            append(value, to: &json)
          }
        }
        json += "]"
      }
    }
    json += "]"
  }

  private static func append(_ text: String, to json: inout String) {
    json += "\""
    // Most texts stand in JSON as they are; those are taken whole.
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else {
      json += text
      json += "\""
      return
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\n": json += "\\n"
      case let control where control.value < 0x20:
        let digits = String(control.value, radix: 16)
        json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: json.unicodeScalars.append(scalar)
      }
    }
    json += "\""
  }

  private static func wording(_ parts: [Value]) -> Wording {
    Wording(
      parts: parts.map { part in
        switch part {
        case .text(let text): return .verbatim(text)
        case .list(let items):
          guard case .text(let template) = items.first else {
            preconditionFailure("a text without a template")
          }
          return .phrase(template, items.dropFirst().map(wording))
        }
      })
  }

  private static func wording(_ value: Value) -> Wording {
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

  /// Reads what `json` wrote; anything else is a damaged ledger and traps.
  private struct Reader {
    var rest: Substring.UnicodeScalarView

    private mutating func next() -> Unicode.Scalar {
      guard let scalar = rest.popFirst() else { preconditionFailure("a text that breaks off") }
      return scalar
    }

    mutating func value() -> Value {
      switch next() {
      case "\"": return .text(string())
      case "[": return .list(list())
      case let other: preconditionFailure("a text that begins with \(other)")
      }
    }

    private mutating func list() -> [Value] {
      var values: [Value] = []
      while rest.first != "]" {
        values.append(value())
        if rest.first == "," { rest.removeFirst() }
      }
      rest.removeFirst()
      return values
    }

    /// The string whose opening quote was read.
    private mutating func string() -> String {
      var text = String.UnicodeScalarView()
      while true {
        switch next() {
        case "\"": return String(text)
        case "\\": text.append(escaped())
        case let plain: text.append(plain)
        }
      }
    }

    private mutating func escaped() -> Unicode.Scalar {
      switch next() {
      case "n": return "\n"
      case "u":
        let digits = String(String.UnicodeScalarView((0..<4).map { _ in next() }))
        guard let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code) else {
          preconditionFailure("a text with the escape \(digits)")
        }
        return scalar
      case let same: return same
      }
    }
  }
}
