package import Billing
import GRDB

extension Ledger {
  /// Records which terms the rows of a run's period show.
  ///
  /// - Parameter run: the run's number.
  static func record(_ terms: [RecordedTerms], run: Int64, _ db: Database) throws {
    let insert = try RawStatement(
      db, "INSERT INTO finding_terms VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for (number, line) in terms.enumerated() {
      try insert.run(
        with: run, Int64(number), line.storefront.code, line.platform?.rawValue,
        line.skus.joined(separator: "\n"), Int64(line.isAfterOneYear ? 1 : 0),
        line.commissionClass.rawValue, line.agreement, line.from)
    }
  }

  /// What the recorded reconciliations found of terms, and of taxes that the built-in table lacks,
  /// with their periods, in the order in which they were recorded.
  package func recordedTerms() throws -> [(
    period: Period, lines: [RecordedTerms], taxes: [RecordedTax]
  )] {
    try read { db in
      let runs = try Row.fetchAll(
        db,
        sql: """
          SELECT id, period FROM finding_run WHERE id IN (SELECT run_id FROM finding_terms)
          OR id IN (SELECT run_id FROM finding_tax) ORDER BY id
          """)
      return try runs.compactMap { row in
        guard let period = Period(row[1] as String) else { return nil }
        return (period, try lines(of: row[0], db), try taxes(of: row[0], db))
      }
    }
  }

  /// The first day on which any recorded run shows an agreement accepted, by agreement.
  package func recordedAcceptances() throws -> [String: Day] {
    try read { db in
      let select = try RawStatement(
        db,
        """
        SELECT agreement, min(from_day) FROM finding_terms WHERE agreement IS NOT NULL GROUP BY 1
        """)
      var days: [String: Day] = [:]
      while try select.step() {
        days[select.text(0)] = select.day(1)
      }
      return days
    }
  }

  /// The terms that a run recorded, by its number, in their order.
  private func lines(of run: Int64, _ db: Database) throws -> [RecordedTerms] {
    let select = try RawStatement(
      db,
      """
      SELECT storefront, platform, skus, after_one_year, class, agreement, from_day
      FROM finding_terms WHERE run_id = ? ORDER BY number
      """, run)
    var lines: [RecordedTerms] = []
    while try select.step() {
      // A newer program may know more words.
      guard let storefront = Storefront(select.text(0)),
        let commissionClass = CommissionClass(rawValue: select.text(4))
      else { continue }
      let skus = select.text(2)
      lines.append(
        RecordedTerms(
          storefront: storefront,
          platform: select.isNull(1) ? nil : Platform(rawValue: select.text(1)),
          skus: skus.isEmpty ? [] : skus.split(separator: "\n").map(String.init),
          isAfterOneYear: select.int64(3) == 1, commissionClass: commissionClass,
          agreement: select.isNull(5) ? nil : select.text(5),
          from: select.day(6)))
    }
    return lines
  }
}
