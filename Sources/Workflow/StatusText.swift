import Billing

extension LedgerStatus {
  /// Single runs of missing days that are named before the rest is counted.
  private static let namedRuns = 12

  /// The state for a person.
  package var text: String {
    var lines = ["\(ledgerPath), as of \(asOf): \(counted(fileCount, "file"))"]
    for kind in kinds {
      let days = span(kind.kind, kind.from, kind.to).map { ", \($0)" } ?? ""
      lines.append(
        "  \(kind.kind.rawValue): \(counted(kind.rows, "row")) in \(counted(kind.files, "file"))"
          + days)
    }
    for vendor in vendors { lines += Self.lines(of: vendor) }
    lines += settlingMonths
    if vendors.isEmpty { lines.append("no sales report is loaded") }
    for file in restated {
      let days = span(file.from, file.to).map { "\($0) " } ?? ""
      lines.append("restated: \(days)\(file.old) is superseded by \(file.new ?? "another file")")
    }
    for file in partial {
      lines.append("partial: \(file.file) came in without \(counted(file.rejected, "bad row"))")
    }
    lines += flowLines
    return lines.map { $0 + "\n" }.joined()
  }

  /// Which fiscal months settle the calendar months that sales reports cover, the latest ones.
  private var settlingMonths: [String] {
    guard let first = vendors.map(\.first).min(), let last = vendors.map(\.last).max() else {
      return []
    }
    var months: [Period] = []
    var day = first
    while day <= last, let month = Period(String("\(day)".prefix(7))) {
      months.append(month)
      day = month.last.advanced(by: 1)
    }
    return months.suffix(3).map { month in
      let begin = FiscalMonth(containing: month.first)
      let end = FiscalMonth(containing: month.last)
      return "\(month) is settled in \(begin)" + (begin == end ? "" : " to \(end)")
    }
  }

  private static func lines(of coverage: VendorCoverage) -> [String] {
    let name = coverage.vendor.isEmpty ? "vendor unknown" : "vendor \(coverage.vendor)"
    var lines = [
      "\(name): \(counted(coverage.reports, "sales report")), "
        + "\(counted(coverage.daysCovered, "day")) of \(coverage.first)..\(coverage.last)"
    ]
    if coverage.noSalesDays > 0 {
      lines.append("  no sales: \(counted(coverage.noSalesDays, "day")) recorded")
    }
    if !coverage.missing.isEmpty {
      let days = coverage.missing.reduce(0) { $0 + $1.count }
      var named = coverage.missing.prefix(namedRuns).map { span($0.lowerBound, $0.upperBound)! }
      let rest = coverage.missing.count - named.count
      if rest > 0 { named.append("and \(grouped(rest)) more gaps") }
      lines.append("  missing: \(counted(days, "day")): \(named.joined(separator: ", "))")
    }
    if let late = coverage.late {
      lines.append(
        "  late: \(counted(late.count, "day")) older than T-2 without a report: "
          + span(late.lowerBound, late.upperBound)!)
    }
    return lines
  }
}
