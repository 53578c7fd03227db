extension Schema {
  /// By which mapping a company's table was read, so that one that was changed since is seen: a
  /// digest of what it says, empty where there was none. Files of before are not in it.
  static let sourceMapping = """
    CREATE TABLE source_mapping (
      source_id INTEGER PRIMARY KEY REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      digest TEXT NOT NULL
    ) STRICT;
    """
}
