package import Billing
import GRDB

extension Ledger {
  /// Records what a reconciliation of `run.period` found, in place of what an earlier one did.
  /// Where the last run rested on the same and found the same, the ledger stays as it is.
  ///
  /// - Throws: `LedgerError` where the ledger is in use or cannot be written; then it is as before.
  package func record(_ findings: [Finding], of run: RecordedRun) throws {
    var parts: [RunPart] = [.findings(findings), .sales(run.sales), .run(run)]
    parts.reverse()
    try write(turn: Self.recordingTurn) { db in
      if try Self.isRecorded(run, findings: findings.count, db) { return .rollback }
      // Indices of ids are written all over: what leaves memory is read and written again.
      return try Self.record(run.period, db, cache: 98_304) { parts.popLast() }
        ? .commit : .rollback
    }
  }

  /// Records a reconciliation part by part while the period is still being reconciled: `next` waits
  /// for the part that follows. The last one comes when nobody reads the ledger any more; without
  /// it the ledger stays as it was.
  ///
  /// - Returns: whether the last part came.
  /// - Throws: as `record(_:of:)`.
  package func record(_ period: Period, parts next: () -> RunPart?) throws -> Bool {
    var isWhole = false
    try write(turn: Self.recordingTurn) { db in
      // No page may leave memory before the readers have ended: each would wait for them. There is
      // room for several times of what is recorded ahead; what forbids it is ignored by SQLite
      // within a transaction.
      isWhole = try Self.record(period, db, cache: 4_194_304, parts: next)
      return isWhole ? .commit : .rollback
    }
    return isWhole
  }

  /// A reconciliation can be run again: it neither waits for long nor keeps others waiting.
  private static let recordingTurn = 1

  /// Records the parts of a run in place of what an earlier run of the period recorded.
  ///
  /// - Parameters:
  ///   - cache: KiB of pages that may stay in memory.
  ///   - next: the part that follows; nil where none does.
  /// - Returns: whether the run came, the last of the parts.
  private static func record(
    _ period: Period, _ db: Database, cache: Int,
    parts next: () throws -> RunPart?
  ) throws -> Bool {
    try db.execute(sql: "PRAGMA busy_timeout = 500")
    try db.execute(sql: "PRAGMA cache_size = \(-cache)")
    defer { try? db.execute(sql: "PRAGMA cache_size = \(cacheSize)") }
    try forget(period, db)
    let number = try Int64.fetchOne(db, sql: "SELECT ifnull(max(id), 0) + 1 FROM finding_run")!
    let first = try Int64.fetchOne(db, sql: "SELECT ifnull(max(number), 0) + 1 FROM finding")!
    var end = first
    while let part = try next() {
      switch part {
      case .findings(let findings):
        let indexes = try makesIndexesAnew(for: findings.count, db) ? try dropIndexes(db) : []
        let recorder = try FindingRecorder(db, run: number)
        // Of a finding that is looked at where it stands no copy is made.
        try findings.withUnsafeBufferPointer { findings in
          for place in findings.indices {
            try recorder.insert(findings.baseAddress! + place, as: end)
            end += 1
          }
        }
        try recorder.flush()
        for index in indexes { try db.execute(sql: index) }
      case .sales(let sales): try record(sales, run: number, db)
      case .run(let run):
        try record(run, as: number, findings: first..<end, db)
        return true
      }
    }
    return false
  }

  /// Whether the indexes are better made anew than added to for so many findings. Entries of an
  /// index come in no order: it costs less to put many in order and make the index anew, unless
  /// more findings are in it already. The order of very many takes too much memory.
  private static func makesIndexesAnew(for count: Int, _ db: Database) throws -> Bool {
    guard 4096...1_000_000 ~= count else { return false }
    let known = try Int.fetchOne(
      db, sql: "SELECT ifnull(sum(end_finding - first_finding), 0) FROM finding_run")!
    return known <= count
  }

  /// Drops the indexes of findings.
  ///
  /// - Returns: the statements that make them again.
  private static func dropIndexes(_ db: Database) throws -> [String] {
    let indexes = try Row.fetchAll(
      db,
      sql: """
        SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL
          AND tbl_name IN ('finding', 'finding_order', 'finding_transaction')
        """)
    for index in indexes { try db.execute(sql: "DROP INDEX \(index[0] as String)") }
    return indexes.map { $0[1] }
  }

