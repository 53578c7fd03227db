extension Schema {
  /// What a recorded finding comes to by storefront and currency, where it is about several.
  static let findingParts = """
    CREATE TABLE finding_part (
      finding INTEGER NOT NULL,
      place INTEGER NOT NULL,
      storefront TEXT CHECK (length(storefront) = 2),
      currency TEXT NOT NULL CHECK (length(currency) = 3),
      amount INTEGER NOT NULL,
      PRIMARY KEY (finding, place)
    ) STRICT, WITHOUT ROWID;
    """

  /// Migration 22: what a recorded run followed from, as a digest. While that is the same, its
  /// findings are what a reconciliation would find; runs that were recorded before have none.
  static let runBasis = """
    ALTER TABLE finding_run ADD COLUMN basis TEXT;
    ALTER TABLE finding ADD COLUMN material INTEGER CHECK (material IN (0, 1));
    """
}
