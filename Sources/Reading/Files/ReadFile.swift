package import Billing

/// Reads one file: finds out what it is, and hands its rows on in blocks.
///
/// A bad row becomes a diagnostic and a `Reject` in its block; reading goes on.
///
/// - Parameters:
///   - name: the path as given; used in places, and for what only a name tells.
///   - hints: what neither content nor name tells.
///   - source: the raw bytes, packed or not.
///   - tap: sees every unpacked byte, in order; where `hints` let it read ahead, on another thread,
///     which has ended when this returns.
///   - sink: takes the blocks, in file order, each of at most `FactBlock.rowLimit` rows.
///   - storefronts: Apple's storefronts.
///   - regions: the regions of Apple's financial reports.
///   - prices: makes what has to be known of taxes and commissions; most files need nothing of it.
/// - Throws: a `Diagnostic` for what stops the file (damaged gzip, unknown kind, a missing column),
///   and what `source` and `sink` throw.
package func readFile(
  name: String, hints: ReadingHints, from source: ByteSource,
  tap: (UnsafeRawBufferPointer) -> Void, sink: (consuming FactBlock) throws -> Void,
  storefronts: StorefrontLookup, regions: FinanceRegionLookup,
  prices: @escaping @Sendable () -> PriceLookup = { .none }
) throws -> FileSummary {
  try readFile(
    name: name, hints: hints, from: source, tap: tap, sink: sink, storefronts: storefronts,
    regions: regions, prices: prices, limits: ReadingLimits())
}

/// Reads one file as the function without `limits` does, with other sizes, for tests.
func readFile(
  name: String, hints: ReadingHints, from source: ByteSource,
  tap: (UnsafeRawBufferPointer) -> Void, sink: (consuming FactBlock) throws -> Void,
  storefronts: StorefrontLookup, regions: FinanceRegionLookup,
  prices: @escaping @Sendable () -> PriceLookup = { .none }, limits: ReadingLimits
) throws -> FileSummary {
  try withoutActuallyEscaping(source) { source in
    try withoutActuallyEscaping(tap) { tap in
      try withoutActuallyEscaping(sink) { sink in
        let bytes = BytePieces(
          ByteInput(file: name, blockSize: limits.blockSize, source: source, tap: tap),
          size: limits.blockSize, readsAhead: hints.readsAhead)
        return try bytes.reading {
          try read(
            bytes, name: name, hints: hints, sink: sink, storefronts: storefronts,
            regions: regions, prices: prices, limits: limits)
        }
      }
    }
  }
}

/// Reads the file's bytes, whatever kind it is, and adds warnings about storefronts and currencies
/// that are not known and sheets that are not read.
private func read(
  _ bytes: BytePieces, name: String, hints: ReadingHints,
  sink: @escaping (consuming FactBlock) throws -> Void, storefronts: StorefrontLookup,
  regions: FinanceRegionLookup, prices: @escaping @Sendable () -> PriceLookup,
  limits: ReadingLimits
) throws -> FileSummary {
  let meant = hints.mappings(for: name)
  let stream = try TextStream(
    file: name, bytes: bytes, limits: limits, encoding: meant.lazy.compactMap(\.encoding).first)
  var unknown: Set<Storefront> = []
  var currencies: Set<Currency> = []
  let reading = FileReader(
    stream: stream, log: ReadingLog(file: name), hints: hints, storefronts: storefronts,
    regions: regions, prices: prices,
    sink: { block in
      unknown.formUnion(storefronts.unknown(in: block))
      // A statement adds up to nothing that would tell its currencies.
      if case .bank(let rows) = block.rows { currencies.formUnion(rows.map(\.1.currency)) }
      try sink(block)
    })
  var summary: FileSummary
  do { summary = try reading.read() } catch let wrong as Diagnostic {
    throw hints.tellingSheets(beside: wrong, named: meant.contains { $0.sheet != nil })
  }
  summary.warnings += unknown.sorted().map { storefront in
    Diagnostic(
      .warning, topic: "storefront", at: SourceLocation(file: name),
      storefront == StorefrontLookup.unknown
        ? "@file.storefront-code-means-no-country"
        : "@file.no-storefront-of-apple-is \(storefront)",
      help: "@file.its-rows-are-kept")
  }
  currencies.formUnion(summary.totals.compactMap(\.currency))
  let strangers = currencies.filter { !$0.exists }.sorted()
  if !strangers.isEmpty {
    let list = strangers.map(\.code).joined(separator: ", ")
    var warning = Diagnostic(
      .warning, topic: "currency", at: SourceLocation(file: name),
      strangers.count == 1 ? "@file.is-no-currency \(list)" : "@file.are-no-currencies \(list)",
      help: "@file.amounts-in-it-compare-with-nothing")
    // The yuan outside of China; whose rates differ from those of the yuan inside.
    if strangers.map(\.code) == ["CNH"], [.orders, .transactions, .bank].contains(summary.kind) {
      warning.setting = MappingAdvice.meaning("CNY", of: "CNH", inCurrenciesOf: summary.kind)
    }
    summary.warnings.append(warning)
  }
  summary.warnings += hints.remarks
  if let sheet = hints.sheet, !hints.unreadSheets.isEmpty {
    summary.warnings.append(
      Diagnostic(
        .warning, topic: "xlsx", at: SourceLocation(file: name),
        "@file.sheet-is-read \(sheet) \(hints.unreadSheets.list)",
        help: "@file.say-in-a-mapping"))
  }
  return summary
}

