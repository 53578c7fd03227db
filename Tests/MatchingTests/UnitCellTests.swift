import Billing
import Conclusions
import Support
import Testing

@testable import Matching

/// Pairing the units of a cell.
struct UnitCellTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func everyUnitIsAccountedForOnce(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let prices = [
      CellPrice(currency: Currency("CNY"), price: 30),
      CellPrice(currency: Currency("CNY"), price: 6),
      CellPrice(currency: Currency("USD"), price: 5), CellPrice(currency: nil, price: nil),
    ]
    for _ in 0..<3000 {
      var cell = UnitCell()
      for price in prices {
        let (apple, ours) = (
          Int64.random(in: 0...3, using: &random), Int64.random(in: 0...3, using: &random)
        )
        if apple > 0 { cell.reported[price] = apple }
        if ours > 0 { cell.counted[price] = ours }
      }
      let outcome = cell.paired()
      for price in prices {
        let left = outcome.onlyReported.filter { $0.price == price }.reduce(0) { $0 + $1.units }
        let right = outcome.onlyCounted.filter { $0.price == price }.reduce(0) { $0 + $1.units }
        let priced = outcome.repriced.filter { $0.reported == price }.reduce(0) { $0 + $1.units }
        let paid = outcome.repriced.filter { $0.counted == price }.reduce(0) { $0 + $1.units }
        let (apple, ours) = (cell.reported[price], cell.counted[price])
        #expect(left + priced == max(apple - ours, 0))
        #expect(right + paid == max(ours - apple, 0))
      }
      let surplus = outcome.onlyReported.reduce(0) { $0 + $1.units }
      let lack = outcome.onlyCounted.reduce(0) { $0 + $1.units }
      #expect(surplus == max(cell.difference, 0) && lack == max(-cell.difference, 0))
      #expect(outcome.matchedUnits == min(cell.reportedUnits, cell.countedUnits))
    }
  }

  /// Broken here: that there is one price, and that what was there once is there.
  @Test func `units by price are a dictionary's`() {
    var random = SplitMix64(seed: 9)
    let prices = (0..<5 as Range<Int64>).map { CellPrice(currency: nil, price: $0) }
    for round in 0..<300 {
      var (units, plain): (PricedUnits, [CellPrice: Int64]) = (PricedUnits(), [:])
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        let price = prices.randomElement(using: &random)!
        let count = Int64.random(in: 0...2, using: &random)
        units[price] = count
        plain[price] = count == 0 ? nil : count
        #expect(units.isEmpty == plain.isEmpty && units.total == plain.values.reduce(0, +))
        #expect(prices.allSatisfy { units[$0] == plain[$0] ?? 0 }, "round \(round)")
        let all = Dictionary(units.map { ($0.price, $0.units) }) { _, _ in -1 }
        #expect(all == plain, "round \(round)")
      }
    }
  }

  @Test func `cells are a dictionary's`() {
    var random = SplitMix64(seed: 10)
    let (products, slots) = (7, 4)
    for round in 0..<100 {
      var cells = UnitCells(products: products, slots: slots)
      var plain: [SalesTieOut.CellKey: Int64] = [:]
      func anyKey() -> SalesTieOut.CellKey {
        SalesTieOut.CellKey(
          product: Int32.random(in: 0..<Int32(products), using: &random),
          slot: Int16.random(in: 0..<Int16(slots), using: &random),
          isRefund: Bool.random(using: &random))
      }
      for units in 1...30 as ClosedRange<Int64> {
        let key = anyKey()
        var cell = cells[key] ?? UnitCell()
        cell.reported[CellPrice()] = units
        cells[key] = cell
        plain[key] = units
        let other = anyKey()
        #expect(cells[other]?.reportedUnits == plain[other], "round \(round)")
      }
      let all = Dictionary(cells.map { ($0, $1.reportedUnits) }) { _, _ in -1 }
      #expect(all == plain, "round \(round)")
    }
  }

  @Test func movingKeepsUnits() {
    let price = CellPrice(currency: Currency("CNY"), price: 30)
    var (from, to) = (UnitCell(), UnitCell())
    from.counted[price] = 2
    from.move(2, at: price, to: &to)
    #expect(from.counted.isEmpty && to.counted.map(\.units) == [2] && to.counted[price] == 2)
  }

  @Test func movingMoreThanThereIsTraps() async {
    await #expect(processExitsWith: .failure) {
      var (from, to) = (UnitCell(), UnitCell())
      from.move(1, at: CellPrice(currency: nil, price: nil), to: &to)
    }
  }

  @Test func aBridgeThatDoesNotAddUpTraps() async {
    await #expect(processExitsWith: .failure) {
      let yuan = Currency("CNY")!
      _ = Bridge(
        storefront: "CN", currency: yuan,
        steps: [
          BridgeStep(cause: .ledger, units: 1, amount: Money(micros: 30, yuan)),
          BridgeStep(cause: .reportedGross, units: 1, amount: Money(micros: 31, yuan)),
        ])
    }
  }

  @Test func twoCurrenciesInABridgeTrap() async {
    await #expect(processExitsWith: .failure) {
      let yuan = Currency("CNY")!
      _ = Bridge(
        storefront: "CN", currency: yuan,
        steps: [
          BridgeStep(cause: .ledger, units: 1, amount: Money(micros: 30, yuan)),
          BridgeStep(cause: .timing, units: 1, amount: Money(micros: 5, Currency("USD")!)),
          BridgeStep(cause: .reportedGross, units: 1, amount: Money(micros: 35, yuan)),
        ])
    }
  }

  @Test func matchingTwiceTraps() async {
    await #expect(processExitsWith: .failure) {
      var facts = MonthFacts()
      facts.orderTerms = [OrderTerms(sku: "gems", status: .paid)]
      facts.transactionTerms = [TransactionTerms(sku: "gems")]
      facts.orders = [
        OrderEntry(
          row: 1, terms: 0, key: IDKey("O1"), transaction: IDKey("T1"), placedAt: 1, fulfilledAt: 0)
      ]
      facts.transactions = [
        TransactionEntry(
          row: 1, terms: 0, key: IDKey("T1"), order: .none, purchasedAt: 1, revokedAt: 0)
      ]
      var book = MatchTable(facts, catalogue: CatalogueBook([]))
      book.match(order: 0, transaction: 0, by: .orderID)
    }
  }
}
