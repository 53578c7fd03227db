import Billing
import Support
import Testing

@testable import Matching

/// Exports whose rows stand in each other's order are matched by another way than those whose rows
/// do not: what is found is the same.
///
/// Broken here: that one row tells all of an order (another may name its transaction, or another
/// channel), that each transaction is told once, and named once by its own id (a restore may be
/// named), that all orders are Apple's, and that all are of one app.
struct RowOrderTests {
  private struct Rows {
    var orders: [(id: Int, transaction: Int?, channel: String, status: OrderStatus)] = []
    /// A restore names the transaction that it restores.
    var transactions: [(id: Int, restores: Int?)] = []
    /// Whether each other order is of a second app, and a third has further ones of the same ids.
    var areOfTwoApps = false

    init(_ random: inout SplitMix64, ordersHaveFurtherRows: Bool) {
      let count = 120
      for id in 0..<count {
        let kind = Int.random(in: 0..<12, using: &random)
        transactions.append((id, nil))
        if kind == 0 { transactions.append((id + 200, id)) }
        // A further row tells of it.
        if kind == 5 { transactions.append((id, nil)) }
        switch kind {
        case 0: orders.append((id, id + 200, "", .fulfilled))
        case 1: orders.append((id, id, "google", .fulfilled))
        case 2: orders.append((id, max(id - 1, 0), "", .paid))
        case 3 where ordersHaveFurtherRows:
          orders.append((id, id, "", .paid))
          orders.append((id, nil, "google", .fulfilled))
        case 4 where ordersHaveFurtherRows:
          orders.append((id, nil, "", .fulfilled))
          orders.append((id, id, "", .paid))
        default: orders.append((id, id, "", .fulfilled))
        }
      }
    }

    var world: World {
      World { world in
        for order in orders {
          world.order(
            "O\(order.id)", at: time(order.id), order.status,
            transaction: order.transaction.map { "\(9000 + $0)" } ?? "",
            bundle: areOfTwoApps ? (order.id % 2 == 0 ? "app.a" : "app.b") : "",
            channel: order.channel)
          if areOfTwoApps, order.id % 5 == 0 {
            world.order("O\(order.id + 1)", at: time(order.id), bundle: "app.c")
          }
        }
        for row in transactions {
          world.transaction(
            "\(9000 + row.id)", at: time(row.id),
            kind: .nonConsumable, original: row.restores.map { "\(9000 + $0)" } ?? "")
        }
      }
    }

    private func time(_ minute: Int) -> String {
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return "2023-06-10T\(two(8 + minute / 60)):\(two(minute % 60)):00"
    }
  }

  /// What a table says, whatever the positions of its rows.
  private func text(_ table: MatchTable) -> [String] {
    let orders = table.orders.indices.filter { table.transactionOf[$0] != .merged }.map { index in
      let of = table.transactionOf[index]
      let found = of.position.map { "\(table.transactions[$0].key)" } ?? "\(of)"
      return "\(table.orders[index].key) \(table.terms(ofOrder: index)) \(found)"
    }
    let reuses = table.reuses.map { reuse in
      let others = reuse.others.map { table.orders[Int($0)].key.raw }.sorted()
      return "\(table.transactions[Int(reuse.transaction)].key) \(others)"
    }
    return orders.sorted() + reuses.sorted()
  }

  @Test func `rows in any order give the same matches`() {
    var random = SplitMix64(seed: 5)
    for round in 0..<100 {
      var rows = Rows(&random, ordersHaveFurtherRows: round % 2 == 0)
      rows.areOfTwoApps = round % 3 == 0
      let world = rows.world
      rows.orders.shuffle(using: &random)
      rows.transactions.shuffle(using: &random)
      let shuffled = rows.world
      let catalogue = world.context.catalogue
      let tables = [world, shuffled].map { text(MatchTable($0.facts, catalogue: catalogue)) }
      #expect(tables[0] == tables[1], "round \(round)")
      for (world, isSortedByTransaction) in [(world, true), (shuffled, false)] {
        var facts = world.facts
        var order = KeyOrder(facts, findsNamed: true)
        // A table puts what waits in step itself.
        let waiting = MatchTable(facts, catalogue: catalogue, order: order)
        #expect(text(waiting) == tables[0], "round \(round)")
        order.sortByTransaction(&facts.orders)
        let rows = facts.orders.map(\.row)
        #expect((rows == world.facts.orders.map(\.row)) == isSortedByTransaction, "round \(round)")
        #expect(Set(rows) == Set(world.facts.orders.map(\.row)), "round \(round)")
        let table = MatchTable(facts, catalogue: catalogue, order: order)
        #expect(text(table) == tables[0], "round \(round)")
      }
    }
  }

