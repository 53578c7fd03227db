import Dispatch
import GRDB
import GRDBSQLite
import Support
import Synchronization
import Testing

@testable import Ledger

/// Pages that are written while SQLite goes on are there as soon as it asks for them, and in the
/// file before a commit says so.
struct PagesBehindTests {
  /// A file of bytes, whose writes can be held up and refused.
  private final class Disk: Sendable {
    let bytes = Mutex<[UInt8]>([])
    let writes = Mutex<[Int64]>([])
    let attempts = Mutex(0)
    let refusal = Mutex<Int32>(SQLITE_OK)
    let gate = DispatchSemaphore(value: 0)
    let isHeldUp: Bool

    init(isHeldUp: Bool = false) { self.isHeldUp = isHeldUp }

    func write(_ source: UnsafeRawPointer, _ count: Int32, _ place: Int64) -> Int32 {
      attempts.withLock { $0 += 1 }
      if isHeldUp { gate.wait() }
      let code = refusal.withLock { $0 }
      guard code == SQLITE_OK else { return code }
      writes.withLock { $0.append(place) }
      let source = UnsafeRawBufferPointer(start: source, count: Int(count))
      bytes.withLock { bytes in
        let end = Int(place) + source.count
        if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
        bytes.replaceSubrange(Int(place)..<end, with: source)
      }
      return SQLITE_OK
    }

    /// How far each run went that was said to be written, and how much was there then.
    let told = Mutex<[(end: Int, there: Int)]>([])
    let storing = Mutex<Int32>(SQLITE_OK)

    func behind() -> PagesBehind {
      PagesBehind(
        write: { [self] in write($0, $1, $2) },
        written: { [self] count, place in
          let there = bytes.withLock { $0.count }
          told.withLock { $0.append((Int(place) + count, there)) }
          return storing.withLock { $0 }
        })
    }
  }

