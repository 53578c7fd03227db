internal import Billing

/// What a file's content says it is, and how it is written.
struct Identification {
  enum Form {
    case delimited(Header, Delimiting)
    /// Objects, in an array or one after the other.
    case json
    /// A table whose header stands among its records, maybe more than once.
    case blocks(Delimiting)
    /// A report that says nothing: an empty JSON array under a report's name.
    case nothing
  }

  var kind: InputKind
  var form: Form
  var isEuropeanRates = false
  /// The days that lines above the header tell.
  var days: ClosedRange<Day>?
}

/// Finds out from the content what a file is: exactly one reader says yes. On return the stream
/// stands at the first record.
///
/// - Throws: a diagnostic for content that no reader takes, saying what it looks like.
func identify(_ stream: TextStream, log: ReadingLog) throws -> Identification {
  try refuseBinary(stream)
  guard let first = try skipToContent(stream) else {
    throw Diagnostic(
      topic: "kind", at: SourceLocation(file: stream.file), "the file is empty",
      help: "download or export it again; for a day without sales use --no-sales")
  }
  if first == 0x7B || first == 0x5B { return try identifyJSON(stream) }
  let line = try firstLine(stream)
  let text = try headerText(line, stream)
  let place = stream.line
  if isSignedPayload(text) { return Identification(kind: .history, form: .json) }
  try refuseByFirstLine(text, stream)
  if isPaymentsTitle(text) || isPaymentsTable(text) { return try identifyPayments(text, stream) }
  if isDetailPreamble(text) { return try identifyDetail(stream, log: log) }
  let header = Header(file: stream.file, line: place, text: text)
  let identification = try identifyTable(header, log: log)
  skipLine(line, stream)
  return identification
}

/// A summary whose title, when it has one, is on the line at which the stream stands. On return it
/// stands at the line below, which is a header, or a line of a copy that has none.
private func identifyPayments(_ first: String, _ stream: TextStream) throws -> Identification {
  var found = Identification(kind: .payments, form: .nothing)
  var text = first
  if isPaymentsTitle(first) {
    if let month = titleMonth(first) { found.days = month.first...month.last }
    repeat {
      skipLine(try firstLine(stream), stream)
      guard try skipToContent(stream) != nil else { return found }
      text = try headerText(firstLine(stream), stream)
    } while text.utf8.allSatisfy { [0x09, 0x20, 0x22, 0x2C, 0x3B].contains($0) }
  }
  found.form = .blocks(
    Delimiting(
      separator: Header.separator(of: text), quoting: true, padding: true, keepsTails: true))
  return found
}

/// The lines above the header of a detail: vendor's name, first and last day.
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
      skipLine(line, stream)
      return identification
    }
    var date = header.printed.dropFirst().first ?? ""
    days[header.names[0]] = date.withUTF8 { dates.read(UnsafeRawBufferPointer($0)) }
    skipLine(line, stream)
    guard try skipToContent(stream) != nil else { break }
  }
  throw Diagnostic(
    topic: "kind", at: SourceLocation(file: stream.file, line: stream.line),
    "the detailed financial report has no line of column names",
    help: "it begins with Transaction Date: download the report again")
}

/// The header of a file whose kind the caller knows: a table of the company's. On return the stream
/// stands at its first row.
///
/// - Parameter columns: what the header may name, for who has an empty file.
func tableHeader(_ stream: TextStream, columns: [String], log: ReadingLog) throws
  -> (header: Header, delimiting: Delimiting)
{
  try refuseBinary(stream)
  guard try skipToContent(stream) != nil else {
    throw Diagnostic(
      topic: "kind", at: SourceLocation(file: stream.file), "the file is empty",
      help: "its first line names the columns: \(columns.joined(separator: ", "))")
  }
  let line = try firstLine(stream)
  let text = try headerText(line, stream)
  let header = Header(file: stream.file, line: stream.line, text: text)
  let delimiting = companyDelimiting(header, log)
  skipLine(line, stream)
  return (header, delimiting)
}

private func skipLine(_ line: UnsafeRawBufferPointer, _ stream: TextStream) {
  stream.start += line.count + 1
  stream.line += 1
  stream.lineOffset = 0
}

/// Goes to the first byte that is no blank; nil when there is none.
private func skipToContent(_ stream: TextStream) throws -> UInt8? {
  while true {
    var lineStart = stream.start
    for (offset, byte) in stream.available.enumerated() {
      if byte == 0x0A {
        stream.line += 1
        lineStart = stream.start + offset + 1
      } else if byte > 0x20 {
        // A header may begin with a blank column: keep its line whole, but not JSON's.
        if byte == 0x7B || byte == 0x5B {
          stream.lineOffset = stream.start + offset - lineStart
          stream.start += offset
        } else {
          stream.start = lineStart
        }
        return byte
      }
    }
    stream.start = lineStart
    if stream.end - stream.start > stream.limits.recordLength { throw stream.overlong() }
    if !(try stream.refill()) { return nil }
    // What was kept is looked at again, its line ends were not.
  }
}

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

