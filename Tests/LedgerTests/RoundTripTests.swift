import Billing
import Support
import Testing

@testable import Ledger

/// What goes in as blocks comes out as facts.
struct RoundTripTests {
  private func orders(_ count: Int, _ dice: inout SplitMix64) -> [OrderFact] {
    (0..<count).map { index in
      OrderFact(
        id: ["O\(index)", "\(index + 1)", "00\(index)", "订单\(index)"].randomElement(using: &dice)!,
        transaction: ["", "37000000\(index)", "GPA.\(index)"].randomElement(using: &dice)!,
        user: ["", "7", "007", "u1"].randomElement(using: &dice)!,
        token: ["", "6b1f0a3e-0000-4000-8000-00000000000\(index % 10)"].randomElement(
          using: &dice)!,
        placed: .random(in: 1...2_000_000_000, using: &dice),
        paid: Bool.random(using: &dice) ? 5 : nil,
        fulfilled: Bool.random(using: &dice) ? .random(in: 1...4_000_000_000, using: &dice) : nil,
        terms: OrderTerms(
          sku: "gems.\(index % 7)", status: OrderStatus.allCases.randomElement(using: &dice)!,
          quantity: .random(in: 1...3, using: &dice), unitPrice: [nil, 0, 6_000_000][index % 3],
          currency: [nil, Currency("CNY")][index % 2],
          storefront: [nil, Storefront("CN")][index % 2],
          bundleID: ["", "com.example"][index % 2], channel: ["", "apple", "google"][index % 3],
          coins: [nil, 60][index % 2]))
    }
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func orders(seed: UInt64) throws {
    var dice = SplitMix64(seed: seed)
    let scratch = try TemporaryFolder()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let facts = orders(700, &dice)
    var maker = BlockMaker()
    let blocks = [maker.block(Array(facts[..<300])), maker.block(Array(facts[300...]))]
    #expect(try ledger.load("a.csv", .orders, blocks) == .imported(superseding: nil))

    let month = try Ledger.reading(scratch.ledger) { try $0.facts() }
    #expect(month.orders.map(\.row.number) == Array(1...700))
    let details = try ledger.orderDetails(month.orders.map(\.row))
    let resolved = try ledger.resolveOrders(month.orders.map(\.row))
    for (index, fact) in facts.enumerated() {
      let entry = month.orders[index]
      #expect(month.orderTerms[Int(entry.terms)] == fact.terms)
      #expect(entry.key == IDKey(fact.id) && entry.transaction == IDKey(fact.transaction))
      #expect(entry.placedAt == UInt32(fact.placed))
      #expect(entry.fulfilledAt == fact.fulfilled.map(UInt32.init) ?? 0)
      #expect(details[index].user == IDKey(fact.user) && details[index].token == IDKey(fact.token))
      #expect(
        resolved[index]
          == ResolvedRow(
            row: entry.row, id: fact.id, user: fact.user,
            source: Source(file: "a.csv", line: index + 2)))
    }
  }

  @Test func transactions() throws {
    let scratch = try TemporaryFolder()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let monthly = TransactionTerms(
      sku: "vip", bundleID: "com.example", kind: .autoRenewable, quantity: 2, unitPrice: 1,
      currency: Currency("USD"), storefront: Storefront("US"), isTrial: true, isIntro: true,
      isUpgraded: true, ownership: .familyShared, environment: .sandbox, revocationReason: "1")
    let facts = [
      TransactionFact(id: "100", original: "100", order: "O1", user: "u", purchased: 10),
      TransactionFact(id: "101", original: "100", purchased: 20),
      TransactionFact(id: "102", webOrderLineItem: "900", purchased: 30),
      TransactionFact(id: "103", purchased: 40, expires: 32_503_680_000),
      TransactionFact(id: "x-4", original: "x-4", token: "t", purchased: 50, revoked: 60),
      TransactionFact(purchased: 55, terms: monthly),
    ]
    try ledger.load("t.csv", facts)
    let month = try ledger.facts()
    #expect(month.transactionTerms == [facts[0].terms, monthly])
    #expect(month.transactions.map(\.key) == facts.map { IDKey($0.id) })
    #expect(month.transactions.map(\.order) == facts.map { IDKey($0.order) })
    #expect(month.transactions.map(\.purchasedAt) == facts.map { UInt32($0.purchased) })
    #expect(month.transactions.map(\.revokedAt) == [0, 0, 0, 0, 60, 0])
    #expect(month.chainDetails.map(\.row) == [2, 3, 4, 6])

    let details = try ledger.transactionDetails([1, 2, 3, 4, 5, 6])
    #expect(details.map(\.original) == facts.map { IDKey($0.original) })
    #expect(details.map(\.webOrderLineItem) == facts.map { IDKey($0.webOrderLineItem) })
    #expect(details.map(\.user) == facts.map { IDKey($0.user) })
    #expect(details.map(\.token) == facts.map { IDKey($0.token) })
    #expect(details.map(\.expiresAt) == [0, 0, 0, .max, 0, 0])
    #expect(month.chainDetails[2].expiresAt == .max)
  }

