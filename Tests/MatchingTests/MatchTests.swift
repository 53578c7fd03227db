import Billing
import Matching
import Support
import Testing

/// Claims of small worlds against a second reading of the rules, written without regard to speed.
struct ClaimTests {
  /// A world of at most three orders and three transactions.
  struct Small {
    struct Order {
      var id: String, sku: String, placed: Int64, transaction = "", token = "", user = ""
    }
    struct Transaction {
      var id: String, sku: String, bought: Int64, order = "", token = "", user = ""
    }
    var orders: [Order] = []
    var transactions: [Transaction] = []

    var world: World {
      World { world in
        for order in orders {
          world.order(
            order.id, sku: order.sku, at: text(base + order.placed), transaction: order.transaction,
            user: order.user, token: order.token)
        }
        for transaction in transactions {
          world.transaction(
            transaction.id, sku: transaction.sku, at: text(base + transaction.bought),
            order: transaction.order, user: transaction.user, token: transaction.token)
        }
      }
    }

    private var base: Int64 { Int64(seconds("2023-06-10T00:00:00")) }
    private func text(_ moment: Int64) -> String {
      String(Instant(seconds: moment).description.dropLast())
    }
  }

  /// The rules of claims, one after the other.
  private func expected(_ small: Small) -> [String] {
    var transactionOf: [String: String] = [:]
    var taken: Set<String> = []
    func claim(_ order: String, _ transaction: String) {
      transactionOf[order] = transaction
      taken.insert(transaction)
    }
    func isBefore(_ left: Small.Order, _ right: Small.Order) -> Bool {
      (left.placed, IDKey(left.id)) < (right.placed, IDKey(right.id))
    }
    // An order claims by transaction_id; the earliest placed keeps it.
    for transaction in small.transactions {
      let claimants = small.orders.filter { $0.transaction == transaction.id }
      if let first = claimants.min(by: isBefore) { claim(first.id, transaction.id) }
    }
    let byPurchase = small.transactions.sorted {
      ($0.bought, IDKey($0.id)) < ($1.bought, IDKey($1.id))
    }
    // A transaction claims the order that it names.
    for transaction in byPurchase where !taken.contains(transaction.id) {
      guard let order = small.orders.first(where: { $0.id == transaction.order }),
        transactionOf[order.id] == nil
      else { continue }
      claim(order.id, transaction.id)
    }
    func isFree(_ order: Small.Order) -> Bool {
      transactionOf[order.id] == nil && order.transaction.isEmpty
    }
    // By token: the SKU's first, then the nearest before the purchase.
    for transaction in byPurchase
    where !taken.contains(transaction.id) && !transaction.token.isEmpty {
      let candidates = small.orders.filter {
        isFree($0) && $0.token == transaction.token && $0.placed <= transaction.bought + 300
      }
      let best = candidates.min { left, right in
        func rank(_ order: Small.Order) -> (Int, Int, Int64, IDKey) {
          (
            order.sku == transaction.sku ? 0 : 1, order.placed <= transaction.bought ? 0 : 1,
            -order.placed, IDKey(order.id)
          )
        }
        return rank(left) < rank(right)
      }
      if let best { claim(best.id, transaction.id) }
    }
    // Back-tracing: in time first, then by clocks that are ahead; known users first.
    for (ahead, isKnown) in ([0] + Rules.clockLeads).flatMap({ [($0, true), ($0, false)] }) {
      for transaction in byPurchase
      where !taken.contains(transaction.id) && transaction.order.isEmpty
        && transaction.user.isEmpty != isKnown
      {
        let candidates = small.orders.filter {
          isFree($0) && $0.sku == transaction.sku && $0.placed <= transaction.bought + ahead
            && transaction.bought - $0.placed <= 86_400
            && (!isKnown || $0.user.isEmpty || $0.user == transaction.user)
        }
        let best = candidates.min {
          (-$0.placed, IDKey($0.id)) < (-$1.placed, IDKey($1.id))
        }
        if let best { claim(best.id, transaction.id) }
      }
    }
    return transactionOf.map { "\($0.key)=\($0.value)" }.sorted()
  }

