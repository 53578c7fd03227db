extension Schema {
  /// What was closed and reopened, by whom, the bytes that each close printed, and what later
  /// closes build on. Nothing of it is ever changed or taken away.
  static let closes: String = {
    let tables = """
      CREATE TABLE close (
        id INTEGER PRIMARY KEY,
        action TEXT NOT NULL CHECK (action IN ('close', 'reopen')),
        period TEXT NOT NULL,
        closed_at INTEGER NOT NULL,
        closed_by TEXT NOT NULL,
        reason TEXT NOT NULL,
        as_of INTEGER NOT NULL,
        version TEXT NOT NULL,
        last_source INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE close_acceptance (
        close_id INTEGER NOT NULL REFERENCES close (id),
        finding_id TEXT NOT NULL,
        code TEXT NOT NULL,
        reason TEXT NOT NULL
      ) STRICT;
      CREATE TABLE close_basis (
        close_id INTEGER NOT NULL REFERENCES close (id),
        period TEXT NOT NULL,
        kind TEXT NOT NULL,
        digest TEXT NOT NULL,
        PRIMARY KEY (close_id, period, kind)
      ) STRICT;
      CREATE TABLE close_booked (
        close_id INTEGER NOT NULL REFERENCES close (id),
        period TEXT NOT NULL,
        json BLOB NOT NULL,
        PRIMARY KEY (close_id, period)
      ) STRICT;
      CREATE TABLE close_document (
        close_id INTEGER NOT NULL REFERENCES close (id),
        name TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        bytes BLOB NOT NULL,
        PRIMARY KEY (close_id, name)
      ) STRICT;
      CREATE TABLE close_figures (
        close_id INTEGER NOT NULL REFERENCES close (id),
        period TEXT NOT NULL,
        version INTEGER NOT NULL,
        figures BLOB NOT NULL,
        PRIMARY KEY (close_id, period)
      ) STRICT;
      CREATE TABLE close_input (
        close_id INTEGER NOT NULL REFERENCES close (id),
        kind TEXT NOT NULL,
        file TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        rows INTEGER NOT NULL,
        status TEXT NOT NULL
      ) STRICT;
      CREATE TABLE close_signature (
        close_id INTEGER PRIMARY KEY REFERENCES close (id),
        signed_at INTEGER NOT NULL,
        signed_by TEXT NOT NULL,
        as_of INTEGER NOT NULL,
        version TEXT NOT NULL
      ) STRICT;
      CREATE TABLE close_withheld (
        close_id INTEGER NOT NULL REFERENCES close (id),
        name TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        bytes BLOB NOT NULL,
        PRIMARY KEY (close_id, name)
      ) STRICT;
      """
    return tables + "\n" + keptAsItWas(closeTables)
  }()

  private static let closeTables = [
    "close", "close_acceptance", "close_basis", "close_booked", "close_document", "close_figures",
    "close_input", "close_signature", "close_withheld",
  ]

  /// The SQL of triggers that refuse to update or delete any row of these tables: what a close
  /// added there stays as it was.
  private static func keptAsItWas(_ tables: [String]) -> String {
    tables.flatMap { table in
      ["UPDATE", "DELETE"].map { change in
        """
        CREATE TRIGGER \(table)_no_\(change.lowercased()) BEFORE \(change) ON \(table)
        BEGIN SELECT raise(ABORT, 'what was closed is kept as it was'); END;
        """
      }
    }.joined(separator: "\n")
  }
}
