import Billing
import Foundation
import Support
import Testing

@testable import Workflow

/// Goal: two files are read before their turn comes, each as it is when its reading begins, and
/// what cannot be read ahead is read in its turn. Method: files are replaced between turns.
@Suite struct FileAheadTests {
  private let folder: TemporaryFolder
  private let ahead: FileAhead
  private let inputs: [FoundFile]

  /// Of `a.csv` to `e.csv`, each with one row; `c.csv` is not there.
  init() throws {
    folder = try TemporaryFolder()
    let names = ["a.csv", "b.csv", "c.csv", "d.csv", "e.csv"]
    for name in names where name != "c.csv" { try folder.write(name, Inputs.orders(0..<1)) }
    let paths = names.map { [folder] in folder.path + "/" + $0 }
    inputs = paths.map { FoundFile(path: $0) }
    ahead = FileAhead(
      inputs.map { .file($0) },
      for: ImportRequest(
        paths: paths, ledgerPath: folder.ledger, importedAt: Instant(seconds: 1_688_000_000)))
  }

  /// Puts another file in its place.
  private func replace(_ names: [String], rows: Int) throws {
    for name in names {
      try? FileManager.default.removeItem(atPath: folder.path + "/" + name)
      try folder.write(name, Inputs.orders(0..<rows))
    }
  }

  private func rows(of pass: ReadingPass) throws -> Int {
    var rows = 0
    while true {
      switch pass.blocks.receive(within: 1) {
      case .element(let block): rows += block.rowCount
      case .nothingYet: continue
      case .end:
        _ = try pass.result()
        return rows
      }
    }
  }

  @Test func `two files are begun, the next ones when their turn is near`() throws {
    try replace(["a.csv", "b.csv", "c.csv", "d.csv"], rows: 2)
    // The first two had been begun.
    #expect(try inputs[0...1].map { try rows(of: ahead.take($0)) } == [1, 1])
    try replace(["c.csv", "d.csv", "e.csv"], rows: 3)
    #expect(try inputs[2...4].map { try rows(of: ahead.take($0)) } == [2, 2, 3])
  }

  @Test func `a file that is not there is told in its turn, and those behind it are read`() throws {
    #expect(try inputs[0...1].map { try rows(of: ahead.take($0)) } == [1, 1])
    #expect(throws: Diagnostic.self) { try ahead.take(inputs[2]) }
    try replace(["e.csv"], rows: 2)
    // Both had been begun when the missing one was passed.
    #expect(try inputs[3...4].map { try rows(of: ahead.take($0)) } == [1, 1])
  }

  @Test func `a reading that was given up is not taken up again`() throws {
    let first = try ahead.take(inputs[0])
    ahead.cancel(waits: true)
    #expect(try rows(of: first) == 1)
    try replace(["b.csv"], rows: 2)
    #expect(try rows(of: ahead.take(inputs[1])) == 2)
  }
}
