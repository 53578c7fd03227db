extension Schema {
  /// Apple's own words about purchases beside the company's table: files of further kinds, terms
  /// that tell what was not said from what is false, and who told a row and when.
  ///
  /// What a company's table did not say was stored as its default until now: it becomes "not said".
  static let purchases = """
    CREATE TABLE new_source (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind <> ''),
      file TEXT NOT NULL,
      sha256 TEXT NOT NULL UNIQUE CHECK (sha256 <> ''),
      head_sha256 TEXT NOT NULL,
      byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
      vendor TEXT NOT NULL,
      begin_day INTEGER,
      end_day INTEGER,
      rows INTEGER NOT NULL CHECK (rows >= 0),
      rejected INTEGER NOT NULL CHECK (rejected >= 0),
      first_row INTEGER,
      last_row INTEGER,
      imported_at INTEGER NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('current', 'superseded', 'partial')),
      superseded_by INTEGER REFERENCES source (id),
      CHECK ((begin_day IS NULL) = (end_day IS NULL) AND begin_day <= end_day),
      CHECK ((status = 'superseded') = (superseded_by IS NOT NULL))
    ) STRICT;
    INSERT INTO new_source SELECT * FROM source;
    DROP TABLE source;
    ALTER TABLE new_source RENAME TO source;
    CREATE INDEX source_head ON source (head_sha256);
    CREATE INDEX source_rows ON source (kind, first_row);

    CREATE TABLE new_terms (
      id INTEGER PRIMARY KEY,
      witness TEXT NOT NULL CHECK
        (witness IN ('company', 'unsigned', 'notification_v1', 'receipt', 'signed')),
      sku TEXT NOT NULL,
      bundle_id TEXT NOT NULL,
      kind TEXT CHECK
        (kind IN ('consumable', 'non_consumable', 'auto_renewable', 'non_renewing')),
      quantity INTEGER NOT NULL,
      unit_price INTEGER,
      currency TEXT CHECK (length(currency) = 3),
      storefront TEXT CHECK (length(storefront) = 2),
      is_trial INTEGER CHECK (is_trial IN (0, 1)),
      is_intro INTEGER CHECK (is_intro IN (0, 1)),
      is_upgraded INTEGER NOT NULL CHECK (is_upgraded IN (0, 1)),
      ownership TEXT CHECK (ownership IN ('PURCHASED', 'FAMILY_SHARED')),
      environment TEXT CHECK (environment IN ('Production', 'Sandbox')),
      revocation_reason TEXT NOT NULL,
      revocation_type TEXT CHECK
        (revocation_type IN ('REFUND_FULL', 'REFUND_PRORATED', 'FAMILY_REVOKE')),
      revocation_percentage INTEGER,
      is_refund_reversed INTEGER NOT NULL CHECK (is_refund_reversed IN (0, 1)),
      offer_type INTEGER CHECK (offer_type BETWEEN 1 AND 4),
      item_id TEXT NOT NULL,
      app_item_id TEXT NOT NULL,
      subscription_group TEXT NOT NULL
    ) STRICT;
    INSERT INTO new_terms
    SELECT id, 'company', sku, bundle_id, kind, quantity, unit_price, currency, storefront,
      nullif(is_trial, 0), nullif(is_intro, 0), is_upgraded, nullif(ownership, 'PURCHASED'),
      nullif(environment, 'Production'), revocation_reason, NULL, NULL, 0, NULL, '', '', ''
    FROM transaction_terms;
    DROP TABLE transaction_terms;
    ALTER TABLE new_terms RENAME TO transaction_terms;

    -- When Apple told the row, and how many transactions stood in the receipt that it came in.
    ALTER TABLE transaction_row ADD COLUMN told_at INTEGER;
    ALTER TABLE transaction_row ADD COLUMN receipt_size INTEGER;

    CREATE TABLE message_terms (
      id INTEGER PRIMARY KEY,
      witness TEXT NOT NULL,
      type TEXT NOT NULL,
      subtype TEXT NOT NULL,
      status INTEGER,
      environment TEXT CHECK (environment IN ('Production', 'Sandbox')),
      bundle_id TEXT NOT NULL
    ) STRICT;
    CREATE TABLE message_row (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      terms_id INTEGER NOT NULL,
      told_at INTEGER,
      uuid ANY,
      order_id ANY,
      user_id ANY,
      line INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE renewal_terms (
      id INTEGER PRIMARY KEY,
      witness TEXT NOT NULL,
      sku TEXT NOT NULL,
      next_sku TEXT NOT NULL,
      will_renew INTEGER CHECK (will_renew IN (0, 1)),
      expiration_intent INTEGER,
      is_in_billing_retry INTEGER CHECK (is_in_billing_retry IN (0, 1))
    ) STRICT;
    CREATE TABLE renewal_row (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      terms_id INTEGER NOT NULL,
      told_at INTEGER NOT NULL,
      original_transaction_id ANY,
      grace_expires_at INTEGER,
      line INTEGER NOT NULL
    ) STRICT;
    """
}
