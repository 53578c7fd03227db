package import Billing

/// The last answer of Apple's to one question.
package struct AppleAnswer: Hashable, Sendable {
  /// Scripts rely on the raw values.
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// A file came of it.
    case rows
    /// Pages came of it, and more follow that are not here.
    case open
    /// Apple has nothing: no sales, an empty list.
    case nothing = "none"
    /// Apple has not made it yet.
    case notYet = "not-yet"
    /// Apple has it no more.
    case gone
    /// Apple refuses it.
    case refused
    /// Apple could not be reached, or what came was no whole answer.
    case failed
  }

  /// What the question is one of: `SALES SUMMARY DAILY 85012345`.
  package var list: String
  /// Which of the list: a day, a span of time, a transaction.
  package var item: String
  package var outcome: Outcome
  /// Of HTTP, or of verifyReceipt; nil where no whole answer came.
  package var status: Int?
  package var at: Instant
  /// What the next page, or what is new, is asked for with; empty for none.
  package var next: String

  package init(
    list: String, item: String, _ outcome: Outcome, status: Int?, at: Instant, next: String = ""
  ) {
    self.list = list
    self.item = item
    self.outcome = outcome
    self.status = status
    self.at = at
    self.next = next
  }
}

/// One request as it went over the wire.
package struct AppleRequest: Hashable, Sendable {
  /// `connect`, `purchases`; scripts rely on it.
  package var host: String
  package var at: Instant
  package var milliseconds: Int64
  /// Nil where no whole answer came.
  package var status: Int?
  /// Whether nothing whole came, or Apple was too busy.
  package var hasFailed: Bool

  package init(host: String, at: Instant, milliseconds: Int64, status: Int?, hasFailed: Bool) {
    self.host = host
    self.at = at
    self.milliseconds = milliseconds
    self.status = status
    self.hasFailed = hasFailed
  }
}
