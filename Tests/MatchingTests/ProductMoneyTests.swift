import Billing
import Conclusions
import Matching
import Pricing
import Testing

/// Apple's money by entity, app and product.
struct ProductMoneyTests {
  private func lines(_ build: (inout World) -> Void) -> [String] {
    let world = World(build)
    return SalesReports(world.facts, world.context).productProceeds().map { line in
      "\(line.storefront) \(line.currency) \(line.sku) \(line.kind.rawValue) \(line.app) "
        + "\(line.sold.units)/\(line.refunded.units) \(text(line.net.gross)) "
        + "\(text(line.net.tax)) \(text(line.net.commission)) \(text(line.net.proceeds))"
    }
  }

  private func text(_ amount: Money) -> String {
    decimalText(micros: amount.micros, minimumDigits: 2)
  }

  @Test func salesAndRefundsStandApart() {
    let lines = lines { world in
      world.reports()
      world.sale(units: 3)
      world.sale(on: "2023-06-12", units: -1)
      world.sale(on: "2023-06-13", units: 0, price: "12.00", proceeds: "8.25")
      world.sale("monthly", units: 2, price: "30.00", type: "IAY")
    }
    #expect(
      lines == [
        "CN CNY gems consumable  3/-1 48.00 0.85 14.14 33.01",
        "CN CNY monthly auto_renewable  2/0 60.00 1.06 17.68 41.26",
      ])
  }

  /// Bulgaria paid in lev until 2025, at a tax of 20 %, and Switzerland's tax rose from 7.7 % to
  /// 8.1 % with 2024: a refund gives back the tax and commission of its sale, and nothing differs.
  @Test(arguments: [
    (
      "2026-01", "BG", "BGN", "21.99", "2026-01-01", "12.83",
      "BG BGN gems consumable  0/-1 -21.99 -3.66 -5.50 -12.83"
    ),
    (
      "2024-01", "CH", "CHF", "100.00", "2024-01-20", "65.00",
      "CH CHF gems consumable  0/-1 -100.00 -7.15 -27.85 -65.00"
    ),
    (
      "2024-01", "CH", "CHF", "100.00", "2024-01-20", "64.75",
      "CH CHF gems consumable  0/-1 -100.00 -7.49 -27.76 -64.75"
    ),
  ])
  func aRefundHasTheTermsOfItsSale(
    month: String, storefront: String, currency: String, price: String, day: String,
    proceeds: String, line: String
  ) {
    let build = { (world: inout World) in
      world.period = Period(month)!
      world.facts.tiers = []
      world.reports(
        world.period.first.advanced(by: -1).description,
        world.period.last.advanced(by: 1).description)
      world.sale(
        on: day, units: -1, price: price, proceeds: proceeds, storefront: storefront,
        currency: currency)
    }
    #expect(lines(build) == [line])
    let result = World(build).tieOut()
    #expect(result.lines(.proceedsTolerated) + result.lines(.proceedsOffRule) == [])
  }

  /// Since 2024-10-26 Apple Services Pte. Ltd. sells in South Korea. What a week has together
  /// stands with its first day's seller, and it is said; daily rows stand with their own.
  @Test func aSellerThatChangesWithinAReportIsSaid() throws {
    let world = World { world in
      world.period = Period("2024-10")!
      world.report(Day("2024-10-21")!, Day("2024-10-27")!)
      for storefront in ["KR", "CN"] {
        world.sale(
          on: "2024-10-21", to: "2024-10-27", units: 2, price: "6000", proceeds: "3800",
          storefront: storefront, currency: storefront == "KR" ? "KRW" : "CNY")
      }
    }
    let reports = SalesReports(world.facts, world.context)
    let sellers = reports.productProceeds().map { "\($0.storefront) \($0.entity)" }
    #expect(sellers.contains("KR Apple Distribution International Ltd."), "\(sellers)")
    #expect(!sellers.contains { $0.hasPrefix("KR Apple Services") })
    let note = try #require(reports.sellerNotes.first?.english)
    #expect(reports.sellerNotes.count == 1)
    #expect(note.contains("2024-10-21 to 2024-10-27") && note.contains("the seller in KR changed"))
    let daily = World { world in
      world.period = Period("2024-10")!
      world.reports("2024-09-30", "2024-11-01")
      for day in ["2024-10-25", "2024-10-26"] {
        world.sale(
          on: day, price: "6000", proceeds: "3800", storefront: "KR", currency: "KRW")
      }
    }
    let split = SalesReports(daily.facts, daily.context)
    #expect(split.sellerNotes.isEmpty)
    #expect(Set(split.productProceeds().map(\.entity)).count == 2)
  }

  @Test func theAppIsTheCataloguesBundleElseItsParent() {
    let lines = lines { world in
      world.reports()
      for index in world.facts.products.indices where world.facts.products[index].sku == "gems" {
        world.facts.products[index].bundleID = "com.example.orbit"
      }
      world.facts.products.append(
        Product(sku: "chest", kind: .consumable, bundleID: "com.example.one"))
      world.facts.products.append(
        Product(sku: "chest", kind: .consumable, bundleID: "com.example.two"))
      world.sale("gems", parent: "ORBIT")
      world.sale("ghost", parent: "ORBIT", length: "1 Month")
      world.sale("ghost.pass", type: "IAY", parent: "LUMEN")
      world.sale("chest", price: "68.00", parent: "ORBIT")
      world.sale("chest", price: "68.00", parent: "LUMEN")
      world.sale("ORBIT", price: "6.00", type: "1F")
      world.sale("LUMEN", price: "6.00", type: "1F")
      world.sale("LUMEN", price: "0", currency: nil, type: "1F")
    }
    #expect(
      lines.map {
        $0.split(separator: " ", omittingEmptySubsequences: false)[2...4].joined(separator: " ")
      } == [
        "LUMEN apps LUMEN", "ORBIT apps com.example.orbit", "chest consumable LUMEN",
        "chest consumable com.example.orbit", "gems consumable com.example.orbit",
        "ghost unknown com.example.orbit", "ghost.pass auto_renewable LUMEN",
      ])
  }

  @Test func theEntityIsTheOneOfTheDay() {
    var world = World()
    world.period = Period("2024-10")!
    world.asOf = Day("2024-11-10")!
    world.reports("2024-09-30", "2024-11-01")
    for day in ["2024-10-25", "2024-10-26", "2024-10-27"] {
      world.sale(on: day, price: "6600", storefront: "KR", currency: "KRW")
      world.sale(on: day, price: "4.99", storefront: "US", currency: "USD")
    }
    let products = SalesReports(world.facts, world.context).productProceeds()
    #expect(
      products.map { "\($0.storefront) \($0.entity) \($0.sold.units)" } == [
        "KR Apple Distribution International Ltd. 1", "KR Apple Services Pte. Ltd. 2",
        "US Apple Inc. 3",
      ])
  }
}

