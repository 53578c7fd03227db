import Billing
import CTablesHeader

/// A price list that follows the US one: its prices are US prices with a markup, and what the
/// developer gets is what the US price gives, with a markup of its own.
struct USCopy: Hashable, Sendable {
  /// Nil is every storefront, where nothing is taken off the price.
  let storefront: Storefront?
  let currency: Currency
  let days: DayRange
  /// Millionths by which prices are above the US ones.
  let priceMarkup: Int64
  /// Millionths by which proceeds are above the US ones.
  let proceedsMarkup: Int64
  /// Where it stands in the table.
  let line: Int
}

/// The price lists that follow the US one, by storefront, currency and day.
struct USCopyTable: Sendable {
  static let builtIn = USCopyTable(bytes: FactTable.embedded(ctables_us_copies()))

  let copies: [USCopy]
  let facts: FactTable

  /// Reads the bytes of `us_copies.csv`.
  init(bytes: some Collection<UInt8>) {
    facts = FactTable("us_copies.csv", columns: Self.columns, bytes: bytes)
    copies = facts.rows.map(USCopy.init)
  }

  private static let columns = [
    "storefront", "currency", "from", "to", "price_markup_pct", "proceeds_markup_pct", "evidence",
  ]

  /// The list that follows the US one and that a storefront's prices belong to on a day; nil where
  /// they belong to none.
  ///
  /// - Parameters:
  ///   - isUntaxed: nothing is taken off before the commission.
  ///   - isOverridden: the company's own rate stands in for the storefront's tax.
  func copy(
    storefront: Storefront, currency: Currency, day: Day, isUntaxed: Bool, isOverridden: Bool
  ) -> USCopy? {
    var everywhere: USCopy?
    for copy in copies where copy.currency == currency && copy.days.contains(day) {
      if copy.storefront == storefront, !isOverridden { return copy }
      if copy.storefront == nil, isUntaxed { everywhere = copy }
    }
    return everywhere
  }
}

extension USCopy {
  /// Reads a line of the table.
  init(_ row: FactTable.Row) {
    storefront = row.storefrontOrAll(0)
    currency = row.currency(1)
    days = row.days(2)
    priceMarkup = row.percentage(4) ?? 0
    proceedsMarkup = row.percentage(5) ?? 0
    line = row.line
  }
}
