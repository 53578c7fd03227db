import Billing
import Foundation
import GRDB
import Glibc
import Support
import Testing

@testable import Ledger

/// Goal: what a disk, another program or a wrong copy makes of a ledger's file is noticed, whatever
/// page it is in. Method: each page of a small ledger is damaged in turn, in each way.
struct SealTests {
  private let scratch: TemporaryFolder

  /// Orders, transactions, keys, dictionaries and a reject, on several pages each.
  init() throws {
    scratch = try TemporaryFolder()
    try Self.fill(scratch.ledger)
  }

  private static func fill(_ path: String, orders: Int64 = 600) throws {
    let ledger = try Ledger(path: path, mode: .readWrite)
    try ledger.load(
      "orders", (0..<orders).map { OrderFact(id: "O\($0)", user: "u", placed: $0 + 1) })
    let rows = (0..<600).map {
      TransactionFact(id: "\($0 + 7)", order: "O\($0)", purchased: $0 + 1)
    }
    var maker = BlockMaker()
    try ledger.load("transactions", .transactions, [maker.block(rows)])
  }

  /// What a program that reads everything learns; nil where it is refused.
  private func everything() -> [String]? {
    do {
      let ledger = try Ledger(path: scratch.ledger, mode: .snapshot())
      let facts = try ledger.facts()
      let check = try ledger.check()
      guard check.problems.isEmpty, check.hasSeals else { return nil }
      return facts.orders.map { "\($0)" } + facts.transactions.map { "\($0)" }
    } catch is LedgerError {
      return nil
    } catch {
      return ["\(error)"]
    }
  }

  /// Vectors of the reference implementation, by its Python package `xxhash`.
  @Test func theHashIsXXH64() {
    let bytes = (0..<4088).map { UInt8($0 % 251) }
    bytes.withUnsafeBytes { bytes in
      func hash(_ count: Int, _ seed: UInt64) -> UInt64 {
        xxHash64(UnsafeRawBufferPointer(rebasing: bytes[..<count]), seed: seed)
      }
      #expect(hash(0, 0) == 0xEF46_DB37_51D8_E999)
      #expect(hash(24, 1) == 0x8357_39FF_3559_13EB)
      #expect(hash(104, 7) == 0x33CA_3FB1_79AE_FD0D)
      #expect(hash(4088, 3) == 0x89AF_CAE5_EC52_6129)
    }
  }

  enum Damage: CaseIterable { case bit, cleared, halfCleared, swapped, foreign }

  @Test(arguments: Damage.allCases) func noDamageGivesOtherFacts(_ damage: Damage) throws {
    let sound = try #require(everything())
    let bytes = scratch.ledgerBytes
    let other = try TemporaryFolder()
    try Self.fill(other.ledger)
    let foreign = other.ledgerBytes
    let pages = bytes.count / PageSeal.pageSize
    #expect(pages > 30 && sound.count == 1200 && foreign.count == bytes.count)
    var refused = 0
    for page in 0..<pages {
      var damaged = bytes
      let place = page * PageSeal.pageSize..<(page + 1) * PageSeal.pageSize
      switch damage {
      case .bit: damaged[place.lowerBound + (page * 389) % 4096] ^= 1 << (page % 8)
      case .cleared: damaged.replaceSubrange(place, with: repeatElement(0, count: place.count))
      case .halfCleared:
        damaged.replaceSubrange(place.dropFirst(2048), with: repeatElement(0, count: 2048))
      case .swapped:
        damaged.replaceSubrange(place, with: bytes[((page + 1) % pages * 4096)...].prefix(4096))
      case .foreign: damaged.replaceSubrange(place, with: foreign[place])
      }
      try scratch.write("tieout.sqlite", damaged)
      let found = everything()
      #expect(found == nil || found == sound, "page \(page + 1) gives other facts")
      if found == nil { refused += 1 }
    }
    #expect(refused == pages, "a page that nothing reads goes unnoticed")
    for count in [bytes.count - 4096, bytes.count - 1, 4096 * 3, 5000, 4096, 4095, 50] {
      try scratch.write("tieout.sqlite", Array(bytes[..<count]))
      #expect(everything() == nil, "a ledger of \(count) bytes is taken")
    }
  }

  /// `TIEOUT_ROUNDS=5000` in the environment damages as many ledgers as that.
  private static let rounds =
    ProcessInfo.processInfo.environment["TIEOUT_ROUNDS"].flatMap { Int($0) } ?? 60

