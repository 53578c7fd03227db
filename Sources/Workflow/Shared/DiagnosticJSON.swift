package import Billing
import Languages
import Reporting

extension Diagnostic {
  func writeFields(to writer: inout JSONWriter) {
    writer.string("severity", severity.rawValue)
    writer.string("topic", topic)
    writer.string("file", location.file)
    writer.integer("line", location.line)
    writer.integer("column", location.column)
    writer.string("message", say(message))
    writer.string("help", say(help))
  }
}

/// What is wrong with input for a script: an object on a line of its own.
package func jsonLine(of diagnostic: Diagnostic) -> String {
  jsonDocument(isOneLine: true) { diagnostic.writeFields(to: &$0) }
}

/// What ended a command for a script, with its exit status.
package func jsonLine(of stop: Stop) -> String {
  jsonLine(.error, say(stop.message), help: say(stop.help), status: stop.status.rawValue)
}

/// Anything else that a command says beside its result, for a script: an object on a line of its
/// own.
///
/// - Parameter status: the exit status of what ends with it.
package func jsonLine(
  _ severity: Severity, _ message: String, help: String, status: Int32?
) -> String {
  jsonDocument(isOneLine: true) { writer in
    writer.string("severity", severity.rawValue)
    writer.string("message", message)
    writer.string("help", help.isEmpty ? nil : help)
    if let status { writer.integer("status", status) }
  }
}
