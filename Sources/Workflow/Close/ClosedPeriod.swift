package import Billing
import Foundation
import Languages
import Ledger
package import Reporting

/// What a close kept of its period, to be printed again.
package struct ClosedPeriod: Sendable {
  package let json: [UInt8]
  private let summary: [UInt8]
  package let close: CloseRecord
  /// Whether it is locked, and complete only with a second signature.
  package let awaitsSecond: Bool
  private let workbook: [UInt8]
  private let findings: [PrintedReconciliation.Finding]

  /// Reads the documents that the close kept.
  init(_ close: CloseRecord, _ book: CloseBook, _ ledger: Ledger) throws {
    self.close = close
    let isOpen = book.signatures(of: close) == .awaited
    awaitsSecond = isOpen
    /// The document as it stands now: without the second signature where that is awaited.
    func present(_ name: String) throws -> [UInt8] {
      try closeDocument(isOpen ? CloseDocument.awaiting(name) : name, of: close, ledger)
    }
    json = try closeDocument(CloseDocument.reconciliation, of: close, ledger)
    summary = try present(CloseDocument.summary)
    workbook = try present(CloseDocument.workbook)
    do { findings = try PrintedReconciliation(json).findings } catch is DecodingError {
      throw LedgerError.corrupt(
        path: ledger.path, detail: say("@close.close-no-cannot-be-read \(close.number)"))
    }
  }

  /// What a person read when the month was closed, in its lines of then; as text or another form.
  package func summary(as form: SummaryPage.Form) -> [UInt8] {
    if form == .text { return summary }
    return Array(keptSummary(String(decoding: summary, as: UTF8.self), as: form).utf8)
  }

  /// The language that it was closed in, where the reader's is another; nil where it is the same or
  /// not known.
  package var otherLanguage: Language? {
    let text = String(decoding: summary, as: UTF8.self)
    // The name of the first figure stands in each summary of a close.
    let found = Language.allCases.filter {
      text.contains(Translation($0)("@close.sold-at-customer-prices"))
    }
    return found.first { found.count == 1 && $0 != Translation.current.language }
  }

  /// Writes the workbook that the close kept. Throws a ``Stop`` where the file cannot be written.
  package func saveWorkbook(to path: String) throws {
    try savingWorkbook(path) { () throws(OutputError) in
      let file = try OutputFile(path)
      try file.write(workbook)
      try file.commit()
    }
  }

  /// Whether a finding of this severity or above was not accepted when the period was closed.
  package func hasFinding(of severity: Severity) -> Bool {
    let wanted = Set(Severity.allCases.filter { $0 >= severity }.map(\.rawValue))
    return findings.contains {
      wanted.contains($0.severity) && $0.state != FindingWork.State.accepted.rawValue
    }
  }
}
