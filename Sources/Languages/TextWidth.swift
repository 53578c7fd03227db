/// Columns that text takes up on a terminal and in a sheet; letters of East Asian scripts take two.
package func displayWidth(_ text: String) -> Int {
  if text.utf8.count > 4_000 { return text.utf8.count }
  return text.unicodeScalars.reduce(0) { $0 + ($1.isWide ? 2 : 1) }
}

extension Unicode.Scalar {
  /// Whether it takes up two columns: letters of East Asian scripts, and pictures.
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F,
      0xFF00...0xFF60, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// Punctuation that no line begins with.
  fileprivate var isClosing: Bool { "，。、；：？！）》】」』”’".unicodeScalars.contains(self) }
  /// Punctuation that no line ends with.
  fileprivate var isOpening: Bool { "（《【「『“‘".unicodeScalars.contains(self) }
}

/// Text in lines of at most `columns`: broken at spaces, and between the letters of scripts that
/// write none.
///
/// - Parameter hanging: columns that all lines but the first have less; what fills them is up to
///   the caller.
package func wrapped(_ text: String, columns: Int, hanging: Int = 0) -> [String] {
  var lines: [String] = []
  var line = ""
  var width = 0
  var isFirst = true
  for piece in pieces(text) {
    let own = displayWidth(piece.text)
    let gap = piece.isAfterSpace && !isFirst ? 1 : 0
    if !isFirst, width + gap + own > columns - (lines.isEmpty ? 0 : hanging) {
      lines.append(line)
      (line, width) = (piece.text, own)
    } else {
      line += (gap == 1 ? " " : "") + piece.text
      width += gap + own
    }
    isFirst = false
  }
  lines.append(line)
  return lines
}

/// The parts of a text that no line break divides: words, and wide letters with the punctuation
/// that belongs to them; each with whether a space stands before it.
private func pieces(_ text: String) -> [(text: String, isAfterSpace: Bool)] {
  var pieces: [(text: String, isAfterSpace: Bool)] = []
  let words = text.split(separator: " ", omittingEmptySubsequences: false)
  for (index, word) in words.enumerated() {
    var last: Unicode.Scalar?
    if word.isEmpty { pieces.append(("", index > 0)) }
    for scalar in word.unicodeScalars {
      if let last, scalar.isClosing || last.isOpening || (!scalar.isWide && !last.isWide) {
        pieces[pieces.count - 1].text.unicodeScalars.append(scalar)
      } else {
        pieces.append((String(scalar), last == nil && index > 0))
      }
      last = scalar
    }
  }
  return pieces
}
