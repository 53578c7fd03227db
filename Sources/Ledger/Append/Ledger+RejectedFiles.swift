import GRDB

extension Ledger {
  /// Files of which nothing is in the ledger because they were rejected, as given, ascending.
  package func rejectedFiles() throws -> [String] {
    try read { db in
      try String.fetchAll(db, sql: "SELECT file FROM rejected_file ORDER BY file")
    }
  }

  /// Notes files that were rejected as a whole, and takes back the note on those that are no
  /// longer.
  ///
  /// - Returns: whether anything was noted or taken back.
  @discardableResult
  package func noteRejected(_ files: [String], noLonger others: [String] = []) throws -> Bool {
    let known = Set(try rejectedFiles())
    let gone = known.intersection(others).subtracting(files)
    let new = Set(files).subtracting(known)
    if gone.isEmpty, new.isEmpty { return false }
    try write(patience: 600) { db in
      for file in gone.sorted() {
        try db.execute(sql: "DELETE FROM rejected_file WHERE file = ?", arguments: [file])
      }
      for file in new.sorted() {
        try db.execute(sql: "INSERT OR IGNORE INTO rejected_file VALUES (?)", arguments: [file])
      }
      return .commit
    }
    return true
  }
}
