import Billing
import Languages
import Ledger
import Reporting

extension FetchSummary {
  /// The summary for a script: one JSON document.
  package var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("dry_run")
      writer.bool(isDryRun)
      writer.key("questions")
      writer.array(of: answers) { $1.write(to: &$0) }
      writer.key("totals")
      writer.object { writer in
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
      writer.key("objections")
      writer.array(of: diagnostics + (imported?.allDiagnostics ?? [])) { writer, diagnostic in
        writer.object { writer in
          writer.string("severity", diagnostic.severity.rawValue)
          writer.string("topic", diagnostic.topic)
          writer.string("place", diagnostic.location.description)
          writer.string("message", say(diagnostic.message))
          writer.string("help", say(diagnostic.help))
        }
      }
    }
    return writer.text() + "\n"
  }
}

extension FetchedAnswer {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.string("list", list)
      writer.string("item", item)
      writer.string("outcome", outcome?.rawValue)
      writer.integer("status", status.map(Int64.init))
      writer.integer("requests", attempts)
      writer.integer("milliseconds", milliseconds)
      writer.key("files")
      writer.array(of: files) { $0.string($1) }
      writer.key("unchanged")
      writer.bool(isUnchanged)
    }
  }
}

extension JSONWriter {
  /// A member that is null where there is no number.
  fileprivate mutating func integer(_ name: String, _ value: Int?) {
    integer(name, value.map(Int64.init))
  }
}
