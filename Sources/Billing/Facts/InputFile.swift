/// A file in the ledger.
package struct InputFile: Hashable, Sendable {
  package enum Status: String, Hashable, Sendable {
    case current, superseded, partial

    /// The status in words for people.
    package var wording: Wording {
      switch self {
      case .current: "@facts.current"
      case .superseded: "@facts.superseded"
      case .partial: "@facts.partial"
      }
    }
  }
  package var kind: InputKind
  /// As given to `import`.
  package var file: String
  /// Of the inflated bytes, lower-case hex.
  package var sha256: String
  package var rows: Int
  package var rejected: Int
  /// The days its rows cover.
  package var from: Day?
  package var to: Day?
  package var status: Status

  package init(
    kind: InputKind, file: String, sha256: String, rows: Int, rejected: Int, from: Day?, to: Day?,
    status: Status
  ) {
    self.kind = kind
    self.file = file
    self.sha256 = sha256
    self.rows = rows
    self.rejected = rejected
    self.from = from
    self.to = to
    self.status = status
  }
}
