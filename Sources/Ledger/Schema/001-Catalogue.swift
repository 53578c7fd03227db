extension Schema {
  /// The company's small tables; a row counts until a later file says the same key again.
  static let catalogue = """
    CREATE TABLE product (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      line INTEGER NOT NULL,
      sku TEXT NOT NULL,
      kind TEXT NOT NULL CHECK
        (kind IN ('consumable', 'non_consumable', 'auto_renewable', 'non_renewing')),
      tier TEXT NOT NULL,
      apple_identifier TEXT NOT NULL,
      bundle_id TEXT NOT NULL,
      name TEXT NOT NULL,
      coins INTEGER,
      subscription_group TEXT NOT NULL,
      effective_from INTEGER
    ) STRICT;
    CREATE TABLE tier (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      line INTEGER NOT NULL,
      "table" TEXT NOT NULL CHECK ("table" IN ('iap', 'subscription')),
      tier TEXT NOT NULL,
      storefront TEXT NOT NULL CHECK (length(storefront) = 2),
      currency TEXT NOT NULL CHECK (length(currency) = 3),
      price INTEGER NOT NULL,
      proceeds INTEGER,
      effective_from INTEGER,
      effective_to INTEGER
    ) STRICT;
    CREATE TABLE rate (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      line INTEGER NOT NULL,
      day INTEGER NOT NULL,
      base TEXT NOT NULL CHECK (length(base) = 3),
      quote TEXT NOT NULL CHECK (length(quote) = 3),
      rate INTEGER NOT NULL CHECK (rate > 0)
    ) STRICT;
    CREATE TABLE tax (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      line INTEGER NOT NULL,
      storefront TEXT NOT NULL CHECK (length(storefront) = 2),
      rate INTEGER NOT NULL,
      effective_from INTEGER,
      effective_to INTEGER
    ) STRICT;
    """

  /// Price lists of a small business have its own proceeds.
  static let tierCommissions = "ALTER TABLE tier ADD COLUMN commission INTEGER;"

  /// A rate is kept as the decimal that it was given: `rate` counts units of the last of its
  /// `places`. Rates of versions before this one are in millionths.
  static let ratePlaces = """
    ALTER TABLE rate ADD COLUMN places INTEGER NOT NULL DEFAULT 6 CHECK (places BETWEEN 6 AND 24);
    """
}
