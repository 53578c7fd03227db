import Billing
import GRDB
import GRDBSQLite

/// Appends whole blocks to a table with one statement: `INSERT … SELECT` from the block itself.
final class BulkInsert {
  private let feed = BlockFeed()
  private let statement: RawStatement

  init(_ db: Database, _ kind: InputKind) throws {
    let name = "block_of_\(kind.rawValue)"
    try BlockTable.register(feed, kind, as: name, db)
    let columns = Self.columns(kind)
    let places = columns.indices.map { "c\($0)" }.joined(separator: ", ")
    // Without an id in the list SQLite appends at the end instead of searching for the place.
    statement = try RawStatement(
      db,
      """
      INSERT INTO \(kind.table) (\(columns.joined(separator: ", ")))
      SELECT \(places) FROM \(name)
      """)
  }

  func run(_ window: BlockWindow) throws {
    feed.window = window
    defer { feed.window = BlockWindow() }
    try statement.run()
  }

  /// The columns in the order in which the block's table gives them.
  private static func columns(_ kind: InputKind) -> [String] {
    switch kind {
    case .sales:
      ["product_id", "terms_id", "condition_id", "units", "begin_day", "end_day", "line"]
    case .finance, .financeDetail:
      ["terms_id", "quantity", "extended", "transaction_day", "settlement_day", "line"]
    case .orders:
      [
        "terms_id", "placed_at", "fulfilled_at", "order_id", "transaction_id", "user_id",
        "app_account_token", "paid_at", "line",
      ]
    case .transactions: transactionColumns
    case .receipts, .notifications, .history: transactionColumns + ["told_at", "receipt_size"]
    case .payments, .subscription, .subscriptionEvent, .subscriber, .products, .tiers, .rates,
      .taxes:
      preconditionFailure("small tables have no blocks")
    }
  }

  private static let transactionColumns = [
    "terms_id", "purchased_at", "revoked_at", "transaction_id", "order_id",
    "original_transaction_id", "web_order_line_item_id", "expires_at", "user_id",
    "app_account_token", "line",
  ]
}
