package import Billing
import GRDB

extension Ledger {
  /// The SKUs that stand in several apps, by the catalogue and Apple's reports.
  package func sharedSKUs() throws -> SharedSKUs { try read { try sharedSKUs($0) } }

  /// The SKUs that stand in several apps, which a snapshot reads once.
  func sharedSKUs(_ db: Database) throws -> SharedSKUs {
    try oncePerState { try Self.sharedSKUs(db) }
  }

  /// Reads which SKUs stand in several apps: from the catalogue, Apple's reports and transactions.
  private static func sharedSKUs(_ db: Database) throws -> SharedSKUs {
    let skus = try skusOfSeveralMarks(db)
    if skus.isEmpty { return .none }
    return SharedSKUs(
      try products(db), arrived: try Product.select("ORDER BY id", in: db),
      sold: try TermsDictionary<SalesProduct>.all(db),
      told: try TransactionTerms.select(
        "WHERE item_id <> '' AND bundle_id <> '' ORDER BY id", in: db
      ).filter { skus.contains($0.sku) })
  }

  /// SKUs that may stand in several apps: with two bundles, two of Apple's identifiers, or two
  /// apps' SKUs.
  private static func skusOfSeveralMarks(_ db: Database) throws -> Set<String> {
    try String.fetchSet(
      db,
      sql: """
        SELECT DISTINCT sku FROM (
          SELECT sku, 0 AS kind, bundle_id AS mark FROM product
          UNION SELECT sku, 1, apple_identifier FROM product
          UNION SELECT sku, 1, apple_identifier FROM sales_product
            WHERE type LIKE 'IA%' OR type LIKE 'FI%'
          UNION SELECT sku, 2, parent FROM sales_product WHERE type LIKE 'IA%' OR type LIKE 'FI%')
        WHERE mark <> '' AND sku <> '' GROUP BY sku, kind HAVING count(*) > 1
        """)
  }

  /// The ids of a dictionary's entries that are of a product, or of its SKU where they name no app
  /// or `name` has none; ascending.
  ///
  /// - Parameters:
  ///   - name: an SKU, with its app where it stands in several.
  ///   - condition: in SQL, what else they must be.
  func ids<Entry: DictionaryEntry & OfProduct>(
    of name: String, in dictionary: Entry.Type, where condition: String = "true", _ db: Database
  ) throws -> [Int64] {
    let product = AppProduct(name)
    let ids = try Int64.fetchAll(
      db,
      sql: "SELECT id FROM \(Entry.tableName) WHERE sku = ? AND \(condition) ORDER BY id",
      arguments: [product.sku])
    guard product.app != nil, !ids.isEmpty else { return ids }
    let shared = try sharedSKUs(db)
    let entries = try TermsDictionary<Entry>.entries(Set(ids.map { Int32($0 - 1) }), db)
    return ids.filter { AppProduct.mayBeSame(shared.name(of: entries[Int32($0 - 1)]!), name) }
  }
}
