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
/// - Throws: an objection for content that no reader takes, saying what it looks like.
func identify(_ stream: TextStream, log: ReadingLog) throws -> Identification {
  try refuseBinary(stream)
  guard let first = try skipToContent(stream) else {
    throw Objection(
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
  let identification = try identifyTable(text, line: place, log: log)
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
    Delimiting(separator: separator(of: text), quoting: true, padding: true, keepsTails: true))
  return found
}

/// The lines above the header of a detail: vendor's name, first and last day.
private func identifyDetail(_ stream: TextStream, log: ReadingLog) throws -> Identification {
  var days: [String: Day] = [:]
  var dates = AppleDateReader()
  for _ in 0..<8 {
    let line = try firstLine(stream)
    let text = try headerText(line, stream)
    let cut = separator(of: text)
    let header = Header(
      file: stream.file, line: stream.line, text: text, separator: cut, quoting: cut != 0x09)
    if header.financeKind == .financeDetail {
      var identification = try identifyTable(text, line: stream.line, log: log)
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
  throw Objection(
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
    throw Objection(
      topic: "kind", at: SourceLocation(file: stream.file), "the file is empty",
      help: "its first line names the columns: \(columns.joined(separator: ", "))")
  }
  let line = try firstLine(stream)
  let text = try headerText(line, stream)
  let separator = separator(of: text)
  let header = Header(
    file: stream.file, line: stream.line, text: text, separator: separator,
    quoting: separator != 0x09)
  let delimiting = companyDelimiting(separator, line: stream.line, log)
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
    throw Objection(
      topic: "encoding",
      at: SourceLocation(file: stream.file, line: stream.line, column: offset + 1),
      "the text is not well-formed UTF-8",
      help: "save the file as UTF-8; spreadsheets call it \"CSV UTF-8\"")
  }
  var text = String(decoding: line, as: UTF8.self)[...]
  if text.utf8.last == 0x0D { text = text[..<text.utf8.index(before: text.endIndex)] }
  if text.utf8.contains(0x0D) {
    throw Objection(
      topic: "kind", at: SourceLocation(file: stream.file, line: stream.line),
      "the lines end with a carriage return only",
      help: "save the file with LF or CRLF line ends")
  }
  return String(text)
}

private func identifyTable(_ text: String, line: Int, log: ReadingLog) throws -> Identification {
  let separator = separator(of: text)
  let isTabbed = separator == 0x09
  let header = Header(
    file: log.file, line: line, text: text, separator: separator, quoting: !isTabbed)
  try refuse(header)
  if let kind = header.reportKind {
    var delimiting = Delimiting.appleTSV
    if !isTabbed {
      delimiting = Delimiting(separator: separator, quoting: true, padding: true)
      log.warn(
        "separator", line: line,
        isComma(separator)
          ? "Apple's report was saved again with commas"
          : "Apple's report was saved again with semicolons",
        help: "a spreadsheet may have changed dates and ids: better import the file as downloaded")
    }
    return Identification(kind: kind, form: .delimited(header, delimiting))
  }
  var delimiting = companyDelimiting(separator, line: line, log)
  if header.isEuropeanRates {
    delimiting.padding = true
    return Identification(
      kind: .rates, form: .delimited(header, delimiting), isEuropeanRates: true)
  }
  let kind = try companyKind(Set(header.names), header: header)
  return Identification(kind: kind, form: .delimited(header, delimiting))
}

/// How a company's table is divided, with a warning where it is not by commas.
private func companyDelimiting(_ separator: UInt8, line: Int, _ log: ReadingLog) -> Delimiting {
  var delimiting = Delimiting.csv
  delimiting.separator = separator
  if !isComma(separator) {
    log.warn(
      "separator", line: line,
      separator == 0x09
        ? "the table is separated by tabs" : "the table is separated by semicolons",
      help: "it is read so; a plain CSV has commas")
  }
  return delimiting
}

private func isComma(_ separator: UInt8) -> Bool { separator == 0x2C }

/// The byte that divides a header's columns: the one of tab, comma and semicolon that it has most.
private func separator(of text: String) -> UInt8 {
  func count(_ byte: UInt8) -> Int { text.utf8.reduce(0) { $0 + ($1 == byte ? 1 : 0) } }
  let candidates: [UInt8] = [0x2C, 0x09, 0x3B]
  return candidates.max { count($0) < count($1) }.flatMap { count($0) > 0 ? $0 : nil } ?? 0x2C
}

/// The one company table whose header this is.
private func companyKind(_ names: Set<String>, header: Header) throws -> InputKind {
  let yes = CompanyTable.all.filter { $0.recognises(names) }
  if yes.count == 1 { return yes[0].kind }
  if yes.count > 1 {
    let kinds = yes.map(\.kind.rawValue).joined(separator: " or ")
    throw header.objection(
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
  throw Objection(
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
  let header = Header(
    file: stream.file, line: stream.line, text: shape.keys.joined(separator: ","),
    separator: 0x2C, quoting: false)
  let kind = try companyKind(names, header: header)
  guard kind == .orders || kind == .transactions else {
    throw Objection(
      topic: "kind", at: SourceLocation(file: stream.file, line: stream.line),
      "a table of \(kind.rawValue) is read from CSV, this is JSON",
      help: "export it as CSV with the columns as its first line")
  }
  return Identification(kind: kind, form: .json)
}

/// The outermost keys of a JSON text's first object.
struct JSONShape {
  var keys: [String] = []
  /// The first byte of each key's value.
  var firstBytes: [String: UInt8] = [:]
  var isEmptyArray = false
  /// The text is an array of texts.
  var isArrayOfTexts = false
  /// The object's end was seen.
  var isWhole = false

  init(_ bytes: UnsafeRawBufferPointer) {
    var depth = 0
    var index = 0
    var isKey = false
    var wantsValue = false
    while index < bytes.count {
      if wantsValue, bytes[index] > 0x20, let key = keys.last {
        firstBytes[key] = bytes[index]
        wantsValue = false
      }
      switch bytes[index] {
      case 0x5B where depth == 0 && index == 0: break
      case 0x5D where depth == 0:
        isEmptyArray = true
        isWhole = true
        return
      case 0x7B, 0x5B:
        depth += 1
        isKey = depth == 1
      case 0x7D, 0x5D:
        depth -= 1
        if depth == 0 {
          isWhole = true
          return
        }
      case 0x2C: isKey = depth == 1
      case 0x3A:
        isKey = false
        wantsValue = depth == 1
      case 0x22:
        let start = index + 1
        index = start
        while index < bytes.count, bytes[index] != 0x22 {
          index += bytes[index] == 0x5C ? 2 : 1
        }
        if index >= bytes.count { return }
        if depth == 0 {
          isArrayOfTexts = true
          isWhole = true
          return
        }
        if isKey, depth == 1 { keys.append(String(decoding: bytes[start..<index], as: UTF8.self)) }
      default: break
      }
      index += 1
    }
  }
}
