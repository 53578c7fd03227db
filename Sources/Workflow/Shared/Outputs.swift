import Billing
import Foundation
import Languages
package import Matching
import Reporting

/// What `reconcile --format json` prints, in runs of bytes: the findings of a bad month are many.
package func writeJSON(
  of reconciliation: Reconciliation, to sink: ([UInt8]) throws -> Void
) rethrows {
  try reconciliationJSON(reconciliation, to: sink)
  try sink([UInt8(ascii: "\n")])
}

/// What `reconcile` prints for a person; `workbook` is where one was saved.
package func summary(of reconciliation: Reconciliation, workbook: String?) -> String {
  let text = reconciliationSummary(reconciliation, workbook: workbook)
  guard workbook == nil else { return text }
  let name = reconciliation.period.description.replacing("..", with: "_")
  let hint: Wording = "No workbook was asked for; to have one, add --out \(name).xlsx"
  return text + "\n" + say(hint) + "\n"
}

/// Saves the workbook, whole or not at all. Throws a ``Stop``.
package func saveWorkbook(of reconciliation: Reconciliation, to path: String) throws {
  do {
    try writeWorkbook(reconciliation, to: path)
  } catch let error as WorkbookError {
    throw cannotSave(path, Wording(verbatim: error.detail))
  }
}

/// Checks that a workbook can be saved at `path`, before minutes are spent on what goes into it.
package func checkWorkbookPath(_ path: String) throws {
  var status = stat()
  if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
    throw Stop(
      .badInput, "the workbook cannot be written: \(path) is a folder",
      help: "name a file in it: --out \(path)/2023-06.xlsx")
  }
  let folder = (path as NSString).deletingLastPathComponent
  guard access(folder.isEmpty ? "." : folder, W_OK) == 0 else {
    throw cannotSave(path, SystemError(code: errno).message)
  }
}

func cannotSave(_ path: String, _ reason: Wording) -> Stop {
  Stop(
    .badInput, "the workbook cannot be written: \(path): \(reason)",
    help: "name a folder that exists and that you may write to with --out")
}

/// Saves what `write` writes, whole or not at all. Throws a ``Stop``, and what `write` throws.
package func saveFile(
  at path: String, _ write: (@escaping ([UInt8]) throws -> Void) throws -> Void
) throws {
  let partial = path + ".partial"
  func failure() -> Stop {
    Stop(
      .badInput, "\(path) cannot be written: \(SystemError(code: errno).message)",
      help: "name a file in a folder that exists and that you may write to with --out")
  }
  guard let file = fopen(partial, "w") else { throw failure() }
  var isOpen = true
  defer {
    if isOpen { fclose(file) }
    unlink(partial)
  }
  try write { bytes in
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw failure() }
  }
  isOpen = false
  guard fclose(file) == 0, rename(partial, path) == 0 else { throw failure() }
}
