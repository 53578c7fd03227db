import Billing
import Languages
import Ledger
import Reporting

extension FetchSummary {
  /// The summary for a script: one JSON document.
  package var json: String {
    jsonDocument { writer in
      writer.bool("dry_run", isDryRun)
      writer.objects("questions", of: answers) { $1.writeFields(to: &$0) }
      writer.object("totals") { writer in
        writer.integer("questions", answers.count)
        writer.integer("requests", answers.reduce(0) { $0 + $1.attempts })
        writer.integer("files", answers.reduce(0) { $0 + $1.files.count })
        for outcome in AppleAnswer.Outcome.allCases {
          let name = outcome.rawValue.replacing("-", with: "_")
          writer.integer(name, answers.count { $0.outcome == outcome })
        }
        writer.integer("not_asked", answers.count { $0.outcome == nil })
        writer.integer("imported", imported?.count(.imported))
        writer.integer("rejected", imported?.count(.rejected))
      }
      let objections = diagnostics + (imported?.allDiagnostics ?? [])
      writer.objects("objections", of: objections) { writer, diagnostic in
        writer.string("severity", diagnostic.severity.rawValue)
        writer.string("topic", diagnostic.topic)
        writer.string("place", diagnostic.location.description)
        writer.string("message", say(diagnostic.message))
        writer.string("help", say(diagnostic.help))
      }
    }
  }
}

extension FetchedAnswer {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.string("list", list)
    writer.string("item", item)
    writer.string("outcome", outcome?.rawValue)
    writer.integer("status", status)
    writer.integer("requests", attempts)
    writer.integer("milliseconds", milliseconds)
    writer.strings("files", files)
    writer.bool("unchanged", isUnchanged)
  }
}
