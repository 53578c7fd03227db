package import Billing
import GRDB

extension Ledger {
  /// Records what a reconciliation of `run.period` found, in place of what an earlier one did.
  ///
  /// - Throws: `LedgerError` where the ledger is in use or cannot be written; then it is as before.
  package func record(_ findings: [Finding], of run: RecordedRun) throws {
    // A reconciliation can be run again: it neither waits for long nor keeps others waiting.
    try write(turn: 1) { db in
      try db.execute(sql: "PRAGMA busy_timeout = 500")
      try Self.forget(run.period, db)
      let first = try Int64.fetchOne(db, sql: "SELECT ifnull(max(number), 0) + 1 FROM finding")!
      try db.execute(
        sql: """
          INSERT INTO finding_run (period, as_of, matched_units, unmatched_units, first_finding,
            end_finding)
          VALUES (?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          run.period.description, run.asOf.number, run.matchedUnits, run.unmatchedUnits, first,
          first + Int64(findings.count),
        ])
      let number = db.lastInsertedRowID
      try Self.record(run.dayBoundaries, of: run.period, run: number, db)
      try Self.record(run.terms, run: number, db)
      try Self.record(run.unsettled, run: number, db)
      try Self.record(run.clocks, run: number, db)
      let recorder = try FindingRecorder(db, run: number)
      for (index, finding) in findings.enumerated() {
        try recorder.insert(finding, as: first + Int64(index))
      }
      return .commit
    }
  }

  private static func forget(_ period: Period, _ db: Database) throws {
    let bounds = try Row.fetchOne(
      db, sql: "SELECT first_finding, end_finding, id FROM finding_run WHERE period = ?",
      arguments: [period.description])
    guard let bounds else { return }
    for table in ["finding_cutoff", "finding_terms", "finding_unsettled", "finding_clock"] {
      try db.execute(
        sql: "DELETE FROM \(table) WHERE run_id = ?", arguments: [bounds[2] as Int64])
    }
    for (table, number) in [
      ("finding", "number"), ("finding_order", "finding"), ("finding_transaction", "finding"),
      ("finding_source", "finding"), ("finding_part", "finding"),
    ] {
      try db.execute(
        sql: "DELETE FROM \(table) WHERE \(number) >= ? AND \(number) < ?",
        arguments: [bounds[0] as Int64, bounds[1] as Int64])
    }
    try db.execute(
      sql: "DELETE FROM finding_run WHERE period = ?", arguments: [period.description])
  }
}

/// Inserts findings with statements that are prepared once.
private final class FindingRecorder {
  private let run: Int64
  private let finding: RawStatement
  private let order: RawStatement
  private let transaction: RawStatement
  private let source: RawStatement
  private let part: RawStatement
  private let actions: TextNumbers
  private let files: TextNumbers
  private var known: [Wording: Int64] = [:]

  init(_ db: Database, run: Int64) throws {
    self.run = run
    finding = try RawStatement(
      db, "INSERT INTO finding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    order = try RawStatement(db, "INSERT INTO finding_order VALUES (?, ?)")
    transaction = try RawStatement(db, "INSERT INTO finding_transaction VALUES (?, ?)")
    source = try RawStatement(db, "INSERT INTO finding_source VALUES (?, ?, ?, ?)")
    part = try RawStatement(db, "INSERT INTO finding_part VALUES (?, ?, ?, ?, ?)")
    actions = try TextNumbers(db, "finding_action", "wording")
    files = try TextNumbers(db, "finding_file", "file")
  }

  func insert(_ found: Finding, as number: Int64) throws {
    finding.bind(number, at: 1)
    finding.bind(run, at: 2)
    finding.bind(found.id, at: 3)
    finding.bind(found.code.rawValue, at: 4)
    finding.bind(found.severity.rawValue, at: 5)
    finding.bind(found.storefront?.code, at: 6)
    finding.bind(found.currency?.code, at: 7)
    finding.bind(found.date, at: 8)
    finding.bind(found.sku, at: 9)
    finding.bind(found.units, at: 10)
    finding.bind(found.amount, at: 11)
    finding.bind(found.explanation.english, at: 12)
    finding.bind(StoredWording.json(of: found.explanation), at: 13)
    finding.bind(try actionNumber(found.action), at: 14)
    try finding.run()
    for id in found.orderIDs { try insert(id, into: order, number) }
    for id in found.transactionIDs { try insert(id, into: transaction, number) }
    for (place, evidence) in found.sources.enumerated() {
      source.bind(number, at: 1)
      source.bind(Int64(place), at: 2)
      source.bind(try files.number(of: evidence.file), at: 3)
      source.bind(Int64(evidence.line), at: 4)
      try source.run()
    }
    for (place, money) in found.parts.enumerated() {
      part.bind(number, at: 1)
      part.bind(Int64(place), at: 2)
      part.bind(money.storefront?.code, at: 3)
      part.bind(money.amount.currency.code, at: 4)
      part.bind(money.amount.micros, at: 5)
      try part.run()
    }
  }

  /// Most findings of a code have the same action.
  private func actionNumber(_ action: Wording) throws -> Int64 {
    if let number = known[action] { return number }
    let number = try actions.number(of: StoredWording.json(of: action))
    known[action] = number
    return number
  }

  private func insert(_ id: String, into statement: borrowing RawStatement, _ number: Int64) throws
  {
    statement.bind(number, at: 1)
    statement.bind(id, at: 2)
    try statement.run()
  }
}

/// Numbers of texts that repeat, in a table of their own.
private final class TextNumbers {
  private let select: RawStatement
  private let insert: RawStatement
  private var known: [String: Int64] = [:]

  init(_ db: Database, _ table: String, _ column: String) throws {
    select = try RawStatement(db, "SELECT id FROM \(table) WHERE \(column) = ?")
    insert = try RawStatement(db, "INSERT INTO \(table) (\(column)) VALUES (?) RETURNING id")
  }

  func number(of text: String) throws -> Int64 {
    if let number = known[text] { return number }
    let number = try first(select, text) ?? first(insert, text)!
    known[text] = number
    return number
  }

  private func first(_ statement: borrowing RawStatement, _ text: String) throws -> Int64? {
    statement.bind(text, at: 1)
    let number = try statement.step() ? statement.int64(0) : nil
    statement.reset()
    return number
  }
}
