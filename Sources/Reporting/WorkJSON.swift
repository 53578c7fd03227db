package import Billing
import Languages

extension JSONWriter {
  /// What people said of a finding and whether it is material, as further members of it; nothing
  /// where there is nothing to say, so that the same facts give the same bytes.
  mutating func writeWork(of finding: Finding) {
    if let isMaterial = finding.isMaterial {
      key("material")
      bool(isMaterial)
    }
    guard let work = finding.work else { return }
    key("state")
    string(work.state.rawValue)
    key("assignee")
    string(work.assignee)
    if let change = work.change {
      key("change")
      string(say(change))
    }
    key("remarks")
    array(of: work.remarks) { $0.write($1) }
  }

  package mutating func write(_ remark: Remark) {
    object { json in
      json.key("action")
      json.string(remark.action.rawValue)
      json.key("finding")
      json.string(remark.finding)
      json.key("at")
      json.string(remark.at.description)
      json.key("by")
      json.string(remark.by)
      json.key("to")
      json.string(remark.assignee.isEmpty ? nil : remark.assignee)
      json.key("reason")
      json.string(remark.reason.isEmpty ? nil : remark.reason)
    }
  }
}
