internal import Billing

/// What a file's content says it is, and how it is written.
struct Identification {
  enum Form {
    case delimited(Header, Delimiting)
    /// Objects, in an array or one after the other.
    case json
    /// The same in an array that lies inside so many objects.
    case wrappedJSON(depth: Int)
    /// A table whose header stands among its records, maybe more than once.
    case blocks(Delimiting)
    /// A bank's statement as banks send it to programs.
    case statement(StatementForm)
    /// A report that says nothing: an empty JSON array under a report's name.
    case nothing

    /// Objects around the array of rows.
    var depth: Int { if case .wrappedJSON(let depth) = self { depth } else { 0 } }
  }

  /// A table of others that a reader of its own takes.
  enum Layout {
    case plain
    /// Rates of a central bank.
    case bankRates(BankRatesLayout)
    /// The European Central Bank's rates as XML.
    case europeanXML
    /// A tax office's rates of a month as XML.
    case monthlyXML
    /// Rates that hold from day to day.
    case monthlyRates(MonthlyRatesLayout)
    /// A product's prices, as App Store Connect exports them.
    case priceList
    /// Prices as the App Store Connect API answers them.
    case pricePoints
  }

  var kind: InputKind
  var form: Form
  var layout = Layout.plain
  /// The days that lines above the header tell.
  var days: ClosedRange<Day>?
  /// The configuration's mapping that fits the file.
  var mapped: MappedTable?
  /// Whether another program than Apple's wrote a report of Apple's.
  var isResaved = false
  /// Of a JSON text, its first members.
  var members: [String] = []

  /// The signs by which the kind of the file was known, as a text for people.
  var told: Wording {
    if let mapping = mapped?.told { return "@file.signs-mapping \(mapping.name)" }
    func list(_ names: some Sequence<String>) -> String {
      names.filter { !$0.isEmpty }.prefix(6).joined(separator: ", ")
    }
    switch form {
    case .statement(.camt(let version)): return "@file.signs-namespace \(version)"
    case .statement(.mt940): return "@file.signs-fields"
    case .delimited(let header, _):
      let isOwn = if case .plain = layout { true } else { false }
      let table = isOwn ? CompanyTable.all.first { $0.kind == kind } : nil
      let needed = zip(header.names, header.printed).filter {
        table?.required.contains($0.0) ?? true
      }
      return "@file.signs-columns \(list(needed.isEmpty ? header.printed : needed.map(\.1)))"
    case .json, .wrappedJSON: return "@file.signs-members \(list(members))"
    case .blocks: return "@file.signs-title"
    case .nothing:
      switch layout {
      case .europeanXML: return "@file.signs-namespace \(EuropeanXMLReader.mark)"
      case .monthlyXML: return "@file.signs-element \(MonthlyXMLReader.root)"
      default: return "@file.signs-name"
      }
    }
  }
}

