import Billing
import GRDB

/// The company's tables: of rows with the same key, the file imported last counts, and in it the
/// last line. Each list is sorted by its key.
extension Ledger {
  static func products(_ db: Database) throws -> [Product] {
    let columns = """
      sku, kind, tier, apple_identifier, bundle_id, name, coins, subscription_group, effective_from
      """
    return try latest(db, columns, of: "product", by: "sku, bundle_id, effective_from") { row in
      Product(
        sku: row.text(0), kind: ProductKind(name: row.text(1))!, tier: row.text(2),
        appleIdentifier: row.text(3), bundleID: row.text(4), name: row.text(5),
        coins: row.optionalInt64(6), subscriptionGroup: row.text(7),
        effectiveFrom: row.optionalDay(8))
    }
  }

  static func tiers(_ db: Database) throws -> [TierPrice] {
    let columns = """
      "table", tier, storefront, currency, price, proceeds, effective_from, effective_to
      """
    let key = #""table", tier, storefront, effective_from"#
    return try latest(db, columns, of: "tier", by: key) { row in
      TierPrice(
        table: row.text(0) == "iap" ? .iap : .subscription, tier: row.text(1),
        storefront: row.storefront(2)!, currency: row.currency(3)!, price: row.int64(4),
        proceeds: row.optionalInt64(5), effectiveFrom: row.optionalDay(6),
        effectiveTo: row.optionalDay(7))
    }
  }

  static func taxes(_ db: Database) throws -> [TaxOverride] {
    let columns = "storefront, rate, effective_from, effective_to"
    return try latest(db, columns, of: "tax", by: "storefront, effective_from") { row in
      TaxOverride(
        storefront: row.storefront(0)!, rate: row.int64(1), effectiveFrom: row.optionalDay(2),
        effectiveTo: row.optionalDay(3))
    }
  }

  /// The rates of `days`, and of each pair of currencies the last one before them.
  static func rates(_ days: ClosedRange<Day>, _ db: Database) throws -> [ExchangeRate] {
    struct Pair: Hashable { var base: Currency, quote: Currency }
    var before: [Pair: ExchangeRate] = [:]
    var within: [Pair: [Day: ExchangeRate]] = [:]
    let select = try RawStatement(
      db, "SELECT day, base, quote, rate FROM rate WHERE day <= ? ORDER BY id")
    select.bind(days.upperBound, at: 1)
    while try select.step() {
      let rate = ExchangeRate(
        date: select.day(0), base: select.currency(1)!, quote: select.currency(2)!,
        rate: select.int64(3))
      let pair = Pair(base: rate.base, quote: rate.quote)
      if rate.date >= days.lowerBound {
        within[pair, default: [:]][rate.date] = rate
      } else if before[pair].map({ $0.date <= rate.date }) ?? true {
        before[pair] = rate
      }
    }
    return (before.values + within.values.flatMap(\.values)).sorted {
      ($0.base, $0.quote, $0.date) < ($1.base, $1.quote, $1.date)
    }
  }

  private static func latest<Value>(
    _ db: Database, _ columns: String, of table: String, by key: String,
    read: (borrowing RawStatement) -> Value
  ) throws -> [Value] {
    let select = try RawStatement(
      db,
      """
      SELECT \(columns) FROM \(table)
      WHERE id IN (SELECT max(id) FROM \(table) GROUP BY \(key)) ORDER BY \(key)
      """)
    var values: [Value] = []
    while try select.step() { values.append(read(select)) }
    return values
  }
}