extension ReadingHints {
  /// A diagnostic of a sheet that is no table that anybody knows, with the workbook's other sheets:
  /// the table may be on one of these.
  ///
  /// - Parameter isNamed: whether a mapping says which sheet is meant.
  fileprivate func tellingSheets(beside wrong: Diagnostic, named isNamed: Bool) -> Diagnostic {
    guard let sheet, let other = unreadSheets.first, !isNamed,
      ["kind", "column"].contains(wrong.topic), wrong.location.line > 0
    else { return wrong }
    var wrong = wrong
    // A cover says nothing of the sheets behind it.
    wrong.leftOut = wrong.leftOut == .noTable ? nil : wrong.leftOut
    wrong.help = """
      @file.only-one-sheet-was \(sheet) \(unreadSheets.list) \((kind ?? .orders).rawValue) \
      \(other) \(wrong.help)
      """
    return wrong
  }
}

extension [String] {
  fileprivate var list: String { joined(separator: ", ") }
}

/// One file on its way from bytes to rows.
struct FileReader {
  let stream: TextStream
  let log: ReadingLog
  let hints: ReadingHints
  let storefronts: StorefrontLookup
  let regions: FinanceRegionLookup
  let prices: @Sendable () -> PriceLookup
  let sink: (consuming FactBlock) throws -> Void

  /// Finds out what the file is, and reads its rows; throws a diagnostic when it is not what the
  /// caller asked for.
  func read() throws -> FileSummary {
    let found = try identify(
      stream, mappings: hints.mappings(for: stream.file), asked: hints.kind, own: hints.ownWork,
      log: log)
    if let kind = hints.kind, kind != found.kind, !hints.isFallback {
      throw Diagnostic(
        topic: "kind", at: SourceLocation(file: stream.file),
        "@file.expected-found \(kind.rawValue) \(found.kind.rawValue)",
        help: "@file.use-as-or-leave \(found.kind.rawValue)")
    }
    var summary = try readRows(found)
    summary.isResaved = found.isResaved
    summary.signs = hints.kind == nil ? found.told : "@file.signs-asked"
    summary.leftOutColumns = log.leftOutColumns
    return summary
  }

  /// Reads the rows of a file by the reader of its kind and layout.
  private func readRows(_ found: Identification) throws -> FileSummary {
    // Of a table of others no mapping says how it is written.
    if case .plain = found.layout { log.kind = found.kind }
    switch found.layout {
    case .plain: break
    case .bankRates(let layout): return try readTable(found) { _ in BankRatesReader(layout) }
    case .europeanXML:
      var loop = RecordLoop(
        reader: EuropeanXMLReader(), log: log, limits: stream.limits, sink: sink)
      try loop.run(stream)
      return try reading(.rates, loop)
    case .monthlyXML:
      var loop = RecordLoop(
        reader: MonthlyXMLReader(), log: log, limits: stream.limits, sink: sink)
      try loop.run(stream)
      return try reading(.rates, loop)
    case .monthlyRates(let layout): return try readTable(found) { _ in MonthlyRatesReader(layout) }
    case .priceList:
      let name = try PriceListName(path: log.file, hints)
      return try readTable(found) { try PriceListReader($0, name, storefronts, prices()) }
    case .pricePoints: return try readPricePoints()
    }
    switch found.kind {
    case .sales: return try readSales(found)
    case .finance, .financeDetail: return try readFinance(found)
    case .payments: return try readPayments(found)
    case .subscription, .subscriptionEvent, .subscriber: return try readSubscriptions(found)
    case .orders:
      return try readCompany(.orders, found) { OrdersReader($0, storefronts: storefronts) }
    case .transactions:
      return try readCompany(.transactions, found) {
        TransactionsReader($0, storefronts: storefronts)
      }
    case .receipts, .notifications, .history: return try readPurchases(found.kind)
    case .products: return try readTable(.products, found, Product.self)
    case .tiers: return try readTable(.tiers, found, TierPrice.self)
    case .rates: return try readTable(.rates, found, ExchangeRate.self)
    case .taxes: return try readTable(.taxes, found, TaxOverride.self)
    case .commissions: return try readTable(.commissions, found, CompanyCommission.self)
    case .bank:
      if case .statement(let form) = found.form { return try readStatement(form) }
      return try readTable(.bank, found, BankCredit.self)
    case .commissionInvoice:
      return try readTable(.commissionInvoices, found, CommissionInvoice.self)
    case .events:
      return try readCompany(.events, found) { EventsReader($0, storefronts: storefronts) }
    case .unitCounts:
      return try readCompany(.unitCounts, found) {
        UnitCountsReader($0, storefronts: storefronts)
      }
    case .coinMovements:
      return try readCompany(.coinMovements, found) {
        CoinMovementsReader($0, storefronts: storefronts)
      }
    case .coinBalances: return try readTable(.coinBalances, found, CoinBalance.self)
    case .items: return try readTable(.items, found, GameItem.self)
    }
  }

