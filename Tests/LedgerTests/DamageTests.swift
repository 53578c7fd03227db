import Billing
import Foundation
import GRDB
import Glibc
import Support
import Testing

@testable import Ledger

/// Goal: what a disk, another program or a wrong copy makes of a ledger's file is noticed, whatever
/// page it is in. Method: each page of a small ledger is damaged in turn, in each way.
struct DamageTests {
  private let scratch: TemporaryFolder

  /// Orders, transactions, keys, dictionaries and a reject, on several pages each.
  init() throws {
    scratch = try TemporaryFolder()
    try Self.fill(scratch.ledger)
  }

  /// - Parameter first: the time of the first order.
  private static func fill(_ path: String, first: Int64 = 1) throws {
    let ledger = try Ledger(path: path, mode: .readWrite)
    try ledger.load(
      "orders", (0..<600).map { OrderFact(id: "O\($0)", user: "u", placed: $0 + first) })
    let rows = (0..<600).map {
      TransactionFact(id: "\($0 + 7)", order: "O\($0)", purchased: Int64($0) + first)
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
      guard check.problems.isEmpty else { return nil }
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
      #expect(hash(3, 5) == 0xA332_F962_652E_10B2)
      #expect(hash(29, 5) == 0x460D_52A1_9A92_2D3C)
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
    // The same rows a second later: pages of the same shape that say something else.
    try Self.fill(other.ledger, first: 2)
    let foreign = other.ledgerBytes
    let pages = bytes.count / 4096
    #expect(pages > 30 && sound.count == 1200 && foreign.count == bytes.count)
    var refused = 0
    for page in 0..<pages {
      var damaged = bytes
      let place = page * 4096..<(page + 1) * 4096
      switch damage {
      case .bit:
        // Bytes that are 0 are mostly those that nothing uses.
        let used = place.filter { bytes[$0] != 0 }
        guard !used.isEmpty else { continue }
        damaged[used[(page * 389) % used.count]] ^= 1 << (page % 8)
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
    // Most tables of so small a ledger are one empty page, and a page is hardly ever full.
    // Of another ledger, most pages are the same: those of tables without rows.
    #expect(refused > (damage == .foreign ? 6 : 12), "\(refused) of \(pages)")
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
    }
    #expect(refused > Self.rounds / 2)
  }

  /// Goal: rows that are lost, added or renumbered inside sound pages are found too.
  @Test(arguments: [
    ("DELETE FROM order_block", "rows differ from what was written"),
    ("UPDATE order_block SET content = zeroblob(length(content))", "order_row: 1 blocks of rows"),
    ("UPDATE order_block SET last_placed_at = last_placed_at + 1", "order_row: 1 blocks of rows"),
    ("UPDATE transaction_block SET source_id = 1", "rows differ from what was written"),
    ("UPDATE order_terms SET sku = 'X'", "order_terms"),
    ("DELETE FROM order_terms", "rows differ from what was written"),
    ("UPDATE order_terms SET digest = digest + 1", "rows differ from what was written"),
    ("UPDATE ledger_secret SET bytes = randomblob(32)", "rows differ from what was written"),
    ("DELETE FROM id_page WHERE id = 2", "rows differ from what was written"),
    ("DELETE FROM id_run WHERE id = 1", "rows differ from what was written"),
    ("UPDATE id_run SET first_at = first_at + 1", "rows differ from what was written"),
    ("DELETE FROM source WHERE id = 1", "rows differ from what was written"),
    ("UPDATE source SET rows = rows + 1", "rows differ from what was written"),
  ]) func rowsAreHeldAgainstEachOther(_ change: String, _ problem: String) throws {
    func problems() throws -> [String] {
      do {
        return try Ledger.reading(scratch.ledger) { try $0.check().problems.map(\.english) }
      } catch let error as LedgerError {
        return [error.message.english]
      }
    }
    #expect(try problems().isEmpty)
    try DatabaseQueue(path: scratch.ledger).writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      try db.execute(sql: change)
    }
    let found = try problems()
    #expect(found.contains { $0.contains(problem) }, "\(found)")
  }
}
