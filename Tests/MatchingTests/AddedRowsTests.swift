import Billing
import Support
import Testing

@testable import Matching

/// A table made with the order of some of its facts, to which the others were added, is the table
/// of all of them.
///
/// Broken here: that orders stand in the order of transactions, that a row names its transaction
/// itself (another row of the order may), that each is named once, and that all orders are Apple's.
struct AddedRowsTests {
  private static let statuses: [OrderStatus] = [.created, .paid, .fulfilled]

  private func world(_ random: inout SplitMix64, isShuffled: Bool) -> World {
    let count = Int.random(in: 1...24, using: &random)
    func time(_ minute: Int) -> String { "2023-06-10T12:\(minute < 10 ? "0" : "")\(minute):00" }
    var orders: [(id: Int, transaction: Int?, status: OrderStatus, channel: String)] = []
    for id in 0..<count {
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let named = Int.random(in: 0..<8, using: &random)
        orders.append(
          (
            id,
            named == 0 ? nil : named == 1 ? Int.random(in: 0..<count, using: &random) : id,
            Self.statuses.randomElement(using: &random)!,
            named == 2 && id % 2 == 0 ? "google" : ""
          ))
      }
    }
    var transactions = (0..<count).flatMap { id in
      Array(repeating: id, count: Int.random(in: 0...2, using: &random))
    }
    if isShuffled {
      orders.shuffle(using: &random)
      transactions.shuffle(using: &random)
    }
    return World { world in
      for order in orders {
        world.order(
          "O\(order.id)", at: time(order.id), order.status,
          transaction: order.transaction.map { "\(900 + $0)" } ?? "", channel: order.channel)
      }
      for id in transactions {
        world.transaction(
          "\(900 + id)", at: time(id + 1), order: id % 3 == 0 ? "O\(id)" : "",
          upgraded: id % 5 == 0, reason: id % 7 == 0 ? "issue" : "")
      }
    }
  }

  /// What a table says of each row.
  private func text(_ table: MatchTable) -> [String] {
    table.orders.indices.map { index in
      let of = table.transactionOf[index]
      let row = of.position.map { "\(table.transactions[$0].row)" } ?? "\(of)"
      return "\(table.orders[index]) \(table.terms(ofOrder: index)) \(row)"
    }
      + table.transactions.indices.map { index in
        let entry = table.transactions[index]
        return "\(entry.row) \(entry.order) \(entry.revokedAt) \(table.orderOf[index]) "
          + "\(table.terms(ofTransaction: index)) \(table.rows(ofTransaction: index))"
      }
      + table.reuses.map { "\($0)" }.sorted() + table.contradictions.map { "\($0)" }.sorted()
  }

  @Test(arguments: [false, true]) func `it is the table of all`(_ isShuffled: Bool) throws {
    var random = SplitMix64(seed: isShuffled ? 1 : 2)
    for round in 0..<400 {
      let world = world(&random, isShuffled: isShuffled)
      let context = world.context
      let all = world.facts
      var first = all
      first.orders.removeLast(Int.random(in: 0...all.orders.count, using: &random))
      first.transactions.removeLast(Int.random(in: 0...all.transactions.count, using: &random))
      let known = Set(first.transactions.map(\.row))
      first.chainDetails.removeAll { !known.contains($0.row) }
      var order = KeyOrder(first)
      var earlier = MatchTable(first, catalogue: context.catalogue, order: order)
      // It gives rows back as it got them.
      var back = MonthFacts()
      earlier.giveBack(to: &back)
      #expect(back.orders.map { "\($0)" } == first.orders.map { "\($0)" }, "round \(round)")
      #expect(
        back.transactions.map { "\($0)" } == first.transactions.map { "\($0)" }, "round \(round)")
      order.add(all)
      var (facts, given): (MonthFacts, KeyOrder?) = (all, order)
      let table = MatchTable(
        taking: &facts, catalogue: context.catalogue, order: &given, keepsRows: false)
      #expect(facts.orders.isEmpty && facts.transactions.isEmpty && given?.orders == nil)
      #expect(
        text(table) == text(MatchTable(all, catalogue: context.catalogue)), "round \(round)")
    }
  }
}
