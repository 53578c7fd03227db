extension Schema {
  /// The facts as a person reads them with plain `sqlite3`: decimal prices, ISO times, file and
  /// line.
  static let views = [fileView, reportRowView, orderView, transactionView, rejectView]
    .joined(separator: "\n\n")

  static let fileView = """
    CREATE VIEW v_file AS
    SELECT s.kind, s.file, s.status, s.vendor, \(iso(day: "s.begin_day")) AS begin,
      \(iso(day: "s.end_day")) AS "end", s.rows, s.rejected, s.byte_count,
      \(iso(time: "s.imported_at")) AS imported_at, n.file AS superseded_by, s.sha256
    FROM source s LEFT JOIN source n ON n.id = s.superseded_by;
    """

  static let reportRowView = """
    CREATE VIEW v_report_row AS
    SELECT r.id, s.file || ':' || r.line AS source, s.status AS file_status, s.vendor,
      \(iso(day: "r.begin_day")) AS begin, \(iso(day: "r.end_day")) AS "end", t.storefront, p.sku,
      p.type, r.units, \(decimal("t.customer_price")) AS customer_price, t.customer_currency,
      \(decimal("t.proceeds")) AS proceeds, t.proceeds_currency, p.title, p.apple_identifier,
      p.developer, p.version, p.parent, p.category, p.subscription_period, p.supported_platforms,
      c.promo_code, c.subscription, c.cmb, c.device, c.proceeds_reason, c.preserved_pricing,
      c.client, c.order_type
    FROM sales_row r \(joinSource("sales"))
      JOIN sales_product p ON p.id = r.product_id JOIN sales_terms t ON t.id = r.terms_id
      JOIN sales_condition c ON c.id = r.condition_id;
    """

  static let orderView = """
    CREATE VIEW v_order AS
    SELECT r.id, s.file || ':' || r.line AS source, s.status AS file_status, r.order_id, t.status,
      t.sku, t.quantity, \(decimal("t.unit_price")) AS unit_price, t.currency, t.storefront,
      r.user_id, r.transaction_id, r.app_account_token, \(iso(time: "r.placed_at")) AS placed_at,
      \(iso(time: "r.paid_at")) AS paid_at, \(iso(time: "r.fulfilled_at")) AS fulfilled_at,
      t.bundle_id, t.channel, t.coins
    FROM order_row r \(joinSource("orders")) JOIN order_terms t ON t.id = r.terms_id;
    """

  private static let transactionView = """
    CREATE VIEW v_transaction AS
    SELECT r.id, s.file || ':' || r.line AS source, s.status AS file_status, r.transaction_id,
      CASE WHEN r.original_transaction_id = '' THEN r.transaction_id
        ELSE r.original_transaction_id END AS original_transaction_id,
      r.web_order_line_item_id, r.order_id, t.sku, t.kind, t.quantity,
      \(decimal("t.unit_price")) AS unit_price, t.currency, t.storefront,
      \(iso(time: "r.purchased_at")) AS purchased_at, \(iso(time: "r.expires_at")) AS expires_at,
      \(iso(time: "r.revoked_at")) AS revoked_at, t.revocation_reason, t.is_trial, t.is_intro,
      t.is_upgraded, t.ownership, t.environment, t.bundle_id, r.user_id, r.app_account_token
    FROM transaction_row r \(joinSource("transactions"))
      JOIN transaction_terms t ON t.id = r.terms_id;
    """

  static let rejectView = """
    CREATE VIEW v_reject AS
    SELECT s.file || ':' || r.line || ':' || r."column" AS source, r.topic, r.message, r.help,
      r.raw_text
    FROM reject r JOIN source s ON s.id = r.source_id;
    """

  static func iso(day column: String) -> String {
    "date(\(column) * 86400, 'unixepoch')"
  }

  static func iso(time column: String) -> String {
    "strftime('%Y-%m-%dT%H:%M:%SZ', \(column), 'unixepoch')"
  }

  /// Micro-units as exact decimal text with two digits or as many more as it needs.
  static func decimal(_ column: String) -> String {
    """
    (CASE WHEN \(column) IS NULL THEN NULL WHEN \(column) < 0 THEN '-' ELSE '' END \
    || printf('%d.%02d', abs(\(column)) / 1000000, abs(\(column)) / 10000 % 100) \
    || rtrim(printf('%04d', abs(\(column)) % 10000), '0'))
    """
  }

  /// Joins the file that row `r` of a fact table came from.
  static func joinSource(_ kinds: String...) -> String {
    let list = kinds.map { "'\($0)'" }.joined(separator: ", ")
    return """
      JOIN source s ON s.id = (SELECT id FROM source WHERE kind IN (\(list)) \
      AND first_row <= r.id ORDER BY first_row DESC LIMIT 1)
      """
  }
}
