package import Billing
package import Conclusions
import Ledger
import Matching

/// Apple's report of a day comes two days after it (T-2): what is older than that is overdue.
private let reportDelayInDays = 2

/// What the ledger holds, what is missing from it, and what was restated.
package struct LedgerStatus: Sendable {
  package var ledgerPath: String
  package var asOf: Day
  /// The period that all of it is about; nil for whatever is loaded.
  package var period: Period?
  /// The period's close in force.
  package var close: CloseRecord?
  /// Ascending by vendor.
  package var vendors: [VendorCoverage] = []
  package var restated: [RestatedFile] = []
  /// Files that came in without their bad rows.
  package var partial: [InputFile] = []
  /// Files of which nothing came in, whatever period they are of.
  package var rejected: [String] = []
  /// Ascending by month.
  package var missingReports: [MissingReports] = []
  /// Answers of which more follows that is not there.
  package var openPages: [ImportedPage] = []
  /// What the current files of each kind cover, in the order of the kinds.
  package var kinds: [KindCoverage] = []
  package var fileCount = 0
  /// Closed months whose inputs changed since, ascending by month.
  package var changedCloses: [ChangedClose] = []
  /// Closes that await their second signature, ascending by month.
  package var awaitingCloses: [CloseRecord] = []
  /// Periods whose last reconciliation found a clock that is off and that nobody let stand,
  /// ascending.
  package var wrongClocks: [Period] = []
  /// What is open, by kind, currency and age.
  package var openItems: [AgedItems] = []
  /// How purchases went on the last days, as the rows tell it; see `latestFlow`.
  package var flow: [FlowDay] = []
  /// What Apple answered to `fetch`, by list and outcome.
  package var answers: [AnswerCount] = []
  /// The way to Apple on the last days; see `latestLink`.
  package var link: [LinkDay] = []
  /// Days up to the last purchases that no file of movements of coins covers, from its first one
  /// on; nil without any file.
  package var missingCoinDays: [ClosedRange<Day>]?
  /// Days that a sales report, a recorded day without sales, or a table of transactions meets.
  var loadedSpans: [ClosedRange<Day>] = []

  /// The severest thing that is wrong: days and regions without a report are errors, restated,
  /// partial and rejected files, answers without their end, closed months whose inputs changed and
  /// clocks that are off warnings.
  package var worst: Severity? {
    if vendors.contains(where: { !$0.missing.isEmpty || $0.late != nil }) { return .error }
    if missingReports.contains(where: \.isError) { return .error }
    let isQuiet =
      restated.isEmpty && partial.isEmpty && rejected.isEmpty && missingReports.isEmpty
      && changedCloses.isEmpty && openPages.isEmpty && wrongClocks.isEmpty
      && missingCoinDays?.isEmpty ?? true
    return isQuiet ? nil : .warning
  }
}

/// The days that one vendor's sales reports cover.
package struct VendorCoverage: Hashable, Sendable {
  /// Empty when neither the files nor the calls named one.
  package var vendor: String
  /// Reports that count.
  package var reports: Int
  package var noSalesDays: Int
  package var first: Day
  package var last: Day
  package var daysCovered: Int
  /// Days between first and last, older than T-2, that nothing covers.
  package var missing: [ClosedRange<Day>]
  /// Days after the last that are older than T-2.
  package var late: ClosedRange<Day>?
}

/// A file that another version of the same report replaced.
package struct RestatedFile: Hashable, Sendable {
  package var old: String
  /// Nil when what replaced it cannot be told.
  package var new: String?
  package var vendor: String
  package var from: Day?
  package var to: Day?
}

/// What the current files of one kind hold.
package struct KindCoverage: Hashable, Sendable {
  package var kind: InputKind
  package var files: Int
  package var rows: Int
  package var from: Day?
  package var to: Day?
}

/// Reads the ledger's state. Throws a ``Stop`` when there is no ledger or it cannot be read.
///
/// - Parameters:
///   - zone: of the company's day, where the last days' purchases are asked for.
///   - period: what is asked about; nil for all that is loaded.
package func ledgerStatus(
  of ledgerPath: String, asOf: Day, flowIn zone: Zone? = nil, settings: Settings = Settings(),
  in period: Period? = nil
) throws -> LedgerStatus {
  /// Whether another period has days of `period`, which is asked about; all are meant where it is
  /// nil.
  func isMeant(_ other: Period) -> Bool { period?.days.overlaps(other.days) ?? true }
  return try stopping {
    try Ledger.reading(ledgerPath) { ledger in
      var status = try LedgerStatus(ledger, asOf: asOf, in: period)
      status.missingReports = try Workflow.missingReports(
        ledger, ledger.files(), asOf: asOf, naming: settings.paymentRegions
      ).filter { isMeant($0.month.period) }
      status.changedCloses = try Workflow.changedCloses(ledger, settings)
        .filter { isMeant($0.record.period) }
      let book = try CloseBook(ledger)
      status.awaitingCloses = book.awaiting.filter { isMeant($0.period) }
      status.close = period.flatMap { book.close(of: $0) }
      let findings = try ledger.openFindings().filter { isMeant($0.period) }
      status.wrongClocks = Set(findings.filter { $0.code == .clockOff }.map(\.period))
        .sorted { ($0.first, $0.last) < ($1.first, $1.last) }
      status.openItems = try agedItems(
        ledger, findings, asOf: asOf, in: period, settings)
      status.openPages = try OpenPages(ledger.answerPages()).pages
        .filter { page in period.map { page.page.mayTouch($0.days) } ?? true }
      if let zone {
        status.flow = try latestFlow(ledger, zone: zone, settings)
          .filter { period?.contains($0.day) ?? true }
      }
      if period == nil {
        status.answers = try answerCounts(ledger)
        status.link = try latestLink(ledger)
      }
      return status
    }
  }
}

