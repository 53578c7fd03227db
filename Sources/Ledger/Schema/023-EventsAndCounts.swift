extension Schema {
  /// The company's log of purchases. Its ids are found again by runs of their own, whose keys the
  /// table of runs did not know.
  static let events = """
    CREATE TABLE event_terms (
      id INTEGER PRIMARY KEY,
      stage TEXT NOT NULL CHECK (stage <> ''),
      outcome TEXT NOT NULL CHECK (outcome IN ('ok', 'failed', 'cancelled')),
      http_status INTEGER,
      app_version TEXT NOT NULL,
      device TEXT NOT NULL,
      server TEXT NOT NULL,
      message TEXT NOT NULL
    ) STRICT;
    CREATE TABLE event_row (
      id INTEGER PRIMARY KEY,
      terms_id INTEGER NOT NULL,
      at INTEGER NOT NULL,
      duration_ms INTEGER CHECK (duration_ms >= 0),
      order_id ANY,
      transaction_id ANY,
      user_id ANY,
      line INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE new_run (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      key TEXT NOT NULL CHECK (key <> ''),
      first_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL,
      first_page INTEGER NOT NULL,
      fences BLOB NOT NULL,
      last_key INTEGER NOT NULL
    ) STRICT;
    INSERT INTO new_run SELECT * FROM id_run;
    DROP TABLE id_run;
    ALTER TABLE new_run RENAME TO id_run;
    CREATE INDEX id_run_key ON id_run (key);
    """

  /// Purchases that were matched and counted elsewhere, and the files of rows that were handed over
  /// beside them. Terms are 0 where a row counts moments, delays, users or what was asked for.
  static let unitCounts = """
    CREATE TABLE unit_count_row (
      id INTEGER PRIMARY KEY,
      counted INTEGER NOT NULL CHECK (counted BETWEEN 0 AND 7),
      order_terms_id INTEGER NOT NULL,
      transaction_terms_id INTEGER NOT NULL,
      at INTEGER NOT NULL,
      seconds INTEGER,
      name ANY,
      count INTEGER NOT NULL CHECK (count >= 0),
      line INTEGER NOT NULL
    ) STRICT;
    ALTER TABLE source ADD COLUMN counted_period TEXT NOT NULL DEFAULT '';
    """
}
