extension Schema {
  /// The id that a recorded finding had while its SKU stood in one app, as long as it may be the
  /// one that people spoke of then.
  static let formerFindings = """
    CREATE TABLE finding_former (
      finding INTEGER PRIMARY KEY,
      id TEXT NOT NULL
    ) STRICT;
    """
}
