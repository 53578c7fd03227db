internal import Billing

// Content that is known by name and not imported.

/// A diagnostic about a file as a whole, of content that is not imported.
private func unwanted(_ stream: TextStream, _ message: Wording, help: Wording) -> Diagnostic {
  Diagnostic(topic: "kind", at: SourceLocation(file: stream.file), message, help: help)
}

/// The warning that a report of Apple's holds no money: it is left out, and nothing is wrong.
private func moneyless(_ file: String, _ what: Wording) -> Diagnostic {
  Diagnostic(
    .warning, topic: "kind", at: SourceLocation(file: file),
    "@file.this-report-holds-no-money \(what)", help: "@file.nothing-of-it-is-needed")
}

/// Throws a diagnostic for receipts, workbooks, archives, databases, pictures, and text in an
/// encoding that cannot be told.
func refuseBinary(_ stream: TextStream) throws {
  let bytes = stream.available
  if bytes.starts(with: [0x30, 0x82]) || bytes.starts(with: "MII".utf8) {
    throw unwanted(
      stream, "@file.this-is-an-app-receipt",
      help: "@file.import-the-responses-of-verifyreceipt")
  }
  // In base64, the braces of a property list: what apps had before there were receipt files.
  if bytes.starts(with: "ewoi".utf8), !bytes.prefix(4096).contains(0x2E) {
    throw unwanted(
      stream, "@file.this-is-a-purchase-receipt",
      help: "@file.import-the-responses-of-verifyreceipt")
  }
  if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
    throw unwanted(
      stream, "@file.this-is-a-workbook",
      help: "@file.unpack-it-or-export")
  }
  if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
    throw unwanted(
      stream, "@file.this-is-a-workbook-of-excel",
      help: "@file.open-it-in-a-spreadsheet")
  }
  if bytes.starts(with: "SQLite format 3".utf8) {
    throw unwanted(stream, "@file.this-is-a-database", help: "@file.export-the-table-as-csv")
  }
  if bytes.starts(with: "%PDF".utf8) {
    throw unwanted(stream, "@file.this-is-a-pdf", help: "@file.download-the-report-as-text")
  }
  if bytes.prefix(64).contains(0) || isPicture(bytes) {
    var wrong = unwanted(
      stream, "@file.this-is-not-text",
      help: "@file.save-the-file-as-utf")
    if isPicture(bytes) { wrong.leftOut = .noTable }
    throw wrong
  }
}

/// Whether bytes begin as a PNG, JPEG, GIF, TIFF, WebP, HEIC or a film does.
private func isPicture(_ bytes: UnsafeRawBufferPointer) -> Bool {
  let begins: [[UInt8]] = [
    [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), Array("II*\0".utf8),
    Array("MM\0*".utf8),
  ]
  let riff = bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
  return riff || bytes.dropFirst(4).starts(with: "ftyp".utf8)
    || begins.contains { bytes.starts(with: $0) }
}

