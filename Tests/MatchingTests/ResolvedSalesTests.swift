import Billing
import Testing

@testable import Matching

/// What rows do not say themselves, found once and kept once.
@Suite struct ResolvedSalesTests {
  private static let versions = ["1.0", "1.1", "2.0"]

  private func found(_ world: World) -> [String: ResolvedTerms] {
    let (table, _) = world.claims()
    let sales = table.resolvedSales(
      without: [], MoneyNumbers(table), reports: SalesReports(world.facts, world.context),
      world.context)
    #expect(Set(sales.terms).count == sales.terms.count)
    return Dictionary(
      uniqueKeysWithValues: sales.rows.map {
        (world.transactionNames[Int($0.row.number) - 1], sales.terms[Int($0.terms)])
      })
  }

  @Test func `versions and days that say nothing of money are no reason to say it again`() {
    let world = World { world in
      for (place, version) in Self.versions.enumerated() {
        let (day, id) = ("2023-06-1\(place)", "\(place)")
        world.order("O" + id, at: day + "T12:00:00", transaction: "T" + id)
        world.transaction("T" + id, at: day + "T12:00:30", price: nil, storefront: nil) {
          $0.appVersion = version
        }
      }
    }
    let found = found(world)
    #expect(found.count == 3 && Set(found.values).count == 1)
    #expect(found["T0"]?.priceTeller == .order && found["T0"]?.unitPrice == 30_000_000)
    #expect(found["T0"]?.storefrontTeller == .order)
  }

  @Test func `a tier tells another price from the day that it changes`() {
    let world = World { world in
      func tier(_ price: String, _ from: Day?, _ to: Day?) -> TierPrice {
        TierPrice(
          table: TierTable.iap, tier: "5", storefront: Storefront("CN")!,
          currency: Currency("CNY")!, price: amount(price), proceeds: nil, effectiveFrom: from,
          effectiveTo: to)
      }
      world.facts.tiers = [tier("20", nil, Day("2023-06-11")), tier("30", Day("2023-06-12"), nil)]
      for (place, version) in Self.versions.enumerated() {
        world.transaction(
          "T\(place)", at: "2023-06-1\(place)T04:00:00", price: nil, currency: nil
        ) { $0.appVersion = version }
      }
    }
    let found = found(world)
    #expect(found.mapValues(\.unitPrice) == ["T0": 20_000_000, "T1": 20_000_000, "T2": 30_000_000])
    #expect(Set(found.values.map(\.priceTeller)) == [.tier] && Set(found.values).count == 2)
  }

  /// Sources of one transaction fill each other to the same terms whatever their versions were.
  @Test func `what merged rows come to is one where they say the same`() {
    let world = World { world in
      for place in 0..<200 {
        world.transaction("T\(place)", price: nil, storefront: nil, told: "2023-06-11T00:00:00") {
          $0.factSource = .signed
          $0.itemID = "\(place % 2)"
        }
        world.transaction("T\(place)", price: place % 3 == 0 ? "30.00" : "31.00")
      }
    }
    let (table, _) = world.claims()
    #expect(table.transactions.count == 400)
    #expect(table.transactionTerms.count == world.facts.transactionTerms.count + 4)
    for place in 0..<200 {
      let (first, price) = (2 * place, place % 3 == 0 ? 30 : 31)
      let rows = table.rows(ofTransaction: first).map { Int($0.number) }
      #expect(rows == [first + 1, first + 2])
      #expect(table.terms(ofTransaction: first).unitPrice == Int64(price) * 1_000_000)
    }
  }
}
