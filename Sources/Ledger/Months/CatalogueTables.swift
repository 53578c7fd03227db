import Billing
import GRDB

/// The company's tables: of rows with the same key, the file imported last counts, and in it the
/// last line. Each list is sorted by its key.
extension Ledger {
  /// The catalogue, sorted by SKU, bundle and first day: of rows with the same three the one
  /// imported last. Without a bundle, products of one file are told apart by Apple's identifiers.
  static func products(_ db: Database) throws -> [Product] {
    // Where no bundle is told, Apple's identifiers tell products of one file apart; a later file
    // may correct them.
    try Product.select(
      """
      WHERE id IN (SELECT max(id) FROM product GROUP BY sku, bundle_id, effective_from)
        OR id IN (SELECT max(id) FROM product
          WHERE bundle_id = '' AND apple_identifier <> ''
            AND (sku, ifnull(effective_from, ''), source_id) IN (
              SELECT sku, ifnull(effective_from, ''), source_id FROM (
                SELECT max(id), sku, effective_from, source_id FROM product WHERE bundle_id = ''
                GROUP BY sku, effective_from HAVING apple_identifier <> ''))
          GROUP BY sku, effective_from, apple_identifier)
      ORDER BY sku, bundle_id, effective_from, apple_identifier
      """, in: db)
  }

  /// The company's tier prices, sorted by table, tier, storefront and first day: of rows with the
  /// same four the one imported last.
  static func tiers(_ db: Database) throws -> [TierPrice] {
    try latest(by: #""table", tier, storefront, effective_from"#, db)
  }

  /// The company's own tax rates, sorted by storefront and first day: of rows with the same two the
  /// one imported last.
  static func taxes(_ db: Database) throws -> [TaxOverride] {
    try latest(by: "storefront, effective_from", db)
  }

  /// The items of the game, sorted by name: of rows with the same name the one imported last.
  static func gameItems(_ db: Database) throws -> [GameItem] { try latest(by: "item", db) }

  /// The lines of Apple's commission invoices, sorted by due day, number and app; of an invoice
  /// that several files have, the last one's lines.
  static func commissionInvoices(_ db: Database) throws -> [CommissionInvoice] {
    let lines: [CommissionInvoice] = try latest(by: "number, currency, app, first_day", db)
    return lines.sorted { ($0.due, $0.number, $0.app) < ($1.due, $1.number, $1.app) }
  }

  /// The company's own commissions, sorted by name, place, platforms, class and first day: of rows
  /// with the same five the one imported last.
  static func commissions(_ db: Database) throws -> [CompanyCommission] {
    try latest(by: "name, place, platforms, class, effective_from", db)
  }

  /// The rates of `days`, and of each pair of currencies the last one before them.
  static func rates(_ days: ClosedRange<Day>, _ db: Database) throws -> [ExchangeRate] {
    struct Key: Hashable { var base: Currency, quote: Currency, day: Day }
    let (first, last) = (Int64(days.lowerBound.number), Int64(days.upperBound.number))
    // Decades of rates stand before: SQLite finds the last of each pair, the newest id of its day.
    let before = try ExchangeRate.select(
      """
      WHERE id IN (SELECT max(day << 40 | id) & ((1 << 40) - 1) FROM rate WHERE day < ?
        GROUP BY base, quote)
      """, first, in: db)
    var within: [Key: ExchangeRate] = [:]
    let loaded = try ExchangeRate.select(
      "WHERE day BETWEEN ? AND ? ORDER BY id", first, last, in: db)
    for rate in loaded { within[Key(base: rate.base, quote: rate.quote, day: rate.date)] = rate }
    return (before + within.values).sorted {
      ($0.base, $0.quote, $0.date) < ($1.base, $1.quote, $1.date)
    }
  }

  /// The rows of a small table, sorted by `key`: of those with the same one the row imported last.
  ///
  /// - Parameter key: columns, as SQL lists them.
  private static func latest<Row: TableValue>(by key: String, _ db: Database) throws -> [Row] {
    try Row.select(
      "WHERE id IN (SELECT max(id) FROM \(Row.tableName) GROUP BY \(key)) ORDER BY \(key)", in: db)
  }
}
