import Billing
import Foundation
import Workflow

/// A folder that lasts as long as a test: its inputs, its ledger.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/tieout-test-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var ledger: String { path + "/tieout.sqlite" }

  /// Writes a file, with the folders above it, and returns its path.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = path + "/" + name
    let folder = (file as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path + "/" + name, withDestinationPath: target)
  }

  /// The ledger's file; empty when there is none.
  var ledgerBytes: Data { FileManager.default.contents(atPath: ledger) ?? Data() }

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
