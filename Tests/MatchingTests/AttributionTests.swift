import Billing
import Matching
import Testing

/// Goal: what most speaks for stands first, and a set that accounts for the whole is named where
/// there is one. Method: candidates written down, and the cells of small worlds.
@Suite struct AttributionTests {
  private func candidate(
    _ row: OrderRow.ID, _ units: Int64, _ price: String?, _ reasons: Attribution.Reason...
  ) -> Attribution.Candidate {
    Attribution.Candidate(
      order: row, at: Instant(seconds: Int64(row.number)), units: units,
      amount: price.map { amount($0) * units }, currency: Currency("CNY"), reasons: reasons)
  }

  private func difference(_ units: Int64, _ price: String?) -> Attribution.Difference {
    Attribution.Difference(
      units: units, amount: price.map { amount($0) * units }, currency: Currency("CNY"))
  }

  @Test func `candidates are ranked by what speaks for them`() {
    let found = Attribution(
      of: difference(1, "30.00"),
      among: [
        candidate(1, 1, "30.00", .sameDay), candidate(2, 1, "30.00", .nearBoundary(600)),
        candidate(3, 1, "30.00", .openOrder(.created)),
        candidate(4, 1, "30.00", .openOrder(.created), .refusedReceipt(21003)),
        candidate(5, 1, "30.00", .nearBoundary(60)), candidate(6, 1, "30.00", .openOrder(.paid)),
      ])
    #expect(found.candidates.compactMap(\.order) == [4, 6, 3, 5, 2, 1])
    #expect(found.likely.count == 5)
    #expect(found.combinations.count == 6)
  }

  @Test func `a set of likely candidates goes before the rows of the day`() {
    let found = Attribution(
      of: difference(3, "30.00"),
      among: [
        candidate(1, 3, "30.00", .sameDay), candidate(2, 1, "30.00", .withoutOrder),
        candidate(3, 2, "30.00", .otherPrice), candidate(4, 1, "6.00", .withoutOrder),
      ])
    #expect(found.likely.count == 1)
    #expect(found.likely.first.map { found.candidates[$0].order } == [3, 2])
  }

  @Test func `what has no price or another currency is no part of an amount`() {
    let other = Attribution.Candidate(
      order: 2, at: Instant(seconds: 2), units: 1, amount: amount("30.00"),
      currency: Currency("USD"), reasons: [.withoutOrder])
    let all = [candidate(1, 1, nil, .openOrder(.paid)), other]
    #expect(Attribution(of: difference(1, "30.00"), among: all).likely.count == 0)
    #expect(Attribution(of: difference(1, nil), among: all).likely.count == 2)
  }

  /// What stands behind the first two hundred is in no set that was counted.
  @Test func `sets of more rows than are looked at are not counted`() {
    let day = (1...201).map { candidate(.init(Int64($0)), 1, "\($0).00", .sameDay) }
    let found = Attribution(
      of: difference(1, "7.00"), among: day + [candidate(300, 1, "7.00", .withoutOrder)])
    #expect(found.combinations.isCut && found.combinations.first.isEmpty)
    #expect(!found.likely.isCut && found.likely.count == 1)
  }

  @Test func `a cell has both sides by price, and what is not counted`() {
    let world = World { world in
      world.pair("1", at: "2023-06-10T12:00:00")
      world.pair("2", at: "2023-06-10T13:00:00", price: "25.00")
      world.transaction("T3", at: "2023-06-10T14:00:00", sandbox: true)
      world.pair("4", at: "2023-06-11T07:30:00")
      world.sale(on: "2023-06-10", units: 2)
      world.reports()
    }
    let context = world.context
    let tieOut = SalesTieOut(
      world.matched.table, reports: SalesReports(world.facts, context), context: context)
    let cell = CellAccount(
      tieOut, storefront: Storefront("CN")!, sku: "gems", day: Day("2023-06-10")!)
    #expect(
      cell.sales.levels.map { "\($0.price!) \($0.reported) \($0.counted)" } == [
        "25000000 0 1", "30000000 2 1",
      ])
    #expect(cell.sales.paired == 2)
    #expect(cell.uncounted.map(\.why) == [.sandbox])
    #expect(cell.beside.map { world.transactionNames[Int($0.row.number) - 1] } == ["T4"])
  }
}