/// Finds out from the content what a file is: exactly one reader says yes. On return the stream
/// stands at the first record. Throws a diagnostic that says what any other content looks like.
///
/// - Parameters:
///   - mappings: those of the configuration that may be for the file, in their order.
///   - asked: what the caller says that it is.
///   - own: what is no input, as Tieout wrote it.
func identify(
  _ stream: TextStream, mappings: [TableMapping], asked: InputKind?, own: OwnWork = OwnWork(),
  log: ReadingLog
) throws -> Identification {
  let mappings = mappings.filter { !$0.files.isEmpty } + mappings.filter(\.files.isEmpty)
  try own.refuseLedger(stream)
  try refuseBinary(stream)
  guard let first = try stream.skipToContent() else {
    throw Diagnostic(
      topic: "kind", at: SourceLocation(file: stream.file), "@file.file-is-empty",
      help: "@file.download-or-export-it-again")
  }
  // An MT940 in SWIFT's envelope begins with a brace too.
  if first == 0x7B || first == 0x5B, !stream.available.starts(with: "{1:".utf8) {
    return try identifyJSON(stream, mappings, asked: asked, own: own, log)
  }
  if let line = try lineAhead(stream, lines: 0), firstMalformedUTF8(line.bytes) == nil {
    let text = String(decoding: line.bytes, as: UTF8.self).trimmingReturn
    try own.refuse(text, Header(file: stream.file, line: stream.line, text: text))
  }
  if first == 0x3C, isXML(stream, with: EuropeanXMLReader.mark) {
    return Identification(kind: .rates, form: .nothing, layout: .europeanXML)
  }
  if first == 0x3C, isXML(stream, with: MonthlyXMLReader.mark) {
    return Identification(kind: .rates, form: .nothing, layout: .monthlyXML)
  }
  if let form = try StatementForm(stream) {
    return Identification(kind: .bank, form: .statement(form))
  }
  if let mapped = try identifyMapped(stream, mappings, asked: asked) { return mapped }
  let line = try firstLine(stream)
  let text: String
  do { text = try headerText(line, stream) } catch let wrong as Diagnostic {
    throw foreignText(stream, mappings: mappings, asked: asked, at: wrong.location) ?? wrong
  }
  let place = stream.line
  if isSignedPayload(text) { return Identification(kind: .history, form: .json) }
  try refuseByFirstLine(text, stream)
  if let found = try identifyFederalReserve(text, stream) { return found }
  if isPaymentsTitle(text) || isPaymentsTable(text) { return try identifyPayments(text, stream) }
  if isDetailPreamble(text) { return try identifyDetail(stream, log: log) }
  var header = Header(file: stream.file, line: place, text: text)
  header.samples = samples(stream, below: line.count + 1, header)
  var identification: Identification
  do {
    identification = try identifyTable(header, asked: asked, log: log)
  } catch var unknown as Diagnostic {
    let isOpen = unknown.topic == "kind" || unknown.setting != nil
    if isOpen, let foreign = foreignText(stream, mappings: mappings, asked: asked) { throw foreign }
    guard unknown.topic == "kind" else { throw unknown }
    if let below = try tableBelowTitles(stream) { throw below }
    if isNote(stream) { unknown.leftOut = .noTable }
    throw unknown
  }
  identification.isResaved = isResaved(header, line, stream)
  skipLine(line, stream)
  return identification
}

/// Finds a company's table that a mapping fits. On return the stream stands at its first row; where
/// none fits (nil) it has not moved.
private func identifyMapped(
  _ stream: TextStream, _ mappings: [TableMapping], asked: InputKind?
) throws -> Identification? {
  for skipTop in Set(mappings.map(\.skipTop)).sorted() {
    let tried = mappings.filter { $0.skipTop == skipTop }
    guard let line = try lineAhead(stream, lines: max(0, skipTop + 1 - stream.line)) else {
      if let short = tried.first(where: { !$0.files.isEmpty }) {
        throw Diagnostic(
          topic: "column", at: SourceLocation(file: stream.file),
          "@file.file-ends-before-the-column \(short.name) \(skipTop)",
          help: "@shared.correct-skip-top-or-say")
      }
      continue
    }
    guard firstMalformedUTF8(line.bytes) == nil else { continue }
    let place = stream.line + line.above
    var header = Header(
      file: stream.file, line: place, text: try headerText(line.bytes, stream, above: line.above))
    guard header.reportKind == nil else { return nil }
    header.samples = samples(stream, below: line.offset + line.bytes.count + 1, header)
    guard
      let mapped = try fittingMapping(
        tried, printed: header.printed, header: header, file: stream.file, line: place,
        asked: asked)
    else { continue }
    var delimiting = Delimiting.csv
    delimiting.separator = header.separator
    // Some banks end each row with a separator, and their column names without one.
    delimiting.padding = mapped.table.kind == .bank
    stream.start += line.offset + line.bytes.count + 1
    stream.line = place + 1
    stream.lineOffset = 0
    return Identification(
      kind: mapped.table.kind, form: .delimited(header, delimiting), mapped: mapped)
  }
  if !mappings.isEmpty, let line = try lineAhead(stream, lines: 0),
    firstMalformedUTF8(line.bytes) == nil
  {
    let header = Header(
      file: stream.file, line: stream.line, text: try headerText(line.bytes, stream))
    try refuseSilence(
      mappings, printed: header.printed, header: header, file: stream.file, line: stream.line)
  }
  return nil
}

