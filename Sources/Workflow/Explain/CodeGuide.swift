package import Billing
import Languages
import Matching
import Reporting

/// What all findings of one code mean, for a person who meets it for the first time.
package struct CodeGuide: Sendable {
  private let code: FindingCode

  package init(_ code: FindingCode) { self.code = code }

  /// The guide for a person, in lines of 100 columns or the reader's. A severity is a finding's
  /// own: lists of findings say it.
  package var text: String {
    let head: Wording = "\(code.rawValue): \(code.meaning)"
    let lines = wrapped(say(head), columns: ReaderWidth.prose, hanging: 2)
    var text = LabelledText()
    text.add("@explain.label-why", [say(code.causes)])
    text.add("@explain.label-to-do", [say(code.action)])
    return lines.enumerated().map { ($0 == 0 ? "" : "  ") + $1 + "\n" }.joined() + text.text
  }

  /// The guide for a script: one JSON document.
  package var json: String {
    jsonDocument { writer in
      writer.string("code", code.rawValue)
      writer.string("severity", code.severity.rawValue)
      writer.integer("level", code.level)
      writer.string("meaning", say(code.meaning))
      writer.string("causes", say(code.causes))
      writer.string("action", say(code.action))
    }
  }
}