  /// Reads a company's table that needs no reader of its own, but its list of columns.
  private func readTable<Line: CompanyRow>(
    _ table: CompanyTable, _ found: Identification, _: Line.Type
  ) throws -> FileSummary {
    try readCompany(table, found) { TableReader<Line>($0, table, storefronts) }
  }

  /// Reads a sales report, with columns as Apple or a spreadsheet has them, or as JSON objects.
  private func readSales(_ found: Identification) throws -> FileSummary {
    let names = SalesColumn.allCases.map(\.name)
    let report: FileSummary
    switch found.form {
    case .delimited(let header, let delimiting):
      let later = header.withLaterSalesNames
      let map = try ColumnMap(
        later, names: names, required: SalesColumn.required.map(\.name),
        isIgnored: SalesColumn.ignored.contains)
      map.warnAboutUnknown(log, line: header.line)
      report = try readDelimited(
        .sales, SalesReader(map, storefronts: storefronts), header, delimiting)
    case .json, .nothing, .wrappedJSON:
      let map = ColumnMap(identity: names.count)
      report = try readJSON(
        .sales, SalesReader(map, storefronts: storefronts), keys: SalesColumn.allCases.map(\.key),
        ignored: SalesColumn.ignored, depth: found.form.depth)
    case .blocks, .statement: preconditionFailure("a sales report has one header")
    }
    return try named(report)
  }

  /// The report with the vendor, and the day of a report with no rows, which only its name or the
  /// caller has.
  private func named(_ report: FileSummary) throws -> FileSummary {
    var report = report
    let name = SalesReportName(path: log.file)
    report.vendor = name?.vendor ?? hints.vendor ?? ""
    if let name, let begin = report.begin, let end = report.end, report.rejected == 0,
      begin < name.begin || end > name.end
    {
      throw contradiction(.error, (name.begin, name.end), rows: (begin, end))
    }
    if report.begin == nil, report.rejected == 0 {
      report.begin = name?.begin ?? hints.date
      report.end = name?.end ?? hints.date
      guard report.begin != nil else {
        throw Diagnostic(
          topic: "date", at: SourceLocation(file: log.file),
          "@file.report-has-no-rows",
          help: "@file.give-the-day-with-date")
      }
    }
    return report
  }

  /// What is wrong with a report whose rows are of other days than its name says.
  func contradiction(
    _ severity: Severity, _ name: (begin: Day, end: Day),
    rows: (begin: Day, end: Day)
  ) -> Diagnostic {
    func days(_ span: (begin: Day, end: Day)) -> String {
      span.begin == span.end ? "\(span.begin)" : "\(span.begin)..\(span.end)"
    }
    return Diagnostic(
      severity, topic: "date", at: SourceLocation(file: log.file),
      "@file.name-says-and-its-rows \(days(name)) \(days(rows))",
      help: "@file.download-the-report-again-or-rename")
  }

