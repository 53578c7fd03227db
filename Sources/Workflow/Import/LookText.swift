import Billing
import Languages
import Ledger

// What a dry run says of a file, on one screen: what it was known by, its first rows as they would
// be stored, what is left out and what is not there.

extension ImportedFile {
  private static let mostColumns = 16
  private static let widest = 24

  /// The lines that a dry run shows of a loaded file: by what it was known, its columns with their
  /// first values, and which columns are not read or not there.
  ///
  /// - Parameter isShort: whether many files are told of, each in few lines.
  func lookLines(isShort: Bool) -> [String] {
    guard isLoaded else { return [] }
    let known = say(signs)
    var lines = known.isEmpty ? [] : ["  " + say("@import.known-by \(known)")]
    if !isShort { lines += rowLines }
    if !leftOutColumns.isEmpty {
      let few = leftOutColumns.prefix(12).map { oneLine($0) }.joined(separator: ", ")
      let more = leftOutColumns.count > 12 ? ", …" : ""
      lines.append("  " + say("@import.columns-left-out \(few + more)"))
    }
    let absent = columns.filter { $0.source == nil && $0.first.isEmpty }.map(\.name)
    if !absent.isEmpty, !isShort {
      lines.append("  " + say("@import.not-in-the-file \(absent.joined(separator: ", "))"))
    }
    return lines
  }

  /// A line per column, aligned: Tieout's name, the file's, and the values of the first rows.
  private var rowLines: [String] {
    let stored = Dictionary(
      firstRows.columns.map { ($0.name, $0.values) }, uniquingKeysWith: { first, _ in first })
    let shown = columns.filter { $0.source != nil || !$0.first.isEmpty }
    var rows = shown.map { column in
      [column.name, "<- " + oneLine(column.source ?? say("@import.constant"))]
        + (stored[column.name] ?? [column.first])
    }
    if columns.isEmpty {
      rows = firstRows.columns.prefix(Self.mostColumns).map { [$0.name] + $0.values }
    }
    rows = rows.map { $0.map { shortened(oneLine($0)) } }
    let cellCount = rows.map(\.count).max() ?? 0
    let widths = (0..<cellCount).map { index in
      rows.map { index < $0.count ? displayWidth($0[index]) : 0 }.max() ?? 0
    }
    var lines = rows.map { row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: max(0, width - displayWidth(cell)))
      }
      return "  " + trimmedEnd(cells.joined(separator: "  "))
    }
    let more = columns.isEmpty ? firstRows.columns.count - Self.mostColumns : 0
    if more > 0 { lines.append("  " + say("@import.more-columns \(more)")) }
    return lines
  }

  /// The text, cut to `widest` characters with an ellipsis.
  private func shortened(_ text: String) -> String {
    text.count > Self.widest ? text.prefix(Self.widest - 1) + "…" : text
  }

  /// The text without the blanks at its end.
  private func trimmedEnd(_ text: String) -> String {
    String(text.reversed().drop { $0 == " " }.reversed())
  }
}