  @Test func kindsThatNobodyToldMayChain() throws {
    let scratch = try TemporaryFolder()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let products: [(line: Int32, Product)] = [(2, Product(sku: "gems", kind: .consumable))]
    try ledger.load("p.csv", .products, [FactBlock(rows: .products(products))])
    try ledger.load(
      "t.csv",
      [
        TransactionFact(id: "1", purchased: 1, terms: TransactionTerms(sku: "gems")),
        TransactionFact(id: "2", purchased: 2, terms: TransactionTerms(sku: "vip")),
      ])
    #expect(try ledger.facts().chainDetails.map(\.row) == [2])
  }

  @Test func aPeriodHasItsRowsAndItsRevocations() throws {
    let scratch = try TemporaryFolder()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    for month in 0..<6 as Range<Int64> {
      try ledger.load(
        "o\(month)",
        (0..<50 as Range<Int64>).map { OrderFact(id: "\($0)", placed: month * 100 + $0 + 1) })
      try ledger.load(
        "t\(month)",
        (0..<50 as Range<Int64>).map {
          let at = month * 100 + $0 + 1
          return TransactionFact(id: "\(at)", purchased: at, revoked: $0 == 7 ? at + 200 : nil)
        })
    }
    let facts = try ledger.facts(purchases: 301...340)
    #expect(facts.orders.map(\.placedAt) == Array(301...340))
    #expect(facts.transactions.map(\.purchasedAt) == [108] + Array(301...340))
    #expect(facts.transactions.map(\.row) == facts.transactions.map(\.row).sorted())
  }

  /// Files span months, so that what was revoked stands in files that are read anyway and in
  /// others; some times are told as they are not possible.
  @Test func whateverItsFileARevocationIsFound() throws {
    var random = SplitMix64(seed: 4)
    let scratch = try TemporaryFolder()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    var all: [TransactionFact] = []
    for file in 0..<12 as Range<Int64> {
      let first = Int64.random(in: 1...600, using: &random)
      let span = Int64.random(in: 1...300, using: &random)
      let facts = (0..<40 as Range<Int64>).map { row in
        let purchased = first + Int64.random(in: 0..<span, using: &random)
        let revoked = Int64.random(in: 1...1_000, using: &random)
        return TransactionFact(
          id: "\(file)-\(row)", purchased: purchased,
          revoked: Bool.random(using: &random) ? revoked : nil)
      }
      try ledger.load("t\(file)", facts)
      all += facts
    }
    for _ in 0..<60 {
      let first = Int64.random(in: 1...900, using: &random)
      let times = first...first + Int64.random(in: 0...200, using: &random)
      let expected = all.filter { fact in
        times.contains(fact.purchased)
          || (fact.purchased < times.lowerBound && fact.revoked.map(times.contains) == true)
      }
      let found = try ledger.facts(purchases: times).transactions
      #expect(found.map { Int64($0.purchasedAt) } == expected.map(\.purchased), "\(times)")
      #expect(found.map { Int64($0.revokedAt) } == expected.map { $0.revoked ?? 0 }, "\(times)")
    }
  }

  @Test func dictionariesAreSharedByFilesAndProcesses() throws {
    let scratch = try TemporaryFolder()
    let first = try Ledger(path: scratch.ledger, mode: .readWrite)
    let second = try Ledger(path: scratch.ledger, mode: .readWrite)
    let (a, b, c) = ("a", "b", "c")
    func order(_ sku: String) -> OrderFact {
      OrderFact(placed: 1, terms: OrderTerms(sku: sku, status: .paid))
    }
    try first.load("1", [order(a), order(b)])
    try second.load("2", [order(c), order(b)])
    var maker = BlockMaker()
    try first.load("3", .orders, [maker.block([order("gone")])], keep: false)
    try first.load("4", [order(c), order("d"), order(a)])
    let facts = try first.facts()
    #expect(facts.orderTerms.map(\.sku) == [a, b, c, "d"])
    #expect(
      facts.orders.map { facts.orderTerms[Int($0.terms)].sku } == [a, b, c, b, c, "d", a])
  }
}
