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

  /// The patterns and the flow of a recorded run, a copy for look-up as its findings are: objects
  /// of JSON with the columns of their lists. What names users has a column of its own.
  static let recordedLists = """
    CREATE TABLE finding_pattern (
      run_id INTEGER NOT NULL,
      number INTEGER NOT NULL,
      figures TEXT NOT NULL,
      user_figures TEXT,
      PRIMARY KEY (run_id, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE finding_flow (
      run_id INTEGER NOT NULL,
      number INTEGER NOT NULL,
      figures TEXT NOT NULL,
      PRIMARY KEY (run_id, number)
    ) STRICT, WITHOUT ROWID;
    """

  /// What rows of transactions do not say themselves, by the last run that had them, and apart
  /// from them what many rows have in common: a copy for look-up as findings are, which no
  /// conclusion reads.
  static let resolvedSales = """
    CREATE TABLE finding_sale (
      id INTEGER PRIMARY KEY ON CONFLICT REPLACE,
      run_id INTEGER NOT NULL,
      sale_order INTEGER,
      terms_id INTEGER NOT NULL
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
    """

  /// The customer whom a recorded finding's advice names.
  static let findingUsers = """
    CREATE TABLE finding_user (
      finding INTEGER PRIMARY KEY,
      user_id TEXT NOT NULL
    ) STRICT;
    """

  /// The id that a recorded finding had while its SKU stood in one app, as long as it may be the
  /// one that people spoke of then.
  static let formerFindings = """
    CREATE TABLE finding_former (
      finding INTEGER PRIMARY KEY,
      id TEXT NOT NULL
    ) STRICT;
    """
}
