package import Billing
import GRDB

extension Ledger {
  /// Records an answer in place of the last one to the same question, the files that came of it and
  /// the requests that went out meanwhile, all or nothing.
  ///
  /// - Parameters:
  ///   - unchanged: a file that stood there already, with the SHA-256 of its content in hex; it is
  ///     to be imported unless that content was, because a process may have ended before it, or the
  ///     ledger may be another.
  ///   - noSales: the day that Apple had no sales on, with its vendor.
  package func record(
    _ answer: AppleAnswer?, files: [String] = [], unchanged: (path: String, sha256: String)? = nil,
    requests: [AppleRequest],
    noSales: (day: Day, vendor: String)? = nil
  ) throws {
    try write(patience: 600) { db in
      if let answer {
        try db.execute(
          sql: """
            INSERT INTO apple_answer (list, item, outcome, status, answered_at, next_token)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (list, item) DO UPDATE SET outcome = excluded.outcome,
              status = excluded.status, answered_at = excluded.answered_at,
              next_token = excluded.next_token
            """,
          arguments: [
            answer.list, answer.item, answer.outcome.rawValue, answer.status, answer.at.seconds,
            answer.next,
          ])
      }
      for path in files {
        try db.execute(
          sql: "INSERT OR REPLACE INTO apple_file (path, is_imported) VALUES (?, 0)",
          arguments: [path])
      }
      if let unchanged {
        try db.execute(
          sql: """
            INSERT INTO apple_file (path, is_imported)
            SELECT ?1, 0 WHERE NOT EXISTS (SELECT 1 FROM source WHERE sha256 = ?2)
            ON CONFLICT (path) DO UPDATE SET is_imported = 0
            """,
          arguments: [unchanged.path, unchanged.sha256])
      }
      if let noSales {
        try db.execute(
          sql: "INSERT OR IGNORE INTO no_sales (day, vendor) VALUES (?, ?)",
          arguments: [noSales.day.number, noSales.vendor])
      }
      for request in requests {
        try db.execute(
          sql: """
            INSERT INTO apple_request (host, asked_at, milliseconds, status, has_failed)
            VALUES (?, ?, ?, ?, ?)
            """,
          arguments: [
            request.host, request.at.seconds, request.milliseconds, request.status,
            request.hasFailed,
          ])
      }
      return .commit
    }
  }

  /// Records that files are imported, or need not be.
  package func markImported(_ paths: [String]) throws {
    try write(patience: 600) { db in
      for path in paths {
        try db.execute(
          sql: "UPDATE apple_file SET is_imported = 1 WHERE path = ?", arguments: [path])
      }
      return .commit
    }
  }

  /// Strikes a file from Apple that is not imported off the list of files to import, and forgets
  /// the answers that it was a part of, so that these are asked for again.
  package func giveUpFile(_ path: String, of answers: [AppleAnswer]) throws {
    try write(patience: 600) { db in
      try db.execute(
        sql: "DELETE FROM apple_file WHERE path = ? AND is_imported = 0", arguments: [path])
      for answer in answers {
        try db.execute(
          sql: "DELETE FROM apple_answer WHERE list = ? AND item = ?",
          arguments: [answer.list, answer.item])
      }
      return .commit
    }
  }

  /// Files that came from Apple and are not imported yet, by name.
  package func unimportedFiles() throws -> [String] {
    try read { db in
      try String.fetchAll(
        db, sql: "SELECT path FROM apple_file WHERE is_imported = 0 ORDER BY path")
    }
  }

  /// The last answers to the questions of a list, of all lists where none is named; ascending by
  /// list and item.
  package func answers(to list: String? = nil) throws -> [AppleAnswer] {
    try read { db in
      let select = try RawStatement(
        db,
        """
        SELECT list, item, outcome, status, answered_at, next_token FROM apple_answer
        WHERE ?1 IS NULL OR list = ?1 ORDER BY list, item
        """)
      if let list { select.bind(list, at: 1) }
      var answers: [AppleAnswer] = []
      while try select.step() {
        guard let outcome = AppleAnswer.Outcome(rawValue: select.text(2)) else {
          throw LedgerError.corrupt(path: path, detail: "an answer of \(select.text(2))")
        }
        answers.append(
          AppleAnswer(
            list: select.text(0), item: select.text(1), outcome,
            status: select.optionalInt64(3).map { Int($0) },
            at: Instant(seconds: select.int64(4)), next: select.text(5)))
      }
      return answers
    }
  }

  /// Calls `body` on the requests of the days (UTC), by host, day and duration, each ascending.
  package func forEachRequest(
    on days: ClosedRange<Day>, _ body: (AppleRequest) throws -> Void
  ) throws {
    try read { db in
      let select = try RawStatement(
        db,
        """
        SELECT host, asked_at, milliseconds, status, has_failed FROM apple_request
        WHERE asked_at >= ? AND asked_at < ?
        ORDER BY host, asked_at / 86400, milliseconds, id
        """, days.lowerBound.startUTC.seconds, days.upperBound.advanced(by: 1).startUTC.seconds)
      while try select.step() {
        try body(
          AppleRequest(
            host: select.text(0), at: Instant(seconds: select.int64(1)),
            milliseconds: select.int64(2),
            status: select.optionalInt64(3).map { Int($0) }, hasFailed: select.int64(4) != 0))
      }
    }
  }

  /// The last day (UTC) that anything was asked of Apple on; nil where nothing was.
  package func lastRequestDay() throws -> Day? {
    try read { db in
      try Int64.fetchOne(db, sql: "SELECT max(asked_at) FROM apple_request")
        .map { Instant(seconds: $0).day() }
    }
  }
}
