package import Billing
import GRDB

extension Ledger {
  /// The terms of orders that rows name by these indexes, by index: the entry with the ledger's id
  /// n has the index n − 1.
  package func orderTerms(_ codes: Set<Int32>) throws -> [Int32: OrderTerms] {
    try read { db in
      let shared = try sharedSKUs(db)
      return try TermsDictionary<OrderTerms>.entries(codes, db).mapValues { shared.named([$0])[0] }
    }
  }

  /// The terms of transactions that rows name by these indexes, by index, which is the ledger's id
  /// less one.
  package func transactionTerms(_ codes: Set<Int32>) throws -> [Int32: TransactionTerms] {
    try read { db in
      let shared = try sharedSKUs(db)
      return try TermsDictionary<TransactionTerms>.entries(codes, db)
        .mapValues { shared.named([$0])[0] }
    }
  }

  /// Puts into `facts` the rows of one SKU that touch `days`, of Apple's sales reports that count,
  /// with what they refer to, and which reports have the days. Of restatements nothing is added.
  package func addReports(
    of sku: String, _ days: ClosedRange<Day>, to facts: inout MonthFacts
  ) throws {
    let (products, terms, conditions, sales, coverage) = try read { db in
      let reports = CountedReport.counting(try CountedReport.current(db))
      let products = try sharedSKUs(db).named(TermsDictionary<SalesProduct>.all(db))
      return (
        products, try TermsDictionary<SalesTerms>.all(db),
        try TermsDictionary<SalesCondition>.all(db),
        try Self.sales(
          of: reports, ids(of: sku, in: SalesProduct.self, db), touching: days, db),
        try Self.coverage(by: reports, touching: days, db)
      )
    }
    facts.salesProducts = products
    facts.salesTerms = terms
    facts.salesConditions = conditions
    facts.sales = sales
    facts.coverage = coverage
  }

  /// The rows of these reports that touch `days` and are of one of `products`, ids of their
  /// dictionary.
  private static func sales(
    of reports: [CountedReport], _ products: [Int64], touching days: ClosedRange<Day>,
    _ db: Database
  ) throws -> [SalesEntry] {
    let ranges = try RowRanges(
      .sales, touching: Int64(days.lowerBound.number)...Int64(days.upperBound.number),
      of: Set(reports.map(\.source)), db)
    var entries: [SalesEntry] = []
    try scan(
      db, "id, \(salesColumns)",
      """
      FROM sales_row WHERE id BETWEEN ? AND ?
        AND product_id IN (\(products.map(String.init).joined(separator: ",")))
      """, ranges.ranges.map { [$0.lowerBound, $0.upperBound] }
    ) { row in
      if let entry = salesEntry(row, touching: days) { entries.append(entry) }
    }
    return entries
  }

  /// Rows of financial reports and details, of a storefront and SKU, whose fiscal month touches
  /// `days`, at most `limit`; and whether any report is loaded that would have them.
  package func financeRows(
    _ storefront: Storefront, sku: String, _ days: ClosedRange<Day>, limit: Int
  ) throws -> (rows: [FinanceRow.ID], isLoaded: Bool) {
    try read { db in
      let terms = try ids(
        of: sku, in: FinanceTerms.self, where: "storefront = '\(storefront.code)'", db
      ).map(String.init).joined(separator: ",")
      let sources = try RawStatement(
        db,
        """
        SELECT first_row, last_row FROM source
        WHERE kind IN ('finance', 'finance_detail') AND status <> 'superseded'
          AND first_row IS NOT NULL AND begin_day <= ? AND end_day >= ? ORDER BY kind, first_row
        """, days.upperBound, days.lowerBound)
      let rows = try RawStatement(
        db,
        """
        SELECT id FROM finance_row WHERE id BETWEEN ?1 AND ?2 AND terms_id IN (\(terms))
        ORDER BY id LIMIT ?3
        """)
      var found: [FinanceRow.ID] = []
      var isLoaded = false
      while try sources.step() {
        isLoaded = true
        rows.bind(sources.int64(0), at: 1)
        rows.bind(sources.int64(1), at: 2)
        rows.bind(Int64(limit - found.count), at: 3)
        while try rows.step() { found.append(FinanceRow.ID(rows.int64(0))) }
        rows.reset()
      }
      return (found, isLoaded)
    }
  }

  /// SKUs that orders, transactions, reports or the catalogue name, ascending.
  package func skus() throws -> [String] {
    try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT sku FROM order_terms UNION SELECT sku FROM transaction_terms
          UNION SELECT sku FROM sales_product UNION SELECT sku FROM product ORDER BY 1
          """)
    }
  }
}
