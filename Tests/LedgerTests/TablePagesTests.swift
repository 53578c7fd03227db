import Billing
import Foundation
import GRDB
import Support
import Testing

@testable import Ledger

/// Goal: rows that are read from pages are those that SQLite tells. Method: tables whose trees are
/// of many shapes (small pages, gaps, deleted rows, long texts, columns that came later), read both
/// ways; and files that are not as they should be.
struct TablePagesTests {
  private let scratch: TemporaryFolder
  private var path: String { scratch.path + "/pages.sqlite" }

  init() throws { scratch = try TemporaryFolder() }

  /// Numbers of every width, texts that spill over several pages, and nothing.
  private struct Values {
    var random: SplitMix64

    mutating func next() -> String {
      switch random.next() % 6 {
      case 0: "NULL"
      case 1: "\(random.next() % 2)"
      case 2: "'\(String(repeating: "t", count: Int(random.next() % 40)))'"
      case 3: "'\(String(repeating: "é", count: Int(random.next() % 2000)))'"
      default: "\(Int64(bitPattern: random.next()) >> Int64(random.next() % 64))"
      }
    }
  }

  /// A table of some hundred rows, of which the first lack the last columns.
  private func make(pageSize: Int, seed: UInt64, _ queue: DatabaseQueue) throws {
    var values = Values(random: SplitMix64(seed: seed))
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA page_size = \(pageSize)")
      try db.execute(sql: "CREATE TABLE other (x); CREATE TABLE row (id INTEGER PRIMARY KEY, a, b)")
      try db.inTransaction {
        var id = -9 as Int64
        for number in 0..<500 {
          if number == 300 {
            try db.execute(sql: "ALTER TABLE row ADD COLUMN c; ALTER TABLE row ADD COLUMN d")
          }
          let cells = (0..<(number < 300 ? 2 : 4)).map { _ in values.next() }
          try db.execute(sql: "INSERT INTO row VALUES (\(id), \(cells.joined(separator: ", ")))")
          id += Int64(values.random.next() % 3) + 1
        }
        try db.execute(sql: "DELETE FROM row WHERE id % 7 = 3 OR id BETWEEN 200 AND 330")
        return .commit
      }
    }
  }

  private func texts(_ row: ScannedRow) -> [String] {
    (0..<5 as Range<Int32>).map { row.isNull($0) ? "-" : row.text($0) }
  }

  @Test(arguments: [512, 1024, 4096], 1...4 as ClosedRange<UInt64>)
  func `rows of pages are those of a statement`(_ pageSize: Int, _ seed: UInt64) throws {
    let queue = try DatabaseQueue(path: path)
    try make(pageSize: pageSize, seed: seed, queue)
    var random = SplitMix64(seed: seed)
    try queue.read { db in
      for _ in 0..<40 {
        var bounds = (0..<6).map { _ in Int64(random.next() % 1100) - 40 }.sorted()
        if random.next() % 5 == 0 { (bounds[0], bounds[5]) = (.min, .max) }
        let ranges = stride(from: 0, to: 6, by: 2).map { bounds[$0]...bounds[$0 + 1] }
          .reduce(into: [ClosedRange<Int64>]()) { apart, range in
            if apart.last.map({ $0.upperBound < range.lowerBound }) ?? true { apart.append(range) }
          }
        let pages = try #require(try TablePages(db, "d, a, c, b", of: "row"))
        var (read, told): ([[String]], [[String]]) = ([], [])
        for range in ranges { try pages.forEach(range) { read.append(texts($0)) } }
        try scan(
          db, "id, d, a, c, b", "FROM row WHERE id BETWEEN ? AND ?",
          ranges.map { [$0.lowerBound, $0.upperBound] }
        ) { told.append(texts($0)) }
        #expect(read == told)
      }
    }
  }

  @Test func `an empty table has no rows`() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "CREATE TABLE row (id INTEGER PRIMARY KEY, a)") }
    try queue.read { db in
      let pages = try #require(try TablePages(db, "a", of: "row"))
      try pages.forEach(.min ... .max) { _ in Issue.record("a row") }
    }
  }

  @Test func `what a table does not store as it is asked for is left to a statement`() throws {
    let queue = try DatabaseQueue(path: path)
    try make(pageSize: 512, seed: 1, queue)
    try queue.write { db in
      try db.execute(
        sql: """
          ALTER TABLE row ADD COLUMN e INTEGER NOT NULL DEFAULT 7;
          ALTER TABLE row ADD COLUMN f INTEGER GENERATED ALWAYS AS (id + 1) VIRTUAL;
          ALTER TABLE row ADD COLUMN g INTEGER;
          INSERT INTO row (id, a, g) VALUES (5000, 'last', 37);
          """)
    }
    try queue.read { db in
      for columns in ["a || b", "coalesce(a, b)", "none", "a, a", "e", "f", "id"] {
        #expect(try TablePages(db, columns, of: "row") == nil)
      }
      let pages = try #require(try TablePages(db, "a, g", of: "row"))
      try pages.forEach(5000...5000) { #expect(($0.text(1), $0.int64(2)) == ("last", 37)) }
      #expect(try TablePages(db, "a", of: "missing") == nil)
    }
    try queue.write { db in
      try db.execute(sql: "DELETE FROM row")
      #expect(try TablePages(db, "a", of: "row") == nil)
    }
  }

  @Test func `a damaged page is an error`() throws {
    let queue = try DatabaseQueue(path: path)
    try make(pageSize: 512, seed: 2, queue)
    let sound = try Data(contentsOf: URL(fileURLWithPath: path))
    var random = SplitMix64(seed: 3)
    var refused = 0
    for page in 1..<(sound.count / 512) {
      var damaged = sound
      for _ in 0..<40 {
        damaged[page * 512 + Int(random.next() % 512)] = UInt8(random.next() % 256)
      }
      try damaged.write(to: URL(fileURLWithPath: path))
      // Whatever stands there: it ends, with rows or with an error.
      do {
        try DatabaseQueue(path: path).read { db in
          try #require(try TablePages(db, "d, a, c, b", of: "row"))
            .forEach(.min ... .max) { _ = texts($0) }
        }
      } catch is DatabaseError { refused += 1 }
    }
    #expect(refused > 20)
    try sound.dropLast(512 * 8).write(to: URL(fileURLWithPath: path))
    #expect(throws: DatabaseError.self) {
      try DatabaseQueue(path: path).read { db in
        try TablePages(db, "d, a, c, b", of: "row")?.forEach(.min ... .max) { _ in }
      }
    }
  }
}