/// Whatever was reported, products add up to the lines by country; that they add up to the bridge
/// is a postcondition.
func expectProductsAddUp(_ tieOut: TieOut) {
  struct Key: Hashable {
    var storefront: Storefront
    var currency: Currency
    var paid: Currency
  }
  let products = tieOut.sales.reports.productProceeds()
  let sums = Dictionary(
    grouping: products,
    by: { Key(storefront: $0.storefront, currency: $0.currency, paid: $0.proceedsCurrency) }
  )
  let lines = tieOut.sales.reports.proceedsLines(rates: RateBook([]))
  #expect(sums.count == lines.count)
  for line in lines {
    let key = Key(
      storefront: line.storefront, currency: line.currency, paid: line.proceedsCurrency)
    let own = sums[key] ?? []
    func sum(_ part: (ProductProceeds) -> Int64) -> Int64 { own.reduce(0) { $0 + part($1) } }
    #expect(sum(\.sold.units) == line.unitsSold)
    #expect(-sum(\.refunded.units) == line.unitsRefunded)
    #expect(sum(\.net.gross.micros) == line.gross.micros)
    #expect(sum(\.net.tax.micros) == line.tax.micros)
    #expect(sum(\.net.proceeds.micros) == line.proceeds.micros)
    if let commission = line.commission {
      #expect(
        sum { $0.net.commission.micros - ($0.proceedsDifference?.micros ?? 0) } == commission.micros
      )
    }
  }
}
