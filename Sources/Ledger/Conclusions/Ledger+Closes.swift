package import Billing
import GRDB

/// All that a close or a reopening adds to the ledger.
package struct NewClose: Sendable {
  package var record: CloseRecord
  package var inputs: [InputFile] = []
  package var acceptances: [Acceptance] = []
  package var documents: [CloseDocument] = []
  /// Kept, and handed out with the second signature only; empty where one signature closes.
  package var withheld: [CloseDocument] = []
  /// Of its own period, and of each earlier closed one whose changes it books.
  package var figures: [KeptFigures] = []
  /// Of the same, and of each that it looked at and that had not changed.
  package var basis: [KeptBasis] = []

  package init(record: CloseRecord) { self.record = record }
}

/// What a period came to, as a close keeps it.
package struct KeptFigures: Hashable, Sendable {
  package var period: String
  /// Of the form that `bytes` have.
  package var version: Int
  package var bytes: [UInt8]

  package init(period: String, version: Int, bytes: [UInt8]) {
    self.period = period
    self.version = version
    self.bytes = bytes
  }
}

extension Ledger {
  /// What the ledger was like at a moment: it is another value as soon as anybody else commits
  /// anything, be it rows, remarks or a close.
  package struct State: Hashable, Sendable {
    fileprivate let version: Int64

    /// Reads SQLite's version of the data, which each commit of another connection changes.
    fileprivate init(_ db: Database) throws {
      version = try Int64.fetchOne(db, sql: "PRAGMA data_version")!
    }
  }

  /// Whether nobody else committed anything since a state was taken.
  static func isUnchanged(since state: State, _ db: Database) throws -> Bool {
    try State(db) == state
  }

  /// The present state. Taken before a snapshot is opened, it is the snapshot's or an older one.
  package func state() throws -> State { try read(State.init) }

  /// Adds a close or a reopening, whole or not at all.
  ///
  /// - Parameter state: what it was concluded from, as this ledger saw it.
  /// - Returns: its number; nil, and nothing added, where the ledger was changed since by anybody
  ///   else.
  package func add(_ close: NewClose, concludedFrom state: State) throws -> Int64? {
    var number: Int64?
    // Long: a whole month was concluded for it.
    try write(patience: 600) { db in
      guard try Self.isUnchanged(since: state, db) else { return .rollback }
      let next = try Self.nextClose(db)
      try Self.insert(close, as: next, db)
      number = next
      return .commit
    }
    return number
  }

  /// The number that the next close or reopening gets.
  package func nextClose() throws -> Int64 { try read(Self.nextClose) }

