extension Schema {
  /// The clocks that the last reconciliation of each period took for wrong, beside its findings:
  /// nobody can find that out again from the rows of one order. A line for each span of rows.
  static let clocks = """
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
    """

  /// Items of Advanced Commerce, and what was given back of them; `row_id` is the
  /// transaction row's.
  static let items = """
    CREATE TABLE item_row (
      id INTEGER PRIMARY KEY,
      row_id INTEGER NOT NULL,
      place INTEGER NOT NULL,
      sku TEXT NOT NULL,
      name TEXT NOT NULL,
      price INTEGER,
      offer_price INTEGER,
      revoked_at INTEGER
    ) STRICT;
    CREATE INDEX item_row_row ON item_row (row_id);
    CREATE TABLE item_refund_row (
      id INTEGER PRIMARY KEY,
      row_id INTEGER NOT NULL,
      place INTEGER NOT NULL,
      amount INTEGER,
      refunded_at INTEGER,
      reason TEXT NOT NULL,
      type TEXT NOT NULL
    ) STRICT;
    CREATE INDEX item_refund_row_row ON item_refund_row (row_id);
    """
}
