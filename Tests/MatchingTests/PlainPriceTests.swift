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

  /// What is known of a tier holds for a product, a storefront, and the days without a change.
  @Test func aTierThatChangesIsAskedForOnItsOwnDays() {
    func tier(_ tier: String, _ storefront: String, _ currency: String, _ price: String)
      -> TierPrice
    {
      TierPrice(
        table: .iap, tier: tier, storefront: Storefront(storefront)!,
        currency: Currency(currency)!, price: amount(price), proceeds: nil, effectiveFrom: nil,
        effectiveTo: nil)
    }
    let world = World {
      var (before, after) = (tier("5", "CN", "CNY", "30.00"), tier("5", "CN", "CNY", "33.00"))
      before.effectiveTo = Day("2023-06-09")
      after.effectiveFrom = Day("2023-06-10")
      $0.facts.tiers = [
        before, after, tier("10", "CN", "CNY", "68.00"), tier("5", "US", "USD", "4.99"),
      ]
      $0.reports()
      $0.sale(on: "2023-06-05")
      $0.sale(on: "2023-06-09")
      $0.sale(on: "2023-06-12")
      $0.sale(on: "2023-06-15", price: "33.00")
      $0.sale(on: "2023-06-05", price: "33.00")
      $0.sale("chest", on: "2023-06-15", price: "68.00")
      $0.sale(on: "2023-06-15", price: "4.99", storefront: "US", currency: "USD")
    }
    #expect(
      world.tieOut().lines(.priceNotInTier).sorted() == [
        "price-not-in-tier CN CNY 2023-06-05 gems 1 3.00",
        "price-not-in-tier CN CNY 2023-06-12 gems 1 -3.00",
      ])
  }

  /// Korea took dollars until the day of Apple's new lists: equal rows are right before it alone.
  @Test func aCurrencyIsAskedForOnItsOwnDays() {
    let reports = TermsTests.found(
      TermsTests.world("2019-01") { world in
        for day in ["2019-01-20", "2019-01-21", "2019-01-22", "2019-01-23"] {
          world.sale(on: day, price: "4.99", storefront: "KR", currency: "USD")
        }
      })
    #expect(
      TermsTests.codes(reports) == [
        "currency-unexpected KR 2019-01-22", "currency-unexpected KR 2019-01-23",
      ])
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