  /// Records a run under its number, with all but its findings and sales.
  ///
  /// - Parameter findings: the numbers of its findings.
  private static func record(
    _ run: RecordedRun, as number: Int64, findings: Range<Int64>, _ db: Database
  ) throws {
    try db.execute(
      sql: """
        INSERT INTO finding_run (id, period, as_of, matched_units, unmatched_units, first_finding,
          end_finding, basis)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        number, run.period.description, run.asOf.number, run.matchedUnits, run.unmatchedUnits,
        findings.lowerBound, findings.upperBound, run.basis,
      ])
    try record(run.dayBoundaries, of: run.period, run: number, db)
    try record(run.terms, run: number, db)
    try record(run.taxes, run: number, db)
    try record(run.unsettled, run: number, db)
    try record(run.clocks, run: number, db)
    try recordLists(of: run, run: number, db)
  }

  /// Whether the run that was recorded last is equal to this one: it has the same period and basis,
  /// and the ledger has as many findings, patterns, days and sales of it as this one has. False
  /// for a run without a basis.
  ///
  /// - Parameter findings: how many findings this one has.
  private static func isRecorded(
    _ run: RecordedRun, findings: Int, _ db: Database
  ) throws -> Bool {
    guard let basis = run.basis else { return false }
    let select = try RawStatement(
      db,
      """
      SELECT 1 FROM finding_run r
      WHERE period = ?1 AND basis = ?2 AND id = (SELECT max(id) FROM finding_run)
        AND (SELECT count(*) FROM finding
          WHERE number >= r.first_finding AND number < r.end_finding) = ?3
        AND r.end_finding - r.first_finding = ?3
        AND (SELECT ifnull(sum(rows), 0) FROM finding_sale_block WHERE source_id = r.id) = ?4
        AND (SELECT count(*) FROM finding_pattern WHERE run_id = r.id) = ?5
        AND (SELECT count(*) FROM finding_flow WHERE run_id = r.id) = ?6
      """, run.period.description, basis)
    for (index, count) in [
      findings, run.sales.rows.count, run.patterns.count, run.flow.count,
    ].enumerated() {
      select.bind(Int64(count), at: Int32(index + 3))
    }
    return try select.step()
  }

  /// Records what a run found of transactions that their rows do not say.
  private static func record(
    _ sales: ResolvedSales, run: Int64, _ db: Database
  ) throws {
    let first = try Int64.fetchOne(
      db, sql: "SELECT ifnull(max(id), 0) + 1 FROM finding_sale_terms")!
    let terms = try RowInserter(db, "finding_sale_terms", columns: 8)
    for (index, told) in sales.terms.enumerated() {
      try terms.begin()
      terms.put(first + Int64(index))
      terms.put(run)
      terms.put(told.rule)
      terms.put(told.storefront?.code)
      terms.put(told.storefrontTeller?.rawValue)
      terms.put(told.currency?.code)
      terms.put(told.unitPrice)
      terms.put(told.priceTeller?.rawValue)
    }
    try terms.flush()
    let blocks = BlockAppender(db)
    try replace(sales.rows, blocks, db)
    for start in stride(from: 0, to: sales.rows.count, by: FactBlock.rowLimit) {
      let part = sales.rows[start..<min(start + FactBlock.rowLimit, sales.rows.count)]
      try blocks.append(
        part.map {
          Numbered(
            number: Int64($0.row.number),
            row: SaleRecord(
              order: $0.order.map { Int64($0.number) }, terms: first + Int64($0.terms)))
        }, to: .resolved, source: run)
    }
  }

  /// Takes these rows out of blocks that earlier runs of other periods recorded: the last run
  /// counts.
  private static func replace(
    _ rows: [ResolvedSale], _ blocks: BlockAppender, _ db: Database
  ) throws {
    guard let lowest = rows.first?.row.number, let highest = rows.last?.row.number else { return }
    let table = BlockTables.resolved.table
    let select = try RawStatement(
      db, BlockScan.query(table, "first_row <= ? AND last_row >= ?"), highest, lowest)
    var kept: [(run: Int64, rows: [Numbered<SaleRecord>])] = []
    var touched: [Int64] = []
    while try select.step() {
      let block = try LoadedBlock(select, table)
      touched.append(block.first)
      var rest: [Numbered<SaleRecord>] = []
      for place in 0..<block.rowCount {
        let number = try block.number(place)
        let found = rows.partitioningIndex { Int64($0.row.number) >= number }
        if found < rows.count, Int64(rows[found].row.number) == number { continue }
        let order = try block.cell(1, place)
        rest.append(
          Numbered(
            number: number,
            row: SaleRecord(
              order: order.isNull ? nil : order.number, terms: try block.cell(2, place).number)))
      }
      kept.append((block.source, rest))
    }
    for first in touched {
      try db.execute(sql: "DELETE FROM \(table.blocks) WHERE first_row = ?", arguments: [first])
    }
    for (run, rest) in kept { try blocks.append(rest, to: .resolved, source: run) }
  }

  /// Records the patterns and the flow of a run, by its number; what a pattern says of users stands
  /// apart from the rest.
  private static func recordLists(of run: RecordedRun, run number: Int64, _ db: Database) throws {
    /// Runs the INSERT `sql` once for each line: with the run's `number`, the line's index and the
    /// line itself, which is JSON.
    func insert(_ lines: [String], _ sql: String) throws {
      let insert = try RawStatement(db, sql)
      for (index, line) in lines.enumerated() {
        try insert.run(with: number, Int64(index), line)
      }
    }
    try insert(
      run.patterns,
      """
      INSERT INTO finding_pattern
      SELECT ?1, ?2, iif(u, json_remove(?3, '$.value', '$.text'), ?3), iif(u, ?3, NULL)
      FROM (SELECT json_extract(?3, '$.dimension') IN ('user', 'user-ring') AS u)
      """)
    try insert(run.flow, "INSERT INTO finding_flow VALUES (?1, ?2, ?3)")
  }

  /// Deletes all that the last run of a period recorded.
  private static func forget(_ period: Period, _ db: Database) throws {
    let bounds = try Row.fetchOne(
      db, sql: "SELECT first_finding, end_finding, id FROM finding_run WHERE period = ?",
      arguments: [period.description])
    guard let bounds else { return }
    for table in [
      "finding_cutoff", "finding_terms", "finding_tax", "finding_unsettled", "finding_clock",
      "finding_pattern", "finding_flow", "finding_sale_terms",
    ] {
      try db.execute(
        sql: "DELETE FROM \(table) WHERE run_id = ?", arguments: [bounds[2] as Int64])
    }
    try db.execute(
      sql: "DELETE FROM \(BlockTables.resolved.table.blocks) WHERE source_id = ?",
      arguments: [bounds[2] as Int64])
    for (table, number) in [
      ("finding", "number"), ("finding_order", "finding"), ("finding_transaction", "finding"),
      ("finding_source", "finding"), ("finding_part", "finding"), ("finding_former", "finding"),
      ("finding_user", "finding"),
    ] {
      try db.execute(
        sql: "DELETE FROM \(table) WHERE \(number) >= ? AND \(number) < ?",
        arguments: [bounds[0] as Int64, bounds[1] as Int64])
    }
    try db.execute(
      sql: "DELETE FROM finding_run WHERE period = ?", arguments: [period.description])
  }
}

/// Inserts findings, many with each statement.
private final class FindingRecorder {
  private let run: Int64
  private let finding: RowInserter
  private let order: RowInserter
  private let transaction: RowInserter
  private let source: RowInserter
  private let part: RowInserter
  private let former: RowInserter
  private let user: RowInserter
  private let actions: TextNumbers
  private let files: TextNumbers
  private var known: [Wording: (number: Int64, text: String)] = [:]

  /// Prepares to insert the findings of the run with this number.
  init(_ db: Database, run: Int64) throws {
    self.run = run
    finding = try RowInserter(db, "finding", columns: 16)
    order = try RowInserter(db, "finding_order", columns: 2)
    transaction = try RowInserter(db, "finding_transaction", columns: 2)
    source = try RowInserter(db, "finding_source", columns: 4)
    part = try RowInserter(db, "finding_part", columns: 5)
    former = try RowInserter(db, "finding_former", columns: 2)
    user = try RowInserter(db, "finding_user", columns: 2)
    actions = try TextNumbers(db, "finding_action", "wording")
    files = try TextNumbers(db, "finding_file", "file")
  }

  /// Inserts a finding under a number, with its evidence and its parts.
  func insert(_ found: UnsafePointer<Finding>, as number: Int64) throws {
    try finding.begin()
    finding.put(number)
    finding.put(run)
    finding.put(found.pointee.id)
    finding.put(found.pointee.code.rawValue)
    finding.put(found.pointee.severity.rawValue)
    finding.put(found.pointee.storefront?.code)
    finding.put(found.pointee.currency?.code)
    finding.put(found.pointee.date)
    finding.put(found.pointee.sku)
    finding.put(found.pointee.units)
    finding.put(found.pointee.amount)
    finding.put(found.pointee.explanation.english)
    let explanation = StoredWording.json(of: found.pointee.explanation)
    finding.put(explanation)
    let action = try storedAction(found.pointee.action.withoutNames(found.pointee.names))
    finding.put(action.number)
    finding.put(found.pointee.isMaterial)
    finding.put(
      FindingDigest(of: found.pointee, explanation: explanation, action: action.text).value)
    if let id = found.pointee.formerID {
      try former.begin()
      former.put(number)
      former.put(id)
    }
    if !found.pointee.customer.isEmpty {
      try user.begin()
      user.put(number)
      user.put(found.pointee.customer)
    }
    for id in found.pointee.orderIDs { try insert(id, into: order, number) }
    for id in found.pointee.transactionIDs { try insert(id, into: transaction, number) }
    for (place, evidence) in found.pointee.sources.enumerated() {
      try source.begin()
      source.put(number)
      source.put(Int64(place))
      source.put(try files.number(of: evidence.file))
      source.put(Int64(evidence.line))
    }
    for (place, money) in found.pointee.parts.enumerated() {
      try part.begin()
      part.put(number)
      part.put(Int64(place))
      part.put(money.storefront?.code)
      part.put(money.amount.currency.code)
      part.put(money.amount.micros)
    }
  }

  /// Inserts what is still to be inserted.
  func flush() throws {
    for inserter in [finding, order, transaction, source, part, former, user] {
      try inserter.flush()
    }
  }

  /// The number under which the ledger keeps the text of what to do about a finding, and that text
  /// as JSON; a new text is added. Without the ids in it, most findings of a code have the same.
  private func storedAction(_ action: Wording) throws -> (number: Int64, text: String) {
    if let stored = known[action] { return stored }
    let text = StoredWording.json(of: action)
    let stored = (try actions.number(of: text), text)
    known[action] = stored
    return stored
  }

  /// Inserts an order or a transaction of a finding's evidence, by the finding's number.
  private func insert(_ id: String, into inserter: RowInserter, _ number: Int64) throws {
    try inserter.begin()
    inserter.put(number)
    inserter.put(id)
  }
}

/// Numbers of texts that repeat, in a table of their own.
private final class TextNumbers {
  private let select: RawStatement
  private let insert: RawStatement
  private var known: [String: Int64] = [:]

  /// Prepares to find and to add texts in a column of a table.
  init(_ db: Database, _ table: String, _ column: String) throws {
    select = try RawStatement(db, "SELECT id FROM \(table) WHERE \(column) = ?")
    insert = try RawStatement(db, "INSERT INTO \(table) (\(column)) VALUES (?) RETURNING id")
  }

  /// The number of a text, which is added where it is new.
  func number(of text: String) throws -> Int64 {
    if let number = known[text] { return number }
    let number = try first(select, text) ?? first(insert, text)!
    known[text] = number
    return number
  }

  /// The number that a statement gives for a text; nil where it gives none.
  private func first(_ statement: borrowing RawStatement, _ text: String) throws -> Int64? {
    statement.bind(text, at: 1)
    let number = try statement.step() ? statement.int64(0) : nil
    statement.reset()
    return number
  }
}