  private func check(_ small: Small) -> Bool {
    let world = small.world
    let book = world.claims().book
    let found = world.claimed(book)
    if found != expected(small) {
      Issue.record("\(small): \(found), expected \(expected(small))")
      return false
    }
    for case (let order, let transaction?) in book.transactionOf.map(\.position).enumerated() {
      if book.orderOf[transaction].position != order {
        Issue.record("matched twice: \(small)")
        return false
      }
    }
    return agreesWithRefusals(world, book, small)
  }

  /// What explain says against a pair is what the search goes by: nothing speaks against a pair
  /// that was traced back, and something against each pair that was left open.
  private func agreesWithRefusals(_ world: World, _ table: MatchTable, _ small: Small) -> Bool {
    let details = world.allDetails
    for transaction in table.transactions.indices {
      func isRefused(_ order: Int) -> Bool {
        table.refusalToTraceBack(transaction, to: order, details) != nil
      }
      let isRight: Bool =
        if let owner = table.owner(of: transaction) {
          owner.rule != .backTracing || !isRefused(owner.order)
        } else if table.transactions[transaction].order.isNone {
          table.orders.indices.allSatisfy { order in
            !table.isOpen(order: order) || !table.orders[order].transaction.isNone
              || isRefused(order)
          }
        } else {
          true
        }
      if !isRight {
        Issue.record("the refusals tell something else: \(small)")
        return false
      }
    }
    return true
  }

  /// A clock that is ahead tells orders after their purchases: within its tolerance they are
  /// found, the nearest first, and not before one that was placed in time.
  @Test(arguments: [
    ([30], "O0=T"), ([300], "O0=T"), ([301], ""), ([200, 30], "O1=T"), ([30, -80_000], "O1=T"),
  ])
  func clocksThatAreAhead(_ placed: [Int64], _ expected: String) {
    let small = Small(
      orders: placed.enumerated().map { .init(id: "O\($0)", sku: "gems", placed: $1 + 90_000) },
      transactions: [.init(id: "T", sku: "gems", bought: 90_000)])
    let world = small.world
    #expect(world.claimed(world.claims().book).joined() == expected)
  }

