import Billing
import Ledger
import Support
import Testing

private let june1 = Day("2023-06-01")!
private let june = june1...Day("2023-06-30")!

private func day(_ number: Int) -> Day { june1.advanced(by: number - 1) }

/// Which sales reports count.
struct ReportTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  @Test func theVersionImportedLastCounts() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    try ledger.load(
      "old", [SalesFact(units: 3, day: june1), SalesFact(sku: "vip", units: 1, day: june1)])
    let outcome = try ledger.load(
      "new",
      [
        SalesFact(units: 5, day: june1), SalesFact(sku: "vip", units: 1, day: june1),
        SalesFact(sku: "vip", units: 0, price: -2_000_000, day: june1),
      ])
    #expect(outcome == .imported(superseding: "old"))
    try ledger.load("other vendor", [SalesFact(units: 7, day: june1)], vendor: "9")

    let facts = try ledger.facts(days: june)
    #expect(facts.sales.map(\.units) == [5, 1, 0, 7])
    #expect(facts.coverage.map(\.file) == ["new", "other vendor"])
    let change = Restatement.Change(
      storefront: Storefront("CN")!, currency: Currency("CNY"), sku: "gems.60", units: 2,
      gross: 12_000_000)
    let credit = Restatement.Change(
      storefront: Storefront("CN")!, currency: Currency("CNY"), sku: "vip", units: 0,
      gross: -2_000_000)
    #expect(
      facts.restatements == [
        Restatement(
          begin: june1, end: june1, vendor: "85127269", oldFile: "old", newFile: "new",
          changes: [change, credit])
      ])
    #expect(try ledger.facts(days: day(2)...day(3)).restatements.isEmpty)
    #expect(
      try ledger.files().map { "\($0.input.file) \($0.input.status) \($0.supersededBy ?? "-")" }
        == ["new current -", "old superseded new", "other vendor current -"])
  }

  @Test func theSameContentIsSkipped() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    try ledger.load("a", [SalesFact(day: june1)], content: "x")
    let before = scratch.ledgerBytes
    let again = try ledger.load("b", [SalesFact(units: 9, day: june1)], content: "x")
    #expect(again == .alreadyImported(as: "a"))
    #expect(scratch.ledgerBytes == before)
    #expect(try ledger.hasHead("head x"))
    #expect(try !ledger.hasHead("head y"))
    #expect(try ledger.file(withSHA256: "x") == "a")
    #expect(try ledger.file(withSHA256: "y") == nil)
  }

  /// Reports by name, `first-last` of June, and which count.
  @Test(arguments: [
    (["1-30"], ["1-30"]),
    (["1-30", "1-1", "2-2"], ["1-1", "2-2"]),
    (["1-1", "5-11", "3-9", "20-26"], ["1-1", "3-9", "20-26"]),
    (["1-7", "1-30", "7-7"], ["7-7"]),
    (["1-7", "8-14", "15-15", "1-14"], ["1-7", "8-14", "15-15"]),
  ])
  func noDayCountsTwice(names: [String], counting: [String]) throws {
    for order in [names, names.reversed()] {
      let scratch = try TemporaryFolder()
      let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
      for name in order {
        let ends = name.split(separator: "-").map { day(Int($0)!) }
        try ledger.load(name, [SalesFact(sku: name, day: ends[0], end: ends[1])])
      }
      let facts = try ledger.facts(days: june)
      #expect(facts.coverage.map(\.file) == counting)
      let skus = facts.sales.map { facts.salesProducts[Int($0.product)].sku }
      #expect(Set(skus) == Set(counting) && skus.count == counting.count)
    }
  }

  @Test func noSalesCovers() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    for _ in 0..<2 { try ledger.recordNoSales(day(4), vendor: "8") }
    try ledger.load("d", [SalesFact(day: day(5))], vendor: "8")
    #expect(
      try ledger.facts(days: june).coverage == [
        ReportCoverage(begin: day(4), end: day(4), vendor: "8", file: nil),
        ReportCoverage(begin: day(5), end: day(5), vendor: "8", file: "d", rows: 1...1),
      ])
    #expect(try ledger.facts(days: day(5)...day(9)).coverage.map(\.file) == ["d"])
    #expect(try ledger.noSales().map(\.day) == [day(4)])
    let reports = try ledger.reportFacts(june)
    #expect(reports.sales.count == 1 && reports.orders.isEmpty)
    #expect(try ledger.resolveSales([1]).map(\.source) == [Source(file: "d", line: 2)])
  }

  @Test func ofTheCompanysTablesTheLastFileCounts() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    func load(_ file: String, _ products: [Product], _ rates: [(Int, Int64)]) throws {
      try ledger.load(
        file + ".p", .products,
        [FactBlock(rows: .products(products.map { (line: Int32(2), $0) }))])
      let rows = rates.map { at, rate in
        (
          line: Int32(2),
          ExchangeRate(
            date: day(at), base: Currency("USD")!, quote: Currency("CNY")!,
            rate: DecimalRate(micros: rate))
        )
      }
      try ledger.load(file + ".r", .rates, [FactBlock(rows: .rates(rows))])
    }
    let old = Product(sku: "vip", kind: .autoRenewable, name: "old")
    let new = Product(sku: "vip", kind: .autoRenewable, name: "new")
    let later = Product(sku: "vip", kind: .autoRenewable, name: "later", effectiveFrom: day(9))
    try load("1", [old, later], [(1, 700), (3, 701), (5, 702), (20, 799)])
    try load("2", [new], [(3, 711)])
    let tax = TaxOverride(
      storefront: Storefront("CN")!, rate: 18_000, effectiveFrom: nil, effectiveTo: day(8))
    try ledger.load("x", .taxes, [FactBlock(rows: .taxes([(line: Int32(2), tax)]))])
    let tier = TierPrice(
      table: .subscription, tier: "5", storefront: Storefront("CN")!, currency: Currency("CNY")!,
      price: 30_000_000, proceeds: nil, effectiveFrom: day(2), effectiveTo: nil)
    try ledger.load("y", .tiers, [FactBlock(rows: .tiers([(line: Int32(2), tier)]))])

    let facts = try ledger.facts(days: day(4)...day(10))
    #expect(facts.products == [new, later])
    #expect(facts.rates.map(\.rate) == [711, 702].map(DecimalRate.init(micros:)))
    #expect(facts.taxes == [tax])
    #expect(facts.tiers == [tier])
  }
}
