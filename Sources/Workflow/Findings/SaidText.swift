import Billing
import Languages
import Reporting

/// Findings, and what was said of them, for a person or a script.
package struct SaidReport: Sendable {
  private let findings: [FindingUnderWork]
  private let open: [(period: Period, screen: FindingScreen)]
  private let unknown: Period?

  package init(_ findings: [FindingUnderWork]) { self.init(ListedFindings(findings: findings)) }

  package init(_ listed: ListedFindings) {
    (findings, open, unknown) = (listed.findings, listed.screens, listed.unknown)
  }

  /// The findings for a person: a line for each open one, then those of which something was said,
  /// with that.
  package var text: String {
    let said = findings.filter { !$0.remarks.isEmpty }
    if open.isEmpty, said.isEmpty {
      let nothing: Wording =
        unknown.map { "@finding.not-reconciled-yet \($0) \($0)" } ?? "@finding.no-finding-is-open"
      return say(nothing) + "\n"
    }
    let parts = open.map { period, screen in
      (open.count > 1 ? "\(period)\n" : "") + screen.text
    }
    return (parts + (said.isEmpty ? [] : [text(of: said)])).joined(separator: "\n")
  }

  /// Findings with what was said of each, a line per remark.
  private func text(of said: [FindingUnderWork]) -> String {
    said.map { one in
      let state = one.state?.wording ?? "@finding.no-longer-found"
      let standing = one.finding?.work?.assignee.map { "@finding.with \(state) \($0)" } ?? state
      var text = "\(one.id)  \(one.code.rawValue)  \(one.period)  \(say(standing))\n"
      if let finding = one.finding { text += "  \(say(finding.explanation))\n" }
      if let change = one.finding?.work?.change { text += "  \(say(change))\n" }
      return text + one.remarks.map(line).joined()
    }.joined()
  }

  /// One line on who said what when.
  private func line(_ remark: Remark) -> String {
    var words: Wording =
      switch remark.action {
      case .accept: "@finding.accepted-2 \(remark.by)"
      case .assign: "@finding.assigned-2 \(remark.by) \(remark.assignee)"
      case .comment: "@finding.wrote \(remark.by)"
      case .reopen: "@finding.reopened-2 \(remark.by)"
      }
    if !remark.reason.isEmpty { words = "\(words): \(remark.reason)" }
    return "  \(remark.at)  \(say(words))\n"
  }

  /// The findings and all that was said of them, for a script: one JSON document.
  package var json: String {
    jsonDocument { writer in
      writer.objects("findings", of: findings) { writer, one in
        writer.string("id", one.id)
        writer.string("code", one.code.rawValue)
        writer.string("period", one.period)
        writer.string("state", one.state?.rawValue)
        writer.string("assignee", one.finding?.work?.assignee)
        writer.string("change", (one.finding?.work?.change).map(say))
        writer.string("explanation", (one.finding?.explanation).map(say))
        writer.array("remarks", of: one.remarks) { $0.write($1) }
      }
    }
  }
}
