extension Schema {
  /// Files, what could not be understood in them, and what was said without a file.
  ///
  /// `batch` says for each run of appended rows which times they span, so that the reads of a
  /// period find their rows without looking at any other month's. The span is of `placed_at`,
  /// `purchased_at`, or from the smallest `begin_day` to the largest `end_day`.
  static let sources = """
    CREATE TABLE source (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN
        ('sales', 'orders', 'transactions', 'products', 'tiers', 'rates', 'taxes')),
      file TEXT NOT NULL,
      sha256 TEXT NOT NULL UNIQUE CHECK (sha256 <> ''),
      head_sha256 TEXT NOT NULL,
      byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
      vendor TEXT NOT NULL,
      begin_day INTEGER,
      end_day INTEGER,
      rows INTEGER NOT NULL CHECK (rows >= 0),
      rejected INTEGER NOT NULL CHECK (rejected >= 0),
      first_row INTEGER,
      last_row INTEGER,
      imported_at INTEGER NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('current', 'superseded', 'partial')),
      superseded_by INTEGER REFERENCES source (id),
      CHECK ((begin_day IS NULL) = (end_day IS NULL) AND begin_day <= end_day),
      CHECK ((status = 'superseded') = (superseded_by IS NOT NULL))
    ) STRICT;
    CREATE INDEX source_head ON source (head_sha256);
    CREATE INDEX source_rows ON source (kind, first_row);

    CREATE TABLE batch (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      kind TEXT NOT NULL,
      first_row INTEGER NOT NULL,
      last_row INTEGER NOT NULL CHECK (last_row >= first_row),
      first_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL CHECK (last_at >= first_at)
    ) STRICT;
    CREATE INDEX batch_span ON batch (kind, first_at);

    CREATE TABLE reject (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      line INTEGER NOT NULL,
      "column" INTEGER NOT NULL,
      topic TEXT NOT NULL,
      message TEXT NOT NULL,
      help TEXT NOT NULL,
      raw_text TEXT NOT NULL
    ) STRICT;

    CREATE TABLE no_sales (
      day INTEGER NOT NULL,
      vendor TEXT NOT NULL,
      PRIMARY KEY (day, vendor)
    ) STRICT, WITHOUT ROWID;
    """

  /// The mapping by which a company's table was read; NULL where no program noted it.
  static let sourceMappings = "ALTER TABLE source ADD COLUMN mapping TEXT;"

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