  /// Reads a table that others than Apple and the company made, by its own reader.
  private func readTable<Reader: RowReader>(
    _ found: Identification, _ makeReader: (Header) throws -> Reader
  ) throws -> FileSummary where Reader.Block == FactBlock {
    guard case .delimited(let header, let delimiting) = found.form else {
      preconditionFailure("what others export is a table")
    }
    let reader = try makeReader(header)
    guard header.separator == 0x3B else {
      return try readDelimited(found.kind, reader, header, delimiting)
    }
    let rows = PointedRows(reader, fieldCount: header.names.count)
    return try readDelimited(found.kind, rows, header, delimiting)
  }

  /// Reads a company's table, as a mapping says where one fits, else by the names of its columns.
  private func readCompany<Reader: RowReader>(
    _ table: CompanyTable, _ found: Identification, _ makeReader: (ColumnMap) throws -> Reader
  ) throws -> FileSummary where Reader.Block == FactBlock {
    if let mapped = found.mapped { return try readMapped(mapped, found.form, makeReader) }
    switch found.form {
    case .delimited(let own, let delimiting):
      let header = own.withUsualNames(table)
      let map = try ColumnMap(header, names: table.names, required: table.required)
      try BookedStates.check(table.kind, header, unused: map.unknown)
      if hints.tellsColumns {
        let plain = TableMapping(table.kind, name: "")
        let mapped = try MappedTable(plain, printed: header.printed, header: header)
        return try readMapped(mapped, .delimited(header, delimiting), makeReader)
      }
      map.warnAboutUnknown(
        log, line: header.line, setting: MappingAdvice(table.kind, header)?.furtherSetting)
      let nulls = NullFields(table, map.fields, fieldCount: header.names.count)
      var summary = try readDelimited(
        table.kind, BlankedRows(try makeReader(map), nulls), header, delimiting)
      summary.unmapped = map.unknown
      return summary
    case .json, .nothing, .wrappedJSON:
      let map = ColumnMap(identity: table.names.count)
      let nulls = NullFields(table, map.fields, fieldCount: table.names.count)
      let keys = table.names.map { name in
        let isThere = found.members.contains { squeezedName($0) == squeezedName(name) }
        let usual = isThere ? nil : table.usualPlace(of: name, among: found.members)
        return usual.map { found.members[$0] } ?? name
      }
      return try readJSON(
        table.kind, BlankedRows(try makeReader(map), nulls), keys: keys, ignored: [],
        depth: found.form.depth)
    case .blocks, .statement: preconditionFailure("a company's table has one header")
    }
  }

  /// Reads a company's table by a mapping: its values are written anew where the mapping says more
  /// than names.
  private func readMapped<Reader: RowReader>(
    _ mapped: MappedTable, _ form: Identification.Form,
    _ makeReader: (ColumnMap) throws -> Reader
  ) throws -> FileSummary where Reader.Block == FactBlock {
    let table = mapped.table
    log.mapping = mapped.mapping
    var summary: FileSummary
    let first: [String]
    if case .delimited(let header, let delimiting) = form {
      try BookedStates.check(table.kind, header, unused: mapped.unknown)
      ColumnMap(unknown: mapped.unknown).warnAboutUnknown(
        log, line: header.line,
        setting: mapped.told == nil ? MappingAdvice(table.kind, header)?.furtherSetting : nil)
      guard mapped.needsRewriting || hints.tellsColumns else {
        let map = ColumnMap(fields: mapped.fields)
        let rows = BlankedRows(
          try makeReader(map), mapped.nullFields(mapped.fields, header.names.count))
        summary = try readDelimited(table.kind, rows, header, delimiting)
        summary.unmapped = mapped.unknown
        summary.mapping = mapped.told
        return summary
      }
      let values = MappedValues(
        mapped, fields: mapped.fields, fieldCount: header.names.count)
      let filter = RowSelection(mapped.rules) { $0.field ?? -1 }
      let rows = BlankedRows(
        try MappedRows(values, filter, makeReader),
        mapped.nullFields(mapped.fields, header.names.count))
      var loop = RecordLoop(reader: rows, log: log, limits: stream.limits, sink: sink)
      try loop.run(stream, Divider(delimiting, columns: header.names.count))
      summary = try reading(table.kind, loop)
      first = loop.reader.reader.firstValues
    } else {
      // A name that is another column's source is no longer its own.
      let sources = Set(mapped.sources.compactMap(\.self))
      var keys = zip(mapped.sources, table.names).map { source, name in
        source ?? (sources.contains(name) ? "\u{1}" + name : name)
      }
      for rule in mapped.rules where !keys.contains(rule.column) { keys.append(rule.column) }
      let filter = RowSelection(mapped.rules) { rule in keys.firstIndex(of: rule.column) ?? -1 }
      let values = MappedValues(
        mapped, fields: Array(table.names.indices), fieldCount: keys.count)
      let rows = FlatRows(
        BlankedRows(
          try MappedRows(values, filter, makeReader),
          mapped.nullFields(Array(table.names.indices), keys.count)), keys: keys,
        marksNumbers: mapped.mapping.decimal == ",")
      var loop = RecordLoop(reader: rows, log: log, limits: stream.limits, sink: sink)
      try loop.run(stream, .objects, depth: form.depth)
      ColumnMap(unknown: loop.reader.unknownKeys).warnAboutUnknown(log, line: 0)
      let absent = loop.reader.neverFound.map { keys[$0] }
        .filter(mapped.mapping.columns.values.contains)
      if !absent.isEmpty, loop.rows > 0 {
        log.warn(
          "column", "@mapping.no-row-has \(mapped.mapping.name) \(absent.joined(separator: ", "))",
          help: "@mapping.correct-the-name")
      }
      summary = try reading(table.kind, loop)
      first = loop.reader.reader.reader.firstValues
    }
    summary.unmapped = mapped.unknown
    if hints.tellsColumns { summary.columns = mapped.columns(first: first) }
    summary.mapping = mapped.told
    return summary
  }

