package import Billing
import GRDB

/// A sales report that no other version has replaced.
struct CountedReport: Hashable {
  var source: Int64
  var file: String
  var sha256: String
  var vendor: String
  var begin: Day
  var end: Day
  var rows: ClosedRange<Int32>?

  /// The sales reports that no other version has replaced; not those without days, which have no
  /// rows and say nothing.
  static func current(_ db: Database) throws -> [CountedReport] {
    let select = try RawStatement(
      db,
      """
      SELECT id, file, sha256, vendor, begin_day, end_day, first_row, last_row FROM source
      WHERE kind = 'sales' AND status <> 'superseded' AND begin_day IS NOT NULL
      """)
    return try select.all {
      CountedReport(
        source: select.int64(0), file: select.text(1), sha256: select.text(2),
        vendor: select.text(3), begin: select.day(4), end: select.day(5),
        rows: select.isNull(6) ? nil : try select.rows(6, 7))
    }
  }

  /// Those of `reports` that count: whose rows are used, so that no day of a vendor is used twice.
  /// Shorter ones go before longer ones, and a report counts only if it has no day that a report
  /// before it has. So a month of which some days have daily reports is left out whole, and the
  /// days without one are missing, rather than guessed from the month's rest. Among equally long
  /// reports that overlap, the one that begins first goes before.
  static func counting(_ reports: [CountedReport]) -> [CountedReport] {
    let ordered = reports.sorted {
      let (left, right) = ($0.begin.distance(to: $0.end), $1.begin.distance(to: $1.end))
      return (left, $0.begin, $0.sha256) < (right, $1.begin, $1.sha256)
    }
    var daysOfVendors: [String: Set<Day>] = [:]
    return ordered.filter { report in
      let days = Set(report.begin...report.end)
      guard daysOfVendors[report.vendor, default: []].isDisjoint(with: days) else { return false }
      daysOfVendors[report.vendor, default: []].formUnion(days)
      return true
    }
  }
}

extension Ledger {
  /// The spans of all sales reports that count, and the days recorded without sales.
  package func salesCoverage() throws -> [ReportCoverage] {
    try read { db in
      try Self.coverage(
        by: CountedReport.counting(CountedReport.current(db)),
        touching: Day(number: .min)...Day(number: .max), db)
    }
  }

  /// The rows of these reports that touch `days`, ascending by row.
  static func sales(
    of reports: [CountedReport], touching days: ClosedRange<Day>, _ db: Database
  ) throws -> [SalesEntry] {
    let ranges = try RowRanges(
      .sales, touching: Int64(days.lowerBound.number)...Int64(days.upperBound.number),
      of: Set(reports.map(\.source)), db)
    var entries: [SalesEntry] = []
    entries.reserveCapacity(ranges.count)
    try ranges.forEach(db, salesColumns, from: .sales) { row in
      if let entry = salesEntry(row, touching: days) { entries.append(entry) }
    }
    return entries
  }

  /// What ``salesEntry(_:touching:)`` reads, after a row's id.
  static let salesColumns = "product_id, terms_id, condition_id, units, begin_day, end_day"

  /// The entry of a row of ``salesColumns``; nil where its days lie outside `days`.
  @inline(__always)
  static func salesEntry(_ row: ScannedRow, touching days: ClosedRange<Day>) -> SalesEntry? {
    let (begin, end) = (row.day(5), row.day(6))
    guard begin <= days.upperBound, end >= days.lowerBound else { return nil }
    return SalesEntry(
      row: row.id(), units: row.int32(4), begin: begin, end: end,
      product: row.int32(1) - 1, terms: row.int32(2) - 1, condition: row.int32(3) - 1)
  }

  /// The spans of `reports`, and the days without sales, that touch `days`; sorted by begin, end,
  /// vendor and file.
  static func coverage(
    by reports: [CountedReport], touching days: ClosedRange<Day>, _ db: Database
  ) throws -> [ReportCoverage] {
    var coverage = reports.filter { $0.begin <= days.upperBound && $0.end >= days.lowerBound }
      .map {
        ReportCoverage(
          begin: $0.begin, end: $0.end, vendor: $0.vendor, file: $0.file, rows: $0.rows)
      }
    let none = try RawStatement(db, "SELECT day, vendor FROM no_sales WHERE day BETWEEN ? AND ?")
    none.bind(days.lowerBound, at: 1)
    none.bind(days.upperBound, at: 2)
    while try none.step() {
      let day = none.day(0)
      coverage.append(ReportCoverage(begin: day, end: day, vendor: none.text(1), file: nil))
    }
    return coverage.sorted {
      ($0.begin, $0.end, $0.vendor, $0.file ?? "") < ($1.begin, $1.end, $1.vendor, $1.file ?? "")
    }
  }
}
