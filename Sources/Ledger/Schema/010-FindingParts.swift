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
}
