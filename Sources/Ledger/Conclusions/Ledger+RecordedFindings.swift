package import Billing
import GRDB

extension Ledger {
  /// The finding with this id, by the newest run that recorded it; nil where none did.
  package func recordedFinding(id: String) throws -> RecordedFinding? {
    try read { db in
      try Self.findings(db, "f.id = ?1 ORDER BY f.number DESC LIMIT 1", [id]).first
    }
  }

  /// The findings whose ids begin with a text, the newest run's first; one that runs of several
  /// periods found comes once, by the newest.
  ///
  /// - Parameter limit: as many rows are looked at.
  package func recordedFindings(idPrefix: String, limit: Int) throws -> [RecordedFinding] {
    try read { db in
      let condition = "f.id >= ?1 AND f.id < ?1 || 'g' ORDER BY r.id DESC, f.number LIMIT \(limit)"
      var seen: Set<String> = []
      return try Self.findings(db, condition, [idPrefix])
        .filter { seen.insert($0.finding.id).inserted }
    }
  }

  /// The findings of the period's last run, in output order; nil where none was recorded.
  ///
  /// - Parameter code: only findings of this code; nil for all.
  package func recordedFindings(
    _ period: Period, code: FindingCode? = nil
  ) throws -> [Finding]? {
    try read { db in
      let bounds = try Row.fetchOne(
        db, sql: "SELECT first_finding, end_finding FROM finding_run WHERE period = ?",
        arguments: [period.description])
      guard let bounds else { return nil }
      let ofCode = code == nil ? "" : "AND f.code = ?3"
      return try Self.findings(
        db, "f.number >= ?1 AND f.number < ?2 \(ofCode) ORDER BY f.number",
        [String(bounds[0] as Int64), String(bounds[1] as Int64)]
          + (code.map { [$0.rawValue] } ?? [])
      ).map(\.finding)
    }
  }

  /// Periods whose last run is recorded, the one recorded last first.
  package func recordedPeriods() throws -> [Period] {
    try read { db in
      try String.fetchAll(db, sql: "SELECT period FROM finding_run ORDER BY id DESC")
        .compactMap { Period($0) }
    }
  }

  /// What the period's last run came to; nil where none was recorded.
  package func recordedRun(_ period: Period) throws -> RecordedRun? {
    try read { db in
      let select = try RawStatement(
        db,
        """
        SELECT as_of, matched_units, unmatched_units, basis FROM finding_run WHERE period = ?
        """, period.description)
      guard try select.step() else { return nil }
      var run = RecordedRun(
        period: period, asOf: select.day(0), matchedUnits: select.int64(1),
        unmatchedUnits: select.int64(2))
      run.basis = select.isNull(3) ? nil : select.text(3)
      return run
    }
  }

  /// How many findings of each code the period's last run had, and what it came to; nil where none
  /// was recorded.
  package func previousRun(_ period: Period) throws -> PreviousRun? {
    guard let run = try recordedRun(period) else { return nil }
    return try read { db in
      let counts = try RawStatement(
        db,
        """
        SELECT f.code, count(*) FROM finding_run r
          JOIN finding f ON f.number >= r.first_finding AND f.number < r.end_finding
        WHERE r.period = ? GROUP BY f.code
        """, period.description)
      var findings: [FindingCode: Int64] = [:]
      while try counts.step() {
        guard let code = FindingCode(rawValue: counts.text(0)) else { continue }
        findings[code] = counts.int64(1)
      }
      return PreviousRun(run: run, findings: findings)
    }
  }

  /// All findings whose evidence has one of these orders or transactions, the newest run's first
  /// and those of one run in output order. One that runs of several periods found comes once, by
  /// the newest.
  package func findings(
    touchingOrders orders: [String], transactions: [String]
  ) throws -> [RecordedFinding] {
    try read { db in
      var numbers: Set<Int64> = []
      try Self.add("SELECT finding FROM finding_order WHERE order_id = ?", orders, &numbers, db)
      try Self.add(
        "SELECT finding FROM finding_transaction WHERE transaction_id = ?", transactions, &numbers,
        db)
      // A run's findings have numbers that follow one another, the newest run's the highest.
      let runs = try Self.firstFindings(db)
      /// The number of the first finding of the run that a finding, by its number, belongs to.
      func firstOfRun(_ number: Int64) -> Int64 { runs.last { $0 <= number } ?? 0 }
      let ordered = numbers.map { (run: firstOfRun($0), number: $0) }
        .sorted { $0.run != $1.run ? $0.run > $1.run : $0.number < $1.number }
      var seen: Set<String> = []
      return try ordered.flatMap { try Self.findings(db, "f.number = ?1", [String($0.number)]) }
        .filter { seen.insert($0.finding.id).inserted }
    }
  }

  /// The number of the first finding of each run that has any, ascending.
  private static func firstFindings(_ db: Database) throws -> [Int64] {
    try Int64.fetchAll(
      db,
      sql: "SELECT first_finding FROM finding_run WHERE end_finding > first_finding ORDER BY 1")
  }

  /// Adds the numbers of the findings that a query gives for each of some ids.
  private static func add(
    _ sql: String, _ ids: [String], _ numbers: inout Set<Int64>, _ db: Database
  ) throws {
    let select = try RawStatement(db, sql)
    for id in ids {
      select.bind(id, at: 1)
      while try select.step() { numbers.insert(select.int64(0)) }
      select.reset()
    }
  }

