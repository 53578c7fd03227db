import Billing
import Support
import Testing

@testable import Matching

/// Rows of one transaction are merged in place, and can be had as they were read; units are counted
/// by what each row says itself.
///
/// Broken here: that a transaction has one row, that a row tells its storefront and what it was
/// sold in, that apps have order ids of their own, and that a row is changed once at most.
struct TransactionChangesTests {
  private func world(_ random: inout SplitMix64) -> World {
    let count = Int.random(in: 1...20, using: &random)
    func time(_ minute: Int) -> String { "2023-06-10T12:\(minute < 10 ? "0" : "")\(minute):00" }
    func told(_ minute: Int) -> String { "2023-06-12T00:\(minute < 10 ? "0" : "")\(minute):00" }
    return World { world in
      world.reports("2023-06-01", "2023-06-30")
      world.sale(units: 3)
      world.sale(on: "2023-06-11", units: 2, price: "0.99", storefront: "US", currency: "USD")
      for number in 0..<count {
        let (order, id) = ("O\(number % 7)", "\(900 + number)")
        let bundle = ["", "com.one", "com.two"].randomElement(using: &random)!
        world.order(
          order, at: time(number), transaction: number % 3 == 0 ? id : "",
          storefront: ["CN", "US", nil].randomElement(using: &random)!, bundle: bundle)
        for source in 0..<4 where Bool.random(using: &random) {
          let revoked = Int.random(in: 0..<4, using: &random) == 0 ? "2023-06-15T00:00:00" : nil
          let named = Bool.random(using: &random) ? order : ""
          switch source {
          case 0:
            world.transaction(
              id, at: time(number + 1),
              storefront: ["CN", "US", nil].randomElement(using: &random)!, order: named,
              revoked: revoked, bundle: bundle)
          case 1:
            world.receipt(id, at: time(number + 1), order: named, told: told(number))
          case 2:
            world.signed(id, at: time(number + 1), revoked: revoked, told: told(number))
          default:
            world.transaction(
              id, sku: "lamp", at: time(number + 2), price: nil, storefront: nil,
              kind: .nonConsumable, original: "900", revoked: revoked,
              sandbox: Bool.random(using: &random), told: told(number + 1))
          }
        }
      }
    }
  }

  @Test func `rows can be had as they were read`() {
    var random = SplitMix64(seed: 11)
    var (changed, counted, reordered) = (0, 0, 0)
    for round in 0..<500 {
      let world = world(&random)
      let (facts, context) = (world.facts, world.context)
      var table = MatchTable(facts, catalogue: context.catalogue)
      let clock = ReportClock(facts, table, context)
      let counts = clock.counts()
      #expect(counts == clock.counts(of: facts.transactions), "round \(round)")
      let read = facts.transactions.map { "\($0)" }
      changed += zip(read, table.transactions).count { $0 != "\($1)" }
      counted += counts.count { $0.last != 0 }
      #expect(table.transactionsAsRead().map { "\($0)" } == read, "round \(round)")
      let placed = facts.orders.map { "\($0)" }
      reordered += zip(placed, table.orders).count { $0 != "\($1)" }
      #expect(table.ordersAsRead().map { "\($0)" } == placed, "round \(round)")
      var back = MonthFacts()
      table.giveBack(to: &back)
      #expect(back.orders.map { "\($0)" } == placed, "round \(round)")
      #expect(back.transactions.map { "\($0)" } == read, "round \(round)")
    }
    #expect(changed > 1000 && counted > 300 && reordered > 1000)
  }
}
