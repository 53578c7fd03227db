/// Something that a person said of a finding. The list of them is only ever added to.
package struct Remark: Hashable, Sendable {
  package enum Action: String, Hashable, Sendable, CaseIterable {
    /// It may stand.
    case accept
    /// Somebody looks after it.
    case assign
    case comment
    /// It may not stand after all.
    case reopen
  }

  /// Counts all findings' remarks from 1; 0 before it is kept.
  package var number: Int64
  package var action: Action
  /// The finding's id: what was said holds for the facts that it stands for.
  package var finding: String
  /// ``Finding/subject``, by which a finding is known again when its facts changed.
  package var subject: String
  package var code: FindingCode
  /// The period whose reconciliation had found it, as the user wrote it.
  package var period: String
  /// The finding's units then.
  package var units: Int64?
  /// The finding's amount then, micro-units of `currency`.
  package var amount: Int64?
  package var currency: Currency?
  package var at: Instant
  /// Who said it, as they said.
  package var by: String
  /// To whom it was assigned; empty for all else.
  package var assignee: String
  /// Empty where none was given.
  package var reason: String

  package init(
    number: Int64 = 0, _ action: Action, of finding: Finding, period: String, at: Instant,
    by: String, assignee: String = "", reason: String = ""
  ) {
    self.number = number
    self.action = action
    self.finding = finding.id
    subject = finding.subject
    code = finding.code
    self.period = period
    units = finding.units
    amount = finding.amount
    currency = finding.currency
    self.at = at
    self.by = by
    self.assignee = assignee
    self.reason = reason
  }

  /// As the ledger kept it.
  package init(
    number: Int64, _ action: Action, finding: String, subject: String, code: FindingCode,
    period: String, units: Int64?, amount: Int64?, currency: Currency?, at: Instant, by: String,
    assignee: String, reason: String
  ) {
    self.number = number
    self.action = action
    self.finding = finding
    self.subject = subject
    self.code = code
    self.period = period
    self.units = units
    self.amount = amount
    self.currency = currency
    self.at = at
    self.by = by
    self.assignee = assignee
    self.reason = reason
  }
}

/// How far people are with a finding of which something was said.
package struct FindingWork: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    case open, assigned, accepted, reopened

    /// The state in words for people.
    package var wording: Wording {
      switch self {
      case .open: "@shared.open"
      case .assigned: "@finding.assigned"
      case .accepted: "@finding.accepted"
      case .reopened: "@finding.reopened"
      }
    }
  }

  package private(set) var state = State.open
  /// Who looks after it; nil where nobody does.
  package private(set) var assignee: String?
  /// The oldest first, with those of the same matter before its facts changed. Never empty.
  package private(set) var remarks: [Remark]
  /// How the facts changed since it was accepted; nil where they did not.
  package private(set) var change: Wording?

  /// The state, assignee and change that `remarks` lead to for `finding`. Remarks that name another
  /// id were made before the facts of the matter changed: an acceptance among them makes the
  /// finding reopened.
  ///
  /// - Precondition: there is a remark, and they come in the order in which they were made.
  package init(_ remarks: [Remark], of finding: Finding) {
    precondition(!remarks.isEmpty)
    self.remarks = remarks
    let earlier = remarks.filter { $0.finding != finding.id }
    earlier.forEach { apply($0) }
    if state == .accepted, let accepted = earlier.last(where: { $0.action == .accept }) {
      state = .reopened
      change = Self.change(since: accepted, finding)
    }
    for remark in remarks where remark.finding == finding.id { apply(remark) }
    if state != .reopened { change = nil }
  }

  /// Sets state and assignee to what they are once a remark was made.
  private mutating func apply(_ remark: Remark) {
    switch remark.action {
    case .accept: state = .accepted
    case .reopen: state = .reopened
    case .comment: break
    case .assign:
      // Who looks after it decides nothing: what may stand goes on standing.
      if state != .accepted { state = .assigned }
      assignee = remark.assignee
    }
  }

  /// The text that says who accepted the finding, when, and how its figures changed since.
  private static func change(since accepted: Remark, _ finding: Finding) -> Wording {
    let before = figures(accepted.units, accepted.amount, accepted.currency)
    let now = figures(finding.units, finding.amount, finding.currency)
    let (by, day) = (accepted.by, accepted.at.day())
    guard let before, let now, before != now else {
      return "@finding.accepted-by-on-on-other \(by) \(day)"
    }
    return "@finding.accepted-by-on-when \(by) \(day) \(before) \(now)"
  }

  /// Units and amount as text; nil where a finding has neither.
  ///
  /// - Parameter amount: micro-units of `currency`.
  private static func figures(_ units: Int64?, _ amount: Int64?, _ currency: Currency?) -> Wording?
  {
    let money = amount.map { amount in
      currency.map { "\(Money(micros: amount, $0).text) \($0)" }
        ?? decimalText(micros: amount, minimumDigits: 2)
    }
    guard let units else { return money.map { Wording(verbatim: $0) } }
    let one = abs(units) == 1
    guard let money else { return one ? "@finding.unit \(units)" : "@shared.units-2 \(units)" }
    return one ? "@finding.unit-2 \(units) \(money)" : "@finding.units \(units) \(money)"
  }
}

extension Finding {
  /// Whether somebody decided that it may stand, for the facts as they are.
  package var isAccepted: Bool { work?.state == .accepted }

  /// The place in a list of what matters first: 0 what is large and open, 1 what else is open, 2
  /// what was accepted.
  package var rank: Int { isAccepted ? 2 : isMaterial == true ? 0 : 1 }
}

/// What the last reconciliation of the period before had found, for comparison only.
package struct PreviousRun: Hashable, Sendable {
  package var run: RecordedRun
  /// How many findings each code had; none has no entry.
  package var findings: [FindingCode: Int64]

  package init(run: RecordedRun, findings: [FindingCode: Int64]) {
    self.run = run
    self.findings = findings
  }
}
