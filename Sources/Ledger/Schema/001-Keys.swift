extension Schema {
  /// Where ids are found again: sorted runs of (key, row), each over at most a million rows of one
  /// file, in pages that fill one leaf of the file. `fences` is the first key of each page.
  static let keys = """
    CREATE TABLE id_run (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      key TEXT NOT NULL CHECK (key IN
        ('order', 'order.transaction', 'transaction', 'transaction.order',
         'transaction.chain')),
      first_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL,
      first_page INTEGER NOT NULL,
      fences BLOB NOT NULL,
      last_key INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX id_run_key ON id_run (key);
    CREATE TABLE id_page (
      id INTEGER PRIMARY KEY,
      entries BLOB NOT NULL
    ) STRICT;
    """
}
