import Billing
import Testing

@testable import Matching

/// Goal: prices and reports that say the same, or what the company itself says, are no findings.
@Suite struct PlainPriceTests {
  @Test func anOffersPriceThatTheOrderHasIsNoMismatch() {
    for offer in [OfferKind.promotional, .code, .winBack] {
      let world = World {
        $0.order("O1", sku: "monthly", transaction: "T1", price: "12.00")
        $0.transaction("T1", sku: "monthly", price: "12.00", expires: "2023-07-10T12:00:30") {
          ($0.factSource, $0.offer) = (.signed, offer)
        }
      }
      #expect(world.orderLines() == [])
    }
    // Without an offer it is not the tier's.
    let plain = World {
      $0.order("O1", transaction: "T1", price: "12.00")
      $0.transaction("T1", price: "12.00")
    }
    #expect(plain.orderLines().map { $0.prefix(14) } == ["price-mismatch"])
  }

  @Test func theCompanysOwnTierMaySayAnotherCurrency() {
    let world = World {
      $0.facts.tiers = [
        TierPrice(
          table: .iap, tier: "5", storefront: Storefront("CN")!, currency: Currency("USD")!,
          price: amount("4.99"), proceeds: nil, effectiveFrom: nil, effectiveTo: nil)
      ]
      $0.reports()
      $0.pair("1", price: "4.99", currency: "USD")
      $0.sale(price: "4.99", currency: "USD")
    }
    #expect(world.tieOut().lines(.currencyUnexpected) == [])
  }

  /// The order is for something else: what it cost says nothing of what Apple sold.
  @Test func anotherProductsOrderTellsNoPrice() {
    let world = World {
      $0.reports()
      $0.order("O1", sku: "chest", transaction: "T1", price: "68.00")
      $0.transaction("T1", price: nil, currency: nil)
      $0.sale()
    }
    #expect(world.tieOut().lines(.priceDiffers) == [])
    #expect(
      world.tieOut().lines(.productMismatch)
        == ["product-mismatch CN CNY 2023-06-10 gems 1 -38.00 | O1 T1"])
  }

  /// One report as JSON and as a table, of each day of the month.
  @Test func theSameFiguresTwiceAreOneInfo() {
    func restated(_ days: [String], changes: [Restatement.Change] = []) -> Restatement {
      Restatement(
        begin: Day(days[0])!, end: Day(days[0])!, vendor: "8", oldFile: "\(days[0]).txt",
        newFile: "\(days[0]).json", changes: changes)
    }
    var world = World { $0.reports() }
    world.facts.restatements = ["2023-06-10", "2023-06-11", "2023-06-12"].map { restated([$0]) }
    let found = world.tieOut().sales.findings
    #expect(
      found.map { "\($0.code.rawValue) \($0.severity ?? $0.code.severity)" } == [
        "report-restated info"
      ])
    #expect(found.first?.files.count == 6)
    let change = Restatement.Change(
      storefront: Storefront("CN")!, currency: Currency("CNY"), sku: "gems", units: 1,
      gross: 30_000_000)
    world.facts.restatements.append(restated(["2023-06-13"], changes: [change]))
    #expect(
      Set(
        world.tieOut().sales.findings.map {
          "\($0.code.rawValue) \($0.severity ?? $0.code.severity)"
        })
        == ["report-restated info", "report-restated warning"])
  }
}
