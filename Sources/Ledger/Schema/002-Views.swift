extension Schema {
  /// The facts as a person reads them with plain `sqlite3`: decimal prices, ISO times, file and
  /// line; what nobody said is null or empty.
  static let purchaseViews = """
    \(fileView)
    \(reportRowView)
    \(orderView)
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
      \(iso(time: "r.told_at")) AS told_at, r.receipt_size
    FROM transaction_row r \(joinSource("transactions", "receipts", "notifications", "history"))
      JOIN transaction_terms t ON t.id = r.terms_id;

    CREATE VIEW v_message AS
    SELECT m.id, s.file || ':' || m.line AS source, s.kind AS source_kind, t.witness, t.type,
      t.subtype, t.status, t.environment, t.bundle_id, \(iso(time: "m.told_at")) AS told_at, m.uuid,
      m.order_id, m.user_id
    FROM message_row m JOIN source s ON s.id = m.source_id
      JOIN message_terms t ON t.id = m.terms_id;

    CREATE VIEW v_renewal AS
    SELECT n.id, s.file || ':' || n.line AS source, t.witness, n.original_transaction_id,
      \(iso(time: "n.told_at")) AS told_at, t.sku, t.next_sku, t.will_renew, t.expiration_intent,
      t.is_in_billing_retry, \(iso(time: "n.grace_expires_at")) AS grace_expires_at
    FROM renewal_row n JOIN source s ON s.id = n.source_id
      JOIN renewal_terms t ON t.id = n.terms_id;
    \(rejectView)
    """
}
