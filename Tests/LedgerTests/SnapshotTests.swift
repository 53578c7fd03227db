import Billing
import Dispatch
import GRDB
import Support
import Testing

@testable import Ledger

/// Whatever is read between the opening of a snapshot and its end is of one state.
struct SnapshotTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func orders(_ ledger: Ledger) throws -> [OrderRow.ID] {
    try ledger.facts().orders.map(\.row)
  }

  @Test(arguments: 1...4) func whatIsWrittenMeanwhileIsNotSeen(connections: Int) throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    try ledger.load("first", [OrderFact(id: "1", placed: 1)])
    let path = scratch.ledger
    let opened = DispatchSemaphore(value: 0)
    let (seen, written) = inTwoThreads(
      {
        Result {
          try Ledger.reading(path, connections: connections) { snapshot in
            opened.signal()
            // Long enough for the other thread to want to commit.
            for _ in 0..<50 {
              let (rows, source) = (try orders(snapshot), try snapshot.lastSource())
              #expect(rows == [1] && source == 1)
            }
          }
        }
      },
      {
        opened.wait()
        return Result { try ledger.load("second", [OrderFact(id: "2", placed: 2)]) }
      })
    try seen.get()
    #expect(try written.get() == .imported(superseding: nil))
    #expect(try Ledger.reading(path) { try orders($0) } == [1, 2])
  }

  /// While a writer waits for one reader to end, it lets no other begin: that one waits for both.
  @Test func aReaderBehindAWaitingWriterWaitsToo() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    try ledger.load("first", [OrderFact(id: "1", placed: 1)])
    let path = scratch.ledger
    let opened = DispatchSemaphore(value: 0)
    let (first, others) = inTwoThreads(
      {
        Result {
          try Ledger.reading(path, connections: 2) { snapshot in
            opened.signal()
            // Until the writer waits, and so nobody else may begin.
            while (try? Ledger.reading(path, patience: 0) { try $0.lastSource() }) != nil {}
            let rows = try orders(snapshot)
            #expect(rows == [1])
          }
        }
      },
      {
        opened.wait()
        let (written, read) = inTwoThreads(
          { Result { try ledger.load("second", [OrderFact(id: "2", placed: 2)]) } },
          {
            Result { () -> Int in
              var seen = 0
              while seen < 2 {
                seen = try Ledger.reading(path, connections: 3) { try orders($0).count }
              }
              return seen
            }
          })
        return Result { () throws -> (FileOutcome, Int) in (try written.get(), try read.get()) }
      })
    try first.get()
    #expect(try others.get().0 == .imported(superseding: nil))
    #expect(try others.get().1 == 2)
  }

  @Test func aLedgerThatIsBeingWrittenIsInUse() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    try ledger.write { db in
      try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      try db.execute(sql: "INSERT INTO no_sales (day, vendor) VALUES (1, '')")
      return .commit
    }
    #expect(throws: LedgerError.locked(path: scratch.ledger)) {
      try Ledger.reading(scratch.ledger, connections: 2, patience: 0) { try $0.lastSource() }
    }
  }

  @Test func aCloseIsAddedOnlyToTheStateItWasConcludedFrom() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let period = Period("2023-06")!
    let close = NewClose(
      record: CloseRecord(
        action: .close, period: period, at: Instant(seconds: 0), by: "ann", reason: "",
        asOf: period.last, version: "test", lastSource: 0))
    let before = try Ledger.reading(scratch.ledger) { _ in try ledger.state() }
    try Ledger(path: scratch.ledger, mode: .readWrite).recordNoSales(period.first, vendor: "")
    #expect(try ledger.add(close, concludedFrom: before) == nil)
    #expect(try ledger.closes().isEmpty)
    let now = try ledger.state()
    #expect(now != before)
    // What this ledger writes itself is no surprise to it.
    try ledger.recordNoSales(period.last, vendor: "")
    #expect(try ledger.add(close, concludedFrom: now) == 1)
  }
}
