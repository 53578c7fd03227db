import Billing
import GRDB

extension Ledger {
  /// Each sales report that another version replaced and whose days touch `days`, compared with
  /// the version that replaced it; sorted by begin, end, vendor and file.
  static func restatements(
    touching days: ClosedRange<Day>, products: [SalesProduct], terms: [SalesTerms], _ db: Database
  ) throws -> [Restatement] {
    let select = try RawStatement(
      db,
      """
      SELECT o.begin_day, o.end_day, o.vendor, o.file, n.file, o.first_row, o.last_row,
        n.first_row, n.last_row
      FROM source o JOIN source n ON n.id = o.superseded_by
      WHERE o.kind = 'sales' AND o.begin_day <= ? AND o.end_day >= ?
      ORDER BY o.begin_day, o.end_day, o.vendor, o.id
      """, days.upperBound, days.lowerBound)
    let restatements = try select.all {
      let restatement = Restatement(
        begin: select.day(0), end: select.day(1), vendor: select.text(2),
        oldFile: select.text(3), newFile: select.text(4), changes: [])
      let old = select.isNull(5) ? nil : select.int64(5)...select.int64(6)
      let new = select.isNull(7) ? nil : select.int64(7)...select.int64(8)
      return (restatement, old, new)
    }
    return try restatements.map { restatement, old, new in
      var sums = ReportSums(products: products, terms: terms)
      if let new { try sums.add([new], sign: 1, db) }
      if let old { try sums.add([old], sign: -1, db) }
      var restatement = restatement
      restatement.changes = sums.changes
      return restatement
    }
  }
}

extension Ledger {
  /// Each sales report whose last day is among `days` and that does not count because shorter ones
  /// have all of its days, where these say other things; sorted by begin, end, vendor and file.
  static func disagreements(
    endingIn days: ClosedRange<Day>, products: [SalesProduct], terms: [SalesTerms], _ db: Database
  ) throws -> [Disagreement] {
    let all = try CountedReport.current(db)
    let counting = CountedReport.counting(all)
    let notCounting = Set(all).subtracting(counting).filter { days.contains($0.end) }
    if notCounting.isEmpty { return [] }
    return try notCounting.compactMap { report in
      let parts = counting.filter {
        $0.vendor == report.vendor && $0.begin >= report.begin && $0.end <= report.end
      }
      guard try hasNoOtherDays(report, than: parts, db) else { return nil }
      var sums = ReportSums(products: products, terms: terms)
      try sums.add([report].compactMap(\.rowIDs), sign: 1, db)
      try sums.add(parts.compactMap(\.rowIDs), sign: -1, db)
      return sums.changes.isEmpty
        ? nil
        : Disagreement(
          file: report.file, begin: report.begin, end: report.end, vendor: report.vendor,
          changes: sums.changes)
    }
    .sorted { ($0.begin, $0.end, $0.vendor, $0.file) < ($1.begin, $1.end, $1.vendor, $1.file) }
  }

  /// Whether each day of a report is a day of one of `parts`, or recorded as without sales; false
  /// where `parts` is empty.
  private static func hasNoOtherDays(
    _ report: CountedReport, than parts: [CountedReport], _ db: Database
  ) throws -> Bool {
    var rest = Set(report.begin...report.end)
    for part in parts { rest.subtract(part.begin...part.end) }
    if rest.isEmpty { return !parts.isEmpty }
    let none = try Int32.fetchAll(
      db, sql: "SELECT day FROM no_sales WHERE vendor = ?", arguments: [report.vendor])
    return !parts.isEmpty && rest.isSubset(of: none.map { Day(number: $0) })
  }
}

extension CountedReport {
  /// The numbers of its rows; nil where it has none.
  fileprivate var rowIDs: ClosedRange<Int64>? {
    rows.map { Int64($0.lowerBound)...Int64($0.upperBound) }
  }
}

/// Units and extended customer price of reports, per storefront, currency and SKU.
private struct ReportSums {
  private struct Key: Hashable {
    var storefront: Storefront
    var currency: Currency?
    var sku: String
  }

  let products: [SalesProduct]
  let terms: [SalesTerms]
  private var sums: [Key: (units: Int64, gross: Int64)] = [:]

  init(products: [SalesProduct], terms: [SalesTerms]) {
    self.products = products
    self.terms = terms
  }

  /// Adds units and prices of rows of sales reports, or with a `sign` of −1 subtracts them. A row
  /// of zero units with a price is one credit of that price.
  ///
  /// - Parameter rows: ranges of row numbers.
  mutating func add(_ rows: [ClosedRange<Int64>], sign: Int64, _ db: Database) throws {
    let columns = "product_id, terms_id, units"
    let ranges = rows.map { [$0.lowerBound, $0.upperBound] }
    try scan(db, columns, "FROM sales_row WHERE id BETWEEN ? AND ?", ranges) { row in
      let terms = terms[Int(row.int32(1)) - 1]
      let key = Key(
        storefront: terms.storefront, currency: terms.customerCurrency,
        sku: products[Int(row.int32(0)) - 1].sku)
      let units = row.int64(2)
      let price = abs(terms.customerPrice)
      sums[key, default: (0, 0)].units += sign * units
      sums[key, default: (0, 0)].gross +=
        price.multipliedExactly(by: units == 0 ? -sign : sign * units)
    }
  }

  /// The sums that are not zero, which is what differs; sorted by storefront, currency and SKU.
  var changes: [Restatement.Change] {
    sums.filter { $0.value != (0, 0) }.map { key, sum in
      Restatement.Change(
        storefront: key.storefront, currency: key.currency, sku: key.sku, units: sum.units,
        gross: sum.gross)
    }.sorted {
      ($0.storefront, $0.currency?.code ?? "", $0.sku)
        < ($1.storefront, $1.currency?.code ?? "", $1.sku)
    }
  }
}
