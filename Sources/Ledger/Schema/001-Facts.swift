extension Schema {
  /// Rows of reports, orders and transactions, and the dictionaries of what repeats in them.
  ///
  /// Dictionaries are shared by all files, their ids dense from 1. Prices are micro-units, days are
  /// counted from 1970-01-01, times are Unix seconds. Ids are integers where the text is the only
  /// decimal spelling of one, else text; an `original_transaction_id` of '' is the row's own
  /// `transaction_id`. Columns that every read of a period needs stand first. Rows of one file are
  /// contiguous; which file they came from is told by `source.first_row`.
  static let facts = """
    CREATE TABLE sales_product (
      id INTEGER PRIMARY KEY,
      sku TEXT NOT NULL,
      type TEXT NOT NULL,
      apple_identifier TEXT NOT NULL,
      title TEXT NOT NULL,
      developer TEXT NOT NULL,
      version TEXT NOT NULL,
      parent TEXT NOT NULL,
      category TEXT NOT NULL,
      subscription_period TEXT NOT NULL,
      supported_platforms TEXT NOT NULL
    ) STRICT;
    CREATE TABLE sales_terms (
      id INTEGER PRIMARY KEY,
      storefront TEXT NOT NULL CHECK (length(storefront) = 2),
      customer_currency TEXT CHECK (length(customer_currency) = 3),
      customer_price INTEGER NOT NULL,
      proceeds_currency TEXT CHECK (length(proceeds_currency) = 3),
      proceeds INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE sales_condition (
      id INTEGER PRIMARY KEY,
      promo_code TEXT NOT NULL,
      subscription TEXT NOT NULL,
      cmb TEXT NOT NULL,
      device TEXT NOT NULL,
      proceeds_reason TEXT NOT NULL,
      preserved_pricing TEXT NOT NULL,
      client TEXT NOT NULL,
      order_type TEXT NOT NULL
    ) STRICT;
    CREATE TABLE sales_row (
      id INTEGER PRIMARY KEY,
      product_id INTEGER NOT NULL,
      terms_id INTEGER NOT NULL,
      condition_id INTEGER NOT NULL,
      units INTEGER NOT NULL,
      begin_day INTEGER NOT NULL,
      end_day INTEGER NOT NULL,
      line INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE order_terms (
      id INTEGER PRIMARY KEY,
      sku TEXT NOT NULL,
      status TEXT NOT NULL CHECK
        (status IN ('created', 'paid', 'fulfilled', 'refunded', 'cancelled')),
      quantity INTEGER NOT NULL,
      unit_price INTEGER,
      currency TEXT CHECK (length(currency) = 3),
      storefront TEXT CHECK (length(storefront) = 2),
      bundle_id TEXT NOT NULL,
      channel TEXT NOT NULL,
      coins INTEGER
    ) STRICT;
    CREATE TABLE order_row (
      id INTEGER PRIMARY KEY,
      terms_id INTEGER NOT NULL,
      placed_at INTEGER NOT NULL,
      fulfilled_at INTEGER,
      order_id ANY,
      transaction_id ANY,
      user_id ANY,
      app_account_token ANY,
      paid_at INTEGER,
      line INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE transaction_terms (
      id INTEGER PRIMARY KEY,
      sku TEXT NOT NULL,
      bundle_id TEXT NOT NULL,
      kind TEXT CHECK
        (kind IN ('consumable', 'non_consumable', 'auto_renewable', 'non_renewing')),
      quantity INTEGER NOT NULL,
      unit_price INTEGER,
      currency TEXT CHECK (length(currency) = 3),
      storefront TEXT CHECK (length(storefront) = 2),
      is_trial INTEGER NOT NULL CHECK (is_trial IN (0, 1)),
      is_intro INTEGER NOT NULL CHECK (is_intro IN (0, 1)),
      is_upgraded INTEGER NOT NULL CHECK (is_upgraded IN (0, 1)),
      ownership TEXT NOT NULL CHECK (ownership IN ('PURCHASED', 'FAMILY_SHARED')),
      environment TEXT NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
      revocation_reason TEXT NOT NULL
    ) STRICT;
    CREATE TABLE transaction_row (
      id INTEGER PRIMARY KEY,
      terms_id INTEGER NOT NULL,
      purchased_at INTEGER NOT NULL,
      revoked_at INTEGER,
      transaction_id ANY,
      order_id ANY,
      original_transaction_id ANY,
      web_order_line_item_id ANY,
      expires_at INTEGER,
      user_id ANY,
      app_account_token ANY,
      line INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX transaction_revoked ON transaction_row (revoked_at) WHERE revoked_at IS NOT NULL;
    """

  /// Ids as text whatever they are stored as, and a chain's first transaction by its own id:
  /// columns that take no room, by which views compare ids and SQLite joins them.
  static let idTexts = """
    ALTER TABLE order_row ADD COLUMN order_text TEXT AS (CAST(order_id AS TEXT));
    ALTER TABLE order_row ADD COLUMN transaction_text TEXT AS (CAST(transaction_id AS TEXT));
    ALTER TABLE order_row ADD COLUMN user_text TEXT AS (CAST(user_id AS TEXT));
    ALTER TABLE transaction_row ADD COLUMN transaction_text TEXT AS (CAST(transaction_id AS TEXT));
    ALTER TABLE transaction_row ADD COLUMN order_text TEXT AS (CAST(order_id AS TEXT));
    ALTER TABLE transaction_row ADD COLUMN original_text TEXT AS (CAST(
      CASE WHEN original_transaction_id = '' THEN transaction_id ELSE original_transaction_id END
      AS TEXT));
    ALTER TABLE transaction_row ADD COLUMN user_text TEXT AS (CAST(user_id AS TEXT));
    """
}