extension LedgerStatus {
  /// Reads what the ledger's files cover; what needs more than the list of files is added by
  /// ``ledgerStatus(of:asOf:flowIn:settings:in:)``.
  init(_ ledger: Ledger, asOf: Day, in period: Period? = nil) throws {
    self.init(
      ledgerPath: ledger.path, asOf: asOf, files: try ledger.files(),
      coverage: try ledger.salesCoverage(), in: period)
    rejected = try ledger.rejectedFiles()
  }

  /// Adds up what these files cover and what is missing from them, of the period where one is
  /// given.
  ///
  /// - Parameter coverage: the sales reports that count, and days without sales.
  init(
    ledgerPath: String, asOf: Day, files all: [LedgerFile], coverage: [ReportCoverage],
    in period: Period? = nil
  ) {
    self.init(ledgerPath: ledgerPath, asOf: asOf, period: period)
    // Tables without days, such as a catalogue, are of every period.
    let files = all.filter { file in
      period.map { file.input.span?.overlaps($0.days) ?? true } ?? true
    }
    fileCount = files.count
    let current = files.filter { $0.input.status != .superseded }
    let reports = all.filter { $0.input.status != .superseded && $0.input.kind == .sales }
    let vendors = Set(reports.map(\.vendor) + coverage.map(\.vendor))
    self.vendors = vendors.sorted().compactMap { vendor in
      VendorCoverage(
        vendor: vendor, coverage.filter { $0.vendor == vendor }, asOf: asOf, in: period)
    }
    loadedSpans =
      current.filter {
        [.sales, .transactions, .unitCounts, .finance, .financeDetail, .payments]
          .contains($0.input.kind) || $0.input.kind.isPurchases
      }
      .compactMap(\.input.span) + coverage.filter { $0.file == nil }.map { $0.begin...$0.end }
    // Counts that later ones replaced are no reports.
    restated = files.filter {
      $0.input.status == .superseded && $0.input.kind.isReport
    }.map { old in
      RestatedFile(
        old: old.input.file, new: old.supersededBy, vendor: old.vendor, from: old.input.from,
        to: old.input.to)
    }
    missingCoinDays = Self.missingCoinDays(
      all.map(\.input).filter { $0.status != .superseded }, asOf: asOf, in: period)
    partial = current.map(\.input).filter { $0.rejected > 0 }
    kinds = InputKind.allCases.compactMap { kind in
      KindCoverage(kind: kind, files: current.map(\.input).filter { $0.kind == kind })
    }
  }
}

extension LedgerStatus {
  /// The days, from the first movement of coins until the last purchases, yesterday or the period's
  /// end, that no file of movements covers, as runs; nil where there is no such file.
  private static func missingCoinDays(
    _ files: [InputFile], asOf: Day, in period: Period?
  ) -> [ClosedRange<Day>]? {
    let moved = files.filter { $0.kind == .coinMovements }.compactMap(\.span)
    guard let begin = moved.map(\.lowerBound).min() else { return nil }
    let purchases = files.filter {
      [.orders, .transactions].contains($0.kind) || $0.kind.isPurchases
    }
    let yesterday = asOf.advanced(by: -1)
    let first = max(begin, period?.first ?? begin)
    let last = min(
      purchases.compactMap(\.span).map(\.upperBound).max() ?? begin, period?.last ?? yesterday,
      yesterday)
    guard first <= last else { return [] }
    var covered: Set<Day> = []
    for days in moved where days.overlaps(first...last) {
      covered.formUnion(days.clamped(to: first...last))
    }
    return runs(of: (first...last).filter { !covered.contains($0) })
  }
}

extension KindCoverage {
  /// Adds up the files of one kind; nil without any.
  fileprivate init?(kind: InputKind, files: [InputFile]) {
    guard !files.isEmpty else { return nil }
    self.init(
      kind: kind, files: files.count, rows: files.reduce(0) { $0 + $1.rows },
      from: files.compactMap(\.from).min(), to: files.compactMap(\.to).max())
  }
}

extension VendorCoverage {
  /// The days that a vendor's reports cover and those that are missing or, where no period is asked
  /// about, late; nil where nothing covers any and all are meant.
  ///
  /// - Parameter coverage: the vendor's reports that count, and its days without sales.
  fileprivate init?(
    vendor: String, _ coverage: [ReportCoverage], asOf: Day, in period: Period?
  ) {
    let covered = Matching.daysCovered(by: coverage, of: period)
    guard let first = period?.first ?? covered.min(), let last = period?.last ?? covered.max()
    else { return nil }
    let counted = coverage.filter { ($0.begin...$0.end).allSatisfy(covered.contains) }
    let due = asOf.advanced(by: -reportDelayInDays - 1)
    let holes = (first...last).filter { $0 <= due && !covered.contains($0) }
    self.init(
      vendor: vendor, reports: counted.count { $0.file != nil },
      noSalesDays: counted.count { $0.file == nil }, first: first, last: last,
      daysCovered: covered.count, missing: runs(of: holes),
      late: period == nil && last < due ? last.advanced(by: 1)...due : nil)
  }
}

/// Ascending days as runs without a gap.
private func runs(of days: [Day]) -> [ClosedRange<Day>] {
  var runs: [ClosedRange<Day>] = []
  for day in days {
    if let run = runs.last, run.upperBound.advanced(by: 1) == day {
      runs[runs.count - 1] = run.lowerBound...day
    } else {
      runs.append(day...day)
    }
  }
  return runs
}

extension InputFile {
  /// The days that the file covers; nil where they are not known.
  var span: ClosedRange<Day>? {
    guard let from, let to, from <= to else { return nil }
    return from...to
  }
}