  @Test func `orders stand as their transactions do, and others as they stood`() {
    var random = SplitMix64(seed: 6)
    for round in 0..<100 {
      var rows = Rows(&random, ordersHaveFurtherRows: round % 2 == 0)
      rows.orders.shuffle(using: &random)
      rows.transactions.shuffle(using: &random)
      let before = rows.world.facts
      var facts = before
      var order = KeyOrder(facts, findsNamed: true)
      order.sortByTransaction(&facts.orders)
      let places = Dictionary(
        facts.transactions.enumerated().map { ($1.key, $0) },
        uniquingKeysWith: { first, _ in first })
      func place(_ entry: OrderEntry) -> Int? {
        facts.orderTerms[Int(entry.terms)].isApple ? places[entry.transaction] : nil
      }
      // A stable sort, and each key still leads to its order.
      let sorted = before.orders.enumerated().sorted {
        (place($0.element) ?? .max, $0.offset) < (place($1.element) ?? .max, $1.offset)
      }
      #expect(facts.orders.map(\.row) == sorted.map(\.element.row), "round \(round)")
      for item in order.orders {
        #expect(facts.orders[Int(item.index)].key.raw == item.key, "round \(round)")
      }
      #expect(Set(order.orders.map(\.index)).count == facts.orders.count, "round \(round)")
    }
  }

  /// So many that two threads share them: several orders name one transaction, of which a receipt
  /// may tell, too, and some name none or one that is not there.
  @Test func `very many orders find what they name`() {
    var random = SplitMix64(seed: 9)
    var facts = World { world in
      world.order("O")
      world.transaction("T")
      world.transaction("T") { $0.factSource = .receipt }
    }.facts
    let (order, told) = (facts.orders[0], facts.transactions)
    let count = 1 << 20 + 11
    facts.orders = []
    facts.transactions = []
    // By key the row that is kept of it: the receipt's.
    var kept = [Int32](repeating: -1, count: count / 2)
    for key in 1..<count / 2 {
      for (source, entry) in told.enumerated() where source == 0 || key % 3 == 0 {
        var row = entry
        row.key = IDKey(raw: UInt64(key))
        kept[key] = Int32(facts.transactions.count)
        facts.transactions.append(row)
      }
    }
    for place in 0..<count {
      var entry = order
      entry.key = IDKey(raw: UInt64(place + 1))
      entry.transaction = IDKey(raw: UInt64.random(in: 0..<UInt64(count / 2 + 9), using: &random))
      facts.orders.append(entry)
    }
    func named(_ entry: OrderEntry) -> Int32 {
      entry.transaction.raw < kept.count ? kept[Int(entry.transaction.raw)] : -1
    }
    let last = Int32(facts.transactions.count)
    let expected = facts.orders.enumerated().map { place, entry in
      (named: named(entry) < 0 ? last : named(entry), place: place)
    }.sorted { ($0.named, $0.place) < ($1.named, $1.place) }
    let before = facts.orders
    var orders = KeyOrder(facts, findsNamed: true)
    orders.sortByTransaction(&facts.orders)
    #expect(facts.orders.map(\.key) == expected.map { before[$0.place].key })
    #expect(orders.named == expected.map { $0.named == last ? -1 : $0.named })
    #expect(orders.orders.allSatisfy { facts.orders[Int($0.index)].key.raw == $0.key })
  }
}
