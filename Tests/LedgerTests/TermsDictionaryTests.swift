import Billing
import GRDB
import Support
import Testing

@testable import Ledger

/// Terms are stored once, by whatever file and process they come, and found by all that they say.
struct TermsDictionaryTests {
  private let scratch: TemporaryFolder
  private let ledger: Ledger

  init() throws {
    scratch = try TemporaryFolder()
    ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
  }

  /// Each differs from the first in one column; texts and numbers change places.
  private var alike: [OrderTerms] {
    let first = OrderTerms(sku: "a", status: .paid, quantity: 1, unitPrice: 6, bundleID: "b")
    func changed(_ change: (inout OrderTerms) -> Void) -> OrderTerms {
      var terms = first
      change(&terms)
      return terms
    }
    return [
      first, changed { $0.sku = "" }, changed { ($0.sku, $0.bundleID) = ("ab", "") },
      changed { $0.status = .fulfilled }, changed { $0.saidQuantity = 0 },
      changed { $0.unitPrice = nil }, changed { $0.unitPrice = 0 }, changed { $0.unitPrice = 1536 },
      changed { $0.currency = Currency("CNY") }, changed { $0.currency = Currency("CNH") },
      changed { $0.storefront = Storefront("CN") },
      changed { ($0.channel, $0.bundleID) = ("b", "") },
      changed { $0.coins = 6 }, changed { $0.appVersion = "1" }, changed { $0.device = "1" },
      changed { $0.sku = "e\u{301}" }, changed { $0.sku = "\u{e9}" },
      changed { $0.sku = String(repeating: "long ", count: 20_000) },
    ]
  }

  @Test func termsOfDifferentContentHaveDifferentIDs() throws {
    try ledger.write { db in
      var dictionary = TermsDictionary<OrderTerms>()
      let ids = try dictionary.ids(of: alike, in: db)
      #expect(ids == (1...alike.count).map(Int32.init))
      let again = try dictionary.ids(of: alike.reversed() + alike, in: db)
      #expect(again == ids.reversed() + ids)
      var other = TermsDictionary<OrderTerms>()
      let others = try other.ids(of: alike, in: db)
      #expect(others == ids, "as another process finds them")
      let all = try TermsDictionary<OrderTerms>.all(db)
      #expect(all == alike)
      let new = OrderTerms(sku: "new", status: .paid)
      let twice = try other.ids(of: [new, alike[0], new], in: db)
      #expect(twice == [Int32(alike.count + 1), 1, Int32(alike.count + 1)])
      return .rollback
    }
  }

  /// Two take turns, so that each has to learn what the other added.
  @Test func manyTermsByTurns() throws {
    try ledger.write { db in
      var dictionaries = [TermsDictionary<OrderTerms>(), TermsDictionary<OrderTerms>()]
      var expected: [Int: Int32] = [:]
      for round in 0..<40 {
        let numbers = (0..<500).map { ($0 * 7 + round * 311) % 9000 }
        let terms = numbers.map { OrderTerms(sku: "sku \($0)", status: .paid) }
        let ids = try dictionaries[round % 2].ids(of: terms, in: db)
        for (number, id) in zip(numbers, ids) {
          let next = Int32(expected.count + 1)
          let known = expected[number, default: next]
          expected[number] = known
          guard id == known else {
            Issue.record("\(number) has \(id), not \(known)")
            return .rollback
          }
        }
      }
      let stored = try Int.fetchOne(db, sql: "SELECT count(*) FROM order_terms")
      #expect(stored == expected.count && expected.count > 5000)
      return .rollback
    }
  }
}
