package import Billing

extension Ledger {
  /// The storefronts in which the sales reports that count have each of the products on `days`.
  package func soldStorefronts(
    of skus: Set<String>, _ days: ClosedRange<Day>
  ) throws -> [String: Set<Storefront>] {
    try read { db in
      let products = try sharedSKUs(db).named(TermsDictionary<SalesProduct>.all(db))
      let terms = try TermsDictionary<SalesTerms>.all(db)
      let wanted = products.map { $0.type.isCovered && skus.contains($0.sku) }
      let reports = CountedReport.counting(try CountedReport.current(db))
      let ranges = try RowRanges(
        .sales, touching: Int64(days.lowerBound.number)...Int64(days.upperBound.number),
        of: Set(reports.map(\.source)), db)
      var sold: [Int32: Set<Storefront>] = [:]
      try ranges.forEach(db, "product_id, terms_id, begin_day, end_day", from: .sales) { row in
        let product = row.int32(1) - 1
        guard wanted[Int(product)], row.day(3) <= days.upperBound,
          row.day(4) >= days.lowerBound
        else { return }
        sold[product, default: []].insert(terms[Int(row.int32(2)) - 1].storefront)
      }
      var storefronts: [String: Set<Storefront>] = [:]
      for (product, places) in sold {
        storefronts[products[Int(product)].sku, default: []].formUnion(places)
      }
      return storefronts
    }
  }

  /// The terms, each once and in no order, of rows about `days` in the sales reports that count;
  /// without terms that bring no proceeds.
  package func soldTerms(_ days: ClosedRange<Day>) throws -> [SalesTerms] {
    try read { db in
      let terms = try TermsDictionary<SalesTerms>.all(db)
      let reports = CountedReport.counting(try CountedReport.current(db))
      let ranges = try RowRanges(
        .sales, touching: Int64(days.lowerBound.number)...Int64(days.upperBound.number),
        of: Set(reports.map(\.source)), db)
      var isSold = [Bool](repeating: false, count: terms.count)
      try ranges.forEach(db, "terms_id, begin_day, end_day", from: .sales) { row in
        guard row.day(2) <= days.upperBound, row.day(3) >= days.lowerBound else { return }
        isSold[Int(row.int32(1)) - 1] = true
      }
      return terms.indices.lazy.filter { isSold[$0] && terms[$0].proceeds != 0 }.map { terms[$0] }
    }
  }

  /// In-app products for which Apple's sales reports, or else the catalogue, have Apple's
  /// identifier; ascending.
  package func numberedProducts() throws -> [(
    sku: String, appleID: String, isSubscription: Bool
  )] {
    try read { db in
      let select = try RawStatement(
        db,
        """
        SELECT DISTINCT sku, apple_identifier, type LIKE 'IAY%' FROM sales_product
        WHERE (type LIKE 'IA%' OR type LIKE 'FI%') AND sku <> '' AND apple_identifier <> ''
        UNION SELECT sku, apple_identifier, kind = 'auto_renewable' FROM product
        WHERE sku <> '' AND apple_identifier <> '' AND sku NOT IN (
          SELECT sku FROM sales_product WHERE apple_identifier <> '')
        ORDER BY 1, 2
        """)
      return try select.all { (select.text(0), select.text(1), select.int64(2) != 0) }
    }
  }
}
