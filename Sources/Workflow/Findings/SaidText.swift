import Billing
import Languages
import Reporting

/// Findings of which something was said, for a person or a script.
package struct SaidReport: Sendable {
  private let findings: [FindingUnderWork]

  package init(_ findings: [FindingUnderWork]) { self.findings = findings }

  /// For a person: a line for each finding, below it what was said.
  package var text: String {
    guard !findings.isEmpty else {
      return say(
        "@finding.no-finding-has-been-accepted") + "\n"
    }
    return findings.map { one in
      let state = one.state?.wording ?? "@finding.no-longer-found"
      let standing = one.finding?.work?.assignee.map { "@finding.with \(state) \($0)" } ?? state
      var text = "\(one.id)  \(one.code.rawValue)  \(one.period)  \(say(standing))\n"
      if let finding = one.finding { text += "  \(say(finding.explanation))\n" }
      if let change = one.finding?.work?.change { text += "  \(say(change))\n" }
      return text + one.remarks.map(line).joined()
    }.joined()
  }

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

  /// For a script.
  package var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("findings")
      writer.array(of: findings) { writer, one in
        writer.object { writer in
          writer.string("id", one.id)
          writer.string("code", one.code.rawValue)
          writer.string("period", one.period)
          writer.string("state", one.state?.rawValue)
          writer.string("assignee", one.finding?.work?.assignee)
          writer.string("change", (one.finding?.work?.change).map(say))
          writer.string("explanation", (one.finding?.explanation).map(say))
          writer.key("remarks")
          writer.array(of: one.remarks) { $0.write($1) }
        }
      }
    }
    return writer.text() + "\n"
  }
}
