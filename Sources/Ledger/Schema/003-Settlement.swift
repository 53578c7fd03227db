extension Schema {
  /// What Apple settles and pays by fiscal month: financial reports, their detail, and payments
  /// summaries. A source knows the region of its report.
  static let settlement = """
    DROP VIEW v_file;
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

  /// As a person reads them with plain `sqlite3`.
  static let settlementViews = """
    CREATE VIEW v_file AS
    SELECT s.kind, s.file, s.status, s.vendor, s.region, \(iso(day: "s.begin_day")) AS begin,
      \(iso(day: "s.end_day")) AS "end", s.rows, s.rejected, s.byte_count,
      \(iso(time: "s.imported_at")) AS imported_at, n.file AS superseded_by, s.sha256
    FROM source s LEFT JOIN source n ON n.id = s.superseded_by;

    CREATE VIEW v_finance AS
    SELECT r.id, s.file || ':' || r.line AS source, s.kind AS source_kind,
      s.status AS file_status, s.vendor, s.region, \(iso(day: "s.begin_day")) AS begin,
      \(iso(day: "s.end_day")) AS "end", \(iso(day: "r.transaction_day")) AS transaction_date,
      \(iso(day: "r.settlement_day")) AS settlement_date, t.storefront, t.sku, t.type,
      CASE t.is_return WHEN 1 THEN 'R' ELSE 'S' END AS sale_or_return, r.quantity,
      \(decimal("t.share")) AS share, \(decimal("r.extended")) AS extended, t.currency,
      \(decimal("t.customer_price")) AS customer_price, t.customer_currency, t.title,
      t.apple_identifier, t.promo_code, t.order_type
    FROM finance_row r \(joinSource("finance", "finance_detail"))
      JOIN finance_terms t ON t.id = r.terms_id;

    CREATE VIEW v_finance_footer AS
    SELECT f.id, s.file || ':' || f.line AS source, s.status AS file_status, s.region, f.what,
      f.storefront, f.currency, f.count, \(decimal("f.amount")) AS amount
    FROM finance_footer f JOIN source s ON s.id = f.source_id;

    CREATE VIEW v_payment AS
    SELECT p.id, s.file || ':' || p.line AS source, s.status AS file_status, s.vendor,
      \(iso(day: "s.begin_day")) AS begin, \(iso(day: "s.end_day")) AS "end", p.block, p.region,
      p.label, p.currency, p.units, \(decimal("p.balance")) AS balance,
      \(decimal("p.earned")) AS earned, \(decimal("p.pre_tax_subtotal")) AS pre_tax_subtotal,
      \(decimal("p.input_tax")) AS input_tax, \(decimal("p.adjustments")) AS adjustments,
      \(decimal("p.withholding")) AS withholding, \(decimal("p.owed")) AS owed,
      \(decimal("p.printed_rate")) AS printed_rate, \(decimal("p.proceeds")) AS proceeds,
      p.bank_currency
    FROM payment_line p JOIN source s ON s.id = p.source_id;

    CREATE VIEW v_payout AS
    SELECT p.id, s.file || ':' || p.line AS source, s.status AS file_status, s.vendor,
      \(iso(day: "s.begin_day")) AS begin, \(iso(day: "s.end_day")) AS "end", p.block,
      \(decimal("p.amount")) AS amount, p.currency, p.account, \(iso(day: "p.day")) AS day,
      p.is_paid
    FROM payout p JOIN source s ON s.id = p.source_id;
    """
}
