internal import Billing

/// Reads overrides of the tax table.
struct TaxesReader: RowReader {
  private let columns: [Int]
  private let storefronts: StorefrontLookup
  private var rows: [(line: Int32, TaxOverride)] = []

  init(_ map: ColumnMap, storefronts: StorefrontLookup) {
    columns = map.fields
    self.storefronts = storefronts
  }

  var pending: Int { rows.count }

  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    func field(_ name: String) -> Int { columns[CompanyTable.taxes.index(name)] }
    guard
      let storefront = try record.storefront(field("storefront"), "storefront", storefronts)
    else { throw record.blankDiagnostic(field("storefront"), "storefront") }
    guard let rate = try record.amount(field("rate"), "rate", mayBeNegative: false) else {
      throw record.blankDiagnostic(field("rate"), "rate")
    }
    guard rate < 1_000_000 else {
      throw RecordDiagnostic(
        field("rate"), "rate", "rate is not below 1: \(shown(record[field("rate")]))",
        help: "write the fraction: 19% is 0.19")
    }
    let tax = TaxOverride(
      storefront: storefront, rate: rate,
      effectiveFrom: try record.isoDate(field("effective_from"), "effective_from"),
      effectiveTo: try record.isoDate(field("effective_to"), "effective_to"))
    if let from = tax.effectiveFrom, let to = tax.effectiveTo, to < from {
      throw RecordDiagnostic(
        field("effective_to"), "date", "effective_to \(to) comes before effective_from \(from)",
        help: "both days are included: swap them, or leave an open end empty")
    }
    rows.append((record.line, tax))
    return 1
  }

  mutating func takeBlock() -> FactBlock {
    defer { rows = [] }
    return FactBlock(rows: .taxes(rows))
  }

  func summary(_ log: ReadingLog) -> RowSummary { RowSummary() }
}
