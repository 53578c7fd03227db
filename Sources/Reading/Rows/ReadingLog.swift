internal import Billing

/// What is wrong with a file, as it is found out while reading.
final class ReadingLog {
  let file: String
  /// What the file is, once that is known.
  var kind: InputKind?
  /// Columns that are not read.
  var leftOutColumns: [String] = []
  /// By which the file is read; nil for none.
  var mapping: TableMapping?
  /// Of each cause the first few, in the order of the rows.
  private var listed: [(cause: Cause, diagnostic: Diagnostic, wrong: RecordDiagnostic)] = []
  /// What the days of rejected rows show of their order.
  private var order: DayOrder?
  /// Rows of each cause, and the words among them that are not known.
  private var causes: [Cause: (rows: Int, words: [(text: String, rows: Int)])] = [:]
  private(set) var diagnosticCount = 0
  private(set) var warnings: [Diagnostic] = []
  /// Rejected rows since they were last taken.
  private(set) var rejects: [Reject] = []
  private(set) var rejectedCount = 0

  /// Diagnostics that are kept; the rest is counted.
  static let kept = 100
  /// Rows of one cause that are told one by one; where there are more, one stands for all.
  static let alike = 5
  /// Words that are told of a column.
  private static let wordsKept = 50
  /// Bytes of a rejected row that are kept.
  static let rawLimit = 4096

  init(file: String) { self.file = file }

  /// Keeps a warning about the file.
  ///
  /// - Parameters:
  ///   - line: where it belongs; 0 for the file as a whole.
  ///   - setting: lines of a configuration that would help.
  func warn(
    _ topic: String, line: Int = 0, column: Int = 0, _ message: Wording, help: Wording,
    setting: String? = nil, comesFirst: Bool = false
  ) {
    var warning = Diagnostic(
      .warning, topic: topic, at: SourceLocation(file: file, line: line, column: column), message,
      help: help)
    (warning.setting, warning.comesFirst) = (setting, comesFirst)
    warnings.append(warning)
  }

  /// The rejected rows since the last call.
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
    keep(diagnostic, of: wrong)
    rejects.append(
      Reject(diagnostic: diagnostic, rawText: lineText(raw, limit: Self.rawLimit)))
  }

  /// Adds a rejected row to those of its cause, and keeps its diagnostic where it is one of the
  /// cause's first few.
  ///
  /// - Parameter wrong: the fault from which the diagnostic was made, and which shows the cause.
  private func keep(_ diagnostic: Diagnostic, of wrong: RecordDiagnostic) {
    let cause = Cause(wrong)
    if let found = wrong.hint?.order { order = order?.joined(found) ?? found }
    guard listed.count < Self.kept || causes[cause] != nil else { return }
    var (rows, words) = causes[cause] ?? (0, [])
    rows += 1
    if case .word(let word, _) = wrong.hint {
      if let place = words.firstIndex(where: { $0.text == word }) {
        words[place].rows += 1
      } else if words.count < Self.wordsKept {
        words.append((word, 1))
      }
    }
    causes[cause] = (rows, words)
    if rows <= Self.alike { listed.append((cause, diagnostic, wrong)) }
  }

  /// The diagnostics of rejected rows, in the rows' order: of a cause that many have, one stands
  /// for all.
  var diagnostics: [Diagnostic] {
    var told: Set<Cause> = []
    return listed.compactMap { cause, diagnostic, wrong in
      guard let (rows, words) = causes[cause] else { return diagnostic }
      let isFirst = told.insert(cause).inserted
      var diagnostic = diagnostic
      if let hint = wrong.hint, hint.order != nil, let order {
        diagnostic.help = wrong.help
        advise(&diagnostic, hint.inOrder(order))
      }
      if rows > Self.alike {
        guard isFirst else { return nil }
        diagnostic.rows = rows
        let message = diagnostic.message
        diagnostic.message = "@text.and-more-like \(message) \(grouped(rows - 1))"
      }
      if isFirst, let hint = cause.hint, words.count > 1 {
        let most = words.sorted { ($1.rows, $0.text) < ($0.rows, $1.text) }
        let counts = most.map { "\"\($0.text)\" (\(grouped($0.rows)))" }.joined(separator: ", ")
        diagnostic.message = "@text.has-words-that-are-not \(cause.column) \(counts)"
        diagnostic.help = wrong.help
        advise(&diagnostic, hint, words: most.map(\.text))
      }
      return diagnostic
    }
  }

  /// Adds to a diagnostic of a company's table the lines of a configuration that would let it be
  /// read.
  ///
  /// - Parameters:
  ///   - hint: what the mapping should say.
  ///   - words: where the hint is to a word, all words of its column that are not known.
  private func advise(_ diagnostic: inout Diagnostic, _ hint: MappingHint, words: [String] = []) {
    guard let kind, CompanyTable.made.contains(where: { $0.kind == kind }) else { return }
    // `date_created_gmt` says where its clock stands.
    let isUTC = (mapping?.columns.values ?? [:].values).contains { name in
      ["gmt", "utc"].contains { squeezedName(name).hasSuffix($0) }
    }
    /// The lines that the hint proposes, with `UTC` for a zone that is open where `isUTC`.
    func lines(isDraft: Bool, isUTC: Bool) -> [String] {
      let all = hint.lines(kind, words: words, beside: mapping, isDraft: isDraft)
      guard case .zone = hint, isUTC else { return all }
      return all.map {
        $0.hasPrefix("import.zone") ? $0.replacing("\"…\"", with: "\"UTC\"") : $0
      }
    }
    if let order = hint.order { diagnostic.help = order.remark(diagnostic.help) }
    let all = lines(isDraft: false, isUTC: isUTC)
    if all.isEmpty {
      diagnostic.setting = nil
      return
    }
    // Several lines are shown below, to be pasted as they are.
    let isOne = all.count == 1
    diagnostic.setting = lines(isDraft: true, isUTC: isUTC && !isOne).joined(separator: "\n")
    let shown: Wording = isOne ? Wording(verbatim: all[0]) : "@mapping.these-lines"
    let help = diagnostic.help
    let open = hint.undecided(kind, words: words).map { "\"\($0)\"" }.joined(separator: ", ")
    diagnostic.help =
      open.isEmpty
      ? "@text.or-say-in-tieout-toml \(help) \(shown)"
      : "@text.or-put-into-the-lists \(help) \(open) \(shown)"
  }

  /// The diagnostic of a record, with its place and an excerpt.
  ///
  /// - Parameters:
  ///   - raw: the record's bytes as they stand in the file.
  ///   - offset: the place in them that is wrong; nil where it is not known.
  ///   - line: the line on which the record begins.
  ///   - lineOffset: bytes before it on that line.
  func diagnostic(
    _ wrong: RecordDiagnostic, raw: UnsafeRawBufferPointer, offset: Int?, line: Int, lineOffset: Int
  ) -> Diagnostic {
    var location = SourceLocation(file: file, line: line)
    guard let offset else {
      let excerpt = Excerpt(raw, around: 0)
      return advised(
        Diagnostic(
          topic: wrong.topic, at: location, wrong.message, excerpt: excerpt.text, help: wrong.help),
        wrong)
    }
    let before = raw[..<offset]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    location.line += before.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
    location.column = offset - lineStart + 1 + (lineStart == 0 ? lineOffset : 0)
    let rest = UnsafeRawBufferPointer(rebasing: raw[lineStart...])
    let excerpt = Excerpt(rest, around: offset - lineStart)
    return advised(
      Diagnostic(
        topic: wrong.topic, at: location, wrong.message, excerpt: excerpt.text,
        caret: excerpt.caret, help: wrong.help), wrong)
  }

  /// A diagnostic with the lines of a configuration that would let the table be read.
  func advised(_ diagnostic: Diagnostic, _ hint: MappingHint, words: [String]) -> Diagnostic {
    var diagnostic = diagnostic
    advise(&diagnostic, hint, words: words)
    return diagnostic
  }

  /// A diagnostic with the lines of a configuration that the record's fault hints at; as it is
  /// without a hint.
  private func advised(_ diagnostic: Diagnostic, _ wrong: RecordDiagnostic) -> Diagnostic {
    guard let hint = wrong.hint else { return diagnostic }
    var diagnostic = diagnostic
    advise(&diagnostic, hint)
    return diagnostic
  }

  /// The text of a record without its line end, cut to `limit` bytes between two characters.
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