  private static func page(_ number: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: number &* 31 &+ number >> 8), count: size)
  }
  private static let size = PageSeal.pageSize

  private func add(_ content: Int, at page: Int, to behind: PagesBehind) -> Int32 {
    Self.page(content).withUnsafeBytes { behind.add($0.baseAddress!, at: Int64(page * Self.size)) }
  }

  private func read(_ page: Int, from behind: PagesBehind) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: Self.size)
    let code = bytes.withUnsafeMutableBytes {
      behind.read($0.baseAddress!, at: Int64(page * Self.size))
    }
    return code == SQLITE_OK ? bytes : nil
  }

  private func expect(_ content: Int, at page: Int, of bytes: [UInt8]) {
    let found = bytes[page * Self.size..<(page + 1) * Self.size]
    #expect(found.elementsEqual(Self.page(content)), "page \(page)")
  }

  /// Pages in rows, alone, backwards and twice.
  @Test func whatWasAddedLastIsInTheFile() {
    let disk = Disk()
    let behind = disk.behind()
    var contents: [Int: Int] = [:]
    var random = SplitMix64(seed: 3)
    var page = 0
    for content in 0..<3000 {
      page = random.next() % 10 == 0 ? Int.random(in: 0..<900, using: &random) : (page + 1) % 900
      contents[page] = content
      #expect(add(content, at: page, to: behind) == SQLITE_OK)
    }
    #expect(behind.outcome() == SQLITE_OK)
    #expect(contents.keys.allSatisfy { read($0, from: behind) == nil }, "nothing waits")
    let bytes = disk.bytes.withLock { $0 }
    for (page, content) in contents { expect(content, at: page, of: bytes) }
    #expect(contents.count > 500)
  }

  @Test func pagesOfOneRowAreWrittenTogether() {
    let disk = Disk()
    let behind = disk.behind()
    for page in 0..<1000 { #expect(add(page, at: page, to: behind) == SQLITE_OK) }
    #expect(behind.outcome() == SQLITE_OK)
    let writes = disk.writes.withLock { $0 }
    #expect(writes == writes.sorted() && writes.count <= 1000 / 15)
    // Each run is told once it is there, so that the disk may begin with it.
    let told = disk.told.withLock { $0 }
    #expect(told.allSatisfy { $0.end == $0.there } && told.last?.end == 1000 * Self.size)
    #expect(told.count > 10 && told.map(\.end) == told.map(\.end).sorted())
  }

  /// A few pages wait for the commit, and what the disk refuses later is told as a write is.
  @Test func whatCannotBeStoredIsTold() {
    let disk = Disk()
    let behind = disk.behind()
    disk.storing.withLock { $0 = SQLITE_FULL }
    #expect(add(1, at: 1, to: behind) == SQLITE_OK)
    #expect(behind.outcome() == SQLITE_OK)
    for page in 10..<50 { #expect(add(page, at: page, to: behind) == SQLITE_OK) }
    #expect(behind.outcome() == SQLITE_FULL)
    #expect(disk.told.withLock { $0.count } == 1)
  }

  /// A ledger that is open is found by its descriptor; of a file that is not open there is none.
  @Test func anOpenFileIsFound() throws {
    let scratch = try TemporaryFolder()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let opened = try #require(OpenedFile(path: scratch.ledger))
    #expect(opened.beginToStore(0, Self.size) == SQLITE_OK)
    withExtendedLifetime(ledger) {}
    try scratch.write("other", "text")
    #expect(OpenedFile(path: scratch.path + "/other") == nil)
    #expect(OpenedFile(path: scratch.path + "/none") == nil)
  }

  /// While the disk is slow SQLite sees what it wrote, the newest of it.
  @Test func whatWaitsIsRead() {
    let disk = Disk(isHeldUp: true)
    let behind = disk.behind()
    for page in 0..<100 { #expect(add(page, at: page, to: behind) == SQLITE_OK) }
    #expect(add(5000, at: 3, to: behind) == SQLITE_OK)
    for page in 0..<100 where page != 3 {
      #expect(read(page, from: behind) == Self.page(page))
    }
    #expect(read(3, from: behind) == Self.page(5000))
    #expect(read(100, from: behind) == nil)
    for _ in 0..<100 { disk.gate.signal() }
    #expect(behind.outcome() == SQLITE_OK)
    expect(5000, at: 3, of: disk.bytes.withLock { $0 })
  }

  /// A write that fails is told once.
  @Test func whatFailsIsTold() {
    let disk = Disk()
    let behind = disk.behind()
    #expect(add(1, at: 1, to: behind) == SQLITE_OK)
    #expect(behind.outcome() == SQLITE_OK)
    disk.refusal.withLock { $0 = SQLITE_FULL }
    #expect(add(2, at: 2, to: behind) == SQLITE_OK)
    behind.settle()
    disk.refusal.withLock { $0 = SQLITE_OK }
    #expect(add(3, at: 9, to: behind) == SQLITE_FULL)
    #expect(add(4, at: 10, to: behind) == SQLITE_OK)
    #expect(behind.outcome() == SQLITE_OK)
    #expect(disk.writes.withLock { $0 }.contains(Int64(9 * Self.size)))
  }

  /// Behind a write that failed nothing is written until that is told.
  @Test func nothingIsWrittenBehindAFailure() {
    let disk = Disk(isHeldUp: true)
    let behind = disk.behind()
    disk.refusal.withLock { $0 = SQLITE_FULL }
    for page in [2, 9, 20] { #expect(add(page, at: page, to: behind) == SQLITE_OK) }
    for _ in 0..<3 { disk.gate.signal() }
    #expect(behind.outcome() == SQLITE_FULL)
    #expect(disk.attempts.withLock { $0 } == 1)
    #expect(disk.told.withLock { $0.isEmpty })
  }

  /// What could not be written is never read as zeros or as it was before, and reading it does not
  /// keep the commit from being told.
  @Test func whatCouldNotBeWrittenIsNoPage() {
    let disk = Disk()
    let behind = disk.behind()
    #expect(add(1, at: 1, to: behind) == SQLITE_OK)
    behind.settle()
    disk.refusal.withLock { $0 = SQLITE_IOERR }
    #expect(add(2, at: 1, to: behind) == SQLITE_OK)
    behind.settle()
    var bytes = [UInt8](repeating: 0, count: Self.size)
    for _ in 0..<2 {
      let code = bytes.withUnsafeMutableBytes {
        behind.read($0.baseAddress!, at: Int64(Self.size))
      }
      #expect(code == SQLITE_IOERR)
    }
    #expect(behind.outcome() == SQLITE_IOERR)
    #expect(read(1, from: behind) == nil)
  }

  // MARK: In a ledger

  /// Rows that leave memory before they are committed, are changed and read again; where the last
  /// word is to take them back, the file is as before.
  @Test(arguments: [false, true]) func transactionsLargerThanMemory(_ isKept: Bool) throws {
    let scratch = try TemporaryFolder()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let before = scratch.ledgerBytes
    var expected: [Int64: Int64] = [:]
    var random = SplitMix64(seed: 11)
    try ledger.write { db in
      try db.execute(
        sql: "PRAGMA cache_size = 40; CREATE TABLE many (id INTEGER PRIMARY KEY, n, text)")
      try db.execute(sql: "CREATE INDEX many_text ON many (text)")
      let insert = try RawStatement(db, "INSERT INTO many VALUES (?, ?, hex(randomblob(200)))")
      let update = try RawStatement(db, "UPDATE many SET n = ?2 WHERE id = ?1")
      for id in Int64(1)...4000 {
        insert.bind(id, at: 1)
        insert.bind(id, at: 2)
        try insert.run()
        expected[id] = id
        let (old, number) = (Int64.random(in: 1...id, using: &random), Int64(id) * 3)
        update.bind(old, at: 1)
        update.bind(number, at: 2)
        try update.run()
        expected[old] = number
      }
      let rows = try Row.fetchAll(db, sql: "SELECT id, n FROM many")
      let found = Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as Int64, $0[1] as Int64) })
      #expect(found == expected)
      let said = try String.fetchAll(db, sql: "PRAGMA integrity_check")
      #expect(said == ["ok"])
      return isKept ? .commit : .rollback
    }
    guard isKept else {
      #expect(scratch.ledgerBytes == before)
      return
    }
    try DatabaseQueue(path: scratch.ledger).read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT id, n FROM many")
      let found = Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as Int64, $0[1] as Int64) })
      #expect(found == expected)
      let said = try String.fetchAll(db, sql: "PRAGMA integrity_check")
      #expect(said == ["ok"])
      let (count, broken) = SealedFile.brokenPages(db.sqliteConnection)
      #expect(count > 400 && broken.isEmpty)
    }
  }
}
