internal import Billing

// Reports of Apple's that a download broke off. A zip or gzip file proves itself whole; plain text
// shows a cut only where it is not at a line's end.

extension FileReader {
  /// Refuses a sales or subscription report whose last row is not whole.
  func refuseCut<Reader: RowReader>(_ loop: RecordLoop<Reader>) throws {
    try refuseCut(
      lastLine: loop.lastLine, isShort: loop.lastLine > 0 && loop.lastShortLine == loop.lastLine)
  }

  /// Refuses a detail whose last row is not whole, and a financial report whose totals below the
  /// rows are not.
  func refuseCut(_ loop: RecordLoop<FinanceReader>) throws {
    let reader = loop.reader
    if reader.kind == .financeDetail {
      let row = Int(reader.lastRowLine)
      return try refuseCut(lastLine: loop.lastLine, isShort: row > 0 && loop.lastShortLine == row)
    }
    try refuseCut(lastLine: loop.lastLine, isShort: false)
    guard !isProvenWhole, !reader.isFooterWhole else { return }
    throw cut(
      loop.lastLine,
      "@file.download-is-not-complete-the-totals")
  }

  private var isProvenWhole: Bool { stream.isPacked || hints.isUnpacked }

  /// Refuses a report whose last row has too few fields or whose last line lacks its end, unless
  /// its packing proves it whole.
  private func refuseCut(lastLine: Int, isShort: Bool) throws {
    if isProvenWhole { return }
    if isShort {
      throw cut(
        lastLine, "@file.download-is-not-complete-its-last")
    }
    if stream.lacksLastLineEnd {
      throw cut(lastLine, "@file.download-is-not-complete")
    }
  }

  /// The diagnostic of a report whose download broke off.
  private func cut(_ line: Int, _ message: Wording) -> Diagnostic {
    Diagnostic(
      topic: "cut", at: SourceLocation(file: log.file, line: line), message,
      help: "@file.download-the-report-again-nothing")
  }
}
