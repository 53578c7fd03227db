extension Schema {
  /// Files that were imported, and what could not be understood in them.
  ///
  /// Rows of a file that count on from one another have the numbers from `first_row` to `last_row`;
  /// `blocks` is how many blocks, and runs of ids, it brought.
  ///
  /// `rejected_file` names files of which nothing came in at the last call that met them.
  ///
  /// Ids are found in sorted runs of keys and rows, each over at most a million rows of one file;
  /// `fences` is the first key of each page (`StoredRun`).
  static let sources = """
    CREATE TABLE source (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind <> ''),
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
      blocks INTEGER NOT NULL,
      imported_at INTEGER NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('current', 'superseded', 'partial')),
      superseded_by INTEGER REFERENCES source (id),
      region TEXT NOT NULL DEFAULT '',
      counted_period TEXT NOT NULL DEFAULT '',
      mapping TEXT,
      CHECK ((begin_day IS NULL) = (end_day IS NULL) AND begin_day <= end_day),
      CHECK ((status = 'superseded') = (superseded_by IS NOT NULL))
    ) STRICT;
    CREATE INDEX source_head ON source (head_sha256);
    CREATE INDEX source_rows ON source (kind, first_row);
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
    CREATE TABLE rejected_file (
      file TEXT PRIMARY KEY
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE no_sales (
      day INTEGER NOT NULL,
      vendor TEXT NOT NULL,
      PRIMARY KEY (day, vendor)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE id_run (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL,
      source_id INTEGER NOT NULL,
      first_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL,
      first_page INTEGER NOT NULL,
      last_key INTEGER NOT NULL,
      fences BLOB NOT NULL,
      digest INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX id_run_key ON id_run (key);
    CREATE TABLE id_page (
      id INTEGER PRIMARY KEY,
      entries BLOB NOT NULL
    ) STRICT;
    """
}
