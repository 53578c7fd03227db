extension Schema {
  /// What Apple settles and pays by fiscal month: financial reports, their detail, and payments
  /// summaries. A source knows the region of its report.
  static let settlement = """
    ALTER TABLE source ADD COLUMN region TEXT NOT NULL DEFAULT '';

    CREATE TABLE finance_terms (
      id INTEGER PRIMARY KEY,
      storefront TEXT NOT NULL CHECK (length(storefront) = 2),
      sku TEXT NOT NULL,
      apple_identifier TEXT NOT NULL,
      type TEXT NOT NULL,
      title TEXT NOT NULL,
      is_return INTEGER NOT NULL CHECK (is_return IN (0, 1)),
      share INTEGER NOT NULL,
      currency TEXT NOT NULL CHECK (length(currency) = 3),
      customer_price INTEGER NOT NULL,
      customer_currency TEXT CHECK (length(customer_currency) = 3),
      promo_code TEXT NOT NULL,
      order_type TEXT NOT NULL
    ) STRICT;
    -- The days are the detail's: of sale and of settlement.
    CREATE TABLE finance_row (
      id INTEGER PRIMARY KEY,
      terms_id INTEGER NOT NULL,
      quantity INTEGER NOT NULL,
      extended INTEGER NOT NULL,
      transaction_day INTEGER,
      settlement_day INTEGER,
      line INTEGER NOT NULL
    ) STRICT;
    -- What reports say of themselves; of a storefront, its units and its amount.
    CREATE TABLE finance_footer (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      line INTEGER NOT NULL,
      what TEXT NOT NULL CHECK (what IN ('rows', 'units', 'amount', 'storefront')),
      storefront TEXT CHECK (length(storefront) = 2),
      currency TEXT CHECK (length(currency) = 3),
      count INTEGER,
      amount INTEGER
    ) STRICT;
    CREATE INDEX finance_footer_source ON finance_footer (source_id);

    CREATE TABLE payment_line (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      line INTEGER NOT NULL,
      block INTEGER NOT NULL,
      region TEXT NOT NULL,
      label TEXT NOT NULL,
      currency TEXT NOT NULL CHECK (length(currency) = 3),
      units INTEGER NOT NULL,
      balance INTEGER,
      earned INTEGER NOT NULL,
      pre_tax_subtotal INTEGER,
      input_tax INTEGER NOT NULL,
      adjustments INTEGER NOT NULL,
      withholding INTEGER NOT NULL,
      owed INTEGER NOT NULL,
      printed_rate INTEGER,
      proceeds INTEGER,
      bank_currency TEXT CHECK (length(bank_currency) = 3)
    ) STRICT;
    CREATE INDEX payment_line_source ON payment_line (source_id);
    CREATE TABLE payout (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      line INTEGER NOT NULL,
      block INTEGER NOT NULL,
      amount INTEGER,
      currency TEXT CHECK (length(currency) = 3),
      account TEXT NOT NULL,
      day INTEGER,
      is_paid INTEGER NOT NULL CHECK (is_paid IN (0, 1))
    ) STRICT;
    CREATE INDEX payout_source ON payout (source_id);
    """
}
