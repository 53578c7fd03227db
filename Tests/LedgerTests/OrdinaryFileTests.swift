import Billing
import Foundation
import Support
import Testing

@testable import Ledger

/// Goal: the ledger is an ordinary SQLite file: whatever the program `sqlite3` does with it without
/// changing its content leaves a ledger that works, and so does every copy.
struct OrdinaryFileTests {
  private let scratch: TemporaryFolder

  init() throws {
    scratch = try TemporaryFolder()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    try ledger.load(
      "orders", (0..<600).map { OrderFact(id: "O\($0)", user: "u", placed: $0 + 1) })
    var maker = BlockMaker()
    let rows = (0..<600).map {
      TransactionFact(id: "\($0 + 7)", order: "O\($0)", purchased: $0 + 1)
    }
    try ledger.load("transactions", .transactions, [maker.block(rows)])
  }

  /// What the ledger at a path says, as far as it depends on its content alone.
  private func everything(_ path: String) throws -> [String] {
    try Ledger.reading(path, connections: 2) { ledger in
      let check = try ledger.check()
      #expect(check.problems.isEmpty, "\(check.problems.map(\.english))")
      let facts = try ledger.facts()
      let digests = try ledger.factsDigests().sorted { $0.key < $1.key }.map { "\($0)" }
      return facts.orders.map { "\($0)" } + facts.transactions.map { "\($0)" } + digests
    }
  }

  private func sqlite3(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-batch", "-bail"] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: scratch.path)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: said, as: UTF8.self)
    #expect(process.terminationStatus == 0, "\(arguments): \(text)")
    return text
  }

  @Test(arguments: [
    ["VACUUM"], ["ANALYZE"], ["REINDEX"], ["PRAGMA user_version = 24"],
    ["PRAGMA application_id = 7"], ["CREATE TABLE x (y); INSERT INTO x VALUES (1)"],
    ["CREATE VIEW v_order AS SELECT 1 AS one"],
    ["PRAGMA journal_mode = WAL"], ["PRAGMA journal_mode = WAL; CREATE TABLE x (y)"],
    ["PRAGMA page_size = 16384; VACUUM"], ["PRAGMA auto_vacuum = 1; VACUUM"],
    ["PRAGMA encoding = 'UTF-8'; VACUUM"], ["ANALYZE; VACUUM; REINDEX; PRAGMA optimize"],
    ["BEGIN; UPDATE source SET file = 'x'; ROLLBACK"],
  ]) func whatChangesNoContentDoesNoHarm(_ statements: [String]) throws {
    let sound = try everything(scratch.ledger)
    _ = try sqlite3("tieout.sqlite", statements[0])
    #expect(try everything(scratch.ledger) == sound)
    // It takes further files, too.
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    try ledger.load("more", [OrderFact(id: "N", user: "u", placed: 9)])
    #expect(try everything(scratch.ledger).count == sound.count + 2)
  }

  @Test(arguments: [
    ".backup copy.sqlite", ".clone copy.sqlite", "VACUUM INTO 'copy.sqlite'",
    """
    ATTACH 'copy.sqlite' AS copy;
    CREATE TABLE copy.sizes AS SELECT name FROM sqlite_master;
    DETACH copy;
    """,
  ]) func copiesAreLedgers(_ command: String) throws {
    let sound = try everything(scratch.ledger)
    _ = try sqlite3("tieout.sqlite", command)
    #expect(try everything(scratch.ledger) == sound)
    guard !command.hasPrefix("ATTACH") else { return }
    #expect(try everything(scratch.path + "/copy.sqlite") == sound)
  }

  @Test func aDumpThatIsReadAgainIsALedger() throws {
    let sound = try everything(scratch.ledger)
    let dump = try sqlite3("tieout.sqlite", ".dump")
    try scratch.write("dump.sql", Array(dump.utf8))
    _ = try sqlite3("copy.sqlite", ".read dump.sql")
    #expect(try everything(scratch.path + "/copy.sqlite") == sound)
    let ledger = try Ledger(path: scratch.path + "/copy.sqlite", mode: .readWrite)
    try ledger.load("more", [OrderFact(id: "N", user: "u", placed: 9)])
  }

  /// Another program can list and read all that is there, without this one.
  @Test func otherProgramsCanReadTheFile() throws {
    let tables = try sqlite3("tieout.sqlite", ".tables").split(whereSeparator: \.isWhitespace)
    for table in tables { _ = try sqlite3("tieout.sqlite", "SELECT count(*) FROM \"\(table)\"") }
    #expect(tables.contains("order_block") && tables.contains("source"))
    #expect(
      try sqlite3("tieout.sqlite", "SELECT rows, first_placed_at FROM order_block") == "600|1\n")
  }
}
