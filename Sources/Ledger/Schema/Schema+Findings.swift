extension Schema {
  /// The findings of the last run of each period, to be looked up by id, order and transaction, and
  /// what people said of them. But for the remarks they are a copy: whatever is concluded is
  /// computed from the facts again.
  ///
  /// Findings of one run have numbers that follow one another. `wording` is a text with its values,
  /// as `StoredWording` writes it.
  static let findings = """
    CREATE TABLE finding (
      number INTEGER PRIMARY KEY,
      run_id INTEGER NOT NULL,
      id TEXT NOT NULL,
      code TEXT NOT NULL,
      severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'info')),
      storefront TEXT CHECK (length(storefront) = 2),
      currency TEXT CHECK (length(currency) = 3),
      day INTEGER,
      sku TEXT,
      units INTEGER,
      amount INTEGER,
      explanation TEXT NOT NULL,
      wording TEXT NOT NULL,
      action_id INTEGER NOT NULL,
      material INTEGER CHECK (material IN (0, 1)),
      digest INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX finding_cell ON finding (sku, day);
    CREATE INDEX finding_id ON finding (id);
    CREATE TABLE finding_action (
      id INTEGER PRIMARY KEY,
      wording TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE finding_clock (
      run_id INTEGER NOT NULL,
      rule INTEGER NOT NULL,
      place INTEGER NOT NULL,
      side TEXT NOT NULL CHECK (side IN ('orders', 'transactions')),
      seconds INTEGER NOT NULL,
      step INTEGER NOT NULL,
      judges_pairs INTEGER NOT NULL CHECK (judges_pairs IN (0, 1)),
      first_row INTEGER,
      last_row INTEGER,
      first_time INTEGER,
      last_time INTEGER,
      PRIMARY KEY (run_id, rule, place)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE finding_cutoff (
      run_id INTEGER NOT NULL,
      storefront TEXT NOT NULL CHECK (length(storefront) = 2),
      rule TEXT NOT NULL,
      zone TEXT NOT NULL,
      utc_offset_minutes INTEGER NOT NULL,
      confidence INTEGER,
      residual_units INTEGER NOT NULL,
      runner_up TEXT,
      first_day INTEGER NOT NULL,
      last_day INTEGER NOT NULL,
      PRIMARY KEY (run_id, storefront)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX finding_cutoff_storefront ON finding_cutoff (storefront, first_day);
    CREATE TABLE finding_file (
      id INTEGER PRIMARY KEY,
      file TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE finding_flow (
      run_id INTEGER NOT NULL,
      number INTEGER NOT NULL,
      figures TEXT NOT NULL,
      PRIMARY KEY (run_id, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE finding_former (
      finding INTEGER PRIMARY KEY,
      id TEXT NOT NULL
    ) STRICT;
    CREATE TABLE finding_order (
      finding INTEGER NOT NULL,
      order_id TEXT NOT NULL,
      PRIMARY KEY (finding, order_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX finding_order_id ON finding_order (order_id);
    CREATE TABLE finding_part (
      finding INTEGER NOT NULL,
      place INTEGER NOT NULL,
      storefront TEXT CHECK (length(storefront) = 2),
      currency TEXT NOT NULL CHECK (length(currency) = 3),
      amount INTEGER NOT NULL,
      PRIMARY KEY (finding, place)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE finding_pattern (
      run_id INTEGER NOT NULL,
      number INTEGER NOT NULL,
      figures TEXT NOT NULL,
      user_figures TEXT,
      PRIMARY KEY (run_id, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE finding_remark (
      id INTEGER PRIMARY KEY,
      action TEXT NOT NULL CHECK (action IN ('accept', 'assign', 'comment', 'reopen')),
      finding_id TEXT NOT NULL,
      subject TEXT NOT NULL,
      code TEXT NOT NULL,
      period TEXT NOT NULL,
      units INTEGER,
      amount INTEGER,
      currency TEXT CHECK (length(currency) = 3),
      said_at INTEGER NOT NULL,
      said_by TEXT NOT NULL,
      assignee TEXT NOT NULL,
      reason TEXT NOT NULL
    ) STRICT;
    CREATE INDEX finding_remark_finding ON finding_remark (finding_id);
    CREATE INDEX finding_remark_subject ON finding_remark (subject);
    CREATE TABLE finding_run (
      id INTEGER PRIMARY KEY,
      period TEXT NOT NULL UNIQUE,
      as_of INTEGER NOT NULL,
      matched_units INTEGER NOT NULL,
      unmatched_units INTEGER NOT NULL,
      first_finding INTEGER NOT NULL,
      end_finding INTEGER NOT NULL CHECK (end_finding >= first_finding),
      basis TEXT
    ) STRICT;
    CREATE TABLE finding_sale_terms (
      id INTEGER PRIMARY KEY,
      run_id INTEGER NOT NULL,
      sale_rule TEXT,
      sale_storefront TEXT,
      sale_storefront_by TEXT,
      sale_currency TEXT,
      sale_price INTEGER,
      sale_price_by TEXT
    ) STRICT;
    CREATE TABLE finding_source (
      finding INTEGER NOT NULL,
      place INTEGER NOT NULL,
      file_id INTEGER NOT NULL,
      line INTEGER NOT NULL,
      PRIMARY KEY (finding, place)
    ) STRICT, WITHOUT ROWID;
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
    CREATE TABLE finding_transaction (
      finding INTEGER NOT NULL,
      transaction_id TEXT NOT NULL,
      PRIMARY KEY (finding, transaction_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX finding_transaction_id ON finding_transaction (transaction_id);
    CREATE TABLE finding_unsettled (
      run_id INTEGER NOT NULL,
      day INTEGER NOT NULL,
      amount INTEGER NOT NULL,
      currency TEXT NOT NULL CHECK (length(currency) = 3)
    ) STRICT;
    CREATE INDEX finding_unsettled_run ON finding_unsettled (run_id);
    CREATE TABLE finding_user (
      finding INTEGER PRIMARY KEY,
      user_id TEXT NOT NULL
    ) STRICT;
    CREATE TRIGGER finding_remark_no_update BEFORE UPDATE ON finding_remark
    BEGIN SELECT raise(ABORT, 'what was said of a finding is kept as it was'); END;
    CREATE TRIGGER finding_remark_no_delete BEFORE DELETE ON finding_remark
    BEGIN SELECT raise(ABORT, 'what was said of a finding is kept as it was'); END;
    """
}
