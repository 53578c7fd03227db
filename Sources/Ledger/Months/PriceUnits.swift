import Billing
import GRDB

/// How the prices of a company's table compare with those of Apple's reports.
package struct PriceUnits: Sendable {
  /// Of the products that both have prices of in a currency.
  package struct Products: Sendable {
    package var count = 0
    /// Those of which some price is Apple's.
    package var agreeing = 0
    /// Those each of whose prices is one of Apple's times so much, by that factor.
    package var multiplied: [Int64: Set<String>] = [:]
    /// Those each of whose prices is a hundredth of one of Apple's.
    package var hundredths: Set<String> = []
  }

  /// Whether all prices are whole units of money, as amounts in cents would be.
  package private(set) var areWhole = true
  /// Currencies without cents that have a price with a fraction.
  package private(set) var fractions: Set<String> = []

  /// By currency.
  package var products: [String: Products] = [:]
}

extension Ledger {
  /// Rows of the file, and the newest of Apple's reports, that are looked at.
  private static let priceRows = 10_000
  private static let factors: [Int64] = [100, 1000, 1_000_000]

  /// Compares the prices of a file of orders or transactions with those of Apple's newest reports;
  /// nil for a file without prices.
  ///
  /// - Parameter isOrders: whether the file has orders; else it has transactions.
  package func priceUnits(ofFile file: String, isOrders: Bool) throws -> PriceUnits? {
    let (rows, terms) =
      isOrders ? ("order_row", "order_terms") : ("transaction_row", "transaction_terms")
    return try read { db in
      let own = try RawStatement(
        db,
        """
        SELECT DISTINCT t.sku, t.currency, t.unit_price FROM (
          SELECT r.terms_id FROM source s JOIN \(rows) r ON r.id BETWEEN s.first_row AND s.last_row
          WHERE s.file = ? AND s.kind = ? LIMIT \(Self.priceRows)) x
        JOIN \(terms) t ON t.id = x.terms_id WHERE t.unit_price > 0 AND t.currency IS NOT NULL
        """, file, isOrders ? "orders" : "transactions")
      var prices: [PricedSKU: Set<Int64>] = [:]
      while try own.step() {
        prices[PricedSKU(sku: own.text(0), currency: own.text(1)), default: []]
          .insert(own.int64(2))
      }
      return prices.isEmpty ? nil : PriceUnits(prices, Self.factors, apples: try applesPrices(db))
    }
  }

  /// The customer prices, in micro-units, in the newest rows of Apple's sales reports, by product
  /// and currency.
  private func applesPrices(_ db: Database) throws -> [PricedSKU: Set<Int64>] {
    let select = try RawStatement(
      db,
      """
      SELECT DISTINCT p.sku, t.customer_currency, abs(t.customer_price) FROM (
        SELECT product_id, terms_id FROM sales_row
        WHERE id > (SELECT max(last_row) FROM sales_block) - \(Self.priceRows)) x
      JOIN sales_product p ON p.id = x.product_id JOIN sales_terms t ON t.id = x.terms_id
      WHERE t.customer_price <> 0 AND t.customer_currency IS NOT NULL
      """)
    var prices: [PricedSKU: Set<Int64>] = [:]
    while try select.step() {
      prices[PricedSKU(sku: select.text(0), currency: select.text(1)), default: []]
        .insert(select.int64(2))
    }
    return prices
  }
}

/// A product in a currency.
private struct PricedSKU: Hashable {
  var sku: String
  var currency: String
}

extension PriceUnits {
  /// Compares a table's own prices with Apple's, both in micro-units.
  ///
  /// - Parameters:
  ///   - own: the prices in the company's table, by product and currency; `apples` likewise.
  ///   - factors: by which all prices of a product may be too large.
  fileprivate init(
    _ own: [PricedSKU: Set<Int64>], _ factors: [Int64], apples: [PricedSKU: Set<Int64>]
  ) {
    for (product, prices) in own {
      if prices.contains(where: { !$0.isMultiple(of: 1_000_000) }) {
        areWhole = false
        if Currency(product.currency)?.isoDigits == 0 { fractions.insert(product.currency) }
      }
      guard let apples = apples[product] else { continue }
      var found = products[product.currency] ?? Products()
      found.count += 1
      if !apples.isDisjoint(with: prices) { found.agreeing += 1 }
      for factor in factors
      where prices.allSatisfy({ $0.isMultiple(of: factor) && apples.contains($0 / factor) }) {
        found.multiplied[factor, default: []].insert(product.sku)
      }
      if prices.allSatisfy({ apples.contains($0 * 100) }) { found.hundredths.insert(product.sku) }
      products[product.currency] = found
    }
  }
}
