import Billing
import Languages

/// Paragraphs beside their labels, in lines of 100 columns or the reader's.
struct LabelledText {
  private var parts: [(label: String, lines: [String])] = []
  /// Columns that a label takes at least, with the gap to its text.
  private static let gap = 2

  /// Adds what stands beside a label, each text on a line of its own; nothing without texts.
  mutating func add(_ label: Wording, _ texts: [String]) {
    if !texts.isEmpty { parts.append((say(label), texts)) }
  }

  /// The paragraphs, wrapped, with the labels in a column of their own.
  var text: String {
    let start = (parts.map { displayWidth($0.label) }.max() ?? 0) + Self.gap
    return parts.map { label, texts in
      let lines = texts.flatMap { wrapped($0, columns: max(ReaderWidth.prose - start, 24)) }
      return lines.enumerated().map { index, line in
        let head = index == 0 ? label : ""
        return head + String(repeating: " ", count: start - displayWidth(head)) + line + "\n"
      }.joined()
    }.joined()
  }
}