/// The diagnostic of a table that begins below other lines; nil where the next 30 have no header.
private func tableBelowTitles(_ stream: TextStream) throws -> Diagnostic? {
  for above in 1...30 {
    guard let line = try lineAhead(stream, lines: above), firstMalformedUTF8(line.bytes) == nil
    else { return nil }
    var header = Header(
      file: stream.file, line: stream.line + above,
      text: try headerText(line.bytes, stream, above: above)
    ).withCompanyNames
    header.samples = samples(stream, below: line.offset + line.bytes.count + 1, header)
    let bytes = stream.available.prefix(line.offset)
    header.titles = String(decoding: bytes, as: UTF8.self)
    // A title has no columns, and what has its own is said as such.
    guard header.printed.count > 2, let advice = try MappingAdvice.best(for: header)
    else { continue }
    return advice.diagnostic(header, skipTop: stream.line + above - 1)
  }
  return nil
}

/// Whether XML is a list of rates: its beginning has the mark, and no entities of its own.
private func isXML(_ stream: TextStream, with mark: String) -> Bool {
  let head = String(decoding: stream.available.prefix(4096), as: UTF8.self)
  return head.contains(mark) && !head.contains("<!DOCTYPE")
    && !head.contains("<!ENTITY")
}

/// The Federal Reserve's table, whose columns several lines tell. On return the stream stands at
/// its first row; nil for any other file, of which it has not moved.
private func identifyFederalReserve(
  _ first: String, _ stream: TextStream
) throws -> Identification? {
  guard BankRatesLayout.federalBegins.contains(where: first.lowercased().contains) else {
    return nil
  }
  var lines: [Header] = []
  for above in 0..<12 {
    guard let line = try lineAhead(stream, lines: above), firstMalformedUTF8(line.bytes) == nil
    else { return nil }
    let header = Header(
      file: stream.file, line: stream.line + above,
      text: try headerText(line.bytes, stream, above: above))
    lines.append(header)
    guard header.names.first == "time period" else { continue }
    guard var layout = BankRatesLayout(federalReserve: lines) else { return nil }
    let rows = samples(stream, below: line.offset + line.bytes.count + 1, header)()
    layout.dates = rows.columns[layout.date].sureDates
    stream.start += line.offset + line.bytes.count + 1
    stream.line += above + 1
    stream.lineOffset = 0
    var delimiting = Delimiting.csv
    delimiting.separator = header.separator
    delimiting.padding = true
    return Identification(
      kind: .rates, form: .delimited(header, delimiting), layout: .bankRates(layout))
  }
  return nil
}

/// A function that, when it is first called, looks at the rows below a header, which begin `place`
/// bytes behind the stream's place, as far as they are in the stream's window, and returns what
/// their columns have. To be called before rows are read.
private func samples(
  _ stream: TextStream, below place: Int, _ header: Header
) -> () -> ColumnSamples {
  var known: ColumnSamples?
  let first = stream.start + place
  return {
    if let known { return known }
    let bytes = stream.available
    // The header may have been taken off meanwhile.
    let above = max(0, first - stream.start)
    let rows = UnsafeRawBufferPointer(rebasing: bytes[min(above, bytes.count)...])
    var delimiting = Delimiting.csv
    delimiting.separator = header.separator
    let found = ColumnSamples(rows, delimiting, columns: header.printed.count)
    known = found
    return found
  }
}

/// The line below the next `lines` lines, without moving the stream: its bytes, its `offset` in the
/// window, and `lines` as `above`; nil where the file is shorter or the line longer than a record.
private func lineAhead(_ stream: TextStream, lines: Int) throws
  -> (bytes: UnsafeRawBufferPointer, offset: Int, above: Int)?
{
  while true {
    let bytes = stream.available
    var start = 0
    var above = 0
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      if above == lines {
        let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        return line.count > stream.limits.recordLength ? nil : (line, start, above)
      }
      start = end + 1
      above += 1
    }
    if bytes.count > stream.limits.recordLength { return nil }
    guard try stream.refill() else { return nil }
  }
}

