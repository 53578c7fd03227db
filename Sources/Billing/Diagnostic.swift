/// A place in an input, 1-based; a column of 0 is the whole line, a line of 0 the whole file.
package struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
  package var file: String
  package var line: Int
  package var column: Int

  package init(file: String, line: Int = 0, column: Int = 0) {
    self.file = file
    self.line = line
    self.column = column
  }

  package var description: String {
    line == 0 ? file : column == 0 ? "\(file):\(line)" : "\(file):\(line):\(column)"
  }
}

/// How much a finding or a diagnostic matters; a diagnostic is never mere information.
package enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
  case info, warning, error

  /// The severity in words for people.
  package var wording: Wording {
    switch self {
    case .info: "@shared.info"
    case .warning: "@shared.warning"
    case .error: "@shared.error"
    }
  }

  private var rank: Int { self == .info ? 0 : self == .warning ? 1 : 2 }
  package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}

/// Something wrong with data: where, what was expected, what was found, what to do.
package struct Diagnostic: Hashable, Sendable, Error {
  package var severity: Severity
  /// A short class of the problem, printed in brackets: `amount`, `date`, `column`, `gzip`.
  package var topic: String
  package var location: SourceLocation
  /// What was expected and what was found, in lower case without a full stop.
  package var message: Wording
  /// The offending line (at most 200 bytes around the place), and how long the marked part is.
  package var excerpt: String?
  /// 0-based offset of the caret inside `excerpt`.
  package var caret: Int?
  /// What to do about it.
  package var help: Wording
  /// A line of the configuration that would mend it.
  package var setting: String?
  /// The kinds that a table may be, where only a person knows which of them it is.
  package var mayBe: [InputKind] = []
  /// Rows of which the same is said: this stands for all of them.
  package var rows = 1
  /// Whether a month is judged wrongly until it is corrected.
  package var comesFirst = false
  /// Why the file is none to import, where nothing is wrong with it.
  package var leftOut: LeftOutReason?

  package init(
    _ severity: Severity = .error, topic: String, at location: SourceLocation, _ message: Wording,
    excerpt: String? = nil, caret: Int? = nil, help: Wording
  ) {
    self.severity = severity
    self.topic = topic
    self.location = location
    self.message = message
    self.excerpt = excerpt
    self.caret = caret
    self.help = help
  }
}

/// Why a file is none to import, though it lies where inputs do. Scripts rely on the raw values.
package enum LeftOutReason: String, Hashable, Sendable, CaseIterable {
  /// Its name says so.
  case name
  /// Tieout wrote it.
  case ownWork = "own-work"
  /// It is a text or a picture, and no table.
  case noTable = "no-table"
}