  /// Goal: the same facts, or a refusal, whatever happens to the file. Method: several damages at
  /// once, at places and of kinds that a seed gives.
  @Test func damageAtRandomGivesTheSameFactsOrIsRefused() throws {
    let sound = try #require(everything())
    let bytes = scratch.ledgerBytes
    var random = SplitMix64(seed: 15)
    var refused = 0
    for round in 0..<Self.rounds {
      var damaged = bytes
      for _ in 0..<[1, 1, 2, 8].randomElement(using: &random)! where damaged.count > 1 {
        let place = Int.random(in: 0..<damaged.count, using: &random)
        let end = min(damaged.count, place + [1, 16, 512, 4096].randomElement(using: &random)!)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: for index in place..<end { damaged[index] = 0 }
        case 2: for index in place..<end { damaged[index] = .random(in: 0...255, using: &random) }
        case 3: damaged.removeSubrange(max(1, place)...)
        case 4: damaged[Int.random(in: 0..<min(100, damaged.count), using: &random)] &+= 1
        default:
          let from = Int.random(in: 0..<damaged.count, using: &random)
          let count = min(end - place, damaged.count - from)
          damaged.replaceSubrange(place..<place + count, with: damaged[from..<from + count])
        }
      }
      try scratch.write("tieout.sqlite", damaged)
      let found = everything()
      #expect(found == nil || found == sound, "round \(round) gives other facts")
      if found == nil { refused += 1 }
      #expect(found == nil || damaged == bytes, "round \(round) goes unnoticed")
    }
    #expect(refused > Self.rounds / 2)
  }

  /// Goal: pages that are read many at once are held against their seals one by one. Method: a
  /// digit of an id becomes another one, and nothing but the rows is asked for.
  @Test func rowsOfADamagedPageAreNeverRead() throws {
    let scratch = try TemporaryFolder()
    try Self.fill(scratch.ledger, orders: 9000)
    func orders() throws -> [String] {
      try Ledger.reading(scratch.ledger) { try $0.facts().orders.map { "\($0)" } }
    }
    let sound = try orders()
    let bytes = scratch.ledgerBytes
    var refused = 0
    for page in stride(from: 40, to: bytes.count / PageSeal.pageSize, by: 3) {
      var damaged = bytes
      let place = page * PageSeal.pageSize
      let id = (place..<place + PageSeal.pageSize - 20).first {
        bytes[$0] == UInt8(ascii: "O") && bytes[$0 + 1] >= UInt8(ascii: "0")
          && bytes[$0 + 1] <= UInt8(ascii: "9")
      }
      guard let id else { continue }
      damaged[id + 1] ^= 1
      try scratch.write("tieout.sqlite", damaged)
      do {
        #expect(try orders() == sound, "page \(page + 1) gives other rows")
      } catch is LedgerError { refused += 1 }
    }
    #expect(sound.count == 9000 && refused > 16)
  }

  /// A journal that SQLite would play back, of another ledger or damaged, changes nothing.
  @Test(arguments: [false, true]) func onlyTheLedgersOwnJournalIsPlayedBack(_ isOwn: Bool) throws {
    let scratch = try TemporaryFolder()
    try Self.fill(scratch.ledger, orders: 9000)
    let source = isOwn ? scratch : try TemporaryFolder()
    if !isOwn { try Self.fill(source.ledger, orders: 9000) }
    let before = scratch.ledgerBytes
    // The journal of a transaction that has begun to write into the file.
    let queue = try DatabaseQueue(path: source.ledger)
    var (journal, half): ([UInt8], [UInt8]) = ([], [])
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: "PRAGMA cache_size = 5; PRAGMA synchronous = FULL; BEGIN IMMEDIATE")
      try db.execute(sql: "UPDATE order_row SET placed_at = placed_at + 1")
      journal = Array(try source.bytes("tieout.sqlite-journal"))
      half = source.ledgerBytes
      try db.execute(sql: "ROLLBACK")
    }
    #expect(journal.count > 4096 * 5 && half != before)
    func leave(_ journal: [UInt8]) throws {
      try scratch.write("tieout.sqlite", isOwn ? half : before)
      try scratch.write("tieout.sqlite-journal", journal)
    }
    try leave(journal)
    if isOwn {
      #expect(try Ledger.reading(scratch.ledger) { try $0.facts().orders.count } == 9000)
      #expect(scratch.ledgerBytes == before)
      journal[4096] ^= 1
      try leave(journal)
    }
    #expect(throws: LedgerError.damaged(path: scratch.ledger)) {
      _ = try Ledger(path: scratch.ledger, mode: .snapshot())
    }
  }

  @Test func anotherProgramsLogIsRefused() throws {
    let bytes = scratch.ledgerBytes
    try scratch.write("tieout.sqlite-wal", Array(repeating: UInt8(7), count: 5000))
    for mode in [Ledger.Mode.snapshot(), .readWrite] {
      do {
        _ = try Ledger(path: scratch.ledger, mode: mode)
        Issue.record("a log is beside it")
      } catch {
        guard case .corrupt(_, let detail) = error as? LedgerError else { throw error }
        #expect(detail.contains("write-ahead log"))
      }
    }
    #expect(scratch.ledgerBytes == bytes)
  }

  /// Goal: rows that are lost, added or renumbered inside sound pages are found too.
  @Test(arguments: [
    ("DELETE FROM order_row WHERE id = 300", "orders: rows differ from those imported"),
    ("UPDATE order_row SET order_id = 'X' WHERE id = 300", "keys of order_row are not"),
    ("UPDATE transaction_row SET terms_id = 9 WHERE id = 5", "rows of transaction_row refer to"),
    ("DELETE FROM order_terms", "rows of order_row refer to"),
    ("DELETE FROM id_page WHERE id = 2", "keys of"),
    ("DELETE FROM source WHERE id = 1", "refer to entries that do not exist"),
  ]) func rowsAreHeldAgainstEachOther(_ change: String, _ problem: String) throws {
    func problems() throws -> [String] {
      try Ledger.reading(scratch.ledger) { try $0.check().problems.map(\.english) }
    }
    #expect(try problems().isEmpty)
    try DatabaseQueue(path: scratch.ledger).writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      try db.execute(sql: change)
    }
    let found = try problems()
    #expect(found.contains { $0.contains(problem) }, "\(found)")
  }

  @Test func aBatchWithoutAllItsRowsIsNotRead() throws {
    try DatabaseQueue(path: scratch.ledger).write {
      try $0.execute(sql: "DELETE FROM order_row WHERE id = 300")
    }
    #expect(throws: LedgerError.self) {
      try Ledger.reading(scratch.ledger) { _ = try $0.facts() }
    }
  }

  @Test func aLedgerWithoutSealsGoesOnAndItsCopyHasThem() throws {
    let plain = scratch.path + "/plain.sqlite"
    let queue = try DatabaseQueue(path: plain)
    try queue.write { db in
      for sql in Schema.migrations.joined() { try db.execute(sql: sql) }
      for view in LedgerView.all { try db.execute(sql: view.statement) }
      try db.execute(
        sql: """
          PRAGMA application_id = \(Schema.applicationID);
          PRAGMA user_version = \(Schema.version);
          """)
    }
    try queue.close()
    try Self.fill(plain)
    let copy = scratch.path + "/copy" + Ledger.unfinishedCopy
    try Ledger.sealedCopy(of: plain, to: copy)
    var digests: [[UInt64?]] = []
    for (path, hasSeals) in [(plain, false), (copy, true), (scratch.ledger, true)] {
      try Ledger.reading(path) { ledger in
        let check = try ledger.check()
        #expect(check.problems.isEmpty && check.hasSeals == hasSeals, "\(check)")
        let known = try ledger.factsDigests()
        digests.append(try ledger.files().map { known[$0.input.sha256] })
      }
    }
    #expect(Set(digests).count == 1 && digests[0].count == 2 && !digests[0].contains(nil))
    #expect(Set(digests[0]).count == 2)
    // The copy is a ledger like any other.
    try Ledger(path: copy, mode: .readWrite).load("next", [OrderFact(id: "N", placed: 1)])
    #expect(try Ledger.reading(copy) { try $0.check().problems.isEmpty })
  }

  /// Goal: what a connection meets of pages that were made and freed in one transaction is no
  /// damage. Method: tables that come and go in a cache of a few pages.
  @Test func pagesThatWereNeverWrittenAreNoDamage() throws {
    let queue = try DatabaseQueue(path: scratch.ledger)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA cache_size = 5")
      for round in 0..<20 {
        try db.inTransaction {
          for turn in 0..<6 {
            try db.execute(
              sql: """
                CREATE TABLE passing (id INTEGER PRIMARY KEY, bytes BLOB);
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
                INSERT INTO passing SELECT i, randomblob(\(500 + 3000 * (turn % 3))) FROM n;
                DELETE FROM passing WHERE id % 3 = \(turn % 3);
                INSERT INTO passing SELECT NULL, randomblob(9000) FROM passing LIMIT 9;
                DROP TABLE passing;
                """)
          }
          return round % 2 == 0 ? .commit : .rollback
        }
      }
    }
    try queue.close()
    #expect(everything()?.count == 1200)
  }
}
