extension Schema {
  /// What was asked of Apple and answered, what this program wrote for the ledger, and the secret
  /// by which users are masked.
  static let requests = """
    CREATE TABLE apple_answer (
      id INTEGER PRIMARY KEY,
      list TEXT NOT NULL,
      item TEXT NOT NULL,
      outcome TEXT NOT NULL CHECK
        (outcome IN ('rows', 'open', 'none', 'not-yet', 'gone', 'refused', 'failed')),
      status INTEGER,
      answered_at INTEGER NOT NULL,
      next_token TEXT NOT NULL,
      UNIQUE (list, item)
    ) STRICT;
    CREATE TABLE apple_file (
      path TEXT PRIMARY KEY,
      is_imported INTEGER NOT NULL CHECK (is_imported IN (0, 1))
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE apple_request (
      id INTEGER PRIMARY KEY,
      host TEXT NOT NULL,
      asked_at INTEGER NOT NULL,
      milliseconds INTEGER NOT NULL CHECK (milliseconds >= 0),
      status INTEGER,
      has_failed INTEGER NOT NULL CHECK (has_failed IN (0, 1))
    ) STRICT;
    CREATE INDEX apple_request_time ON apple_request (asked_at);
    CREATE TABLE ledger_secret (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      bytes BLOB NOT NULL CHECK (length(bytes) = 32)
    ) STRICT;
    CREATE TABLE output (
      sha256 TEXT PRIMARY KEY
    ) STRICT, WITHOUT ROWID;
    INSERT INTO ledger_secret VALUES (1, randomblob(32));
    """
}
