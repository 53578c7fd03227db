import Billing
import Languages
import Reporting

extension LedgerStatus {
  /// Single runs of missing days that are named; of the rest only the number is shown.
  private static let namedRuns = 12

  /// The state for a person.
  package var text: String {
    var lines = [say("@status.as \(ledgerPath) \(asOf) \(files(fileCount))")] + standing
    var table = TextTable("lrrl")
    table.name(columns: "", "@status.rows", "@status.files", "@status.days")
    for kind in kinds {
      table.add(
        say(kind.kind.wording), grouped(kind.rows), grouped(kind.files),
        span(kind.kind, kind.from, kind.to) ?? "")
    }
    if !kinds.isEmpty { lines += table.textLines }
    for vendor in vendors { lines += Self.lines(of: vendor) }
    lines += settlingMonths
    lines += missingReports.map { say($0.wording) }
    if let missing = missingCoinDays, !missing.isEmpty {
      lines.append(
        say("@status.coin-days-missing \(Self.count(missing)) \(Self.named(missing))"))
    }
    if vendors.isEmpty { lines.append(say("@shared.no-sales-report-is-loaded")) }
    for file in restated {
      let days = span(file.from, file.to).map { "\($0) " } ?? ""
      let new = file.new.map { Wording(verbatim: $0) } ?? "@status.another-file"
      lines.append(say("@status.restated-is-superseded-by \(days) \(file.old) \(new)"))
    }
    for file in partial {
      lines.append(say("@status.partial-came-in-without \(file.file) \(badRows(file.rejected))"))
    }
    lines += rejected.map { say("@status.rejected \($0) \($0)") }
    lines += openPages.map { say("@status.incomplete \($0.place) \($0.wording)") }
    lines += wrongClocks.map {
      say("@status.wrong-clock-the-last-reconciliation \($0)")
    }
    lines += awaitingCloses.map {
      say("@status.awaits-second \($0.period) \($0.number) \($0.by) \($0.asOf)")
    }
    lines += changedCloses.map { say($0.wording) } + openLines + flowLines + linkLines
    return lines.map { $0 + "\n" }.joined()
  }

  /// The line that says whether the period is closed; empty where none is asked about.
  private var standing: [String] {
    guard let period, period.isClosable else { return [] }
    guard let close else { return [say("@close.is-not-closed \(period)")] }
    return [
      say("@close.closed-close-no-by-2 \(period) \(close.number) \(close.by) \(close.asOf)")
    ]
  }

  /// The line that says which fiscal months settle the calendar months that sales reports cover, of
  /// these the latest three.
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
    let settled = months.suffix(3).map { month in
      let (begin, end) = (
        FiscalMonth(containing: month.first), FiscalMonth(containing: month.last)
      )
      return "\(month) \(begin)" + (begin == end ? "" : "..\(end)")
    }
    return settled.isEmpty
      ? [] : [say("@status.settled-in \(settled.asList)")]
  }

  /// The lines on a vendor's sales reports: how many, of which days, and which days are missing or
  /// late.
  private static func lines(of coverage: VendorCoverage) -> [String] {
    let name: Wording =
      coverage.vendor.isEmpty ? "@status.vendor-unknown" : "@status.vendor \(coverage.vendor)"
    let reports = counted(coverage.reports, "@status.1-sales-report") {
      "@status.sales-reports \($0)"
    }
    let span = "\(coverage.first)..\(coverage.last)"
    var lines = [say("@status.of \(name) \(reports) \(days(coverage.daysCovered)) \(span)")]
    if coverage.noSalesDays > 0 {
      lines.append("  " + say("@status.no-sales-recorded \(days(coverage.noSalesDays))"))
    }
    if !coverage.missing.isEmpty {
      lines.append(
        "  " + say("@status.missing \(count(coverage.missing)) \(named(coverage.missing))"))
    }
    if let late = coverage.late {
      let span = Workflow.span(late.lowerBound, late.upperBound)!
      lines.append(
        "  " + say("@status.late-without-a-report-by \(days(late.count)) \(span)"))
    }
    return lines
  }

  /// How many days runs of days have together, as text.
  private static func count(_ runs: [ClosedRange<Day>]) -> Wording {
    days(runs.reduce(0) { $0 + $1.count })
  }

  /// The first runs of days as text, and how many more there are.
  private static func named(_ runs: [ClosedRange<Day>]) -> Wording {
    var named = runs.prefix(namedRuns).map { Workflow.span($0.lowerBound, $0.upperBound)! }
    let rest = runs.count - named.count
    if rest > 0 { named.append(say("@shared.and-more \(grouped(rest))")) }
    return named.asList
  }
}
