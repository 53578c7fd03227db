import Billing

// The company's own tables: of rows with the same key, the file imported last counts.

extension LedgerView {
  static let product = LedgerView(
    "v_product", "the company's catalogue, a row for each product and day from which it holds",
    [
      "p.id", .source("p"), "p.sku", "p.kind", "p.tier", "p.coins", "p.name",
      "p.apple_identifier", "p.bundle_id", "p.subscription_group", .day("p.effective_from"),
    ],
    from: counting("product", as: "p", by: "sku, bundle_id, effective_from"),
    [
      "kind": "consumable, non_consumable, auto_renewable or non_renewing",
      "tier": "tier or price point, as the company spells it",
      "coins": "what one unit is worth in virtual currency",
      "name": "as the company calls it",
      "subscription_group": "group of the subscription",
      "effective_from": "first day on which it applies; null means always",
    ])

  static let tier = LedgerView(
    "v_tier", "the company's tier prices, a row for each tier, storefront and span of days",
    [
      "t.id", .source("t"), Column("t.\"table\"", as: "table"), "t.tier", "t.storefront",
      "t.currency", .amount("t.price"), .amount("t.proceeds"), .day("t.effective_from"),
      .day("t.effective_to"),
    ],
    from: counting("tier", as: "t", by: #""table", tier, storefront, effective_from"#),
    [
      "table": "iap or subscription",
      "tier": "tier or price point by its one name",
      "price": "price of one unit to the customer",
      "proceeds": "what Apple pays for one unit at 30%",
      "effective_from": "first day on which it applies; null means always",
      "effective_to": "last day on which it applies; null means until further notice",
    ])

  static let rate = LedgerView(
    "v_rate", "exchange rates that were loaded, a row for each pair of currencies and day",
    [
      "r.id", .source("r"), .day("r.day", as: "date"), "r.base", "r.quote",
      .rate("r.rate", places: "r.places"),
    ],
    from: counting("rate", as: "r", by: "base, quote, day"),
    [
      "date": "day of the rate",
      "base": "currency of which one unit is exchanged",
      "quote": "currency that it is exchanged into",
      "rate": "how much one unit gives",
    ])

  /// The rows of a table of the company's that count, and the file of each as `s`.
  private static func counting(_ table: String, as row: String, by key: String) -> String {
    """
    \(table) \(row) JOIN source s ON s.id = \(row).source_id \
    WHERE \(row).id IN (SELECT max(id) FROM \(table) GROUP BY \(key))
    """
  }
}