/// Identifies a payments summary by its `first` line, a title or not. On return the stream stands
/// at the line below the title, which is a header, or a line of a copy that has none.
private func identifyPayments(_ first: String, _ stream: TextStream) throws -> Identification {
  var found = Identification(kind: .payments, form: .nothing)
  var text = first
  if isPaymentsTitle(first) {
    if let month = titleMonth(first) { found.days = month.first...month.last }
    repeat {
      skipLine(try firstLine(stream), stream)
      guard try stream.skipToContent() != nil else { return found }
      text = try headerText(firstLine(stream), stream)
    } while text.utf8.allSatisfy { [0x09, 0x20, 0x22, 0x2C, 0x3B].contains($0) }
  }
  found.form = .blocks(
    Delimiting(
      separator: Header.separator(of: text), quoting: true, padding: true, keepsTails: true))
  return found
}

/// Identifies a detailed financial report: lines above its header name the vendor and the days.
private func identifyDetail(_ stream: TextStream, log: ReadingLog) throws -> Identification {
  var days: [String: Day] = [:]
  var dates = AppleDateReader()
  for _ in 0..<8 {
    let line = try firstLine(stream)
    let text = try headerText(line, stream)
    let header = Header(file: stream.file, line: stream.line, text: text)
    if header.financeKind == .financeDetail {
      var identification = try identifyTable(header, log: log)
      if let begin = days["start date"], let end = days["end date"], begin <= end {
        identification.days = begin...end
      }
      identification.isResaved = isResaved(header, line, stream)
      skipLine(line, stream)
      return identification
    }
    var date = header.printed.dropFirst().first ?? ""
    days[header.names[0]] = date.withUTF8 { dates.read(UnsafeRawBufferPointer($0)) }
    skipLine(line, stream)
    guard try stream.skipToContent() != nil else { break }
  }
  throw Diagnostic(
    topic: "kind", at: SourceLocation(file: stream.file, line: stream.line),
    "@file.detailed-financial-report-has-no",
    help: "@file.it-begins-with-transaction-date")
}

/// The header of a company's table, whose kind the caller knows. On return the stream stands at the
/// first row. The diagnostic of an empty file names `columns`, what a header may have.
func readTableHeader(_ stream: TextStream, columns: [String], log: ReadingLog) throws
  -> (header: Header, delimiting: Delimiting)
{
  try refuseBinary(stream)
  guard try stream.skipToContent() != nil else {
    throw Diagnostic(
      topic: "kind", at: SourceLocation(file: stream.file), "@file.file-is-empty",
      help: "@file.its-first-line-names \(columns.joined(separator: ", "))")
  }
  let line = try firstLine(stream)
  let text = try headerText(line, stream)
  let header = Header(file: stream.file, line: stream.line, text: text)
  let delimiting = companyDelimiting(header, log)
  skipLine(line, stream)
  return (header, delimiting)
}

/// Whether a header of Apple's has what Apple never writes: a spreadsheet saved the file again.
private func isResaved(
  _ header: Header, _ line: UnsafeRawBufferPointer, _ stream: TextStream
) -> Bool {
  header.reportKind != nil
    && (header.separator != 0x09 || line.last == 0x0D || stream.hasMark)
}

/// Moves the stream behind `line`, at which it stands, and behind its end.
private func skipLine(_ line: UnsafeRawBufferPointer, _ stream: TextStream) {
  stream.start += line.count + 1
  stream.line += 1
  stream.lineOffset = 0
}

/// The line at which the stream stands, without its end; throws where it is too long or has none.
private func firstLine(_ stream: TextStream) throws -> UnsafeRawBufferPointer {
  while true {
    let bytes = stream.available
    if let end = bytes.firstIndex(of: 0x0A) {
      if end > stream.limits.recordLength { throw stream.overlong() }
      return UnsafeRawBufferPointer(rebasing: bytes[..<end])
    }
    if bytes.count > stream.limits.recordLength { throw stream.overlong() }
    guard try stream.refill() else { throw stream.overlong() }
  }
}

