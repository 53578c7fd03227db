extension Schema {
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
