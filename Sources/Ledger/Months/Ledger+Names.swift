package import Billing
import GRDB

/// What the rows of a ledger name, each with the rows that do, most rows first.
package struct NamesInRows: Sendable {
  package var bundleIDs: [(name: String, rows: Int)] = []
  package var storefronts: [(name: String, rows: Int)] = []
  package var currencies: [(name: String, rows: Int)] = []
  /// Transactions of the company's tables that name no storefront.
  package var transactionsWithoutStorefront = 0
}

extension Ledger {
  /// The currency that most orders name; nil where none does. Of very many orders some hundred
  /// blocks all over the table are looked at.
  package func commonestOrderCurrency() throws -> Currency? {
    try read { db in
      let last = try Int64.fetchOne(db, sql: "SELECT max(last_row) FROM order_block") ?? 0
      let (blocks, rows): (Int64, Int64) = last <= 100_000 ? (1, last + 1) : (200, 500)
      let select = try RawStatement(
        db,
        """
        SELECT t.currency, count(*) FROM order_row r JOIN order_terms t ON t.id = r.terms_id
        WHERE r.id BETWEEN ? AND ? AND t.currency IS NOT NULL AND t.currency != ''
        GROUP BY t.currency
        """)
      var counts: [String: Int64] = [:]
      for block in 0..<blocks {
        select.bind(block * last / blocks, at: 1)
        select.bind(block * last / blocks + rows - 1, at: 2)
        while try select.step() { counts[select.text(0), default: 0] += select.int64(1) }
        select.reset()
      }
      let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
      return most.flatMap { Currency($0.key) }
    }
  }

  /// What orders, transactions, products and sales reports name. Reads every row once.
  package func namesInRows() throws -> NamesInRows {
    try read { db in
      func names(_ column: String, reports: String, catalogue: String = "") throws -> [(
        name: String, rows: Int
      )] {
        let select = try RawStatement(
          db,
          """
          SELECT name, sum(n) FROM (
            SELECT t.\(column) AS name, count(*) AS n
              FROM order_row r JOIN order_terms t ON t.id = r.terms_id GROUP BY t.id
            UNION ALL
            SELECT t.\(column), count(*)
              FROM transaction_row r JOIN transaction_terms t ON t.id = r.terms_id GROUP BY t.id
            \(reports) \(catalogue))
          WHERE name IS NOT NULL AND name != '' GROUP BY name ORDER BY 2 DESC, 1
          """)
        var found: [(name: String, rows: Int)] = []
        while try select.step() { found.append((select.text(0), Int(select.int64(1)))) }
        return found
      }
      func sales(_ column: String) -> String {
        """
        UNION ALL SELECT t.\(column), count(*)
          FROM sales_row r JOIN sales_terms t ON t.id = r.terms_id GROUP BY t.id
        """
      }
      let untold = try RawStatement(
        db,
        """
        SELECT count(*) FROM transaction_row r JOIN transaction_terms t ON t.id = r.terms_id
        WHERE t.storefront IS NULL
        """)
      _ = try untold.step()
      return NamesInRows(
        bundleIDs: try names(
          "bundle_id", reports: "", catalogue: "UNION ALL SELECT bundle_id, 1 FROM product"),
        storefronts: try names("storefront", reports: sales("storefront")),
        currencies: try names("currency", reports: sales("customer_currency")),
        transactionsWithoutStorefront: Int(untold.int64(0)))
    }
  }
}
