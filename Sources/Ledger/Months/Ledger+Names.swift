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
  /// The currency that most orders name; nil where none does. Of very many orders some blocks all
  /// over the table are looked at.
  package func commonestOrderCurrency() throws -> Currency? {
    try read { db in
      var names = NameCounts()
      try names.add(
        "currency", of: "order_terms", Self.rowsByTerms(.orders, most: 1_000_000, db), db)
      return names.mostFirst.first.flatMap { Currency($0.name) }
    }
  }

  /// What orders, transactions, products and sales reports name. Reads every row once.
  package func namesInRows() throws -> NamesInRows {
    try read { db in
      let orders = try Self.rowsByTerms(.orders, db)
      let transactions = try Self.rowsByTerms(.transactions, db)
      let sales = try Self.rowsByTerms(.sales, db)
      /// How many rows have each name: of orders and transactions, the names in `column` of their
      /// terms, and of sales reports, unless it is nil, those in the column `reported`.
      func names(_ column: String, ofReports reported: String?) throws -> NameCounts {
        var names = NameCounts()
        try names.add(column, of: "order_terms", orders, db)
        try names.add(column, of: "transaction_terms", transactions, db)
        if let reported { try names.add(reported, of: "sales_terms", sales, db) }
        return names
      }
      var apps = try names("bundle_id", ofReports: nil)
      for app in try String.fetchAll(db, sql: "SELECT bundle_id FROM product") {
        apps.add(app, 1)
      }
      let untold = try Int64.fetchAll(
        db, sql: "SELECT id FROM transaction_terms WHERE storefront IS NULL")
      return NamesInRows(
        bundleIDs: apps.mostFirst,
        storefronts: try names("storefront", ofReports: "storefront").mostFirst,
        currencies: try names("currency", ofReports: "customer_currency").mostFirst,
        transactionsWithoutStorefront: untold.reduce(0) { $0 + (transactions[$1] ?? 0) })
    }
  }

  /// How many rows have each of a table's terms, by the terms' ids.
  ///
  /// - Parameter most: where there are more rows, blocks with about so many, evenly spread, are
  ///   read.
  private static func rowsByTerms(
    _ tables: BlockTables, most: Int = .max, _ db: Database
  ) throws -> [Int64: Int] {
    let blocks = try Row.fetchAll(
      db, sql: "SELECT first_row, last_row, rows FROM \(tables.table.blocks) ORDER BY first_row")
    let rows = blocks.reduce(0) { $0 + ($1[2] as Int) }
    let looked = rows <= most ? blocks.count : max(1, blocks.count * most / rows)
    let scan = try BlockScan(db, ["terms_id"], of: tables)
    var counts: [Int] = []
    for place in 0..<looked {
      let block = blocks[place * blocks.count / looked]
      try scan.forEach((block[0] as Int64)...(block[1] as Int64)) { row in
        let terms = Int(row.int64(1))
        if terms >= counts.count {
          counts.append(contentsOf: repeatElement(0, count: terms - counts.count + 1))
        }
        counts[terms] += 1
      }
    }
    return Dictionary(
      uniqueKeysWithValues: counts.enumerated().filter { $0.element > 0 }.map {
        (Int64($0.offset), $0.element)
      })
  }
}

/// Names with how many rows have them.
private struct NameCounts {
  private var rows: [String: Int] = [:]

  /// The names with their rows, most rows first, then by name.
  var mostFirst: [(name: String, rows: Int)] {
    rows.map { (name: $0.key, rows: $0.value) }
      .sorted { ($1.rows, $0.name) < ($0.rows, $1.name) }
  }

  /// Adds the names in a column of a table of terms, each with the rows that have the terms.
  ///
  /// - Parameter counts: how many rows have each of the terms, by their ids.
  mutating func add(
    _ column: String, of terms: String, _ counts: [Int64: Int], _ db: Database
  ) throws {
    let select = try RawStatement(db, "SELECT id, \(column) FROM \(terms)")
    while try select.step() {
      if let count = counts[select.int64(0)] { add(select.text(1), count) }
    }
  }

  /// Adds `count` to the rows that have a name; an empty name is left out.
  mutating func add(_ name: String, _ count: Int) {
    if !name.isEmpty { rows[name, default: 0] += count }
  }
}
