extension Schema {
  /// What payloads say beside a transaction's row and a renewal's: rows of their own for the few
  /// that have it.
  static let extras = """
    CREATE TABLE extra_terms (
      id INTEGER PRIMARY KEY,
      transaction_reason TEXT NOT NULL,
      offer_id TEXT NOT NULL,
      offer_discount_type TEXT NOT NULL,
      offer_period TEXT NOT NULL,
      billing_plan TEXT NOT NULL,
      billing_period INTEGER,
      billing_periods INTEGER,
      commitment_price INTEGER,
      tax_code TEXT NOT NULL,
      tax_rate TEXT NOT NULL,
      estimated_tax INTEGER,
      price_without_tax INTEGER
    ) STRICT;
    -- Its id is the transaction row's.
    CREATE TABLE extra_row (
      id INTEGER PRIMARY KEY,
      terms_id INTEGER NOT NULL,
      app_transaction_id ANY,
      request_reference ANY,
      commitment_ends_at INTEGER
    ) STRICT;
    CREATE INDEX extra_commitment ON extra_row (commitment_ends_at)
    WHERE commitment_ends_at IS NOT NULL;

    ALTER TABLE message_terms ADD COLUMN request_reason TEXT NOT NULL DEFAULT '';
    ALTER TABLE message_row ADD COLUMN external_purchase_id ANY;
    ALTER TABLE message_row ADD COLUMN token_created_at INTEGER;

    ALTER TABLE renewal_terms ADD COLUMN status INTEGER;
    ALTER TABLE renewal_terms ADD COLUMN offer_type INTEGER;
    ALTER TABLE renewal_terms ADD COLUMN offer_id TEXT NOT NULL DEFAULT '';
    ALTER TABLE renewal_terms ADD COLUMN offer_discount_type TEXT NOT NULL DEFAULT '';
    ALTER TABLE renewal_terms ADD COLUMN offer_period TEXT NOT NULL DEFAULT '';
    ALTER TABLE renewal_terms ADD COLUMN renewal_price INTEGER;
    ALTER TABLE renewal_terms ADD COLUMN currency TEXT CHECK (length(currency) = 3);
    ALTER TABLE renewal_row ADD COLUMN renews_at INTEGER;
    """
}
