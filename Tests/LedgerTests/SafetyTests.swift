import Billing
import Dispatch
import GRDB
import Glibc
import Support
import Testing

@testable import Ledger

/// A ledger that cannot be used stays as it is, and nothing half done stays in one that can.
struct SafetyTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func failure(_ mode: Ledger.Mode) -> LedgerError? {
    do {
      _ = try Ledger(path: scratch.ledger, mode: mode)
      return nil
    } catch {
      return error as? LedgerError
    }
  }

  @Test func missing() {
    #expect(failure(.snapshot()) == .missing(path: scratch.ledger))
    #expect(scratch.names.isEmpty)
  }

  @Test func notALedger() throws {
    let text = Array("order_id,sku\n".utf8) + [UInt8](repeating: 0x41, count: 5000)
    try scratch.write("tieout.sqlite", text)
    for mode in [Ledger.Mode.snapshot(), .readWrite] {
      guard case .corrupt(scratch.ledger, _) = failure(mode) else {
        Issue.record("expected corrupt")
        return
      }
    }
    #expect(scratch.ledgerBytes == text)
    #expect(scratch.names == ["tieout.sqlite"])
  }

  @Test(arguments: ["UPDATE ledger SET version = 99", "DROP TABLE ledger"])
  func aFileOfAnotherKindOrVersion(_ change: String) throws {
    _ = try Ledger(path: scratch.ledger, mode: .readWrite)
    try DatabaseQueue(path: scratch.ledger).writeWithoutTransaction { try $0.execute(sql: change) }
    let bytes = scratch.ledgerBytes
    for mode in [Ledger.Mode.snapshot(), .readWrite] {
      switch failure(mode) {
      case .newer(_, 99, Schema.version): #expect(change.hasPrefix("UPDATE"))
      case .corrupt: #expect(change.hasPrefix("DROP"))
      default: Issue.record("expected a refusal")
      }
    }
    #expect(scratch.ledgerBytes == bytes)
  }

  @Test func anEmptyFileBecomesALedgerOnlyWhenWriting() throws {
    try scratch.write("tieout.sqlite", [])
    #expect(failure(.snapshot()) == .empty(path: scratch.ledger))
    #expect(failure(.readWrite) == nil)
    #expect(failure(.snapshot()) == nil)
  }

  @Test func manyMayCreateItAtOnce() async throws {
    let path = scratch.ledger
    try await withThrowingTaskGroup { group in
      for index in 0..<6 {
        group.addTask {
          let ledger = try Ledger(path: path, mode: .readWrite)
          try ledger.load("\(index)", [OrderFact(placed: 1)])
        }
      }
      try await group.waitForAll()
    }
    #expect(try Ledger.reading(path) { try $0.facts().orders.count } == 6)
  }

  /// Ids of 32 bits end at 2,147,483,647: nothing is wrapped, cut off or added beyond.
  @Test func moreRowsThanIDsAreRefused() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    try ledger.load("first", [OrderFact(id: "1", placed: 1)])
    func number(_ row: Int64) throws {
      try DatabaseQueue(path: scratch.ledger).write { db in
        try db.execute(sql: "UPDATE order_block SET last_row = ?", arguments: [row])
      }
    }
    try number(Int64(Int32.max))
    #expect(failure(.snapshot()) == nil)
    #expect(throws: LedgerError.full(path: scratch.ledger)) {
      try ledger.load("second", [OrderFact(id: "2", placed: 1)])
    }
    #expect(try ledger.files().map(\.input.file) == ["first"])
  }

  @Test func aFolderIsNoLedger() {
    mkdir(scratch.ledger, 0o700)
    defer { rmdir(scratch.ledger) }
    guard case .unreadable = failure(.readWrite) else {
      Issue.record("expected unreadable")
      return
    }
  }

  @Test func aSecondWriterIsToldAndTheFirstGoesOn() throws {
    let first = try Ledger(path: scratch.ledger, mode: .readWrite)
    let second = try Ledger(path: scratch.ledger, mode: .readWrite, patience: 0)
    var maker = BlockMaker()
    let block = maker.block([OrderFact(id: "1", placed: 1)])
    let outcome = try first.importFile(
      FileHeader(file: "a", kind: .orders, importedAt: Instant(seconds: 0))
    ) { appender in
      try appender.append(block)
      #expect(throws: LedgerError.locked(path: scratch.ledger)) {
        try second.load("b", [OrderFact(id: "2", placed: 2)])
      }
      return .keep(
        FileTrailer(
          sha256: "a", headSHA256: "a", vendor: "", begin: nil, end: nil, rows: 1, rejected: 0,
          byteCount: 1))
    }
    #expect(outcome == .imported(superseding: nil))
    #expect(try second.load("b", [OrderFact(id: "2", placed: 2)]) == .imported(superseding: nil))
    #expect(try second.facts().orders.count == 2)
  }

  /// One that records many findings has the ledger for longer than SQLite's second.
  @Test func aWriterWaitsForAnotherToEnd() throws {
    let first = try Ledger(path: scratch.ledger, mode: .readWrite)
    let second = try Ledger(path: scratch.ledger, mode: .readWrite)
    let begun = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      defer { ended.signal() }
      try? first.write { _ in
        begun.signal()
        usleep(1_500_000)
        return .rollback
      }
    }
    begun.wait()
    #expect(try second.load("b", [OrderFact(id: "2", placed: 2)]) == .imported(superseding: nil))
    ended.wait()
  }

  @Test func whatIsNotKeptLeavesNoTrace() throws {
    struct Stop: Error {}
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    try ledger.load("kept", [OrderFact(id: "1", placed: 1)])
    let before = scratch.ledgerBytes
    var maker = BlockMaker()
    let blocks = (0..<20).map { _ in
      maker.block((0..<5000).map { OrderFact(id: "o\($0)", transaction: "\($0)", placed: $0 + 1) })
    }
    #expect(try ledger.load("dry", .orders, blocks, keep: false) == .discarded)
    #expect(throws: Stop.self) {
      _ = try ledger.importFile(
        FileHeader(file: "bad", kind: .orders, importedAt: Instant(seconds: 0))
      ) { appender in
        try appender.append(blocks[0])
        throw Stop()
      }
    }
    #expect(scratch.ledgerBytes == before)
    #expect(scratch.names == ["tieout.sqlite"])
    #expect(try ledger.load("next", [OrderFact(id: "2", placed: 1)]) == .imported(superseding: nil))
    #expect(try ledger.facts().orders.map(\.row) == [1, 2])
  }

  @Test func aKilledImportLeavesTheLedgerRight() async throws {
    // The process that this one starts finds the same folder by its parent's id.
    let folder = "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/tieout-killed-"
    let path = "\(folder)\(getpid())"
    defer { for end in ["", "-journal"] { unlink(path + end) } }
    let ledger = try Ledger(path: path, mode: .readWrite)
    try ledger.load("kept", [OrderFact(id: "1", placed: 1)])
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let folder = "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/tieout-killed-"
      let ledger = try Ledger(path: "\(folder)\(getppid())", mode: .readWrite)
      var maker = BlockMaker()
      _ = try ledger.importFile(
        FileHeader(file: "half", kind: .orders, importedAt: Instant(seconds: 0))
      ) { appender in
        // More than SQLite's cache holds, so that half of it is in the file itself.
        var random = SplitMix64(seed: 1)
        for _ in 0..<100 {
          let rows = (0..<5000).map {
            OrderFact(id: "\(random.next())", user: "\(random.next())", placed: $0 + 1)
          }
          try appender.append(maker.block(rows))
        }
        kill(getpid(), SIGKILL)
        return .discard
      }
    }
    #expect(access(path + "-journal", F_OK) == 0, "the import was interrupted in mid-write")
    #expect(try Ledger.reading(path) { try $0.facts().orders.map(\.row) } == [1])
    #expect(access(path + "-journal", F_OK) != 0)
    #expect(try ledger.load("more", [OrderFact(id: "2", placed: 1)]) == .imported(superseding: nil))
    #expect(try Ledger.reading(path) { try $0.facts().orders.count } == 2)
  }

  @Test func aBlockOfAnotherKindTraps() async {
    // A trap, not an error that the ledger throws: this would end the process with status 1.
    await #expect(processExitsWith: .signal(SIGILL)) {
      let folder = try TemporaryFolder()
      let ledger = try Ledger(path: folder.path + "/l.sqlite", mode: .readWrite)
      var maker = BlockMaker()
      try ledger.load("a", .transactions, [maker.block([OrderFact(placed: 1)])])
    }
  }
}
