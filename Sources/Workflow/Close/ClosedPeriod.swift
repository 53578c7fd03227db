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

  /// Whether there is a finding of this severity or above.
  package func hasFinding(of severity: Severity) -> Bool {
    guard let root = try? JSONSerialization.jsonObject(with: Data(json)) as? [String: Any],
      let totals = root["totals"] as? [String: Any],
      let counts = totals["findings"] as? [String: Int64]
    else { return false }
    return Severity.allCases.contains { $0 >= severity && counts[$0.rawValue, default: 0] > 0 }
  }
}
