import Billing
import GRDB
import Support
import Testing

@testable import Ledger

/// Goal: rows come out of a block as they went in, whatever they are made of, by a scan and by a
/// statement. Method: columns of every mixture of numbers, texts and nothing, with the greatest and
/// the least numbers, texts that look alike, and such as nearly do, in blocks of one row to many.
struct BlockTests {
  private let table = BlockTable(
    "some_row", ["a", "b", "c", "d", "e", "f", "g", "h"], spans: ["a"])

  private enum Value: Equatable {
    case nothing
    case number(Int64)
    case text(String)

    init(_ cell: ScannedCell) {
      if cell.isNull {
        self = .nothing
      } else if cell.isText {
        self = .text(String(decoding: cell.bytes, as: UTF8.self))
      } else {
        self = .number(cell.number)
      }
    }
  }

  /// Of each column other values: all kinds, one kind, none.
  private func value(_ column: Int, using random: inout SplitMix64) -> Value {
    let kinds = [[0], [1], [0, 1], [2], [0, 2], [0, 1, 2], [3], [0, 3, 3, 4]][column]
    switch kinds.randomElement(using: &random)! {
    case 0: return .nothing
    case 1:
      let numbers: [Int64] = [
        .min, .max, 0, -1, 1, 255, 256, 1 << 40, .random(in: -9...9, using: &random),
      ]
      return .number(numbers.randomElement(using: &random)!)
    case 2:
      let texts = ["", "a", "é", "12", String(repeating: "x", count: 300)]
      return .text(texts.randomElement(using: &random)!)
    case 3:
      let digits = String(UInt64.random(in: 0...9_999_999, using: &random))
      return .text("O" + String(repeating: "0", count: 10 - digits.count) + digits)
    default:
      let uuid = "bbfba178-74b8-c8ae-00b3-1d6b57199349"
      let texts = [
        uuid, "00000000-0000-0000-0000-000000000000", uuid.uppercased(), uuid + "0", "O000000001x",
        "O1", "P0000000001", "", "O99999999999", String(repeating: "9", count: 40),
        "bbfba178-74b8-c8ae-00b3-1d6b5719934g", "bbfba178074b8-c8ae-00b3-1d6b57199349",
      ]
      return .text(texts.randomElement(using: &random)!)
    }
  }

  @Test(arguments: [1, 2, 3, 17, 300]) func rowsComeBackAsTheyWere(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    let writer = BlockWriter()
    for round in 0..<5 {
      let rows = (0..<count).map { _ in (0..<8).map { value($0, using: &random) } }
      let texts = rows.map { $0.map { Array(Self.text($0).utf8) } }
      var content = writer.content(columns: 8, rows: count) { row, column in
        switch rows[row][column] {
        case .nothing: .null
        case .number(let number): .integer(number)
        case .text:
          texts[row][column].withUnsafeBytes { bytes in
            bytes.baseAddress.map { .text($0, count: bytes.count) } ?? .emptyText
          }
        }
      }
      let place = BlockContent.place(table, [1, Int64(count), 7, Int64(count), 0, 0], in: 1)
      content.withUnsafeMutableBytes { bytes in
        let sum = BlockContent.checksum(of: UnsafeRawBufferPointer(bytes), at: place)
        bytes.storeBytes(of: sum.littleEndian, as: UInt64.self)
      }
      try content.withUnsafeBytes { bytes in
        let read = try BlockContent(bytes, at: place, of: table)
        #expect(read.rows == count && read.columns.count == 8)
        let starts = ColumnRoom()
        for column in 0..<8 {
          var cells = read.columns[column]
          try cells.prepare(rows: count, in: starts)
          for row in 0..<count {
            #expect(Value(cells.cell(row)) == rows[row][column], "round \(round), row \(row)")
          }
        }
        #expect(throws: DatabaseError.self) {
          _ = try BlockContent(bytes, at: place &+ 1, of: table)
        }
      }
      let changed = Int.random(in: 0..<content.count, using: &random)
      content[changed] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      _ = content.withUnsafeBytes { bytes in
        #expect(throws: DatabaseError.self, "byte \(changed)") {
          _ = try BlockContent(bytes, at: place, of: table)
        }
      }
    }
  }

  private static func text(_ value: Value) -> String {
    if case .text(let text) = value { return text }
    return ""
  }

  /// Goal: a statement sees the rows that a scan sees, however it asks for them.
  @Test func statementsSeeTheRowsOfBlocks() throws {
    let scratch = try TemporaryFolder()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    for file in 0..<4 {
      try ledger.load(
        "orders \(file)",
        (0..<50).map { index in
          OrderFact(
            id: index % 3 == 0 ? "\(file * 100 + index)" : "O\(file).\(index)",
            user: index % 4 == 0 ? "" : "u\(index)", placed: Int64(file * 1000 + index))
        })
    }
    try ledger.read { db in
      var scanned: [String] = []
      let names = ["order_id", "user_id", "placed_at", "source_id"]
      try BlockScan(db, names, of: .orders).forEach(1...Int64(Int32.max)) { row in
        scanned.append((0...4).map { row.text($0) }.joined(separator: "|"))
      }
      #expect(scanned.count == 200)
      func rows(_ condition: String) throws -> [String] {
        try Row.fetchAll(
          db,
          sql: "SELECT id, order_id, user_id, placed_at, source_id FROM order_row \(condition)"
        ).map { row in
          (0..<5).map { index in
            let value: DatabaseValue = row[index]
            return Int64.fromDatabaseValue(value).map { String($0) }
              ?? String.fromDatabaseValue(value) ?? ""
          }.joined(separator: "|")
        }
      }
      #expect(try rows("") == scanned && rows("ORDER BY id") == scanned)
      #expect(try rows("ORDER BY id DESC") == scanned.reversed())
      #expect(try rows("WHERE id = 77") == [scanned[76]])
      #expect(
        try rows("WHERE id IN (3, 1, 190, 999, -4)") == [scanned[0], scanned[2], scanned[189]])
      #expect(try rows("WHERE id BETWEEN 40 AND 60") == Array(scanned[39...59]))
      #expect(try rows("WHERE id > 40 AND id < 42") == [scanned[40]])
      #expect(try rows("WHERE source_id = 3") == Array(scanned[100..<150]))
      #expect(try rows("WHERE placed_at >= 1000 AND placed_at < 2000").count == 50)
      #expect(try rows("WHERE placed_at > 3048") == [scanned[199]])
      #expect(try rows("WHERE id = NULL").isEmpty && rows("WHERE id > NULL").isEmpty)
      #expect(try rows("WHERE id = '12'").count == 1 || rows("WHERE id = '12'").isEmpty)
      #expect(try rows("WHERE id = 12.5").isEmpty && rows("WHERE id < 2.5").count == 2)
      #expect(try rows("WHERE order_text = '103'") == rows("WHERE order_id = 103"))
    }
  }
}
