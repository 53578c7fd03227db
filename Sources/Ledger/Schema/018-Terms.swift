extension Schema {
  /// The company's own commissions, Apple's invoices of commission, and what the last
  /// reconciliation of each period found Apple's rows to show of terms: a price of a day nearby is
  /// expected by it.
  static let terms = """
    CREATE TABLE commission (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      line INTEGER NOT NULL,
      name TEXT NOT NULL,
      place TEXT NOT NULL,
      platforms TEXT NOT NULL,
      class TEXT NOT NULL,
      rate INTEGER NOT NULL,
      effective_from INTEGER,
      effective_to INTEGER
    ) STRICT;
    CREATE TABLE commission_invoice (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      line INTEGER NOT NULL,
      number TEXT NOT NULL,
      first_day INTEGER NOT NULL,
      last_day INTEGER NOT NULL,
      app TEXT NOT NULL,
      currency TEXT NOT NULL CHECK (length(currency) = 3),
      amount INTEGER NOT NULL,
      tax INTEGER NOT NULL,
      total INTEGER NOT NULL,
      due INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE finding_terms (
      run_id INTEGER NOT NULL,
      number INTEGER NOT NULL,
      storefront TEXT NOT NULL CHECK (length(storefront) = 2),
      platform TEXT,
      skus TEXT NOT NULL,
      after_one_year INTEGER NOT NULL CHECK (after_one_year IN (0, 1)),
      class TEXT NOT NULL,
      agreement TEXT,
      from_day INTEGER NOT NULL,
      PRIMARY KEY (run_id, number)
    ) STRICT, WITHOUT ROWID;
    """

  /// Taxes that the last reconciliation of each period found Apple's rows to agree on beside the
  /// table: a price of a day nearby is expected by them.
  static let taxes = """
    CREATE TABLE finding_tax (
      run_id INTEGER NOT NULL,
      number INTEGER NOT NULL,
      storefront TEXT NOT NULL CHECK (length(storefront) = 2),
      currency TEXT NOT NULL CHECK (length(currency) = 3),
      from_day INTEGER NOT NULL,
      to_day INTEGER NOT NULL,
      commission INTEGER NOT NULL,
      for_all INTEGER NOT NULL CHECK (for_all IN (0, 1)),
      inside INTEGER NOT NULL,
      deducted INTEGER NOT NULL,
      PRIMARY KEY (run_id, number)
    ) STRICT, WITHOUT ROWID;
    """
}
