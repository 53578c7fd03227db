internal import Billing

/// Reads Apple's payments summary as CSV: blocks of a header, a line per region, and the payout.
/// A header is no record; the payout's lines are footers.
struct PaymentsReader: RowReader {
  private var lines: PaymentLines
  private var rows = PaymentRows()
  private var layout: PaymentLayout?
  private var block = -1
  /// Whether the block's payout stands above.
  private var isClosed = false
  private var unknownColumns: [String] = []
  private var strangers: [(text: String, line: Int)] = []
  private(set) var footerCount = 0

  init(regions: FinanceRegionLookup) { lines = PaymentLines(regions: regions) }

  var pending: Int { rows.lines.count + rows.payouts.count }

  /// Reads a line of a region or of a payout and returns 1; returns 0 for a header or a blank line,
  /// which are no records.
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    let filled = (0..<PaymentLayout.fieldCount).filter { !trimmed(record[$0]).isEmpty }
    guard let first = filled.first else { return 0 }
    if filled.count <= 2 {
      readBelow(filled.map(record.text).joined(separator: " "), line: record.line)
      return 1
    }
    if isHeader(record, filled) {
      let layout = try PaymentLayout(record, filled: filled)
      for name in layout.unknown where !unknownColumns.contains(name) {
        unknownColumns.append(name)
      }
      self.layout = layout
      openBlock()
      return 0
    }
    if layout == nil {
      guard first == 0, filled.count == 11, Currency(record.text(0)) != nil else {
        throw RecordDiagnostic(
          first, "column", "@apple.summary-has-no-header-above",
          help: "@apple.download-it-again-header-included")
      }
      layout = .copied
    }
    guard let layout else { return 0 }
    if block < 0 || isClosed { openBlock() }
    let line = try lines.line(record, layout, block: block)
    lines.add(line)
    rows.lines.append(line)
    return 1
  }

  /// Begins a further block of regions, which one payout follows.
  private mutating func openBlock() {
    lines.endBlock(isPaid: false)
    block += 1
    isClosed = false
  }

  /// Whether a line is a header: no cell behind its first is a number, and its columns are nine or
  /// more.
  private func isHeader(_ record: Record, _ filled: [Int]) -> Bool {
    filled.count >= 9
      && filled.dropFirst().allSatisfy { field in
        let bytes = trimmed(record[field])
        return !bytes.contains { $0 &- 0x30 < 10 }
      }
  }

  /// Reads a line below the regions: `46.42 EUR`, `Paid to BANK-****1234`, or words that are kept
  /// out with a warning.
  private mutating func readBelow(_ text: String, line: Int32) {
    footerCount += 1
    if let (amount, currency) = payout(text) {
      rows.payouts.append(
        Payout(
          line: line, block: Int32(clamping: max(block, 0)), amount: amount, currency: currency,
          account: "", day: nil, isPaid: true))
      isClosed = true
      lines.endBlock(isPaid: true)
    } else if isClosed, let last = rows.payouts.indices.last, rows.payouts[last].account.isEmpty {
      let paidTo = "Paid to "
      rows.payouts[last].account =
        text.hasPrefix(paidTo) ? String(text.dropFirst(paidTo.count)) : text
    } else {
      strangers.append((text, Int(line)))
    }
  }

  /// The amount (micro-units) and currency of a payout's line, in either order; nil for any other
  /// line.
  private func payout(_ text: String) -> (Int64, Currency)? {
    let words = text.split(separator: " ")
    guard words.count == 2, let currency = Currency(words[1]) ?? Currency(words[0]) else {
      return nil
    }
    let number = Currency(words[1]) == nil ? words[1] : words[0]
    guard let digits = PaymentLines.ungrouped(String(number)),
      let amount = micros(decimal: digits)
    else { return nil }
    return (amount, currency)
  }

  mutating func takeBlock() -> FactBlock {
    defer { rows = PaymentRows() }
    return FactBlock(rows: .payments(rows))
  }

  /// The sums of all regions, with warnings about lines and columns that are left out.
  func summary(_ log: ReadingLog) throws -> RowSummary {
    ColumnMap(unknown: unknownColumns).warnAboutUnknown(log, line: 0)
    for stranger in strangers.prefix(5) {
      log.warn(
        "line", line: stranger.line, "@apple.line-left-out \(stranger.text.prefix(60))",
        help: "@apple.it-is-neither-a-region")
    }
    lines.warn(log)
    return RowSummary(totals: try lines.totals.totals(file: log.file))
  }
}

/// The fiscal month in the title of a payments summary: `… (July, 2015)`, `… (Juli 2015)`, `…
/// (juillet 2015)`, `… (2015年7月)`; nil for a title without one.
func titleMonth(_ title: String) -> FiscalMonth? {
  guard let open = title.lastIndex(where: { $0 == "(" || $0 == "（" }) else { return nil }
  let inside = title[title.index(after: open)...].prefix { $0 != ")" && $0 != "）" }
  let parts = inside.split { $0 == "," || $0 == " " || $0 == "年" || $0 == "月" }
  guard parts.count == 2 else { return nil }
  for (month, year) in [(parts[0], parts[1]), (parts[1], parts[0])] {
    guard year.utf8.count == 4, let year = Int(year), let month = monthNumber(month) else {
      continue
    }
    return FiscalMonth(namedMonth: month, ofYear: year)
  }
  return nil
}

/// A month by its number, or its name in English, German or French; nil for none.
private func monthNumber(_ text: Substring) -> Int? {
  if let number = Int(text) { return number }
  let word = text.lowercased()
  return monthNames.lazy.compactMap { $0.firstIndex(of: word) }.first.map { $0 + 1 }
}

private let monthNames = [
  [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ],
  [
    "januar", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober",
    "november", "dezember",
  ],
  [
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
    "novembre", "décembre",
  ],
]
