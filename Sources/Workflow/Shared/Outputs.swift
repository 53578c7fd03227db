import Billing
package import Conclusions
import Foundation
import Languages
import Matching
package import Reporting

/// Writes what `reconcile --format json` prints, in runs of bytes: the findings of a bad month are
/// many.
package func writeJSON(
  of reconciliation: Reconciliation, to sink: ([UInt8]) throws -> Void
) rethrows {
  try reconciliationJSON(reconciliation, to: sink)
  try sink([UInt8(ascii: "\n")])
}

/// The text that `reconcile` prints for a person. What is sent on, as Markdown or HTML, has no
/// hints for a terminal.
///
/// - Parameters:
///   - workbook: where one was saved.
///   - limit: how many findings are shown; nil for all.
package func summary(
  of reconciliation: Reconciliation, workbook: String?, as form: SummaryPage.Form,
  limit: Int? = FindingScreen.usual
) -> String {
  if form == .html { return reportPage(of: reconciliation, workbook: workbook) }
  var page = summaryPage(of: reconciliation, workbook: workbook, limit: limit)
  if workbook == nil, form == .text {
    let name = reconciliation.period.description.replacing("..", with: "_")
    page.remarks.append("@shared.no-workbook-was-requested \(name)")
  }
  return page.written(as: form)
}

/// Saves the workbook, whole or not at all. Throws a ``Stop``.
package func saveWorkbook(of reconciliation: Reconciliation, to path: String) throws {
  try savingWorkbook(path) { () throws(OutputError) in try writeWorkbook(reconciliation, to: path) }
}

/// Runs `write`, whose error becomes a ``Stop`` that says that the workbook cannot be written.
func savingWorkbook<Value>(
  _ path: String, _ write: () throws(OutputError) -> Value
) throws -> Value {
  do { return try write() } catch {
    throw Stop(
      .badInput, "@shared.workbook-cannot-be-written \(path) \(error.message)", help: outputHelp)
  }
}

/// Saves what `write` writes, whole or not at all. Throws a ``Stop``, and what `write` throws.
package func saveFile(
  at path: String, isPrivate: Bool = false,
  _ write: (@escaping ([UInt8]) throws -> Void) throws -> Void
) throws {
  do {
    let file = try OutputFile(path, isPrivate: isPrivate)
    try write { try file.write($0) }
    try file.commit()
  } catch let error as OutputError {
    throw Stop(.badInput, "@shared.cannot-be-written \(path) \(error.message)", help: outputHelp)
  }
}

private let outputHelp: Wording =
  "@shared.name-a-file-with-out"

extension OutputError {
  /// In lower case without a full stop.
  var message: Wording {
    switch self {
    case .system(let code): SystemError(code: code).message
    case .library(let text): Wording(verbatim: text)
    case .damaged: "@shared.what-was-read-back-is"
    }
  }
}
