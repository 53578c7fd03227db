internal import Billing

/// Reads the company's catalogue.
struct ProductsReader: RowReader {
  private let columns: [Int]
  private var rows: [(line: Int32, Product)] = []

  init(_ map: ColumnMap) { columns = map.fields }

  var pending: Int { rows.count }

  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    func field(_ name: String) -> Int { columns[CompanyTable.products.index(name)] }
    func text(_ name: String) -> String { record.text(field(name)) }
    let sku = try record.requiredText(field("sku"), "sku")
    guard
      let kind = try record.word(
        field("kind"), "kind", allowed: ProductKind.allCases.map(\.name), { ProductKind(name: $0) })
    else { throw record.blankDiagnostic(field("kind"), "kind") }
    let identifier = field("apple_identifier")
    if isSpoiledID(trimmed(record[identifier])) {
      throw spoiledID(record, identifier, "apple_identifier")
    }
    let product = Product(
      sku: sku, kind: kind, tier: text("tier"), appleIdentifier: text("apple_identifier"),
      bundleID: text("bundle_id"), name: text("name"),
      coins: try record.count(field("coins"), "coins", atLeast: 0),
      subscriptionGroup: text("subscription_group"),
      effectiveFrom: try record.isoDate(field("effective_from"), "effective_from"))
    rows.append((record.line, product))
    return 1
  }

  mutating func takeBlock() -> FactBlock {
    defer { rows = [] }
    return FactBlock(rows: .products(rows))
  }

  func summary(_ log: ReadingLog) -> RowSummary { RowSummary() }
}
