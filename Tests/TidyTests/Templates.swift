/// A string literal as a wording keeps it: interpolations are its places `{1}`, `{2}` and so on.
struct Template: Hashable {
  var text: String
  /// Of its first quotation mark, from 1.
  var line: Int
  /// The code before it, at most 160 characters.
  var before: String
}

/// Takes the string literals out of a Swift source, those inside interpolations among them.
struct TemplateReader {
  private let source: [Character]
  private var index = 0
  private var line = 1
  private(set) var templates: [Template] = []

  init(_ text: String) {
    source = Array(text)
    readCode(isInterpolation: false)
  }

  private func has(_ text: String) -> Bool { source[index...].starts(with: text) }

  /// Reads on to the end, or past the parenthesis that ends an interpolation.
  private mutating func readCode(isInterpolation: Bool) {
    var depth = 0
    while index < source.count {
      switch source[index] {
      case "/" where has("//"): while index < source.count, !source[index].isNewline { index += 1 }
      case "#" where has("#\""): skipRaw(ending: "\"#")
      case "#" where has("#/"): skipRaw(ending: "/#")
      case "\"": readLiteral()
      case "(":
        depth += 1
        index += 1
      case ")":
        depth -= 1
        index += 1
        if isInterpolation, depth < 0 { return }
      default: take()
      }
    }
  }

  private mutating func take() {
    if source[index].isNewline { line += 1 }
    index += 1
  }

  private mutating func skipRaw(ending: String) {
    index += 2
    while index < source.count, !has(ending) { take() }
    index += ending.count
  }

  private mutating func readLiteral() {
    let place = templates.count
    templates.append(
      Template(text: "", line: line, before: String(source[max(0, index - 160)..<index])))
    let isMultiline = has("\"\"\"")
    let end = isMultiline ? "\"\"\"" : "\""
    index += end.count
    var text = ""
    var places = 0
    while index < source.count, !has(end) {
      if source[index] == "\\" {
        readEscape(into: &text, &places)
      } else {
        text.append(source[index])
        take()
      }
    }
    index += end.count
    templates[place].text = isMultiline ? Self.unindented(text) : text
  }

  private mutating func readEscape(into text: inout String, _ places: inout Int) {
    let escaped = source[index + 1]
    index += 2
    switch escaped {
    case "(":
      places += 1
      text += "{\(places)}"
      readCode(isInterpolation: true)
    case "n": text += "\n"
    case "t": text += "\t"
    case "r": text += "\r"
    case "0": text += "\0"
    case "u":
      let digits = source[(index + 1)...].prefix { $0 != "}" }
      text.unicodeScalars.append(Unicode.Scalar(UInt32(String(digits), radix: 16)!)!)
      index += digits.count + 2
    case let newline where newline.isNewline:
      line += 1
      text += "\u{0}\n"
    default: text.append(escaped)
    }
  }

  /// The lines between the quotation marks without their indentation; a line that ends with a
  /// backslash goes on in the next one.
  private static func unindented(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let indentation = lines.last?.count ?? 0
    return lines.dropFirst().dropLast().map { $0.dropFirst(indentation) }
      .joined(separator: "\n").replacing("\u{0}\n", with: "")
  }
}
