import Billing
import Ledger
import Support
import Testing

/// Ids are found anywhere in the ledger, by the same rule as a scan over all rows would.
struct LookUpTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func agreesWithAScan(seed: UInt64) throws {
    var dice = SplitMix64(seed: seed)
    let scratch = try TemporaryFolder()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    // Few ids for many rows: duplicates cross pages and files.
    func id() -> String {
      let number = Int.random(in: 1...900, using: &dice)
      switch Int.random(in: 0..<10, using: &dice) {
      case 0: return ""
      case 1...4: return "\(number)"
      case 5: return "77"
      default: return "O-\(number)"
      }
    }
    var orders: [OrderFact] = []
    var transactions: [TransactionFact] = []
    for file in 0..<4 as Range<Int64> {
      let some = (0..<1500).map { _ in
        OrderFact(
          id: id(), transaction: id(),
          placed: file * 100 + .random(in: 1...150, using: &dice))
      }
      try ledger.load("o\(file)", some)
      orders += some
      let others = (0..<1500).map { _ in
        TransactionFact(
          id: id(), order: id(), purchased: file * 100 + .random(in: 1...150, using: &dice))
      }
      try ledger.load("t\(file)", others)
      transactions += others
    }
    for count in [0, 1, 5, 60, 1000] {
      let keys = (0..<count).map { _ in id() }
      let claims = (0..<count).map { _ in id() }
      let outside = Instant(seconds: .random(in: 1...250, using: &dice))...Instant(seconds: 300)
      let hits = { (id: String, other: String, at: Int64) in
        (!id.isEmpty && keys.contains(id) || !other.isEmpty && claims.contains(other))
          && !outside.contains(Instant(seconds: at))
      }
      let foundOrders = try ledger.orders(
        keys: keys.map { IDKey($0) }, claiming: claims.map { IDKey($0) }, outside: outside)
      #expect(
        foundOrders.map { Int($0.row.number) }
          == orders.indices.filter {
            hits(orders[$0].id, orders[$0].transaction, orders[$0].placed)
          }.map { $0 + 1 })
      let foundTransactions = try ledger.transactions(
        keys: keys.map { IDKey($0) }, claiming: claims.map { IDKey($0) }, outside: outside)
      #expect(
        foundTransactions.map { Int($0.row.number) }
          == transactions.indices.filter {
            hits(transactions[$0].id, transactions[$0].order, transactions[$0].purchased)
          }.map { $0 + 1 })
      #expect(
        foundTransactions.map(\.key)
          == foundTransactions.map { IDKey(transactions[Int($0.row.number) - 1].id) })
    }
  }
}
