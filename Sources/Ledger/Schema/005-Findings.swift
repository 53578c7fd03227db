extension Schema {
  /// The findings of each period's last reconciliation, to be looked up by id, order and
  /// transaction. They are a copy: whatever is concluded is computed from the facts again.
  ///
  /// Findings of one run have numbers that follow one another, which takes the place of keys that
  /// SQLite would look for in all other runs whenever one is replaced. `wording` is a text with its
  /// values, as `StoredWording` writes it.
  static let findings = """
    CREATE TABLE finding_run (
      id INTEGER PRIMARY KEY,
      period TEXT NOT NULL UNIQUE,
      as_of INTEGER NOT NULL,
      matched_units INTEGER NOT NULL,
      unmatched_units INTEGER NOT NULL,
      first_finding INTEGER NOT NULL,
      end_finding INTEGER NOT NULL CHECK (end_finding >= first_finding)
    ) STRICT;
    CREATE TABLE finding_action (
      id INTEGER PRIMARY KEY,
      wording TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE finding_file (
      id INTEGER PRIMARY KEY,
      file TEXT NOT NULL UNIQUE
    ) STRICT;
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
      action_id INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX finding_id ON finding (id);
    CREATE TABLE finding_order (
      finding INTEGER NOT NULL,
      order_id TEXT NOT NULL,
      PRIMARY KEY (finding, order_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX finding_order_id ON finding_order (order_id);
    CREATE TABLE finding_transaction (
      finding INTEGER NOT NULL,
      transaction_id TEXT NOT NULL,
      PRIMARY KEY (finding, transaction_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX finding_transaction_id ON finding_transaction (transaction_id);
    CREATE TABLE finding_source (
      finding INTEGER NOT NULL,
      place INTEGER NOT NULL,
      file_id INTEGER NOT NULL,
      line INTEGER NOT NULL,
      PRIMARY KEY (finding, place)
    ) STRICT, WITHOUT ROWID;

    -- What people said of findings; the facts behind it are those that they saw.
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
    CREATE TRIGGER finding_remark_no_update BEFORE UPDATE ON finding_remark
    BEGIN SELECT raise(ABORT, 'what was said of a finding is kept as it was'); END;
    CREATE TRIGGER finding_remark_no_delete BEFORE DELETE ON finding_remark
    BEGIN SELECT raise(ABORT, 'what was said of a finding is kept as it was'); END;
    """
}
