extension Schema {
  /// What digests of users are keyed by: without it nobody finds the id behind a digest by trying
  /// ids. It is the ledger's own, and no query shows it.
  static let secret = """
    CREATE TABLE ledger_secret (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      bytes BLOB NOT NULL CHECK (length(bytes) = 32)
    ) STRICT;
    INSERT INTO ledger_secret VALUES (1, randomblob(32));
    """
}
