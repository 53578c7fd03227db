import Billing
import Pricing
import Support
import Testing

@testable import Matching

/// Which products of reports are judged together.
struct AlikeProductsTests {
  /// Numbers of in-app purchases and of one subscription, in the order of their SKUs here.
  private func alike(
    _ skus: [String], apart: Set<String> = [], _ build: (inout World) -> Void
  ) -> [Int32] {
    var world = World()
    build(&world)
    return world.context.alike(
      of: skus.map {
        ReportProduct(SalesProduct(sku: $0, type: ProductType($0 == "monthly" ? "IAY" : "IA1")))
      }, apart: apart)
  }

  @Test func whatTheTablesHaveAlikeIsJudgedAlike() {
    let found = alike(["gems", "stones", "chest", "noads", "later", "listed", "monthly", "none"]) {
      $0.facts.products += [
        Product(sku: "stones", kind: .consumable, tier: "5", coins: 90, effectiveFrom: nil),
        Product(
          sku: "later", kind: .consumable, tier: "5", effectiveFrom: Day("2023-06-10")!),
        Product(sku: "listed", kind: .consumable, tier: "5"),
      ]
      $0.facts.tiers.append(
        TierPrice(
          table: .iap, tier: TierPrice.ownTier(of: "listed"), storefront: Storefront("CN")!,
          currency: Currency("CNY")!, price: 25_000_000, proceeds: nil, effectiveFrom: nil,
          effectiveTo: nil))
    }
    #expect(found == [0, 0, 1, 2, 3, 4, 5, 6])
  }

  @Test func termsOfItsOwnSetAProductApart() {
    let found = alike(["gems", "stones", "pebbles"], apart: ["stones"]) {
      for sku in ["stones", "pebbles"] {
        $0.facts.products.append(Product(sku: sku, kind: .consumable, tier: "5"))
      }
    }
    #expect(found == [0, 1, 0])
  }

  /// A product that rows show apart has series of its own from there on; its groups stay as they
  /// are.
  @Test func seriesAreDivided() {
    var world = World { $0.reports() }
    world.facts.products.append(Product(sku: "stones", kind: .consumable, tier: "5"))
    for sku in ["gems", "stones"] { world.sale(sku, on: "2023-06-10") }
    let reach = Day("2023-06-01")!...Day("2023-06-30")!
    var groups = ReportGroups(world.facts, reach: reach) { world.context.alike(of: $0, apart: []) }
    #expect(groups.groups.map(\.series) == [0, 0])
    groups.setApart(["stones"])
    #expect(groups.groups.map(\.series) == [0, 1])
    #expect(groups.groups.map { groups.skus[Int($0.sku)] } == ["gems", "stones"])
    #expect(groups.seriesCount == 2)
  }
}