private func headerText(_ line: UnsafeRawBufferPointer, _ stream: TextStream) throws -> String {
  if let offset = firstMalformedUTF8(line) {
    throw Diagnostic(
      topic: "encoding",
      at: SourceLocation(file: stream.file, line: stream.line, column: offset + 1),
      "the text is not well-formed UTF-8",
      help: "save the file as UTF-8; spreadsheets call it \"CSV UTF-8\"")
  }
  var text = String(decoding: line, as: UTF8.self)[...]
  if text.utf8.last == 0x0D { text = text[..<text.utf8.index(before: text.endIndex)] }
  if text.utf8.contains(0x0D) {
    throw Diagnostic(
      topic: "kind", at: SourceLocation(file: stream.file, line: stream.line),
      "the lines end with a carriage return only",
      help: "save the file with LF or CRLF line ends")
  }
  return String(text)
}

private func identifyTable(_ header: Header, log: ReadingLog) throws -> Identification {
  let isTabbed = header.separator == 0x09
  try refuse(header)
  if let kind = header.reportKind {
    var delimiting = Delimiting.appleTSV
    if !isTabbed {
      delimiting = Delimiting(separator: header.separator, quoting: true, padding: true)
      log.warn(
        "separator", line: header.line,
        header.separator == 0x2C
          ? "Apple's report was saved again with commas"
          : "Apple's report was saved again with semicolons",
        help: "a spreadsheet may have changed dates and ids: better import the file as downloaded")
    }
    return Identification(kind: kind, form: .delimited(header, delimiting))
  }
  var delimiting = companyDelimiting(header, log)
  if header.isEuropeanRates {
    delimiting.padding = true
    return Identification(
      kind: .rates, form: .delimited(header, delimiting), isEuropeanRates: true)
  }
  let kind = try companyKind(Set(header.names), header: header)
  return Identification(kind: kind, form: .delimited(header, delimiting))
}

/// How a company's table is divided, with a warning where it is not by commas.
private func companyDelimiting(_ header: Header, _ log: ReadingLog) -> Delimiting {
  var delimiting = Delimiting.csv
  delimiting.separator = header.separator
  if header.separator != 0x2C {
    log.warn(
      "separator", line: header.line,
      header.separator == 0x09
        ? "the table is separated by tabs" : "the table is separated by semicolons",
      help: "it is read so; a plain CSV has commas")
  }
  return delimiting
}

/// The one company table whose header this is.
private func companyKind(_ names: Set<String>, header: Header) throws -> InputKind {
  let yes = CompanyTable.all.filter { $0.recognises(names) }
  if yes.count == 1 { return yes[0].kind }
  if yes.count > 1 {
    let kinds = yes.map(\.kind.rawValue).joined(separator: " or ")
    throw header.diagnostic(
      "the header fits more than one kind of table: \(kinds)",
      help: "leave out the columns that belong to the other one")
  }
  // No reader takes it as it is; the nearest one says what it misses.
  let near = CompanyTable.all.filter {
    let (present, missing) = $0.nearness(names)
    return present >= 2 && missing <= 2 && present > missing
  }
  let nearest = near.max { left, right in
    let (leftPresent, leftMissing) = left.nearness(names)
    let (rightPresent, rightMissing) = right.nearness(names)
    return (leftPresent - leftMissing, -leftMissing) < (rightPresent - rightMissing, -rightMissing)
  }
  if let nearest { return nearest.kind }
  let columns = header.printed.prefix(8).joined(separator: ", ")
  throw Diagnostic(
    topic: "kind", at: SourceLocation(file: header.file, line: header.line),
    "the file is of no kind that is known; its first line is: \(String(columns.prefix(120)))",
    help: """
      expected is Apple's sales report, or a table of \
      \(CompanyTable.all.map(\.kind.rawValue).joined(separator: ", "))
      """)
}

private func identifyJSON(_ stream: TextStream) throws -> Identification {
  var shape = JSONShape(stream.available)
  let limit = max(stream.limits.recordLength, stream.limits.purchaseLength)
  while !shape.isWhole, stream.available.count <= limit, try stream.refill() {
    shape = JSONShape(stream.available)
  }
  if let kind = purchaseKind(shape) { return Identification(kind: kind, form: .json) }
  try refuse(shape, stream)
  if shape.keys.contains("reportSummaries") { return Identification(kind: .payments, form: .json) }
  if shape.isEmptyArray, SalesReportName(path: stream.file) != nil {
    return Identification(kind: .sales, form: .nothing)
  }
  let names = Set(shape.keys)
  if names.isSuperset(of: ["product_type_identifier", "begin_date"]) {
    return Identification(kind: .sales, form: .json)
  }
  let header = Header(file: stream.file, line: stream.line, separator: 0x2C, printed: shape.keys)
  let kind = try companyKind(names, header: header)
  guard kind == .orders || kind == .transactions || kind == .bank else {
    throw Diagnostic(
      topic: "kind", at: SourceLocation(file: stream.file, line: stream.line),
      "a table of \(kind.rawValue) is read from CSV, this is JSON",
      help: "export it as CSV with the columns as its first line")
  }
  return Identification(kind: kind, form: .json)
}
