extension Schema {
  /// What each close read, as a digest for each kind of input: of its own period, and of each
  /// earlier closed one that it looked at again. Closes that were made before have none.
  ///
  /// Beside the findings of a run stands what it left open of the settlement.
  static let closeBasis = """
    CREATE TABLE close_basis (
      close_id INTEGER NOT NULL REFERENCES close (id),
      period TEXT NOT NULL,
      kind TEXT NOT NULL,
      digest TEXT NOT NULL,
      PRIMARY KEY (close_id, period, kind)
    ) STRICT;
    \(keptAsItWas(["close_basis"]))
    CREATE INDEX rate_day ON rate (day);
    CREATE TABLE finding_unsettled (
      run_id INTEGER NOT NULL,
      day INTEGER NOT NULL,
      amount INTEGER NOT NULL,
      currency TEXT NOT NULL CHECK (length(currency) = 3)
    ) STRICT;
    CREATE INDEX finding_unsettled_run ON finding_unsettled (run_id);
    """

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

  /// Of closes that need two signatures: what they keep and hand out with the second one only, and
  /// that signature. Nothing of it is ever changed or taken away.
  static let signatures = """
    CREATE TABLE close_withheld (
      close_id INTEGER NOT NULL REFERENCES close (id),
      name TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (close_id, name)
    ) STRICT;
    CREATE TABLE close_signature (
      close_id INTEGER PRIMARY KEY REFERENCES close (id),
      signed_at INTEGER NOT NULL,
      signed_by TEXT NOT NULL,
      as_of INTEGER NOT NULL,
      version TEXT NOT NULL
    ) STRICT;
    \(keptAsItWas(["close_withheld", "close_signature"]))
    """
}
