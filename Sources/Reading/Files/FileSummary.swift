package import Billing

/// What a file turned out to be, and what it adds up to.
package struct FileSummary: Sendable {
  package var kind: InputKind
  /// Empty when unknown.
  package var vendor: String
  /// Of financial reports, by Apple's code; empty for all other files.
  package var region = ""
  /// Apple's reports: the first day. Company tables: the first day (UTC) of their times.
  package var begin: Day?
  package var end: Day?
  /// Records of the file are rows and rejected rows and footers.
  package var rows: Int
  package var rejected: Int
  package var footers: Int
  /// The first hundred.
  package var diagnostics: [Diagnostic]
  package var diagnosticCount: Int
  package var warnings: [Diagnostic]
  /// By currency, the one without a name first.
  package var totals: [ReadingTotal]
  /// Receipts, notifications and history: what their records came to.
  package var tallies: [Tally] = []
}
