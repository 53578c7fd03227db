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
        """
        there is nothing to fetch: everything that Apple can have by now is loaded
        """) + "\n"
    }
    var lines: [String] = []
    var parts: [Wording] = []
    func count(_ wanted: AppleAnswer.Outcome?) -> Int { answers.count { $0.outcome == wanted } }
    let files = answers.reduce(0) { $0 + $1.files.count }
    if files > 0 { parts.append("fetched \(Workflow.files(files))") }
    let unchanged = answers.count(where: \.isUnchanged)
    if unchanged > 0 { parts.append("\(grouped(unchanged)) unchanged") }
    for (number, what) in [
      (count(.nothing), "without data at Apple"),
      (count(.notYet), "not published yet"), (count(.gone), "no longer offered by Apple"),
      (count(.open), "started, to be continued"), (count(.refused), "refused"),
      (count(.failed), "failed"), (count(nil), "not requested"),
    ] as [(Int, Wording)] where number > 0 {
      parts.append("\(grouped(number)) \(what)")
    }
    if !answers.isEmpty {
      lines.append(
        say(
          counted(answers.count, "requested 1 item: ") { "requested \($0) items: " }
            + parts.joined(separator: ", ")))
    }
    if let imported { lines.append(String(imported.text.dropLast())) }
    return lines.map { $0 + "\n" }.joined()
  }

  private var dryRunText: String {
    guard !answers.isEmpty else {
      return say(
        """
        there is nothing to fetch: everything that Apple can have by now is loaded
        """) + "\n"
    }
    var lines = answers.prefix(Self.listed).map(\.question)
    if answers.count > Self.listed {
      lines.append(say("… and \(grouped(answers.count - Self.listed)) more"))
    }
    lines.append(
      say(counted(answers.count, "would request 1 item") { "would request \($0) items" }))
    return lines.map { $0 + "\n" }.joined()
  }
}
