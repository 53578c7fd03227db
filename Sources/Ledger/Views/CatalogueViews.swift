import Billing

// The company's own tables: of rows with the same key, the file imported last counts.

extension LedgerView {
  static let product = LedgerView(
    "v_product", "@view.company-catalogue-a-row",
    [
      "p.id", .source("p"), "p.sku", "p.kind", "p.tier", "p.coins", "p.name",
      "p.apple_identifier", "p.bundle_id", "p.subscription_group", .day("p.effective_from"),
      "p.coin",
    ],
    from: newestRows("product", as: "p", by: "sku, bundle_id, effective_from"),
    [
      "kind": "@shared.consumable-non-consumable-auto-renewable",
      "tier": "@view.tier-or-price-point",
      "coins": "@view.what-one-unit-is-worth",
      "coin": "@company.which-coin",
      "name": "@view.as-the-company-calls",
      "subscription_group": "@view.group-of-the-subscription",
      "effective_from": "@view.first-day",
    ])

  static let tier = LedgerView(
    "v_tier", "@view.company-tier-prices-a-row",
    [
      "t.id", .source("t"), Column("t.\"table\"", as: "table"), "t.tier", "t.storefront",
      "t.currency", .amount("t.price"), .amount("t.proceeds"), .day("t.effective_from"),
      .day("t.effective_to"), .amount("t.commission"),
    ],
    from: newestRows("tier", as: "t", by: #""table", tier, storefront, effective_from"#),
    [
      "table": "@view.iap-or-subscription",
      "tier": "@view.tier-or-price-point-by",
      "price": "@view.price-of-one-unit-to-the-customer",
      "proceeds": "@view.what-apple-pays-for-one-unit",
      "commission": "@view.commission-of-these-proceeds",
      "effective_from": "@view.first-day",
      "effective_to": "@view.last-day",
    ])

  static let rate = LedgerView(
    "v_rate", "@view.exchange-rates-that-were-loaded",
    [
      "r.id", .source("r"), .day("r.day", as: "date"), "r.base", "r.quote",
      .rate("r.rate", places: "r.places"),
    ],
    from: newestRows("rate", as: "r", by: "base, quote, day"),
    [
      "date": "@view.day-of-the-rate",
      "base": "@view.currency-of-which-one-unit",
      "quote": "@view.currency-that-it-is-exchanged",
      "rate": "@view.how-much-one-unit-gives",
    ])

  /// The SQL after `FROM` for the rows of a table of the company's that count, under the name
  /// `row`, with the file of each as `s`: of rows with the same key the one imported last.
  private static func newestRows(_ table: String, as row: String, by key: String) -> String {
    """
    \(table) \(row) JOIN source s ON s.id = \(row).source_id \
    WHERE \(row).id IN (SELECT max(id) FROM \(table) GROUP BY \(key))
    """
  }
}
