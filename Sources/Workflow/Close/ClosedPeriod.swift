package import Billing
import Foundation
import Ledger

/// What a close kept of its period, to be printed again.
package struct ClosedPeriod: Sendable {
  package let json: [UInt8]
  package let summary: [UInt8]
  private let close: CloseRecord
  private let ledgerPath: String

  package init(_ close: CloseRecord, ledgerPath: String) throws {
    self.close = close
    self.ledgerPath = ledgerPath
    json = try closeDocument(
      CloseDocument.reconciliation, of: close.period, number: close.number,
      ledgerPath: ledgerPath)
    summary = try closeDocument(
      CloseDocument.summary, of: close.period, number: close.number, ledgerPath: ledgerPath)
  }

  /// Throws a ``Stop`` where the file cannot be written.
  package func saveWorkbook(to path: String) throws {
    let bytes = try closeDocument(
      CloseDocument.workbook, of: close.period, number: close.number, ledgerPath: ledgerPath)
    do {
      try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw Stop(
        .badInput, "the workbook cannot be written: \(path)",
        help: "name a folder that exists and that you may write to with --out")
    }
  }

  /// Whether there is a finding of this severity or above that nobody had accepted.
  package func hasFinding(of severity: Severity) -> Bool {
    guard let root = try? JSONSerialization.jsonObject(with: Data(json)) as? [String: Any],
      let findings = root["findings"] as? [[String: Any]]
    else { return false }
    let wanted = Set(Severity.allCases.filter { $0 >= severity }.map(\.rawValue))
    return findings.contains { finding in
      wanted.contains(finding["severity"] as? String ?? "")
        && finding["state"] as? String != FindingWork.State.accepted.rawValue
    }
  }
}
