import Billing
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
