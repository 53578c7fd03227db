extension Schema {
  /// What was closed and reopened, by whom, and the bytes that each close printed. Nothing of it is
  /// ever changed or taken away.
  static let closes: String = {
    let tables = ["close", "close_input", "close_acceptance", "close_document", "close_booked"]
    return """
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
      CREATE TABLE close_input (
        close_id INTEGER NOT NULL REFERENCES close (id),
        kind TEXT NOT NULL,
        file TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        rows INTEGER NOT NULL,
        status TEXT NOT NULL
      ) STRICT;
      CREATE TABLE close_acceptance (
        close_id INTEGER NOT NULL REFERENCES close (id),
        finding_id TEXT NOT NULL,
        code TEXT NOT NULL,
        reason TEXT NOT NULL
      ) STRICT;
      CREATE TABLE close_document (
        close_id INTEGER NOT NULL REFERENCES close (id),
        name TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        bytes BLOB NOT NULL,
        PRIMARY KEY (close_id, name)
      ) STRICT;
      CREATE TABLE close_booked (
        close_id INTEGER NOT NULL REFERENCES close (id),
        period TEXT NOT NULL,
        json BLOB NOT NULL,
        PRIMARY KEY (close_id, period)
      ) STRICT;
      \(keptAsItWas(tables))
      """
  }()

  /// Refuses every change of rows that closes added.
  static func keptAsItWas(_ tables: [String]) -> String {
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
