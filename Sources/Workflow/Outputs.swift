package import Billing
import Foundation
import Reporting

/// What `reconcile --format json` prints.
package func json(of reconciliation: Reconciliation) -> String {
  reconciliationJSON(reconciliation)
}

/// What `reconcile` prints for a person; `workbook` is where one was saved.
package func summary(of reconciliation: Reconciliation, workbook: String?) -> String {
  reconciliationSummary(reconciliation, workbook: workbook)
}

/// Writes the workbook beside its place and moves it there when it is whole, so that nobody ever
/// opens half a workbook and a failure leaves the old one. Throws a ``Stop``.
package func saveWorkbook(of reconciliation: Reconciliation, to path: String) throws {
  let unfinished = path + ".unfinished-\(getpid())"
  do {
    try writeWorkbook(reconciliation, to: unfinished)
    guard rename(unfinished, path) == 0 else { throw SystemError(code: errno) }
  } catch {
    unlink(unfinished)
    throw cannotSave(path, error)
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
    throw cannotSave(path, SystemError(code: errno))
  }
}

private func cannotSave(_ path: String, _ error: any Error) -> Stop {
  let reason = (error as? SystemError)?.message ?? "\(error)"
  return Stop(
    .badInput, "the workbook cannot be written: \(path): \(reason)",
    help: "name a folder that exists and that you may write to with --out")
}
