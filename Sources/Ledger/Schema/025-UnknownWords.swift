extension Schema {
  /// Seats that were assigned, parts of bundles, and words that are not known, as written.
  static let unknownWords = """
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
      ownership TEXT CHECK (ownership IN ('PURCHASED', 'FAMILY_SHARED', 'ASSIGNED', 'Other')),
      environment TEXT CHECK (environment IN ('Production', 'Sandbox', 'Other')),
      revocation_reason TEXT NOT NULL,
      revocation_type TEXT CHECK
        (revocation_type IN ('REFUND_FULL', 'REFUND_PRORATED', 'FAMILY_REVOKE')),
      revocation_percentage INTEGER,
      is_refund_reversed INTEGER NOT NULL CHECK (is_refund_reversed IN (0, 1)),
      offer_type INTEGER CHECK (offer_type BETWEEN 1 AND 4),
      item_id TEXT NOT NULL,
      app_item_id TEXT NOT NULL,
      subscription_group TEXT NOT NULL,
      app_version TEXT NOT NULL DEFAULT '',
      is_component INTEGER NOT NULL DEFAULT 0 CHECK (is_component IN (0, 1)),
      unknown_words TEXT NOT NULL DEFAULT ''
    ) STRICT;
    INSERT INTO new_terms SELECT *, 0, '' FROM transaction_terms;
    DROP TABLE transaction_terms;
    ALTER TABLE new_terms RENAME TO transaction_terms;

    ALTER TABLE message_terms ADD COLUMN unknown_words TEXT NOT NULL DEFAULT '';
    ALTER TABLE renewal_terms ADD COLUMN unknown_words TEXT NOT NULL DEFAULT '';
    """
}
