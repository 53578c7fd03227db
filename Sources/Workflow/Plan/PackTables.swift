package import Billing
import Matching
import Pricing
import Reading
import Reporting

/// The rows of the company's tables that put a plan of packs into force on its day.
package struct PackTables: Sendable {
  /// With the new coins and tiers, in each bundle that has the pack.
  package var products: [Product] = []
  package var tiers: [TierPrice] = []
  /// Packs whose coins differ between groups: the catalogue has one number for each.
  package var undecided: [(sku: String, coins: [Int64])] = []
  /// Packs that get other coins and that were sold where they are not planned, within a year.
  package var unplanned: [(sku: String, storefronts: [Storefront])] = []

  /// Makes the rows of the catalogue and of tiers for a plan's new coins or prices.
  init(_ plan: PackPlan, _ facts: PlanFacts) {
    for (sku, rows) in Dictionary(grouping: plan.rows, by: \.sku).sorted(by: { $0.key < $1.key }) {
      let coins = Set(rows.map(\.proposedCoins)).sorted()
      guard coins.count == 1, let proposed = coins.first else {
        undecided.append((sku, coins))
        continue
      }
      // A tier of its own: other packs may keep the one that it had.
      let tier = "\(sku)@\(plan.day)"
      for var product in facts.catalogue.products(sku, on: plan.day) {
        product.coins = proposed
        product.effectiveFrom = plan.day
        if plan.goal == .prices { product.tier = tier }
        products.append(product)
      }
      tiers += plan.goal == .prices ? Self.prices(tier, rows, plan, facts) : []
    }
    if plan.goal == .coins { tiers = Self.presentPrices(plan) }
  }

  /// A pack's prices from the plan's day on, as a tier of its own: the proposed ones, and in other
  /// storefronts the company's own of now.
  private static func prices(
    _ tier: String, _ rows: [PackPlan.Row], _ plan: PackPlan, _ facts: PlanFacts
  ) -> [TierPrice] {
    let proposed = rows.compactMap(\.proposedTier)
    let planned = Set(proposed.map(\.storefront))
    let old = rows[0].tier.map {
      facts.book.ownPrices(tier: $0.tier, kind: rows[0].kind, on: plan.day)
    }
    let kept = (old ?? []).filter { !planned.contains($0.storefront) }
    return (proposed + kept).sorted { $0.storefront < $1.storefront }.map { price in
      var price = price
      price.tier = tier
      price.table = rows[0].kind == .autoRenewable ? .subscription : .iap
      price.effectiveFrom = plan.day
      price.effectiveTo = nil
      return price
    }
  }

  /// The prices of today that a plan of coins is calculated with, from its day on.
  private static func presentPrices(_ plan: PackPlan) -> [TierPrice] {
    var seen: Set<TierPrice> = []
    return plan.rows.compactMap(\.tier).filter { seen.insert($0).inserted }.map { price in
      var price = price
      price.effectiveFrom = plan.day
      return price
    }.sorted { ($0.tier, $0.storefront) < ($1.tier, $1.storefront) }
  }
}

/// Saves the rows of the catalogue as a CSV that `import` takes. Throws a ``Stop``.
package func saveProducts(_ tables: PackTables, to path: String) throws {
  if let first = tables.undecided.first {
    let coins = first.coins.map { String($0) }.joined(separator: ", ")
    throw Stop(
      .badInput, "@plan.gets-different-coins-in-different \(first.sku) \(coins)",
      help: "@plan.product-has-one-number")
  }
  if let empty = tables.products.first(where: { $0.coins == 0 }) {
    throw Stop(
      .badInput, "@plan.would-get-no-coins \(empty.sku)",
      help: "@plan.correct-the-channel-rate")
  }
  if let first = tables.unplanned.first {
    throw Stop(
      .badInput,
      "@plan.new-coins-of-would-also \(first.sku) \(listed(first.storefronts))",
      help: "@plan.product-has-one-number-of-coins")
  }
  try saveFile(at: path) { sink in
    var writer = RowWriter(.csv, companyColumns[.products]!, sink: sink)
    for product in tables.products {
      writer.text(AppProduct(product.sku).sku)
      writer.text(product.kind.name)
      writer.text(product.tier)
      writer.text(product.appleIdentifier)
      writer.text(product.bundleID)
      writer.text(product.name)
      writer.integer(product.coins)
      writer.text(product.subscriptionGroup)
      writer.text(product.effectiveFrom?.description)
      writer.text(product.coin)
      try writer.endRow()
    }
    try writer.finish()
  }
}

/// Saves the prices as a CSV that `import` takes. Throws a ``Stop``.
package func saveTiers(_ tables: PackTables, to path: String) throws {
  try saveFile(at: path) { sink in
    var writer = RowWriter(.csv, companyColumns[.tiers]!, sink: sink)
    for price in tables.tiers {
      let digits = price.currency.minorDigits
      writer.text(price.table.name)
      writer.text(price.tier)
      writer.text(price.storefront.code)
      writer.text(price.currency.code)
      writer.decimal(price.price, minimumDigits: digits)
      writer.decimal(price.proceeds, minimumDigits: digits)
      writer.text(price.effectiveFrom?.description)
      writer.text(price.effectiveTo?.description)
      writer.decimal(price.commission, minimumDigits: 2)
      try writer.endRow()
    }
    try writer.finish()
  }
}
