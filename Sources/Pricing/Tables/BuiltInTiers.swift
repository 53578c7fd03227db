package import Billing
import CTablesHeader

/// The tiers that Tieout knows without being told: all of mainland China.
///
/// Classic tiers 0 to 87 and the seven alternate ones, the subscription prices that came before
/// the price points by their place in Apple's list, and price points by Apple's number for them
/// (`10016` is the sixteenth). Without proceeds: the rules give them on every day.
package enum BuiltInTiers {
  package static let prices: [TierPrice] = rows.map(\.price)

  struct Row {
    let price: TierPrice
    /// Where it stands in the table.
    let line: Int
  }

  static let facts = FactTable(
    "tiers.csv",
    columns: ["table", "tier", "storefront", "currency", "price", "from", "to", "evidence"],
    bytes: FactTable.embedded(ctables_tiers()))

  /// A row for both of Apple's matrices counts in each.
  static let rows: [Row] = facts.rows.flatMap { row in
    tables(row).map { Row(price: TierPrice(row, table: $0), line: row.line) }
  }

  /// The matrices that a row is for.
  private static func tables(_ row: FactTable.Row) -> [TierTable] {
    switch row.text(0) {
    case "iap": [.iap]
    case "subscription": [.subscription]
    case "*": [.iap, .subscription]
    default: preconditionFailure("\(row.place): a table is iap, subscription or *")
    }
  }
}

extension TierPrice {
  /// The price that a row states, in one of the matrices that it is for.
  fileprivate init(_ row: FactTable.Row, table: TierTable) {
    precondition(tierName(row.text(1)) == row.text(1), "\(row.place): not the tier's one name")
    self.init(
      table: table, tier: row.text(1), storefront: row.storefront(2), currency: row.currency(3),
      price: row.amount(4), proceeds: nil, effectiveFrom: row.day(5), effectiveTo: row.day(6))
  }
}
