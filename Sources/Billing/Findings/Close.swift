/// What was decided about a period: that its result stands, or that it is open again. The list of
/// them is only ever added to.
package struct CloseRecord: Hashable, Sendable {
  package enum Action: String, Hashable, Sendable { case close, reopen }

  /// Counts all periods' records from 1; 0 before it is kept.
  package var number: Int64
  package var action: Action
  package var period: Period
  package var at: Instant
  /// Who did it, as they said.
  package var by: String
  /// Why it was reopened; empty for a close.
  package var reason: String
  /// The day that ages were counted to.
  package var asOf: Day
  /// Of the program.
  package var version: String
  /// The ledger's newest file then: what is imported later is booked in a later period.
  package var lastSource: Int64

  package init(
    number: Int64 = 0, action: Action, period: Period, at: Instant, by: String, reason: String,
    asOf: Day, version: String, lastSource: Int64
  ) {
    self.number = number
    self.action = action
    self.period = period
    self.at = at
    self.by = by
    self.reason = reason
    self.asOf = asOf
    self.version = version
    self.lastSource = lastSource
  }
}

/// The second signature of a close that needs two.
package struct SecondSignature: Hashable, Sendable {
  /// The number of the close that it completes.
  package var close: Int64
  package var at: Instant
  /// Who signed, as they said: somebody else than who closed.
  package var by: String
  /// Their day.
  package var asOf: Day
  /// Of the program.
  package var version: String

  package init(close: Int64, at: Instant, by: String, asOf: Day, version: String) {
    (self.close, self.at, self.by, self.asOf, self.version) = (close, at, by, asOf, version)
  }
}

/// An error that a close let stand, and why.
package struct Acceptance: Hashable, Sendable {
  /// The finding's id.
  package var finding: String
  package var code: String
  package var reason: String

  package init(finding: String, code: String, reason: String) {
    self.finding = finding
    self.code = code
    self.reason = reason
  }
}

/// Something that a close keeps byte for byte: `reconciliation.json`, `journal.csv`.
package struct CloseDocument: Hashable, Sendable {
  package var name: String
  package var bytes: [UInt8]
  /// Of the bytes, lower-case hex.
  package var sha256: String

  package init(name: String, bytes: [UInt8], sha256: String) {
    self.name = name
    self.bytes = bytes
    self.sha256 = sha256
  }
}
