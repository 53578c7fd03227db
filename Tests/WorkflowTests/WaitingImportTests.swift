import Billing
import Foundation
import Support
import Testing

@testable import Workflow

/// Goal: an import that waits for another reads its files as they are when its turn comes. Method:
/// the first file is written anew while the call waits, in place and as another file.
@Suite struct WaitingImportTests {
  @Test(arguments: [false, true])
  func `a file that is written anew meanwhile is read anew`(isReplaced: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("a.csv", Inputs.orders(0..<3))
    var request = ImportRequest(
      paths: [folder.path + "/a.csv"], ledgerPath: folder.ledger,
      importedAt: Instant(seconds: 1_688_000_000))
    request.patience = 30
    var lock: ImportLock? = try ImportLock(ledgerPath: folder.ledger)
    let summary = try importFiles(
      request,
      waiting: {
        withExtendedLifetime(lock) {}
        if isReplaced { try? FileManager.default.removeItem(atPath: folder.path + "/a.csv") }
        do { try folder.write("a.csv", Inputs.orders(3..<8)) } catch { Issue.record(error) }
        lock = nil
      })
    #expect(summary.files.map(\.rows) == [5])
  }
}
