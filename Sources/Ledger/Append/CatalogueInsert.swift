import Billing
import GRDB

/// The company's small tables go in row by row.
extension FileAppender {
  func insert(_ rows: [(line: Int32, Product)]) throws -> Int {
    try insert(
      rows, "product",
      """
      sku, kind, tier, apple_identifier, bundle_id, name, coins, subscription_group, effective_from
      """
    ) { product, insert in
      insert.bind(product.sku, at: 3)
      insert.bind(product.kind.name, at: 4)
      insert.bind(product.tier, at: 5)
      insert.bind(product.appleIdentifier, at: 6)
      insert.bind(product.bundleID, at: 7)
      insert.bind(product.name, at: 8)
      insert.bind(product.coins, at: 9)
      insert.bind(product.subscriptionGroup, at: 10)
      insert.bind(product.effectiveFrom, at: 11)
    }
  }

  func insert(_ rows: [(line: Int32, TierPrice)]) throws -> Int {
    try insert(
      rows, "tier",
      "\"table\", tier, storefront, currency, price, proceeds, effective_from, effective_to"
    ) { price, insert in
      insert.bind(price.table == .iap ? "iap" : "subscription", at: 3)
      insert.bind(price.tier, at: 4)
      insert.bind(price.storefront.code, at: 5)
      insert.bind(price.currency.code, at: 6)
      insert.bind(price.price, at: 7)
      insert.bind(price.proceeds, at: 8)
      insert.bind(price.effectiveFrom, at: 9)
      insert.bind(price.effectiveTo, at: 10)
    }
  }

  func insert(_ rows: [(line: Int32, ExchangeRate)]) throws -> Int {
    try insert(rows, "rate", "day, base, quote, rate") { rate, insert in
      insert.bind(rate.date, at: 3)
      insert.bind(rate.base.code, at: 4)
      insert.bind(rate.quote.code, at: 5)
      insert.bind(rate.rate, at: 6)
    }
  }

  func insert(_ rows: [(line: Int32, TaxOverride)]) throws -> Int {
    try insert(rows, "tax", "storefront, rate, effective_from, effective_to") { tax, insert in
      insert.bind(tax.storefront.code, at: 3)
      insert.bind(tax.rate, at: 4)
      insert.bind(tax.effectiveFrom, at: 5)
      insert.bind(tax.effectiveTo, at: 6)
    }
  }

  private func insert<Value>(
    _ rows: [(line: Int32, Value)], _ table: String, _ columns: String,
    bind: (Value, borrowing RawStatement) -> Void
  ) throws -> Int {
    let count = columns.split(separator: ",").count + 2
    let places = Array(repeating: "?", count: count).joined(separator: ", ")
    let insert = try RawStatement(
      db, "INSERT INTO \(table) (source_id, line, \(columns)) VALUES (\(places))")
    for (line, value) in rows {
      insert.bind(sourceID, at: 1)
      insert.bind(line, at: 2)
      bind(value, insert)
      try insert.run()
    }
    return rows.count
  }
}