/// What a table is by its header: Apple's report, rates or prices of others, or a company's table.
private func identifyTable(
  _ header: Header, asked: InputKind? = nil, log: ReadingLog
) throws -> Identification {
  let isTabbed = header.separator == 0x09
  try refuse(header)
  if let kind = header.reportKind {
    var delimiting = Delimiting.appleTSV
    if !isTabbed {
      delimiting = Delimiting(separator: header.separator, quoting: true, padding: true)
      log.warn(
        "separator", line: header.line,
        header.separator == 0x2C
          ? "@file.apple-report-was-saved-again"
          : "@file.apple-report-was-saved-again-with-semicolons",
        help: "@file.spreadsheet-may-have-changed-dates")
    }
    return Identification(kind: kind, form: .delimited(header, delimiting))
  }
  var delimiting = companyDelimiting(header, log)
  if var layout = BankRatesLayout(header) {
    try layout.refuseRepeats(header)
    layout.dates = header.samples?().columns[layout.date].sureDates
    delimiting.padding = true
    return Identification(
      kind: .rates, form: .delimited(header, delimiting), layout: .bankRates(layout))
  }
  if let layout = MonthlyRatesLayout(header) {
    return Identification(
      kind: .rates, form: .delimited(header, delimiting), layout: .monthlyRates(layout))
  }
  if header.isPriceList {
    return Identification(
      kind: .tiers, form: .delimited(header, delimiting), layout: .priceList)
  }
  try BankRatesLayout.refuseWithoutBase(header)
  try MonthlyRatesLayout.refuseWithoutDays(header)
  let own = header.withCompanyNames
  // Who says that these are sales hears what they lack.
  if asked == .sales {
    try header.requireSalesColumns()
    return Identification(kind: .sales, form: .delimited(header.withSalesNames, delimiting))
  }
  let kind = try companyKind(header: own, asked: asked)
  return Identification(kind: kind, form: .delimited(own, delimiting))
}

/// How a company's table is divided, with a warning where it is not by commas.
private func companyDelimiting(_ header: Header, _ log: ReadingLog) -> Delimiting {
  var delimiting = Delimiting.csv
  delimiting.separator = header.separator
  // SQLite's own list of rows quotes nothing.
  delimiting.quoting = header.separator != 0x7C
  if header.separator == 0x09 || header.separator == 0x3B {
    log.warn(
      "separator", line: header.line,
      header.separator == 0x09
        ? "@file.table-is-separated-by-tabs" : "@file.table-is-separated-by-semicolons",
      help: "@file.it-is-read-that-way")
  }
  return delimiting
}

/// The kind of the one company table whose header this is; throws a diagnostic for none or several.
/// With `mayLack`, a required column may be absent here and stand in later records.
func companyKind(
  header: Header, asked: InputKind? = nil, mayLack: Bool = false
) throws -> InputKind {
  let names = Set(header.names)
  let yes = CompanyTable.all.filter { $0.recognises(names) }.map(\.kind)
  if let asked, yes.contains(asked) { return asked }
  // A bank knows no players.
  if yes == [.bank], asked == nil, let coins = MappingAdvice.coins(in: header) {
    throw coins.diagnostic(header)
  }
  let kinds = yes + (yes.isEmpty ? [] : MappingAdvice.purchases(in: header, beside: yes))
  if kinds.count == 1 { return kinds[0] }
  if kinds.count > 1 { throw header.doubt(kinds) }
  if !mayLack { try refuseWithoutNames(header) }
  // Who says what it is hears what it lacks; a title alone above the columns lacks all.
  let isTitle = header.printed.count { !$0.isEmpty } <= 2
  let said = isTitle ? nil : asked.flatMap { MappingAdvice($0, header) }
  if let said, !mayLack { throw said.diagnostic(header) }
  // No reader takes it as it is; the nearest one says what it misses.
  if let advice = try MappingAdvice.best(for: header) {
    if mayLack, advice.guesses.isEmpty { return advice.table.kind }
    throw advice.diagnostic(header)
  }
  if let said { throw said.diagnostic(header) }
  let columns = header.printed.prefix(8).joined(separator: ", ")
  throw Diagnostic(
    topic: "kind", at: SourceLocation(file: header.file, line: header.line),
    "@file.file-type-not-recognised \(String(columns.prefix(120)))",
    help: """
      @file.expected-apple-sales-report \
      \(CompanyTable.all.map(\.kind.rawValue).joined(separator: ", "))
      """)
}
