import Billing

/// Where in the file a key stands: the parser keeps no places, so they are looked up in the text.
struct ConfigurationPlaces {
  /// Bytes that a configuration may have.
  static let mostBytes = 1 << 20

  private let path: String
  private let lines: [Substring]

  /// The places of a configuration's text; its path stands in messages.
  init(_ path: String, _ text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// A path that the file gives, as it is for the process: relative to the file's own folder,
  /// unless it is absolute.
  func path(relative: String) -> String {
    guard !relative.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return relative }
    return path[...slash] + relative
  }

  /// What is wrong with a text that would keep the parser busy for long, or end it; nil for any
  /// other. Each part of a dotted key is a table in a table.
  var excess: Diagnostic? {
    guard lines.reduce(0, { $0 + $1.utf8.count }) <= Self.mostBytes else {
      return diagnostic(
        line: 0, column: 0, "@configuration.is-longer-than-bytes \(Self.mostBytes)",
        help: "@configuration.name-the-configuration"
      )
    }
    for (index, line) in lines.enumerated() {
      var quote: UInt8?
      var dots = 0
      for byte in line.utf8 {
        if byte == quote {
          quote = nil
        } else if quote == nil {
          if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quote = byte }
          if byte == UInt8(ascii: ".") { dots += 1 }
        }
      }
      guard dots <= 256 else {
        return diagnostic(
          line: index + 1, column: 1, "@configuration.line-has-dots-outside \(dots)",
          help: "@configuration.write-texts-in-double-quotes")
      }
    }
    return nil
  }

  /// A diagnostic at the first place that sets `key`, or one of a table of that name.
  func diagnostic(
    _ severity: Severity = .error, at key: String, _ message: Wording, help: Wording
  ) -> Diagnostic {
    let (line, column) = place(of: key) ?? (0, 0)
    return diagnostic(severity, line: line, column: column, message, help: help)
  }

  /// A diagnostic at a place of the file, with the line as its excerpt; line and column from 1.
  func diagnostic(
    _ severity: Severity = .error, line: Int, column: Int, _ message: Wording,
    help: Wording
  ) -> Diagnostic {
    var diagnostic = Diagnostic(
      severity, topic: "config", at: SourceLocation(file: path, line: line, column: column),
      message, help: help)
    if line > 0, line <= lines.count {
      diagnostic.excerpt = String(lines[line - 1].filter { $0 != "\r" }.prefix(200))
      diagnostic.caret = max(column - 1, 0)
    }
    return diagnostic
  }

  /// Whether a line sets `key`, or is the head of a table of that name.
  func contains(_ key: String) -> Bool { place(of: key) != nil }

  /// Where a line sets a key or is the head of its table (`key = …`, `[key]`, `[[key]]`), from 1;
  /// nil where none does.
  private func place(of key: String) -> (line: Int, column: Int)? {
    for (index, line) in lines.enumerated() {
      let text = line.drop { $0 == " " || $0 == "\t" || $0 == "[" || $0 == "\"" }
      guard text.hasPrefix(key) else { continue }
      let after = text.dropFirst(key.count).drop { $0 == " " || $0 == "\t" || $0 == "\"" }
      guard let next = after.first, next == "=" || next == "]" || next == "." else { continue }
      let column = line[..<text.startIndex].utf8.count + 1
      return (index + 1, column)
    }
    return nil
  }
}
