extension Schema {
  /// With which version of the app, and on which device, an order was placed or a receipt made.
  static let appVersions = """
    ALTER TABLE order_terms ADD COLUMN app_version TEXT NOT NULL DEFAULT '';
    ALTER TABLE order_terms ADD COLUMN device TEXT NOT NULL DEFAULT '';
    ALTER TABLE transaction_terms ADD COLUMN app_version TEXT NOT NULL DEFAULT '';

    DROP VIEW v_order;
    CREATE VIEW v_order AS
    SELECT r.id, s.file || ':' || r.line AS source, s.status AS file_status, r.order_id, t.status,
      t.sku, t.quantity, \(decimal("t.unit_price")) AS unit_price, t.currency, t.storefront,
      r.user_id, r.transaction_id, r.app_account_token, \(iso(time: "r.placed_at")) AS placed_at,
      \(iso(time: "r.paid_at")) AS paid_at, \(iso(time: "r.fulfilled_at")) AS fulfilled_at,
      t.bundle_id, t.channel, t.coins, t.app_version, t.device
    FROM order_row r \(joinSource("orders")) JOIN order_terms t ON t.id = r.terms_id;

    DROP VIEW v_transaction;
    CREATE VIEW v_transaction AS
    SELECT r.id, s.file || ':' || r.line AS source, s.kind AS source_kind,
      s.status AS file_status, r.transaction_id,
      CASE WHEN r.original_transaction_id = '' THEN r.transaction_id
        ELSE r.original_transaction_id END AS original_transaction_id,
      r.web_order_line_item_id, r.order_id, t.sku, t.kind, t.quantity,
      \(decimal("t.unit_price")) AS unit_price, t.currency, t.storefront,
      \(iso(time: "r.purchased_at")) AS purchased_at, \(iso(time: "r.expires_at")) AS expires_at,
      \(iso(time: "r.revoked_at")) AS revoked_at, t.revocation_reason, t.revocation_type,
      t.revocation_percentage, t.is_refund_reversed, t.is_trial, t.is_intro, t.offer_type,
      t.is_upgraded, t.ownership, t.environment, t.bundle_id, t.item_id, t.app_item_id,
      t.subscription_group, r.user_id, r.app_account_token, t.witness,
      \(iso(time: "r.told_at")) AS told_at, r.receipt_size, t.app_version
    FROM transaction_row r \(joinSource("transactions", "receipts", "notifications", "history"))
      JOIN transaction_terms t ON t.id = r.terms_id;
    """
}
