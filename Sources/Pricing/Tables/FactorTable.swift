import Billing
import CTablesHeader

/// Factors by which Apple's own price lists at 30 % turn prices into proceeds, where they were
/// rounded up at seven places; everywhere else the exact rates give the lists.
struct FactorTable: Sendable {
  static let builtIn = FactorTable(bytes: FactTable.embedded(ctables_factors()))

  struct Row: Hashable, Sendable {
    let storefront: Storefront
    let currency: Currency
    let days: DayRange
    /// Ten-millionths of the price.
    let factor: Int64
    /// Where it stands in the table.
    let line: Int

    /// What one unit at a price brings, rounded half up to a multiple of `unit`; all in
    /// micro-units.
    func proceeds(of price: Int64, unit: Int64) -> Int64 {
      roundedHalfUp(Int128(price) * Int128(factor), dividedBy: 10_000_000, toMultipleOf: unit)
    }

    /// The factor with its seven places: `0.5882353`.
    var text: String {
      let digits = String(factor)
      return "0." + String(repeating: "0", count: max(0, 7 - digits.count)) + digits
    }
  }

  let rows: [Row]
  let facts: FactTable

  /// Reads the bytes of `factors.csv`.
  init(bytes: some Collection<UInt8>) {
    facts = FactTable(
      "factors.csv", columns: ["storefront", "currency", "from", "to", "factor", "evidence"],
      bytes: bytes)
    rows = facts.rows.map(Row.init)
  }

  /// The factor of a storefront's list on a day, or nil where the exact rates hold.
  func row(storefront: Storefront, currency: Currency, day: Day) -> Row? {
    rows.first {
      $0.storefront == storefront && $0.currency == currency && $0.days.contains(day)
    }
  }
}

extension FactorTable.Row {
  /// Reads a line of the table.
  init(_ row: FactTable.Row) {
    storefront = row.storefront(0)
    currency = row.currency(1)
    days = row.days(2)
    factor = row.share(4)
    line = row.line
  }
}

extension FactTable.Row {
  /// A share of exactly seven places, as ten-millionths.
  fileprivate func share(_ column: Int) -> Int64 {
    let parts = text(column).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "0", parts[1].utf8.count == 7, let share = Int64(parts[1])
    else { preconditionFailure("\(place): \(text(column)) is no share of seven places") }
    return share
  }
}
