import Foundation
import Support
import Testing

@testable import Workflow

/// Goal: a ledger whose rows did not lie in blocks yet gives, once upgraded, what the files give
/// that it was made from. Method: ledgers of the sample month of version 33 and of version 34
/// (`Fixtures/ledger-33`, `ledger-34`), beside one that is imported now.
struct UpgradeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func unpack(_ version: Int) throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/gzip")
    process.arguments = [
      "-dc", checkout + "/Tests/WorkflowTests/Fixtures/ledger-\(version)/ledger.sqlite.gz",
    ]
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try folder.write("old.sqlite", Array(bytes))
    for name in ["tieout.toml", "apple-test-root.pem"] {
      try FileManager.default.copyItem(
        atPath: checkout + "/samples/2023-06/" + name, toPath: folder.path + "/" + name)
    }
  }

  private func run(_ words: String..., ledger: String) throws -> CommandLineRun {
    try CommandLineRun(words + ["--ledger", ledger], in: folder)
  }

  @Test(arguments: [33, 34]) func `an upgraded ledger says what its files say`(
    _ version: Int
  ) throws {
    try unpack(version)
    let before = try folder.bytes("old.sqlite")
    let upgraded = try CommandLineRun(["upgrade", "old.sqlite", "new.sqlite"], in: folder)
    #expect(upgraded.status == 0, "\(upgraded.errors)")
    #expect(try folder.bytes("old.sqlite") == before)
    let imported = try run("import", checkout + "/samples/2023-06", ledger: "fresh.sqlite")
    #expect(imported.status == 0, "\(imported.errors)")
    for words in [
      ["reconcile", "2023-06", "--as-of", "2023-07-05", "--format", "json"],
      ["export", "orders"], ["export", "transactions"],
      ["sql", "SELECT * FROM v_message ORDER BY id", "--format", "csv"],
      ["sql", "SELECT * FROM v_report_row ORDER BY id", "--format", "csv"],
      ["sql", "SELECT * FROM v_tier ORDER BY 1, 2, 3, 4, 5", "--format", "csv"],
    ] {
      let (old, new) = try (
        CommandLineRun(words + ["--ledger", "new.sqlite"], in: folder),
        CommandLineRun(words + ["--ledger", "fresh.sqlite"], in: folder)
      )
      #expect(old.status == new.status, "\(words): \(old.errors)")
      // Files are named as they were given.
      let named = new.output.replacing(checkout + "/samples/2023-06/", with: "./")
      if let difference = firstDifference(named, old.output) {
        Issue.record("\(words) \(difference)")
      }
    }
    #expect(try run("verify", ledger: "new.sqlite").output.contains("the ledger is sound"))
  }

  @Test func `only ledgers of older versions are upgraded`() throws {
    try unpack(33)
    try folder.write("no.sqlite", Array("no ledger".utf8))
    #expect(try CommandLineRun(["upgrade", "no.sqlite", "x.sqlite"], in: folder).status == 3)
    #expect(try CommandLineRun(["upgrade", "old.sqlite", "new.sqlite"], in: folder).status == 0)
    let needless = try CommandLineRun(["upgrade", "new.sqlite", "x.sqlite"], in: folder)
    #expect(needless.status == 3)
    #expect(
      needless.errors.contains(" already, nothing is to be done: \"new.sqlite\"\n"),
      "\(needless.errors)")
    #expect(!needless.errors.contains("expected a ledger") && !needless.errors.contains("restore"))
    #expect(!folder.names.contains("x.sqlite"))
    // Nothing that stands there is replaced.
    let new = try folder.bytes("new.sqlite")
    for path in ["new.sqlite", "old.sqlite", "no.sqlite"] {
      let refused = try CommandLineRun(["upgrade", "old.sqlite", path], in: folder)
      #expect(refused.status == 2 && refused.errors.contains("cannot be written"))
    }
    #expect(try folder.bytes("new.sqlite") == new)
  }
}
