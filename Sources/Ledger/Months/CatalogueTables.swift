import Billing
import GRDB

/// The company's tables: of rows with the same key, the file imported last counts, and in it the
/// last line. Each list is sorted by its key.
extension Ledger {
  static func products(_ db: Database) throws -> [Product] {
    try latest(by: "sku, bundle_id, effective_from", db)
  }

  static func tiers(_ db: Database) throws -> [TierPrice] {
    try latest(by: #""table", tier, storefront, effective_from"#, db)
  }

  static func taxes(_ db: Database) throws -> [TaxOverride] {
    try latest(by: "storefront, effective_from", db)
  }

  /// The rates of `days`, and of each pair of currencies the last one before them.
  static func rates(_ days: ClosedRange<Day>, _ db: Database) throws -> [ExchangeRate] {
    struct Pair: Hashable { var base: Currency, quote: Currency }
    var before: [Pair: ExchangeRate] = [:]
    var within: [Pair: [Day: ExchangeRate]] = [:]
    let until = Int64(days.upperBound.number)
    for rate in try ExchangeRate.select("WHERE day <= ? ORDER BY id", until, in: db) {
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

  private static func latest<Row: TableValue>(by key: String, _ db: Database) throws -> [Row] {
    try Row.select(
      "WHERE id IN (SELECT max(id) FROM \(Row.tableName) GROUP BY \(key)) ORDER BY \(key)", in: db)
  }
}
