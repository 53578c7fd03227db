extension Schema {
  /// Pages of answers that come in pages, so that it can be told which are not here.
  static let answerPages = """
    CREATE TABLE answer_page (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      line INTEGER NOT NULL,
      list TEXT NOT NULL CHECK (list IN ('history', 'refunds', 'notifications')),
      bundle_id TEXT NOT NULL,
      environment TEXT CHECK (environment IN ('Production', 'Sandbox', 'Other')),
      app_transaction_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      last_id TEXT NOT NULL,
      asked_with TEXT NOT NULL,
      next_token TEXT NOT NULL,
      has_more INTEGER NOT NULL CHECK (has_more IN (0, 1)),
      answered_at INTEGER,
      rest_from INTEGER,
      rest_to INTEGER
    ) STRICT;
    CREATE INDEX answer_page_source ON answer_page (source_id);
    """

  /// What was asked of Apple: the last answer to each question, each request with how long it took,
  /// and the files that came of them. No question has a receipt or a secret in it.
  static let appleAnswers = """
    CREATE TABLE apple_answer (
      id INTEGER PRIMARY KEY,
      list TEXT NOT NULL,
      item TEXT NOT NULL,
      outcome TEXT NOT NULL CHECK (outcome IN
        ('rows', 'open', 'none', 'not-yet', 'gone', 'refused', 'failed')),
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
    """
}
