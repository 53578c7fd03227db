import Billing
import Foundation
import Support
import Workflow

extension TemporaryFolder {
  /// A path of this folder as a user standing in it would write it.
  func relative(_ text: String) -> String { text.replacingOccurrences(of: path + "/", with: "") }

  /// Imports what is named, at a fixed moment.
  func importing(
    _ names: String..., change: (inout ImportRequest) -> Void = { _ in }
  ) throws -> ImportSummary {
    var request = ImportRequest(
      paths: names.map { path + "/" + $0 }, ledgerPath: ledger,
      importedAt: Instant(seconds: 1_688_000_000))
    change(&request)
    return try importFiles(request)
  }
}

extension SimulatedInputs {
  /// Imports all of them into the ledger of their folder, with the roots that sign for them.
  func importing() throws {
    _ = try folder.importing("month") { ($0.roots, $0.leftOut) = (roots.certificates, roots.paths) }
  }
}
