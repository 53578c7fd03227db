package import Billing
import GRDB

extension Ledger {
  /// Records which clocks a run found to be wrong, a line for each span of rows.
  ///
  /// - Parameter run: the run's number.
  static func record(_ clocks: [ClockRule], run: Int64, _ db: Database) throws {
    let insert = try RawStatement(
      db, "INSERT INTO finding_clock VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for (rule, clock) in clocks.enumerated() {
      let spans: [ClockRule.Span?] = clock.spans.isEmpty ? [nil] : clock.spans
      for (place, span) in spans.enumerated() {
        try insert.run(
          with: run, Int64(rule), Int64(place), clock.side.rawValue, Int64(clock.seconds),
          Int64(clock.step), clock.judgesPairs, span.map { Int64($0.rows.lowerBound) },
          span.map { Int64($0.rows.upperBound) }, span.map { Int64($0.times.lowerBound) },
          span.map { Int64($0.times.upperBound) })
      }
    }
  }

  /// The number and the period of the last run of a period that has `day`, of several the shortest
  /// period's, then the newest; nil where there is none.
  static func run(on day: Day, _ db: Database) throws -> (id: Int64, period: Period)? {
    let runs = try Row.fetchAll(db, sql: "SELECT id, period FROM finding_run ORDER BY id DESC")
    return runs.compactMap { row in
      Period(row[1] as String).map { (id: row[0] as Int64, period: $0) }
    }
    .filter { $0.period.contains(day) }
    .min { $0.period.dayCount < $1.period.dayCount }
  }

  /// The clocks that the last reconciliation of a period that has `day` found to be wrong: of
  /// several the shortest period's, then the newest run's.
  package func recordedClocks(on day: Day) throws -> [ClockRule] {
    try read { db in
      guard let run = try Self.run(on: day, db) else { return [] }
      let select = try RawStatement(
        db,
        """
        SELECT rule, side, seconds, step, judges_pairs, first_row, last_row, first_time, last_time
        FROM finding_clock WHERE run_id = ? ORDER BY rule, place
        """, run.id)
      var clocks: [ClockRule] = []
      while try select.step() {
        if Int64(clocks.count) == select.int64(0),
          let side = ClockRule.Side(rawValue: select.text(1))
        {
          clocks.append(
            ClockRule(
              side: side, seconds: Int32(truncatingIfNeeded: select.int64(2)),
              step: UInt8(truncatingIfNeeded: select.int64(3)), spans: [],
              judgesPairs: select.int64(4) == 1))
        }
        guard !select.isNull(5), !clocks.isEmpty else { continue }
        let (first, last) = (Int32(clamping: select.int64(5)), Int32(clamping: select.int64(6)))
        let (begin, end) = (UInt32(clamping: select.int64(7)), UInt32(clamping: select.int64(8)))
        clocks[clocks.count - 1].spans.append(
          ClockRule.Span(
            rows: first...max(first, last), times: begin...max(begin, end)))
      }
      return clocks
    }
  }
}
