package import Billing
import Languages

/// What a person reads in half a minute, in sections, before it is text or Markdown. The page to
/// send is a ``reportPage(of:workbook:)``.
package struct SummaryPage {
  /// A form that it can have.
  package enum Form: String, CaseIterable, Sendable {
    case text
    case markdown = "md"
    case html
  }

  /// A title with what stands below it.
  struct Section {
    enum Piece {
      case table(TextTable)
      case points([Wording])
      /// A line below a table; `isDetail` where it belongs to the line before.
      case line(Wording, isDetail: Bool = false)
    }

    let title: Wording
    /// Whether it belongs to the section before: text has no empty line between them.
    var continues = false
    var pieces: [Piece] = []

    /// A section with a list of sentences.
    static func points(_ title: Wording, _ points: [Wording]) -> Section {
      Section(title: title, pieces: [.points(points)])
    }

    /// Adds a line below a table; `isDetail` where it belongs to the line before.
    mutating func add(_ line: Wording, isDetail: Bool = false) {
      pieces.append(.line(line, isDetail: isDetail))
    }

    /// Adds the line that so many more are in the workbook; nothing where there are none.
    mutating func addMore(_ rest: Int) {
      if rest > 0 { add("@summary.and-more-in-the-workbook \(rest)") }
    }
  }

  var title: Wording
  /// Those that are open, below the verdict.
  var findings: FindingScreen?
  var sections: [Section]
  /// Sentences of their own at the end.
  package var remarks: [Wording]

  /// The page in a form, ending with a line feed.
  package func written(as form: Form) -> String {
    switch form {
    case .text: text
    case .markdown: markdown
    case .html: keptSummary(text, as: .html)
    }
  }

  /// The page as text, ending with a line feed.
  private var text: String {
    var text = say(title) + "\n"
    var findings = findings.flatMap { $0.lines.isEmpty ? nil : $0.text }
    for section in sections {
      if !section.continues {
        // Below the verdict, above what explains it.
        if let lines = findings { text += lines }
        findings = nil
        text += "\n"
      }
      text += say(section.title) + "\n"
      for piece in section.pieces {
        switch piece {
        case .table(let table): text += table.text
        case .points(let points):
          // A single one that has room stands beside its title.
          if points.count == 1,
            case let line = say("@summary.named \(say(section.title)) \(say(points[0]))"),
            displayWidth(line) <= ReaderWidth.prose
          {
            text.removeLast(say(section.title).count + 1)
            text += line + "\n"
          } else {
            text += points.map { paragraph(say($0)) }.joined()
          }
        case .line(let line, let isDetail): text += (isDetail ? "    " : "  ") + say(line) + "\n"
        }
      }
    }
    return text + (findings ?? "") + remarks.map { say($0) + "\n" }.joined()
  }

  /// The sections with the findings among them.
  var sectionsToSend: [Section] {
    guard let findings, !findings.lines.isEmpty else { return sections }
    return sections.prefix(1) + findings.sections + sections.dropFirst()
  }

  /// The page as Markdown, ending with a line feed.
  private var markdown: String {
    var text = "# " + escapedMarkdown(say(title)) + "\n"
    for section in sectionsToSend {
      text += "\n## " + escapedMarkdown(say(section.title)) + "\n"
      for piece in section.pieces {
        switch piece {
        case .table(let table): text += table.isEmpty ? "" : "\n" + table.markdown
        case .points(let points):
          text += "\n" + points.map { "- " + escapedMarkdown(say($0)) + "\n" }.joined()
        case .line(let line, _): text += "\n" + escapedMarkdown(say(line)) + "\n"
        }
      }
    }
    return text + remarks.map { "\n" + escapedMarkdown(say($0)) + "\n" }.joined()
  }
}

extension FindingScreen {
  /// The findings as sections, a table for each severity.
  fileprivate var sections: [SummaryPage.Section] {
    var sections = Severity.allCases.reversed().compactMap { severity -> SummaryPage.Section? in
      let own = lines.filter { $0.severity == severity }
      guard !own.isEmpty else { return nil }
      var table = TextTable("lllrl")
      for line in own { table.add(line.id, line.code, line.place, line.amount, line.brief) }
      return SummaryPage.Section(title: title(of: severity), pieces: [.table(table)])
    }
    if let hidden { sections[sections.count - 1].add(hidden) }
    return sections
  }
}

/// A summary that was laid out as text when a month was closed, in another form: its lines stay as
/// they are.
package func keptSummary(_ text: String, as form: SummaryPage.Form) -> String {
  switch form {
  case .text: return text
  case .markdown:
    let runs = text.split(whereSeparator: { $0 != "`" }).map(\.count)
    let fence = String(repeating: "`", count: max(3, (runs.max() ?? 0) + 1))
    return fence + "text\n" + text + (text.hasSuffix("\n") ? "" : "\n") + fence + "\n"
  case .html:
    let title = text.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
    return wholePage(title: title, body: "<pre>" + escapedHTML(text) + "</pre>\n")
  }
}

extension TextTable {
  /// The table as GitHub's dialect of Markdown has it; the line of names is blank where the columns
  /// have none.
  fileprivate var markdown: String {
    func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
    let names = names ?? isNumber.map { _ in "" }
    return row(names.map(escapedMarkdown)) + row(isNumber.map { $0 ? "---:" : "---" })
      + rows.map { row($0.map(escapedMarkdown)) }.joined()
  }
}

/// A text in which nothing is a sign of Markdown's: names come from files.
private func escapedMarkdown(_ text: String) -> String {
  var escaped = ""
  for character in oneLine(text) {
    if "\\`*_{}[]<>#|!~".contains(character) { escaped.append("\\") }
    escaped.append(character)
  }
  return escaped
}
