extension Schema {
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