  /// The number that the next close or reopening gets.
  private static func nextClose(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db, sql: "SELECT ifnull(max(id), 0) + 1 FROM close")!
  }

  /// Inserts all rows of a close, or a reopening, under its number.
  private static func insert(_ close: NewClose, as number: Int64, _ db: Database) throws {
    let record = close.record
    try db.execute(
      sql: """
        INSERT INTO close (id, action, period, closed_at, closed_by, reason, as_of, version,
          last_source)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        number, record.action.rawValue, record.period.description, record.at.seconds, record.by,
        record.reason, record.asOf.number, record.version, record.lastSource,
      ])
    for input in close.inputs {
      try db.execute(
        sql: "INSERT INTO close_input VALUES (?, ?, ?, ?, ?, ?)",
        arguments: [
          number, input.kind.rawValue, input.file, input.sha256, input.rows,
          input.status.rawValue,
        ])
    }
    for acceptance in close.acceptances {
      try db.execute(
        sql: "INSERT INTO close_acceptance VALUES (?, ?, ?, ?)",
        arguments: [number, acceptance.finding, acceptance.code, acceptance.reason])
    }
    for document in close.documents { try insert(document, number, db) }
    for document in close.withheld {
      try insert(
        document.bytes, db, "close_withheld (close_id, name, sha256, bytes)", number,
        [document.name, document.sha256])
    }
    for kept in close.figures {
      try insert(
        kept.bytes, db, "close_figures (close_id, period, version, figures)", number,
        [kept.period, String(kept.version)])
    }
    for basis in close.basis { try insert(basis, number, db) }
  }

  /// Keeps a document of the close with this number.
  static func insert(_ document: CloseDocument, _ number: Int64, _ db: Database) throws {
    try insert(
      document.bytes, db, "close_document (close_id, name, sha256, bytes)", number,
      [document.name, document.sha256])
  }

  /// Adds a row whose last column is bytes.
  ///
  /// - Parameters:
  ///   - columns: the table, and its columns in brackets.
  ///   - number: the number of the close, the first value.
  ///   - texts: the values between that and the bytes.
  private static func insert(
    _ bytes: [UInt8], _ db: Database, _ columns: String, _ number: Int64, _ texts: [String]
  ) throws {
    let places = Array(repeating: "?", count: texts.count + 2).joined(separator: ", ")
    let insert = try RawStatement(db, "INSERT INTO \(columns) VALUES (\(places))", number)
    for (index, text) in texts.enumerated() { insert.bind(text, at: Int32(index + 2)) }
    bytes.withUnsafeBytes { insert.bind($0, at: Int32(texts.count + 2)) }
    try insert.run()
  }

  /// The bytes that a query gives for the number of a close and a text; nil where it gives no row.
  private func bytes(_ sql: String, _ number: Int64, _ text: String) throws -> [UInt8]? {
    try read { db in
      let select = try RawStatement(db, sql, number, text)
      return try select.step() ? Array(select.bytes(0)) : nil
    }
  }

  /// All closes and reopenings, in the order in which they were made.
  package func closes() throws -> [CloseRecord] {
    try read { db in
      let select = try RawStatement(
        db,
        """
        SELECT id, action, period, closed_at, closed_by, reason, as_of, version, last_source
        FROM close ORDER BY id
        """)
      var records: [CloseRecord] = []
      while try select.step() {
        let name = select.text(2)
        guard let action = CloseRecord.Action(rawValue: select.text(1)), let period = Period(name)
        else { throw LedgerError.corrupt(path: path, detail: "a close of \"\(name)\"") }
        records.append(
          CloseRecord(
            number: select.int64(0), action: action, period: period,
            at: Instant(seconds: select.int64(3)), by: select.text(4), reason: select.text(5),
            asOf: select.day(6), version: select.text(7), lastSource: select.int64(8)))
      }
      return records
    }
  }

  /// The newest file's number, 0 where there is none: it grows with every import.
  package func lastSource() throws -> Int64 {
    try read { try Int64.fetchOne($0, sql: "SELECT ifnull(max(id), 0) FROM source")! }
  }

  /// What a close keeps under a name, also what it hands out with the second signature only; nil
  /// where it has no such document.
  package func document(_ name: String, ofClose number: Int64) throws -> [UInt8]? {
    try bytes(
      "SELECT bytes FROM close_document WHERE close_id = ? AND name = ?", number, name)
      ?? bytes("SELECT bytes FROM close_withheld WHERE close_id = ? AND name = ?", number, name)
  }

  /// Names and digests of a close's documents, by name.
  ///
  /// - Parameter withheld: whether those are meant that it hands out with the second signature.
  package func documents(
    ofClose number: Int64, withheld: Bool = false
  ) throws -> [(name: String, sha256: String)] {
    let table = withheld ? "close_withheld" : "close_document"
    return try read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT name, sha256 FROM \(table) WHERE close_id = ? ORDER BY name",
        arguments: [number]
      ).map { ($0[0], $0[1]) }
    }
  }

  /// The errors that a close, by its number, accepted.
  package func acceptances(ofClose number: Int64) throws -> [Acceptance] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT finding_id, code, reason FROM close_acceptance WHERE close_id = ?
          ORDER BY finding_id
          """,
        arguments: [number]
      ).map { Acceptance(finding: $0[0], code: $0[1], reason: $0[2]) }
    }
  }

  /// The periods whose figures each close keeps, oldest first: what it booked of earlier ones, and
  /// its own.
  package func bookings() throws -> [(close: Int64, period: String)] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT close_id, period FROM close_booked
          UNION SELECT close_id, period FROM close_figures ORDER BY 1, 2
          """
      ).map { ($0[0], $0[1]) }
    }
  }

  /// What a period came to when a close kept it; nil where the close was made before there were
  /// figures, or is not about the period.
  package func figures(of period: String, keptBy number: Int64) throws -> KeptFigures? {
    try read { db in
      let select = try RawStatement(
        db, "SELECT version, figures FROM close_figures WHERE close_id = ? AND period = ?")
      select.bind(number, at: 1)
      select.bind(period, at: 2)
      guard try select.step() else { return nil }
      return KeptFigures(
        period: period, version: Int(select.int64(0)), bytes: Array(select.bytes(1)))
    }
  }

  /// The JSON that a close of an older version of the program kept of a period: of an earlier one
  /// whose later changes it booked, or of its own. Nil where it kept none.
  package func booked(_ period: String, byClose number: Int64) throws -> [UInt8]? {
    try bytes(
      "SELECT json FROM close_booked WHERE close_id = ? AND period = ?", number, period)
  }

  /// Whether a file that came after the one with the number `source` may change what was concluded
  /// of `days`.
  package func hasChanges(after source: Int64, touching days: ClosedRange<Day>) throws -> Bool {
    try read { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM \(blockTimes) WHERE source_id > ?1 AND kind <> 'sales'
              AND first_at < ?3 * 86400 AND last_at >= ?2 * 86400
          ) OR EXISTS (
            SELECT 1 FROM source WHERE id > ?1
              AND (kind IN ('products', 'tiers', 'taxes', 'commissions')
                OR (kind NOT IN ('orders', 'transactions', 'receipts', 'notifications', 'history',
                    'rates')
                  AND begin_day < ?3 AND end_day >= ?2))
          )
          """,
        arguments: [source, days.lowerBound.number, days.upperBound.number + 1])!
    }
  }
}
