extension Schema {
  /// With which version of the app, and on which device, an order was placed or a receipt made.
  static let appVersions = """
    ALTER TABLE order_terms ADD COLUMN app_version TEXT NOT NULL DEFAULT '';
    ALTER TABLE order_terms ADD COLUMN device TEXT NOT NULL DEFAULT '';
    ALTER TABLE transaction_terms ADD COLUMN app_version TEXT NOT NULL DEFAULT '';
    """

  /// How the last reconciliation of each period cut Apple's days, beside its findings: nobody can
  /// find that out again from the rows of one day. Findings are looked up by product and day too.
  static let dayBoundaries = """
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
    CREATE INDEX finding_cell ON finding (sku, day);
    """
}
