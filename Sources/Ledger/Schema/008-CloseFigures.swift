extension Schema {
  /// What each close came to, as a value with a version of its own, which later closes book changes
  /// against. Closes that were made before have only what they printed.
  static let closeFigures = """
    CREATE TABLE close_figures (
      close_id INTEGER NOT NULL REFERENCES close (id),
      period TEXT NOT NULL,
      version INTEGER NOT NULL,
      figures BLOB NOT NULL,
      PRIMARY KEY (close_id, period)
    ) STRICT;
    \(keptAsItWas(["close_figures"]))
    """
}
