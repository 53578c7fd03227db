/// The text on one line, nothing in it that a terminal would obey: what steers it, begins a line or
/// turns the direction of writing stands as U+FFFD, a tab as a blank.
package func oneLine(_ text: String) -> String {
  var text = text
  let isPlain = text.withUTF8 { bytes in
    // Text beyond Latin letters is looked at below.
    bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }
  if isPlain || !text.unicodeScalars.contains(where: { $0.steers }) { return text }
  return text.unicodeScalars.map { $0 == "\t" ? " " : $0.plain }.joined()
}

/// Text of several lines with nothing in it that a terminal would obey, as ``oneLine(_:)`` has it;
/// but line feeds and tabs stay.
package func plainLines(_ text: String) -> String {
  let isPlain = text.unicodeScalars.allSatisfy { !$0.steers || $0 == "\n" || $0 == "\t" }
  if isPlain { return text }
  return text.unicodeScalars.map { $0 == "\n" || $0 == "\t" ? String($0) : $0.plain }.joined()
}

extension Unicode.Scalar {
  /// The text that stands for this character where text is shown: `\xE9` for a byte of a file's
  /// name that is no text, U+FFFD for one that steers, else the character.
  fileprivate var plain: String {
    rawByte.map { "\\x" + String($0, radix: 16, uppercase: true) }
      ?? (steers ? "\u{FFFD}" : String(self))
  }

  /// Whether it is a control character, ends a line, changes the direction of writing, or is a byte
  /// of a file's name that is no text.
  fileprivate var steers: Bool {
    value < 0x20 || (0x7F..<0xA0).contains(value) || (0x2028...0x202E).contains(value)
      || (0x2066...0x2069).contains(value) || value == 0x200E || value == 0x200F
      || value == 0x061C || rawByte != nil
  }
}
