internal import Billing

// What only a name or the caller tells of Apple's reports on a fiscal month.

extension FileReader {
  /// Reads a financial report, with vendor, region and fiscal month by its rows, by its name or by
  /// the caller.
  func readFinance(_ found: Identification) throws -> FileSummary {
    guard case .delimited(let header, let delimiting) = found.form else {
      preconditionFailure("a financial report is a table")
    }
    let map = try ColumnMap(
      header, names: FinanceColumn.allCases.map { $0.name(in: found.kind) },
      required: FinanceColumn.required.map { $0.name(in: found.kind) },
      isIgnored: FinanceColumn.ignored.contains)
    map.warnAboutUnknown(log, line: header.line)
    let reader = FinanceReader(
      found.kind, map, fieldCount: header.names.count, storefronts: storefronts)
    var loop = RecordLoop(reader: reader, log: log, limits: stream.limits, sink: sink)
    try loop.run(stream, Divider(delimiting, columns: header.names.count))
    try refuseCut(loop)
    let name = FinanceReportName(path: log.file)
    if found.kind == .financeDetail {
      warnOfOtherMonths(loop.reader, found.days)
    } else if let region = name?.region, regions.known.contains(region) {
      warnOfOtherRegions(loop.reader, than: region)
    }
    var report = try reading(found.kind, loop)
    report.vendor = name?.vendor ?? hints.vendor ?? ""
    report.region = try region(of: loop.reader, name, found.kind)
    let month = found.kind == .financeDetail ? loop.reader.settlementMonth : nil
    let told = found.days ?? month
    report.begin = told?.lowerBound ?? report.begin
    report.end = told?.upperBound ?? report.end
    if let month = name?.month, let begin = report.begin, let end = report.end,
      report.rejected == 0, begin > month.last || end < month.first
    {
      throw contradiction(.error, (month.first, month.last), rows: (begin, end))
    }
    return try dated(report, by: name?.month)
  }

  /// Reads a payments summary, as JSON or as a table.
  func readPayments(_ found: Identification) throws -> FileSummary {
    var report: FileSummary
    switch found.form {
    case .json, .wrappedJSON:
      let reader = PaymentsJSONReader(regions: regions)
      var loop = RecordLoop(reader: reader, log: log, limits: stream.limits, sink: sink)
      try loop.run(stream, .objectsAndTexts, depth: found.form.depth)
      report = try reading(.payments, loop)
      report.vendor = loop.reader.vendor
    default:
      var loop = RecordLoop(
        reader: PaymentsReader(regions: regions), log: log, limits: stream.limits, sink: sink)
      if case .blocks(let delimiting) = found.form {
        try loop.run(stream, Divider(delimiting, columns: PaymentLayout.fieldCount))
      }
      report = try reading(.payments, loop)
      report.begin = found.days?.lowerBound
      report.end = found.days?.upperBound
    }
    if report.vendor.isEmpty { report.vendor = hints.vendor ?? "" }
    return try dated(report, by: nil)
  }

  /// The report with the days of its fiscal month: its own, else by the month `named` in the file's
  /// name, else by the day that the caller gives; throws a diagnostic where nothing gives one. A
  /// financial report without days whose rows were rejected stays without: it is refused for these.
  private func dated(_ report: FileSummary, by named: FiscalMonth?) throws -> FileSummary {
    var report = report
    let hasDate = report.begin != nil || report.kind != .payments && report.rejected > 0
    if hasDate { return report }
    guard let month = named ?? hints.date.map({ FiscalMonth(containing: $0) }) else {
      throw Diagnostic(
        topic: "date", at: SourceLocation(file: log.file),
        report.kind == .payments
          ? "@file.summary-does-not-give"
          : "@file.report-has-no-rows-and-its-name",
        help: "@file.give-any-day")
    }
    report.begin = month.first
    report.end = month.last
    return report
  }

  /// The report's region, `Z1` for a detail: by the name, by the caller, else by the rows: the
  /// region that may hold them all, or all regions where a table of storefronts follows them. Empty
  /// where all rows are rejected.
  private func region(
    of reader: FinanceReader, _ name: FinanceReportName?, _ kind: InputKind
  ) throws -> String {
    if kind == .financeDetail { return "Z1" }
    if let region = name?.region, regions.known.contains(region) { return region }
    if let region = hints.region { return region }
    var common: [String]?
    for terms in reader.knownTerms {
      let holding = regions.holding(terms.storefront, terms.currency)
      common = common.map { $0.filter(holding.contains) } ?? holding
    }
    if let region = common?.first { return region }
    if reader.hasStorefrontTable { return "ZZ" }
    if common == nil, log.rejectedCount > 0 { return "" }
    throw Diagnostic(
      topic: "region", at: SourceLocation(file: log.file),
      common == nil
        ? "@file.report-has-no-rows-and-its-name-does"
        : "@file.report-rows-span-several-regions",
      help: "@file.give-apple-code-with-region")
  }

  /// Adds a warning when the file's name has a region that may not hold some of its rows.
  private func warnOfOtherRegions(_ reader: FinanceReader, than region: String) {
    if region == "ZZ" { return }
    let others = reader.knownTerms.filter { terms in
      let holding = regions.holding(terms.storefront, terms.currency)
      return !holding.isEmpty && !holding.contains(region)
    }
    guard let first = others.first else { return }
    let own = regions.holding(first.storefront, first.currency)[0]
    log.warn(
      "region", line: 0,
      "@file.name-has-a-region \(region) \(first.storefront) \(first.currency) \(own)",
      help: "@file.counts-for-the-region-of-its-name")
  }

  /// Adds a warning when rows were settled outside the days that the report states.
  private func warnOfOtherMonths(_ reader: FinanceReader, _ days: ClosedRange<Day>?) {
    guard let days, let begin = reader.begin, let end = reader.end,
      !days.contains(begin) || !days.contains(end)
    else { return }
    log.warn(
      "date", line: 0,
      "@file.settlement-dates-go \(begin) \(end) \(days.lowerBound) \(days.upperBound)",
      help: "@file.all-its-rows-count")
  }
}

extension FinanceReader {
  /// The days of the fiscal month in which all rows were settled; from the first to the last day
  /// where they lie in several months, nil without rows.
  fileprivate var settlementMonth: ClosedRange<Day>? {
    guard let begin, let end else { return nil }
    let month = FiscalMonth(containing: end)
    return begin >= month.first ? month.first...month.last : begin...end
  }
}

extension FileReader {
  /// Reads a bank's statement in one of the forms that banks send to programs.
  func readStatement(_ form: StatementForm) throws -> FileSummary {
    switch form {
    case .camt: try readPieces(StatementReader<CamtPieces>())
    case .mt940: try readPieces(StatementReader<SwiftPieces>())
    }
  }

  /// Reads a statement piece by piece.
  private func readPieces<Pieces: StatementPieces>(
    _ reader: StatementReader<Pieces>
  ) throws -> FileSummary {
    var loop = RecordLoop(reader: reader, log: log, limits: stream.limits, sink: sink)
    try loop.run(stream)
    return try reading(.bank, loop)
  }
}