  /// All ways in which two orders and two transactions may name each other and share tokens.
  @Test func allOfTwoByTwo() {
    let named = ["", "T1", "T2", "T9"]
    let orders = ["", "O1", "O2", "O9"]
    let tokens = ["", "A", "B"]
    for first in named {
      for second in named {
        for third in orders {
          for fourth in orders {
            for pattern in 0..<81 {
              let token = (0..<4).map { place in
                tokens[(0..<place).reduce(pattern) { value, _ in value / 3 } % 3]
              }
              let small = Small(
                orders: [
                  .init(id: "O1", sku: "gems", placed: 0, transaction: first, token: token[0]),
                  .init(id: "O2", sku: "gems", placed: 60, transaction: second, token: token[1]),
                ],
                transactions: [
                  .init(id: "T1", sku: "gems", bought: 30, order: third, token: token[2]),
                  .init(id: "T2", sku: "gems", bought: 90, order: fourth, token: token[3]),
                ])
              if pattern % 7 == 0 || first.isEmpty && third.isEmpty, !check(small) { return }
            }
          }
        }
      }
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func threeByThree(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func pick(_ words: String...) -> String { words.randomElement(using: &random)! }
    for _ in 0..<2500 {
      var small = Small()
      for number in 1...Int.random(in: 1...3, using: &random) {
        small.orders.append(
          .init(
            id: "O\(number)", sku: pick("gems", "gems", "chest"),
            placed: [0, 1, 200, 86_400].randomElement(using: &random)!,
            transaction: pick("", "", "T1", "T2", "T9"), token: pick("", "A", "B"),
            user: pick("", "anna", "ben")))
      }
      for number in 1...Int.random(in: 1...3, using: &random) {
        small.transactions.append(
          .init(
            id: "T\(number)", sku: pick("gems", "gems", "chest"),
            bought: [0, 1, 100, 86_400, 86_401].randomElement(using: &random)!,
            order: pick("", "", "O1", "O2", "O9"), token: pick("", "A", "B"),
            user: pick("", "anna", "ben")))
      }
      if !check(small) { return }
    }
  }

  @Test func contradictingPlacesAreNotTraced() {
    let world = World {
      $0.order("O1", at: "2023-06-10T11:00:00", storefront: nil)
      $0.order("O2", at: "2023-06-10T11:30:00", storefront: "JP")
      $0.order("O3", at: "2023-06-10T11:40:00", currency: "USD", storefront: "CN")
      $0.transaction("T1")
    }
    #expect(world.claimed(world.claims().book) == ["O1=T1"])
  }

  @Test func onlyBillableOriginalsAreTraced() {
    let world = World {
      $0.order("O1", sku: "monthly", at: "2023-06-10T11:00:00")
      $0.transaction("T1", sku: "monthly", sandbox: true)
      $0.transaction("T2", sku: "monthly", original: "T0")
      $0.transaction("T3", sku: "monthly", family: true)
    }
    #expect(world.claimed(world.claims().book).isEmpty)
  }

  @Test func originalsElsewhereAreAskedFor() {
    let world = World {
      $0.transaction("T2", sku: "monthly", original: "T1")
      $0.transaction(
        "T5", sku: "monthly", at: "2023-05-10T12:00:00", original: "T4",
        revoked: "2023-06-10T12:00:00")
    }
    let stray = world.claims().book.keysOutsidePeriod(world.context)
    #expect(stray.transactionsNamed == [IDKey("T4")] && stray.transactions == [IDKey("T4")])
  }

  @Test func rowsOfTwoFilesAreOneThing() {
    let world = World {
      $0.order("O1", .created, price: nil, fulfilledAfter: nil)
      $0.order("O1", user: "anna", token: "A")
      $0.transaction("T1", price: nil, currency: nil)
      $0.transaction("T1", user: "anna", token: "A")
    }
    #expect(world.claimed(world.claims().book) == ["O1=T1"])
    #expect(world.tieOut().lines.filter { !$0.hasPrefix("report-missing") }.isEmpty)
  }

  @Test func whatOneRowOfAnOrderLeavesOutAnotherTells() throws {
    let world = World {
      $0.order("O1", .fulfilled, price: nil, currency: nil, storefront: nil, quantity: 0)
      $0.order(
        "O1", .paid, bundle: "ours", channel: "apple", coins: 60, version: "2.3.1",
        device: "iPhone14,5")
      $0.facts.orderTerms[1].coin = "gold"
    }
    let book = world.claims().book
    let kept = try #require(book.transactionOf.firstIndex { $0 != .merged })
    var whole = try #require(world.facts.orderTerms.last)
    whole.status = .fulfilled
    #expect(book.terms(ofOrder: kept) == whole)
  }

  /// A table without any ids, all of one SKU and half of them in the wrong storefront.
  @Test func withoutIdsClaimsStayNearlyLinear() {
    var facts = MonthFacts()
    facts.products = Shelf.products
    facts.orderTerms = ["CN", "JP"].map {
      OrderTerms(sku: "gems", status: .fulfilled, storefront: Storefront($0)!)
    }
    facts.transactionTerms = [TransactionTerms(sku: "gems", storefront: Storefront("CN")!)]
    let base = seconds("2023-06-10T00:00:00")
    for number in 0..<20_000 {
      facts.orders.append(
        OrderEntry(
          row: RowID(number + 1), terms: Int32(number % 2), key: IDKey("O\(number)"),
          transaction: .none, placedAt: base + UInt32(number), fulfilledAt: 0))
      facts.transactions.append(
        TransactionEntry(
          row: RowID(number + 1), terms: 0, key: IDKey(number: Int64(number) + 1), order: .none,
          purchasedAt: base + UInt32(number) + 20_000, revokedAt: 0))
    }
    let context = World().context
    var book = MatchTable(facts, catalogue: context.catalogue)
    book.matchWithoutIDs(MatchDetails(orders: [], transactions: []), context: context)
    #expect(book.orderOf.filter(\.isMatched).count == 10_000)
  }
}
