import Billing
import Foundation
import Support
import Testing
import Workflow
@testable import Ledger

/// Goal: of files with rates of the same days, the one that was imported last counts, also when it
/// was known. Method: a file, another that contradicts it, and the first again, alone and with it.
@Suite struct RateFilesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let head = "date,base,quote,rate\n"
    try folder.write(
      "a.csv", head + "2023-06-29,USD,CNY,7.21\n2023-06-30,USD,CNY,7.25\n")
    try folder.write("b.csv", head + "2023-06-30,USD,CNY,72.5\n2023-07-01,USD,CNY,7.26\n")
    try folder.write("c.csv", head + "2023-06-30,EUR,CNY,7.89\n")
  }

  private func rates() throws -> [String] {
    let days = Day("2023-06-29")!...Day("2023-07-01")!
    return try Ledger(path: folder.ledger, mode: .snapshot()).rates(days).map {
      "\($0.date) \($0.base) \($0.rate.text())"
    }
  }

  private static let right = [
    "2023-06-29 USD 7.21", "2023-06-30 USD 7.25", "2023-07-01 USD 7.26",
  ]
  private static let wrong = [
    "2023-06-29 USD 7.21", "2023-06-30 USD 72.5", "2023-07-01 USD 7.26",
  ]

  @Test func `the first file counts again when it is imported again by itself`() throws {
    _ = try folder.importing("a.csv")
    _ = try folder.importing("b.csv")
    #expect(try rates() == Self.wrong)
    let before = try Ledger(path: folder.ledger, mode: .snapshot()).factsDigest()
    let trial = try folder.importing("a.csv") { $0.isDryRun = true }
    #expect(trial.files.map(\.supersedes) == [folder.path + "/b.csv"])
    #expect(try rates() == Self.wrong)
    let again = try folder.importing("a.csv")
    #expect(again.files.map(\.status) == [.skipped])
    #expect(again.files.map(\.supersedes) == [folder.path + "/b.csv"])
    #expect(
      folder.relative(again.text).contains(
        "skipped: same content as a.csv, which counts again and supersedes b.csv"))
    #expect(try rates() == Self.right)
    #expect(try Ledger(path: folder.ledger, mode: .snapshot()).factsDigest() != before)
    // Once more changes nothing, and the other one counts again in its turn.
    #expect(try folder.importing("a.csv").files.map(\.supersedes) == [nil])
    #expect(try folder.importing("b.csv").files.map(\.supersedes) == [folder.path + "/a.csv"])
    #expect(try rates() == Self.wrong)
  }

  @Test func `files that are imported together once more stay as they are`() throws {
    for name in ["a.csv", "b.csv", "c.csv"] { _ = try folder.importing(name) }
    let counted = try rates()
    for names in [["a.csv", "b.csv"], ["b.csv", "a.csv"], ["c.csv"]] {
      var again = ImportRequest(
        paths: names.map { folder.path + "/" + $0 }, ledgerPath: folder.ledger,
        importedAt: Instant(seconds: 1_688_000_000))
      again.isDryRun = false
      #expect(try importFiles(again).files.allSatisfy { $0.supersedes == nil })
      #expect(try rates() == counted)
    }
  }

  /// A file that agrees with the first stands between: nothing contradicts it.
  @Test func `what another file put right needs no first one`() throws {
    for name in ["a.csv", "b.csv"] { _ = try folder.importing(name) }
    try folder.write("d.csv", "date,base,quote,rate\n2023-06-30,USD,CNY,7.250\n")
    _ = try folder.importing("d.csv")
    #expect(try rates() == Self.right)
    #expect(try folder.importing("a.csv").files.map(\.supersedes) == [nil])
  }

  @Test(arguments: [("7.25", 3), ("7.210", nil), ("7.21", nil)])
  func `one file has one rate of a day and pair`(_ second: String, _ line: Int?) throws {
    try folder.write(
      "twice.csv", "date,base,quote,rate\n2023-06-30,USD,CNY,7.21\n2023-06-30,USD,CNY,\(second)\n")
    let run = try CommandLineRun("import", "twice.csv", in: folder)
    #expect(run.status == (line == nil ? 0 : 2))
    #expect(run.errors.contains("twice.csv:3:20: error[rate]") == (line != nil), "\(run.errors)")
  }
}
