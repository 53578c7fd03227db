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
}
