import Billing
import CTables

/// Rows of Apple's own price lists at 30 % that no rule gives.
struct ExceptionTable: Sendable {
  static let builtIn = ExceptionTable(bytes: FactTable.embedded(ctables_exceptions()))

  struct Row: Hashable, Sendable {
    let storefront: Storefront
    let currency: Currency
    let days: DayRange
    /// Micro-units.
    let price: Int64
    let proceeds: Int64
    /// Where it stands in the table.
    let line: Int
  }

  let rows: [Row]
  let facts: FactTable
  private let byStorefront: [Storefront: [Row]]

  init(bytes: some Collection<UInt8>) {
    facts = FactTable("exceptions.csv", columns: Self.columns, bytes: bytes)
    rows = facts.rows.map(Row.init)
    byStorefront = Dictionary(grouping: rows, by: \.storefront)
  }

  private static let columns = [
    "storefront", "currency", "from", "to", "price", "proceeds", "reason",
  ]

  /// The row of a list that has this price, or nil where the rule holds.
  func row(storefront: Storefront, currency: Currency, price: Int64, day: Day) -> Row? {
    byStorefront[storefront]?.first {
      $0.price == price && $0.currency == currency && $0.days.contains(day)
    }
  }
}

extension ExceptionTable.Row {
  init(_ row: FactTable.Row) {
    storefront = row.storefront(0)
    currency = row.currency(1)
    days = row.days(2)
    price = row.amount(4)
    proceeds = row.amount(5)
    line = row.line
  }
}