  /// Reads prices as the App Store Connect API answers them.
  private func readPricePoints() throws -> FileSummary {
    let told = PriceListName.told(path: log.file, hints)
    let reader = PricePointsReader(product: told.sku, day: told.day, storefronts, prices())
    var loop = RecordLoop(reader: reader, log: log, limits: stream.limits, sink: sink)
    try loop.run(stream, .objectsAndTexts)
    return try reading(.tiers, loop)
  }

  /// Reads receipts, notifications or a history, signed or not.
  private func readPurchases(_ kind: InputKind) throws -> FileSummary {
    let reader = try PurchasesReader(
      kind, hints: hints, storefronts: storefronts, file: log.file)
    var loop = RecordLoop(reader: reader, log: log, limits: stream.limits, sink: sink)
    try loop.run(stream, .objectsAndTexts)
    return try reading(kind, loop)
  }

  /// Reads the rows of a table below its header.
  private func readDelimited<Reader: RowReader>(
    _ kind: InputKind, _ reader: Reader, _ header: Header, _ delimiting: Delimiting
  ) throws -> FileSummary where Reader.Block == FactBlock {
    var loop = RecordLoop(reader: reader, log: log, limits: stream.limits, sink: sink)
    try loop.run(stream, Divider(delimiting, columns: header.names.count))
    if kind == .sales { try refuseCut(loop) }
    return try reading(kind, loop)
  }

  /// Reads a table that is written as JSON objects.
  ///
  /// - Parameters:
  ///   - keys: of its columns.
  ///   - ignored: keys that are passed over without a warning.
  ///   - depth: objects that the array of rows lies inside.
  private func readJSON<Reader: RowReader>(
    _ kind: InputKind, _ reader: Reader, keys: [String], ignored: Set<String>,
    depth: Int
  ) throws -> FileSummary where Reader.Block == FactBlock {
    var loop = RecordLoop(
      reader: FlatRows(reader, keys: keys), log: log, limits: stream.limits, sink: sink)
    try loop.run(stream, .objects, depth: depth)
    let ignored = Set(ignored.map(squeezedName))
    let unknown = loop.reader.unknownKeys.filter { !ignored.contains(squeezedName($0)) }
    ColumnMap(unknown: unknown).warnAboutUnknown(log, line: 0)
    return try reading(kind, loop)
  }

  /// The summary of a file whose records were all read by `loop`.
  func reading<Reader: BlockSource>(
    _ kind: InputKind, _ loop: RecordLoop<Reader>
  ) throws -> FileSummary {
    let summary = try loop.reader.summary(log)
    let footers = loop.reader.footerCount
    precondition(loop.rows + log.rejectedCount + footers == loop.records, "no record is lost")
    var reading = FileSummary(
      kind: kind, vendor: "", begin: summary.begin, end: summary.end, rows: loop.rows,
      rejected: log.rejectedCount, footers: footers, diagnostics: log.diagnostics,
      diagnosticCount: log.diagnosticCount, warnings: log.warnings, totals: summary.totals)
    reading.tallies = summary.tallies
    reading.rowsWithoutStorefront = summary.rowsWithoutStorefront
    reading.countedPeriod = summary.countedPeriod
    (reading.identity, reading.product) = (summary.identity, summary.product)
    reading.pages = summary.pages
    reading.selectedOut = summary.selectedOut
    return reading
  }
}
