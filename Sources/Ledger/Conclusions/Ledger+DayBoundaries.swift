package import Billing
import GRDB

extension Ledger {
  /// Records the day boundary that a run found for each storefront.
  ///
  /// - Parameter run: the run's number.
  static func record(
    _ dayBoundaries: [ReportDayBoundary], of period: Period, run: Int64, _ db: Database
  ) throws {
    let insert = try RawStatement(
      db, "INSERT INTO finding_cutoff VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for boundary in dayBoundaries {
      try insert.run(
        with: run, boundary.storefront.code, boundary.rule, boundary.zone,
        Int64(boundary.utcOffsetMinutes), boundary.confidence, boundary.residualUnits,
        boundary.runnerUp, period.first, period.last)
    }
  }

  /// The day boundary of a storefront by the last reconciliation of a period that has `day`, of
  /// several the shortest period, then the newest run; nil where none was recorded.
  package func recordedDayBoundary(of storefront: Storefront, on day: Day) throws
    -> ReportDayBoundary?
  {
    try read { db in
      let select = try RawStatement(
        db,
        """
        SELECT rule, zone, utc_offset_minutes, confidence, residual_units, runner_up
        FROM finding_cutoff WHERE storefront = ? AND first_day <= ? AND last_day >= ?
        ORDER BY last_day - first_day, run_id DESC LIMIT 1
        """, storefront.code, day, day)
      guard try select.step() else { return nil }
      return ReportDayBoundary(
        storefront: storefront, rule: select.text(0), zone: select.text(1),
        utcOffsetMinutes: Int(select.int64(2)), confidence: select.optionalInt64(3),
        residualUnits: select.int64(4), runnerUp: select.isNull(5) ? nil : select.text(5))
    }
  }

  /// Whether a reconciliation of a period that has `day` was recorded.
  package func hasRecordedRun(on day: Day) throws -> Bool {
    try read { db in
      try String.fetchAll(db, sql: "SELECT period FROM finding_run")
        .contains { Period($0)?.contains(day) ?? false }
    }
  }

  /// The recorded findings about a product on `days`, of the storefront and of none; the newest
  /// run's first.
  package func recordedFindings(
    of sku: String, in storefront: Storefront?, _ days: ClosedRange<Day>
  ) throws -> [RecordedFinding] {
    let ids = try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT id FROM finding WHERE sku = ? AND day BETWEEN ? AND ?
            AND (?4 IS NULL OR storefront IS NULL OR storefront = ?4)
          GROUP BY id ORDER BY max(number)
          """,
        arguments: [sku, days.lowerBound.number, days.upperBound.number, storefront?.code])
    }
    return try ids.compactMap { try recordedFinding(id: $0) }
  }

  /// Ids of recorded findings that begin with `prefix`, ascending, at most `limit`.
  package func findingIDs(beginning prefix: String, limit: Int) throws -> [String] {
    try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT id FROM finding WHERE id >= ? AND id < ? ORDER BY id LIMIT ?
          """,
        arguments: [prefix, prefix + "~", limit])
    }
  }
}