/// Whether a file is a note: by its name a text and none of Apple's reports, and nowhere have
/// three lines in a row, or all where there are fewer, as many columns.
func isNote(_ stream: TextStream) -> Bool {
  let name = (stream.file.split(separator: "/").last ?? "").lowercased()
  let parts = name.split(separator: ".")
  let isText = parts.count < 2 || ["txt", "text", "log", "out", "org", "rst"].contains(parts.last!)
  guard isText, name.firstMatch(of: #/8\d{7}/#) == nil else { return false }
  let lines = stream.available.prefix(1 << 16).split { $0 == 0x0A || $0 == 0x0D }.prefix(200)
  for separator: UInt8 in [0x2C, 0x09, 0x3B, 0x7C] {
    let counts = lines.map { separatorCount($0, separator) }
    for start in counts.indices where counts[start] > 0 {
      let run = counts[start...].prefix { $0 == counts[start] }.count
      if run >= min(3, counts.count), run > 1 || counts[start] > 1 { return false }
    }
  }
  return true
}

/// How often a line has a separator; a comma before three digits divides thousands and is none.
private func separatorCount(_ line: UnsafeRawBufferPointer.SubSequence, _ separator: UInt8) -> Int {
  line.indices.count { index in
    guard line[index] == separator else { return false }
    let digits = line[(index + 1)...].prefix { $0 &- 0x30 < 10 }.count
    let follows = index > line.startIndex && line[index - 1] &- 0x30 < 10
    return separator != 0x2C || digits != 3 || !follows
  }
}

/// Throws a diagnostic for web pages, dumps of databases, and tables as their terminals show them.
func refuseByFirstLine(_ text: String, _ stream: TextStream) throws {
  let lower = text.lowercased()
  let first = lower.split { $0 == " " || $0 == ";" }.first.map { String($0) } ?? ""
  let isStatement =
    ["insert", "create", "begin", "pragma", "set"].contains(first) && text.first != "\""
    && (lower.hasSuffix(";") || lower.hasSuffix("(") || lower.contains("values"))
  if isStatement || lower.hasPrefix("/*")
    || lower.hasPrefix("--") && !lower.hasPrefix("---") && !lower.contains(",")
      && !lower.contains("\t")
  {
    throw unwanted(stream, "@file.this-is-an-sql-dump", help: "@file.export-the-table-as-csv")
  }
  if lower.hasPrefix("+--") || lower.hasPrefix("┌") || lower.hasPrefix("╭")
    || lower.hasPrefix("<tr") || lower.hasPrefix("-[") || isAligned(stream)
  {
    throw unwanted(
      stream, "@file.this-is-a-table-as-a-terminal", help: "@file.export-the-table-as-csv")
  }
  if lower.hasPrefix("<!doctype") || lower.hasPrefix("<html") || lower.hasPrefix("<?xml") {
    let head = String(decoding: stream.available.prefix(4096), as: UTF8.self).lowercased()
    if lower.hasPrefix("<?xml"), !head.contains("<html") {
      throw unwanted(stream, "@file.this-is-xml", help: "@file.export-the-table-as-csv")
    }
    throw unwanted(
      stream, "@file.this-is-a-web-page",
      help: "@file.download-may-have-asked")
  }
}

/// Whether the second line is the rule that `psql` draws below the names of columns.
private func isAligned(_ stream: TextStream) -> Bool {
  let lines = stream.available.prefix(1 << 16).split(
    separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
  guard lines.count > 2, lines[1].count > 2 else { return false }
  return lines[1].allSatisfy { $0 == 0x2D || $0 == 0x2B || $0 == 0x20 || $0 == 0x7C }
    && lines[1].contains(0x2D)
}

/// Throws a diagnostic for a table whose first line is a row and no names of columns. Years are
/// names, as of tables with a column per year.
func refuseWithoutNames(_ header: Header) throws {
  let printed = header.printed.filter { !$0.isEmpty }
  guard header.separator != 0x20, printed.count > 2 else { return }
  let values = printed.count { name in
    if let year = plainNumber(name), (1900..<2200).contains(year) { return false }
    return Array(name.utf8).withUnsafeBytes { bytes in
      bytes.allSatisfy { $0 &- 0x30 < 10 || $0 == 0x2E || $0 == 0x2D }
        || digits(bytes, 0..<4) != nil && bytes.count >= 10 && bytes[4] == 0x2D
    }
  }
  guard 3 * values >= printed.count, values > 1 else { return }
  throw Diagnostic(
    topic: "kind", at: SourceLocation(file: header.file, line: header.line),
    "@file.first-line-names-no-columns", help: "@file.export-it-with-a-header")
}

/// Throws a diagnostic for a table that is one of Apple's reports which are not read (pre-orders,
/// offer codes, win-back offers, transaction tax) or a copy of a financial report, even where its
/// columns are spelt otherwise.
func refuse(_ header: Header) throws {
  guard header.reportKind == nil else { return }
  let squeezedNames = Set(header.printed.map(squeezedName))
  /// Whether the table has a column of each of these names, compared as ``squeezedName(_:)`` writes
  /// them: in lower case, without blanks and marks.
  func hasAll(_ names: String...) -> Bool { names.allSatisfy(squeezedNames.contains) }
  let what: Wording? =
    if header.has("cumulative ordered") || hasAll("cumulativeordered", "cumulativecanceled") {
      "@file.pre-order-report-pre-order"
    } else if header.has("redemptions") && header.has("offer code")
      || hasAll("redemptions", "offercode", "offerreferencename")
    {
      "@file.offer-code-redemption-report"
    } else if header.names.contains(where: { $0.contains("win-back") }) {
      "@file.report-on-win-back-offers"
    } else {
      nil
    }
  if let what { throw moneyless(header.file, what) }
  let name = header.file.split(separator: "/").last.map(String.init) ?? ""
  let hasTax = header.names.contains { $0.contains("tax") }
  // By the page "Transaction tax report fields" of Apple's help, read 2026-11.
  let isTax = hasAll("isocountrycode", "taxtype", "taxexclusiveamount", "taxespaid")
  if isTax || hasTax && squeezedName(name).contains("transactiontax") {
    throw Diagnostic(
      .warning, topic: "kind", at: SourceLocation(file: header.file),
      "@file.transaction-tax-report", help: "@file.nothing-of-it-is-needed")
  }
  if hasAll("partnershare", "extendedpartnershare", "quantity") {
    throw Diagnostic(
      topic: "kind", at: SourceLocation(file: header.file, line: header.line),
      "@file.copy-of-a-financial-report", help: "@file.import-the-report-itself")
  }
}

/// Throws a diagnostic for errors of Apple's services that were saved as files.
func refuse(_ shape: JSONShape, _ stream: TextStream) throws {
  /// Whether the object has the key, and not with null, as services of other houses may write it.
  func has(_ key: String) -> Bool { shape.firstBytes[key].map { $0 != 0x6E } ?? false }
  if has("errors") || has("errorCode") {
    let text = String(decoding: stream.available.prefix(160), as: UTF8.self)
    throw unwanted(
      stream, "@file.this-is-an-error-answer \(oneLine(text))",
      help: adviceOnNoSales(stream) ?? "@file.request-the-report-again")
  }
}

/// What to do where an error of Apple's says that a day had no sales; nil for other errors, and for
/// weeks and months, of which it is said while they are not made yet.
private func adviceOnNoSales(_ stream: TextStream) -> Wording? {
  let text = String(decoding: stream.available.prefix(4000), as: UTF8.self)
  guard text.lowercased().contains("there were no sales") else { return nil }
  let name = SalesReportName(path: stream.file)
  if let name, name.begin != name.end { return nil }
  let day = name.map { ["\($0.end)", "--vendor", $0.vendor].joined(separator: " ") } ?? "DATE"
  return "@file.no-sales-of-a-day \(day)"
}

/// The text on one line, with single spaces for runs of blanks and line ends.
private func oneLine(_ text: String) -> String {
  text.split { $0.isWhitespace }.joined(separator: " ")
}
