internal import Billing

/// What is wrong with a file, as it is found out while reading.
final class ReadingLog {
  let file: String
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var diagnosticCount = 0
  private(set) var warnings: [Diagnostic] = []
  /// Rejected rows since they were last taken.
  private(set) var rejects: [Reject] = []
  private(set) var rejectedCount = 0

  /// Diagnostics that are kept; the rest is counted.
  static let kept = 100
  /// Bytes of a rejected row that are kept.
  static let rawLimit = 4096

  init(file: String) { self.file = file }

  func warn(_ topic: String, line: Int = 0, column: Int = 0, _ message: Wording, help: Wording) {
    warnings.append(
      Diagnostic(
        .warning, topic: topic, at: SourceLocation(file: file, line: line, column: column), message,
        help: help))
  }

  func takeRejects() -> [Reject] {
    defer { rejects = [] }
    return rejects
  }

  /// Notes a record that was not understood.
  ///
  /// - Parameters:
  ///   - raw: the record's bytes as they stand in the file.
  ///   - offset: the place in them that is wrong.
  ///   - line: the line on which the record begins.
  ///   - lineOffset: bytes before it on that line.
  func reject(
    _ wrong: RecordDiagnostic, raw: UnsafeRawBufferPointer, offset: Int?, line: Int, lineOffset: Int
  ) {
    let diagnostic = diagnostic(
      wrong, raw: raw, offset: offset, line: line, lineOffset: lineOffset)
    rejectedCount += 1
    diagnosticCount += 1
    if diagnostics.count < Self.kept { diagnostics.append(diagnostic) }
    rejects.append(
      Reject(diagnostic: diagnostic, rawText: lineText(raw, limit: Self.rawLimit)))
  }

  /// What is wrong with a record, with its place and an excerpt.
  func diagnostic(
    _ wrong: RecordDiagnostic, raw: UnsafeRawBufferPointer, offset: Int?, line: Int, lineOffset: Int
  ) -> Diagnostic {
    var location = SourceLocation(file: file, line: line)
    guard let offset else {
      let excerpt = Excerpt(raw, around: 0)
      return Diagnostic(
        topic: wrong.topic, at: location, wrong.message, excerpt: excerpt.text, help: wrong.help)
    }
    let before = raw[..<offset]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    location.line += before.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
    location.column = offset - lineStart + 1 + (lineStart == 0 ? lineOffset : 0)
    let rest = UnsafeRawBufferPointer(rebasing: raw[lineStart...])
    let excerpt = Excerpt(rest, around: offset - lineStart)
    return Diagnostic(
      topic: wrong.topic, at: location, wrong.message, excerpt: excerpt.text, caret: excerpt.caret,
      help: wrong.help)
  }

  private func lineText(_ raw: UnsafeRawBufferPointer, limit: Int) -> String {
    var count = raw.count
    while count > 0, raw[count - 1] == 0x0A || raw[count - 1] == 0x0D { count -= 1 }
    if count > limit {
      count = limit
      while count > 0, raw[count] & 0xC0 == 0x80 { count -= 1 }
    }
    return String(decoding: raw[..<count], as: UTF8.self)
  }
}

/// A piece of a line around a place, at most 200 bytes, with control characters as spaces.
struct Excerpt {
  var text: String
  /// Characters before the place.
  var caret: Int

  init(_ line: UnsafeRawBufferPointer, around place: Int) {
    let limit = 194
    var end = line.firstIndex { $0 == 0x0A } ?? line.count
    if end > 0, line[end - 1] == 0x0D { end -= 1 }
    let place = min(place, end)
    var low = 0
    var high = end
    if end > limit {
      low = max(0, min(place - limit / 2, end - limit))
      high = low + limit
      while low < place, line[low] & 0xC0 == 0x80 { low += 1 }
      while high > place, high < end, line[high] & 0xC0 == 0x80 { high -= 1 }
    }
    let lead = low > 0 ? "…" : ""
    caret = (lead + Self.visible(line[low..<place])).count
    text = lead + Self.visible(line[low..<high]) + (high < end ? "…" : "")
  }

  private static func visible(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    String(decoding: bytes.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
  }
}

/// What was found, in quotation marks, at most 60 characters of it.
func shown(_ bytes: UnsafeRawBufferPointer) -> String {
  let text = String(decoding: trimmed(bytes).prefix(240), as: UTF8.self)
  let cut = text.count > 60 ? text.prefix(59) + "…" : text[...]
  return "\"\(String(cut.map { $0.isNewline || $0 == "\t" ? " " : $0 }))\""
}
