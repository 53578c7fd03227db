internal import Billing

/// Reads price tiers or price points, each by its one name, and refuses two prices for one tier,
/// storefront and day.
struct TiersReader: RowReader {
  private struct Key: Hashable {
    var table: TierTable
    var tier: String
    var storefront: Storefront
  }
  private struct Entry {
    var from: Int32
    var to: Int32
    var currency: Currency
    var price: Int64
    var line: Int32
  }

  private let columns: [Int]
  private let storefronts: StorefrontLookup
  private var rows: [(line: Int32, TierPrice)] = []
  private var seen: [Key: [Entry]] = [:]

  init(_ map: ColumnMap, storefronts: StorefrontLookup) {
    columns = map.fields
    self.storefronts = storefronts
  }

  var pending: Int { rows.count }

  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    func field(_ name: String) -> Int { columns[CompanyTable.tiers.index(name)] }
    func required<Value>(_ value: Value?, _ name: String) throws(RecordDiagnostic) -> Value {
      guard let value else { throw record.blankDiagnostic(field(name), name) }
      return value
    }
    let tables: [String: TierTable] = ["iap": .iap, "subscription": .subscription]
    let table = try record.word(
      field("table"), "table", allowed: ["iap", "subscription"], { tables[$0] })
    let storefront = try record.storefront(field("storefront"), "storefront", storefronts)
    let price = try record.amount(field("price"), "price", mayBeNegative: false)
    let tier = TierPrice(
      table: try required(table, "table"),
      tier: tierName(try record.requiredText(field("tier"), "tier")),
      storefront: try required(storefront, "storefront"),
      currency: try required(record.currency(field("currency"), "currency"), "currency"),
      price: try required(price, "price"),
      proceeds: try record.amount(field("proceeds"), "proceeds", mayBeNegative: false),
      effectiveFrom: try record.isoDate(field("effective_from"), "effective_from"),
      effectiveTo: try record.isoDate(field("effective_to"), "effective_to"))
    if let from = tier.effectiveFrom, let to = tier.effectiveTo, to < from {
      throw RecordDiagnostic(
        field("effective_to"), "date", "effective_to \(to) comes before effective_from \(from)",
        help: "both days are included: swap them, or leave an open end empty")
    }
    try note(tier, line: record.line, field: field("price"))
    rows.append((record.line, tier))
    return 1
  }

  private mutating func note(_ tier: TierPrice, line: Int32, field: Int) throws(RecordDiagnostic) {
    let key = Key(table: tier.table, tier: tier.tier, storefront: tier.storefront)
    let entry = Entry(
      from: tier.effectiveFrom?.number ?? .min, to: tier.effectiveTo?.number ?? .max,
      currency: tier.currency, price: tier.price, line: line)
    let clash = seen[key]?.first {
      $0.from <= entry.to && entry.from <= $0.to
        && ($0.price != entry.price || $0.currency != entry.currency)
    }
    if let clash {
      let price = Money(micros: entry.price, entry.currency)
      let other = Money(micros: clash.price, clash.currency)
      throw RecordDiagnostic(
        field, "tier",
        """
        tier \(tier.tier) in \(tier.storefront) costs \(price.text) \(price.currency) here and \
        \(other.text) \(other.currency) on line \(clash.line), on the same days
        """,
        help: "give lines \(clash.line) and \(line) effective days that do not overlap")
    }
    seen[key, default: []].append(entry)
  }

  mutating func takeBlock() -> FactBlock {
    defer { rows = [] }
    return FactBlock(rows: .tiers(rows))
  }

  func summary(_ log: ReadingLog) -> RowSummary { RowSummary() }
}
