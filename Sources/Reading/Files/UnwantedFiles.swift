internal import Billing

// Content that is known by name and not imported.

/// A diagnostic to a file as a whole.
private func unwanted(_ stream: TextStream, _ message: Wording, help: Wording) -> Diagnostic {
  Diagnostic(topic: "kind", at: SourceLocation(file: stream.file), message, help: help)
}

private func notYet(_ file: String, _ what: Wording) -> Diagnostic {
  Diagnostic(
    topic: "kind", at: SourceLocation(file: file),
    "this is \(what), which this version does not import",
    help: "leave the file out; importing the others is not affected")
}

/// Receipts, workbooks, archives, and text in an encoding that cannot be told.
func refuseBinary(_ stream: TextStream) throws {
  let bytes = stream.available
  if bytes.starts(with: [0x30, 0x82]) || bytes.starts(with: "MII".utf8) {
    throw unwanted(
      stream, "this is an app receipt (PKCS #7), not a billing document",
      help: "import the responses of verifyReceipt or your table of transactions instead")
  }
  // In base64, the braces of a property list: what apps had before there were receipt files.
  if bytes.starts(with: "ewoi".utf8), !bytes.prefix(4096).contains(0x2E) {
    throw unwanted(
      stream, "this is a purchase receipt from an iOS 6 app, not Apple's answer about it",
      help: "import the responses of verifyReceipt or your table of transactions instead")
  }
  if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
    throw unwanted(
      stream, "this is a workbook or a zip archive",
      help: "unpack it, or export the sheet as CSV UTF-8")
  }
  if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
    throw unwanted(
      stream, "this is a workbook of Excel 97 to 2003 (.xls)",
      help: "open it in a spreadsheet and save it as .xlsx, or the sheet as CSV UTF-8")
  }
  if bytes.starts(with: "%PDF".utf8) {
    throw unwanted(stream, "this is a PDF", help: "download the report as text")
  }
  if bytes.prefix(64).contains(0) {
    throw unwanted(
      stream, "this is not text, or UTF-16 without its mark",
      help: "save the file as UTF-8")
  }
}

/// Web pages.
func refuseByFirstLine(_ text: String, _ stream: TextStream) throws {
  let lower = text.lowercased()
  if lower.hasPrefix("<!doctype") || lower.hasPrefix("<html") || lower.hasPrefix("<?xml") {
    throw unwanted(
      stream, "this is a web page, not a report",
      help: "the download may have asked for a login: download it again")
  }
}

/// Apple's other reports.
func refuse(_ header: Header) throws {
  guard header.reportKind == nil else { return }
  // A journal would prove as a bank statement what it was made from.
  if [["entry", "account", "narration"], ["code", "severity", "explanation"]]
    .contains(where: { $0.allSatisfy(header.has) })
  {
    throw Diagnostic(
      topic: "kind", at: SourceLocation(file: header.file),
      "this list was written by Tieout and is no input",
      help: "leave the file out, or keep what Tieout writes in another folder")
  }
  let what: Wording? =
    if header.has("cumulative ordered") {
      "a pre-order report (PRE_ORDER)"
    } else if header.has("redemptions"), header.has("offer code") {
      "an offer code redemption report"
    } else if header.names.contains(where: { $0.contains("win-back") }) {
      "a report on win-back offers"
    } else {
      nil
    }
  if let what { throw notYet(header.file, what) }
}

/// What Apple's services answer, and errors saved as files.
func refuse(_ shape: JSONShape, _ stream: TextStream) throws {
  // Of services of other houses it may stand there with null.
  func has(_ key: String) -> Bool { shape.firstBytes[key].map { $0 != 0x6E } ?? false }
  if has("errors") || has("errorCode") {
    let text = String(decoding: stream.available.prefix(160), as: UTF8.self)
    throw unwanted(
      stream, "this is an error answer of Apple's service, saved as a file: \(oneLine(text))",
      help: "request the report again; an error does not mean a day without sales")
  }
}

private func oneLine(_ text: String) -> String {
  text.split { $0.isWhitespace }.joined(separator: " ")
}
