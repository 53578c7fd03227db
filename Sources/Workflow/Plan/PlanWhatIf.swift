import Billing
import Conclusions
import Matching
package import Pricing

/// What `plan what-if` is asked to do.
package struct WhatIfRequest: Sendable {
  package var scope: PlanScope
  package var groups: [StorefrontGroup] = []
  /// What is sold where no period tells it.
  package var choice = OfferChoice.catalogue
  package var changes: [WhatIf.Change]
  /// What happens to coins besides.
  package var coins = CoinChange(rate: 1_000_000, free: 0)

  package init(scope: PlanScope, changes: [WhatIf.Change]) {
    self.scope = scope
    self.changes = changes
  }
}

/// Calculates what changes would do to a period's proceeds. Throws a ``Stop`` where nothing is
/// sold.
package func planWhatIf(_ request: WhatIfRequest) throws -> WhatIf {
  try stopping {
    let scope = request.scope
    let facts = try PlanFacts(scope, isLedgerNeeded: request.choice == .catalogue)
    let base = scope.settings.baseCurrency
    var plan = WhatIf(
      day: scope.day, baseCurrency: base, period: scope.period, changes: request.changes)
    plan.notes = facts.notes
    let book = facts.book
    let storefronts = groups(request.groups, scope, facts).flatMap(\.storefronts)
    let volumes =
      facts.observed.map { sold(of: $0, in: storefronts, facts, book, scope.day) }
      ?? oneOfEach(request.choice, in: storefronts, facts, book, scope.day, &plan.notes)
    let rates = facts.rates
    let planner = WhatIfPlanner(book: book, day: scope.day) {
      rates.rate(from: $0, to: base, on: scope.day)
    }
    let frame = plan
    plan = planner.plan(volumes, frame: frame)
    guard !plan.rows.isEmpty else {
      if request.coins.isNothing || scope.period != nil {
        // Reports that lack are a reason where no others have sales, changes never are.
        let told = facts.observed?.sales.isEmpty ?? false ? 0 : facts.notes.count
        let nothingIsSold = volumes.allSatisfy { $0.units <= 0 }
        throw nothingToPlan(
          nothingIsSold ? frame.notes.dropFirst(told) : plan.notes.dropFirst(frame.notes.count))
      }
      throw Stop(
        .badInput, "@plan.coins-need-a-period", help: "@plan.name-the-period-of-sales")
    }
    plan.notes += openAgreementRemarks(
      plan.rows.map { ($0.storefront, $0.sku, $0.before.plain) }, book, on: scope.day)
    plan.notes += try coinRemarks(request.coins, scope)
    return plan
  }
}

/// The units that were sold in a period, by storefront, product and price, of these storefronts.
private func sold(
  of observed: ObservedSales, in storefronts: [Storefront], _ facts: PlanFacts, _ book: PriceBook,
  _ day: Day
) -> [WhatIfPlanner.Volume] {
  struct Key: Hashable {
    var storefront: Storefront
    var sku: String
    var currency: Currency
    var price: Int64
  }
  let products = Dictionary(
    facts.products.map { ($0.sku, $0) }, uniquingKeysWith: { first, _ in first })
  let wanted = Set(storefronts)
  var order: [Key] = []
  var volumes: [Key: WhatIfPlanner.Volume] = [:]
  for sale in observed.sales where wanted.contains(sale.storefront) {
    let key = Key(
      storefront: sale.storefront, sku: sale.sku, currency: sale.currency, price: sale.price)
    if volumes[key] == nil {
      order.append(key)
      volumes[key] = WhatIfPlanner.Volume(
        offer: offer(of: sale, products[sale.sku], book, day), units: 0, reducedUnits: 0)
    }
    volumes[key]?.units += sale.units
    if sale.isAfterOneYear { volumes[key]?.reducedUnits += sale.units }
  }
  return order.compactMap { volumes[$0] }
}

/// The offer at which a sale was made, with its tier where the catalogue tells one.
private func offer(of sale: ObservedSale, _ product: Product?, _ book: PriceBook, _ day: Day)
  -> Offer
{
  let kind = product?.kind ?? (sale.isAfterOneYear ? .autoRenewable : .consumable)
  let tier = product?.tier ?? ""
  let tierPrice =
    tier.isEmpty
    ? nil : book.tierPrice(tier: tier, kind: kind, storefront: sale.storefront, on: day)
  return Offer(
    storefront: sale.storefront, product: sale.sku, skus: [sale.sku], kind: kind, tier: tier,
    currency: sale.currency, price: sale.price, tierPrice: tierPrice, coins: product?.coins)
}

/// One unit of each offer in these storefronts, where no period tells what is sold.
///
/// - Parameter notes: gets what was noted while offers were looked for.
private func oneOfEach(
  _ choice: OfferChoice, in storefronts: [Storefront], _ facts: PlanFacts, _ book: PriceBook,
  _ day: Day, _ notes: inout [Wording]
) -> [WhatIfPlanner.Volume] {
  var finder = OfferFinder(book: book, products: facts.products, day: day)
  let offers = storefronts.flatMap { finder.offers(choice, in: $0) }
  notes += finder.notes
  return offers.map { WhatIfPlanner.Volume(offer: $0, units: 1, reducedUnits: 0) }
}
