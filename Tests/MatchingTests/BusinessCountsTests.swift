import Billing
import Testing

@testable import Matching

/// Goal: the share that a pattern's findings are held against counts what findings name: each row
/// of an order, a transaction or a refund in the file that it came from.
@Suite struct BusinessCountsTests {
  /// Twelve purchases of two files, the refunds of which notifications tell.
  private static func world(revoked: Int) -> World {
    World { world in
      for number in 1...12 {
        world.pair("\(number)", at: "2023-06-\(padded(number + 5, 2))T12:00:00")
      }
      for number in 1...revoked {
        world.transaction(
          "T\(number)", at: "2023-06-\(padded(number + 5, 2))T12:00:30",
          revoked: "2023-06-20T12:00:00"
        ) { $0.factSource = .notificationV1 }
      }
    }
  }

  private static let files = [
    RowFile<TransactionRow>(firstRow: .init(1), name: "transactions.csv"),
    RowFile<TransactionRow>(firstRow: .init(13), name: "notifications.jsonl"),
  ]

  @Test func aRefundCountsInEachFileThatTellsIt() {
    let world = Self.world(revoked: 8)
    let counts = BusinessCounts(
      refunds: world.claims().book, files: Self.files, leaving: LeftOut(), of: nil,
      world.context)
    #expect(counts.total == 8)
    #expect(counts.byFile == ["transactions.csv": 8, "notifications.jsonl": 8])
  }

  @Test func aTransactionCountsInEachFileThatTellsIt() {
    let world = Self.world(revoked: 3)
    let counts = BusinessCounts(
      transactions: world.claims().book, files: Self.files, countedFile: nil, leaving: LeftOut(),
      of: nil, world.context)
    #expect(counts.total == 12)
    #expect(counts.byFile == ["transactions.csv": 12, "notifications.jsonl": 3])
  }

  @Test func anOrderCountsInEachFileThatTellsIt() {
    var world = Self.world(revoked: 1)
    for number in 1...4 { world.order("O\(number)", at: "2023-06-10T12:00:00") }
    let files = [
      RowFile<OrderRow>(firstRow: .init(1), name: "orders.csv"),
      RowFile<OrderRow>(firstRow: .init(13), name: "again.csv"),
    ]
    let counts = BusinessCounts(
      orders: world.claims().book, files: files, countedFile: nil, leaving: LeftOut(),
      of: nil, world.context)
    #expect(counts.total == 12)
    #expect(counts.byFile == ["orders.csv": 12, "again.csv": 4])
  }

  /// What a cause found before lies in is nobody's business.
  @Test func whatIsLeftOutCountsNowhere() {
    let world = Self.world(revoked: 8)
    let book = world.claims().book
    func total(_ leave: (inout LeftOut, BusinessCounts) -> Void) -> Int {
      func counts(_ leftOut: LeftOut, of whole: BusinessCounts?) -> BusinessCounts {
        BusinessCounts(
          transactions: book, files: Self.files, countedFile: nil, leaving: leftOut, of: whole,
          world.context)
      }
      var leftOut = LeftOut()
      let whole = counts(leftOut, of: nil)
      leave(&leftOut, whole)
      return counts(leftOut, of: whole).total
    }
    #expect(total { leftOut, _ in leftOut.add(file: "notifications.jsonl") } == 4)
    #expect(
      total { leftOut, _ in leftOut.add("gems", among: book.transactionTerms.map(\.sku)) } == 0)
    // All at noon of twelve days; the tenth's alone, and all.
    let noon = Int64(seconds("2023-06-10T12:00:30"))
    #expect(
      total { leftOut, counts in
        let minute = counts.minute(of: noon)
        leftOut.add(minutes: minute...minute, of: counts.minutes)
      } == 11)
    let start = world.settings.businessZone.start(of: Day("2023-06-10")!).seconds
    #expect(
      total { leftOut, counts in
        for span in counts.minutes(of: [Int(noon - start) / 900], world.context) {
          leftOut.add(minutes: span, of: counts.minutes)
        }
      } == 0)
  }
}