  /// The recorded findings for which a condition holds, in its order.
  ///
  /// - Parameters:
  ///   - condition: SQL after `WHERE`, with `values` from ?1 on.
  ///   - compare: is called with each finding's number, the digest of what is kept of it, and the
  ///     digest that was recorded; by default it throws where these differ.
  private static func findings(
    _ db: Database, _ condition: String, _ values: [String],
    comparing compare: (_ number: Int64, _ kept: Int64, _ recorded: Int64) throws -> Void =
      refuseChanged
  ) throws -> [RecordedFinding] {
    let select = try RawStatement(
      db,
      """
      SELECT f.number, f.id, f.code, f.severity, f.storefront, f.currency, f.day, f.sku, f.units,
        f.amount, f.wording, a.wording, r.period, r.as_of, f.material, w.id, u.user_id,
        f.digest
      FROM finding f JOIN finding_run r ON r.id = f.run_id
        JOIN finding_action a ON a.id = f.action_id
        LEFT JOIN finding_former w ON w.finding = f.number
        LEFT JOIN finding_user u ON u.finding = f.number
      WHERE \(condition)
      """)
    for (index, value) in values.enumerated() { select.bind(value, at: Int32(index + 1)) }
    let evidence = try FindingEvidence(db)
    return try select.all {
      let number = select.int64(0)
      var finding = Finding(
        code: try select.known(2, FindingCode.init(rawValue:)),
        severity: try select.known(3, Severity.init(rawValue:)),
        storefront: Storefront(select.text(4)), currency: Currency(select.text(5)),
        date: select.optionalDay(6), sku: select.isNull(7) ? nil : select.text(7),
        units: select.optionalInt64(8), amount: select.optionalInt64(9),
        orderIDs: try evidence.orders(number), transactionIDs: try evidence.transactions(number),
        sources: try evidence.sources(number),
        explanation: try select.known(10, StoredWording.wording),
        action: try select.known(11, StoredWording.wording), id: select.text(1))
      finding.customer = select.isNull(16) ? "" : select.text(16)
      finding.parts = try evidence.parts(number)
      finding.formerID = select.isNull(15) ? nil : select.text(15)
      finding.isMaterial = select.isNull(14) ? nil : select.int64(14) == 1
      let kept = FindingDigest(
        of: finding, explanation: select.text(10), action: select.text(11))
      try compare(number, kept.value, select.int64(17))
      finding.action = finding.action.naming(finding.names)
      return RecordedFinding(
        finding: finding, period: try select.known(12) { Period($0) }, asOf: select.day(13))
    }
  }
}

extension Ledger {
  /// Throws where the digest of a finding, as it is kept, is not the one that was recorded with it.
  private static func refuseChanged(_ number: Int64, _ kept: Int64, _ recorded: Int64) throws {
    guard kept == recorded else {
      throw DatabaseError(
        resultCode: .damaged, message: "finding \(number) is not what was recorded")
    }
  }

  /// How many recorded findings are not what was recorded.
  static func changedFindings(_ db: Database) throws -> Int64 {
    var changed: Int64 = 0
    _ = try findings(db, "true", []) { _, kept, recorded in if kept != recorded { changed += 1 } }
    return changed
  }

  /// Writes the digest of each recorded finding anew, for findings that came from another ledger.
  static func renewFindingDigests(_ db: Database) throws {
    var digests: [(number: Int64, digest: Int64)] = []
    _ = try findings(db, "true", []) { number, kept, _ in digests.append((number, kept)) }
    let update = try RawStatement(db, "UPDATE finding SET digest = ? WHERE number = ?")
    for (number, digest) in digests {
      try update.run(with: digest, number)
    }
  }
}

/// The rows behind a recorded finding.
private final class FindingEvidence {
  private let orders: RawStatement
  private let transactions: RawStatement
  private let sources: RawStatement
  private let parts: RawStatement

  /// Prepares the statements that look a finding's rows up.
  init(_ db: Database) throws {
    orders = try RawStatement(db, "SELECT order_id FROM finding_order WHERE finding = ?")
    transactions = try RawStatement(
      db, "SELECT transaction_id FROM finding_transaction WHERE finding = ?")
    sources = try RawStatement(
      db,
      """
      SELECT p.file, s.line FROM finding_source s JOIN finding_file p ON p.id = s.file_id
      WHERE s.finding = ? ORDER BY s.place
      """)
    parts = try RawStatement(
      db,
      "SELECT storefront, currency, amount FROM finding_part WHERE finding = ? ORDER BY place")
  }

  func orders(_ finding: Int64) throws -> [String] { try ids(orders, finding) }
  func transactions(_ finding: Int64) throws -> [String] { try ids(transactions, finding) }

  /// The files and lines that show a finding, by its number, in their order.
  func sources(_ finding: Int64) throws -> [Source] {
    sources.bind(finding, at: 1)
    defer { sources.reset() }
    return try sources.all { Source(file: sources.text(0), line: Int(sources.int64(1))) }
  }

  /// The parts of a finding's amount by storefront, by its number, in their order.
  func parts(_ finding: Int64) throws -> [StorefrontMoney] {
    parts.bind(finding, at: 1)
    defer { parts.reset() }
    return try parts.all {
      let amount = Money(micros: parts.int64(2), try parts.known(1) { Currency($0) })
      return StorefrontMoney(parts.isNull(0) ? nil : Storefront(parts.text(0)), amount)
    }
  }

  /// The ids that a statement gives of a finding, in the order of every output, which is not always
  /// the bytes' order.
  private func ids(_ statement: borrowing RawStatement, _ finding: Int64) throws -> [String] {
    statement.bind(finding, at: 1)
    defer { statement.reset() }
    var found: [String] = []
    while try statement.step() { found.append(statement.text(0)) }
    return found.sorted()
  }
}
