internal import Billing

// Content that is known by name and not imported.

/// A diagnostic to a file as a whole.
private func unwanted(_ stream: TextStream, _ message: Wording, help: Wording) -> Diagnostic {
  Diagnostic(topic: "kind", at: SourceLocation(file: stream.file), message, help: help)
}

private func notYet(_ file: String, _ what: Wording) -> Diagnostic {
  Diagnostic(
    topic: "kind", at: SourceLocation(file: file),
    "@file.this-is-which-this-version \(what)",
    help: "@file.leave-the-file-out-importing")
}

/// Receipts, workbooks, archives, and text in an encoding that cannot be told.
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
  if bytes.starts(with: "%PDF".utf8) {
    throw unwanted(stream, "@file.this-is-a-pdf", help: "@file.download-the-report-as-text")
  }
  if bytes.prefix(64).contains(0) {
    throw unwanted(
      stream, "@file.this-is-not-text",
      help: "@file.save-the-file-as-utf")
  }
}

/// Web pages.
func refuseByFirstLine(_ text: String, _ stream: TextStream) throws {
  let lower = text.lowercased()
  if lower.hasPrefix("<!doctype") || lower.hasPrefix("<html") || lower.hasPrefix("<?xml") {
    throw unwanted(
      stream, "@file.this-is-a-web-page",
      help: "@file.download-may-have-asked")
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
      "@file.this-list-was-written-by",
      help: "@file.leave-the-file-out")
  }
  let what: Wording? =
    if header.has("cumulative ordered") {
      "@file.pre-order-report-pre-order"
    } else if header.has("redemptions"), header.has("offer code") {
      "@file.offer-code-redemption-report"
    } else if header.names.contains(where: { $0.contains("win-back") }) {
      "@file.report-on-win-back-offers"
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
      stream, "@file.this-is-an-error-answer \(oneLine(text))",
      help: "@file.request-the-report-again")
  }
}

private func oneLine(_ text: String) -> String {
  text.split { $0.isWhitespace }.joined(separator: " ")
}
