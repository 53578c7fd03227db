import Billing
import Languages
import Ledger

extension FetchSummary {
  /// Questions of a dry run that are listed one by one.
  private static let listed = 40

  /// The summary for a person.
  package var text: String {
    if isDryRun { return dryRunText }
    if answers.isEmpty && imported == nil && lostFiles == 0 {
      return say(
        "@fetch.there-is-nothing-to-fetch") + "\n"
    }
    var lines: [String] = []
    var parts: [Wording] = []
    /// How many answers have this outcome; nil is that of questions that were not asked.
    func count(_ wanted: AppleAnswer.Outcome?) -> Int { answers.count { $0.outcome == wanted } }
    let files = answers.reduce(0) { $0 + $1.files.count }
    if files > 0 { parts.append("@fetch.fetched \(Workflow.files(files))") }
    let unchanged = answers.count(where: \.isUnchanged)
    if unchanged > 0 { parts.append("@fetch.unchanged \(grouped(unchanged))") }
    for (number, what) in [
      (count(.nothing), "@shared.without-data-at-apple"),
      (count(.notYet), "@shared.not-published-yet"),
      (count(.gone), "@shared.no-longer-offered-by-apple"),
      (count(.open), "@shared.started-to-be-continued"), (count(.refused), "@shared.refused"),
      (count(.failed), "@shared.failed"), (count(nil), "@fetch.not-requested"),
    ] as [(Int, Wording)] where number > 0 {
      parts.append("\(grouped(number)) \(what)")
    }
    if !answers.isEmpty {
      lines.append(
        say(
          counted(answers.count, "@fetch.requested-1-item") { "@fetch.requested-items \($0)" }
            + parts.joined(separator: ", ")))
    }
    if let imported { lines.append(String(imported.text.dropLast())) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The questions that would be asked, a line each, for a person.
  private var dryRunText: String {
    guard !answers.isEmpty else {
      return say(
        "@fetch.there-is-nothing-to-fetch") + "\n"
    }
    var lines = answers.prefix(Self.listed).map(\.question)
    if answers.count > Self.listed {
      lines.append(say("@fetch.and-more \(grouped(answers.count - Self.listed))"))
    }
    lines.append(
      say(
        counted(answers.count, "@fetch.would-request-1-item") { "@fetch.would-request-items \($0)" }
      ))
    return lines.map { $0 + "\n" }.joined()
  }
}
