extension Schema {
  /// What repeats in movements of coins, as ``terms`` has it of other rows.
  static let coinTerms = """
    CREATE TABLE coin_movement_terms (
      id INTEGER PRIMARY KEY,
      digest INTEGER NOT NULL,
      movement TEXT NOT NULL CHECK
        (movement IN ('granted', 'spent', 'expired', 'taken_back', 'adjusted', 'opening')),
      channel TEXT NOT NULL,
      coin TEXT NOT NULL,
      origin TEXT CHECK (origin IN ('paid', 'free')),
      sku TEXT NOT NULL,
      storefront TEXT CHECK (length(storefront) = 2),
      item TEXT NOT NULL
    ) STRICT;
    """

  /// What a ledger of version 34 lacks of this version: tables of blocks, and the rest.
  static let sinceVersion34 = (
    blocks: [BlockTables.coinMovements, .coinBalances, .gameItems].map(\.table.statement).joined(),
    terms: coinTerms + "ALTER TABLE order_terms ADD COLUMN coin TEXT NOT NULL DEFAULT '';"
  )
}
