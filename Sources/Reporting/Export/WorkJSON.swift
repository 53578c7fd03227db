package import Billing
import Languages

extension JSONWriter {
  /// Further members of a finding: whether it is material, and what people said of it; nothing
  /// where there is nothing to say, so that the same facts give the same bytes.
  mutating func writeWork(of finding: Finding) {
    if let isMaterial = finding.isMaterial {
      bool("material", isMaterial)
    }
    guard let work = finding.work else { return }
    string("state", work.state.rawValue)
    string("assignee", work.assignee)
    if let change = work.change {
      string("change", say(change))
    }
    array("remarks", of: work.remarks) { $0.write($1) }
  }

  /// An object of what a person said of a finding.
  package mutating func write(_ remark: Remark) {
    object { json in
      json.string("action", remark.action.rawValue)
      json.string("finding", remark.finding)
      json.string("at", remark.at.description)
      json.string("by", remark.by)
      json.string("to", remark.assignee.isEmpty ? nil : remark.assignee)
      json.string("reason", remark.reason.isEmpty ? nil : remark.reason)
    }
  }
}
