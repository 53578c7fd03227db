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

  /// Digests of the files that commands wrote for people: one of these may be replaced by the next
  /// run, a file with any other bytes is somebody's own.
  static let outputs = """
    CREATE TABLE output (sha256 TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    """
}