/// What rows have in common of which the same is wrong.
private struct Cause: Hashable {
  var topic: String
  var field: Int?
  /// The message without its values.
  var template: String
  /// Of words the column alone, of days no order.
  var hint: MappingHint?

  /// The column of words.
  var column: String { if case .word(_, let column) = hint { column } else { "" } }

  /// The cause of a record's fault: its topic, field, message without values, and hint.
  init(_ wrong: RecordDiagnostic) {
    (topic, field, hint) = (wrong.topic, wrong.field, wrong.hint)
    if case .phrase(let text, _) = wrong.message.parts.first {
      template = text
    } else {
      template = ""
    }
    if case .word(_, let column) = hint { hint = .word("", column: column) }
    // Values that show the order of days, and those that do not, are refused for the same.
    hint = hint?.inOrder(.mixed)
  }
}

/// A piece of a line around a place, at most 200 bytes, with control characters as spaces.
struct Excerpt {
  var text: String
  /// Characters before the place.
  var caret: Int

  /// Cuts the first line of `line` so that the byte at `place` is in it.
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

  /// The text of bytes, with control characters as spaces.
  private static func visible(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    String(decoding: bytes.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
  }
}

/// The trimmed text in quotation marks, at most 60 characters of it, for a diagnostic.
func shown(_ bytes: UnsafeRawBufferPointer) -> String {
  let text = String(decoding: trimmed(bytes).prefix(240), as: UTF8.self)
  let cut = text.count > 60 ? text.prefix(59) + "…" : text[...]
  return "\"\(String(cut.map { $0.isNewline || $0 == "\t" ? " " : $0 }))\""
}

extension ColumnMap {
  /// Adds one warning for all the columns that are left out, and notes them in the log.
  ///
  /// - Parameter setting: lines of a configuration by which some of them would be read.
  func warnAboutUnknown(_ log: ReadingLog, line: Int, setting: String? = nil) {
    guard !unknown.isEmpty else { return }
    log.leftOutColumns += unknown
    let few = unknown.prefix(20).joined(separator: ", ") + (unknown.count > 20 ? ", …" : "")
    log.warn(
      "column", line: line,
      unknown.count == 1
        ? "@text.unknown-column-left-out \(few)" : "@text.unknown-columns-left-out \(few)",
      help: "@text.where-tieout-should-read-one", setting: setting)
  }
}
