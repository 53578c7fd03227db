internal import Billing

/// Makes lines of the payments summary of records, whether these came from the CSV or the JSON, and
/// adds them up.
struct PaymentLines {
  let regions: FinanceRegionLookup
  /// Units and what is owed for all of them, and what was paid.
  private(set) var totals = TotalsByCurrency()
  /// What the lines bring that were added since the last block's end.
  private var open: [(currency: Currency, proceeds: Int64)] = []
  private(set) var unknownRegions: [(label: String, line: Int)] = []
  private var gaps = (count: 0, line: 0)

  init(regions: FinanceRegionLookup) { self.regions = regions }

  /// Micro-units that an amount may have: a million million.
  private static let limit: UInt64 = 1_000_000_000_000_000_000

  /// The line of a region that a record stands for; it is in no sum before `add`.
  ///
  /// - Parameter block: the number of the summary in the file.
  func line(_ record: Record, _ layout: PaymentLayout, block: Int) throws(RecordDiagnostic)
    -> PaymentLine
  {
    func amount(_ column: PaymentColumn) throws(RecordDiagnostic) -> Int64? {
      try Self.amount(record, layout[column], column.name)
    }
    let (label, currency) = try region(record, layout)
    guard let earned = try amount(.earned) else {
      throw record.blankDiagnostic(layout[.earned], PaymentColumn.earned.name)
    }
    guard let owed = try amount(.owed) else {
      throw record.blankDiagnostic(layout[.owed], PaymentColumn.owed.name)
    }
    let code = record.text(layout[.code])
    let rate = try Self.printedRate(record, layout[.rate])
    var line = PaymentLine(
      line: record.line, block: Int32(clamping: block),
      region: regions.known.contains(code) ? code : regions.labelled(label, currency) ?? "",
      label: label, currency: currency, units: try units(record, layout[.units]),
      balance: layout[.balance] < 0 ? nil : try amount(.balance) ?? 0, earned: earned,
      preTaxSubtotal: try amount(.preTaxSubtotal), inputTax: try amount(.inputTax) ?? 0,
      adjustments: try amount(.adjustments) ?? 0, withholding: try amount(.withholding) ?? 0,
      owed: owed, printedRate: rate, proceeds: try amount(.proceeds),
      bankCurrency: try record.currency(
        layout[.bankCurrency], PaymentColumn.bankCurrency.name))
    // Without a rate although there is a column for it, nothing was paid yet.
    if layout[.rate] >= 0, rate == nil { line.proceeds = nil }
    if layout.isGuessed, !line.addsUp {
      throw RecordDiagnostic(
        layout[.owed], "column",
        "@apple.parts-of-do-not-add \(shown(record[layout[.owed]]))",
        help: "@apple.download-the-summary")
    }
    return line
  }

  /// Adds a line to the sums, and notes it where its region is unknown or its parts do not add up.
  mutating func add(_ line: PaymentLine) {
    totals.add(line.currency, units: line.units, owed: line.owed)
    if let proceeds = line.proceeds { open.append((line.bankCurrency ?? line.currency, proceeds)) }
    if line.region.isEmpty {
      unknownRegions.append((line.label.isEmpty ? line.currency.code : line.label, Int(line.line)))
    }
    if !line.addsUp {
      if gaps.count == 0 { gaps.line = Int(line.line) }
      gaps.count += 1
    }
  }

  /// Ends a block of lines: without a payout nothing of it was paid, whatever it is to bring.
  mutating func endBlock(isPaid: Bool) {
    if isPaid { for line in open { totals.add(line.currency, proceeds: Int128(line.proceeds)) } }
    open = []
  }

  /// Adds warnings about unknown regions and lines that do not add up to the log.
  func warn(_ log: ReadingLog) {
    for (label, line) in unknownRegions.prefix(20) {
      log.warn(
        "region", line: line, "@apple.region-without-a-known-code \(label)",
        help: "@apple.its-line-is-kept")
    }
    if gaps.count > 0 {
      log.warn(
        "amount", line: gaps.line,
        gaps.count == 1
          ? "@apple.total-owed-is-not"
          : "@apple.total-owed-is-not-the-sum \(gaps.count)",
        help: "@apple.see-whether-the-file")
    }
  }

  /// The label and the currency of a line: of `Euro-Zone (EUR)`, the currency in the last
  /// parentheses. A copy of the page's table may have the currency alone, the JSON has a member for
  /// it.
  private func region(
    _ record: Record, _ layout: PaymentLayout
  ) throws(RecordDiagnostic) -> (String, Currency) {
    let field = layout[.region]
    let text = record.text(field)
    if layout[.currency] >= 0 {
      guard let currency = try record.currency(layout[.currency], PaymentColumn.currency.name)
      else { throw record.blankDiagnostic(layout[.currency], PaymentColumn.currency.name) }
      return (text, currency)
    }
    if let currency = Currency(text) { return ("", currency) }
    let open = text.lastIndex { $0 == "(" || $0 == "（" }
    guard let open, let last = text.last, last == ")" || last == "）",
      let currency = Currency(text[text.index(after: open)...].dropLast())
    else {
      throw RecordDiagnostic(
        field, "currency", "@apple.region-has-no-currency \(shown(record[field]))",
        help: "@apple.apple-writes-it-in-parentheses")
    }
    return (text[..<open].split { $0.isWhitespace }.joined(separator: " "), currency)
  }

  /// The units sold; 0 when blank.
  private func units(_ record: Record, _ field: Int) throws(RecordDiagnostic) -> Int64 {
    let text = record.text(field)
    if text.isEmpty { return 0 }
    guard var digits = Self.ungrouped(text),
      let units = digits.withUTF8({ wholeNumber(UnsafeRawBufferPointer($0)) })
    else {
      throw RecordDiagnostic(
        field, "units", "@apple.units-sold-is-not \(shown(record[field]))",
        help: "@apple.download-the-summary-again")
    }
    return units
  }

  /// An amount in micro-units; nil when blank.
  ///
  /// - Parameter name: the column's, for the diagnostic.
  private static func amount(
    _ record: Record, _ field: Int, _ name: String
  ) throws(RecordDiagnostic) -> Int64? {
    let text = record.text(field)
    if text.isEmpty { return nil }
    guard let digits = ungrouped(text), let amount = micros(decimal: digits) else {
      throw record.amountDiagnostic(field, name)
    }
    guard amount.magnitude <= limit else {
      throw RecordDiagnostic(
        field, "amount", "@apple.is-larger-than-a-trillion \(name) \(shown(record[field]))",
        help: "@apple.decimal-point-may-have-been-lost")
    }
    return amount
  }

  /// The exchange rate, rounded to millionths: nothing is computed from it. Nil when blank.
  private static func printedRate(_ record: Record, _ field: Int) throws(RecordDiagnostic) -> Int64?
  {
    let text = record.text(field)
    if text.isEmpty { return nil }
    guard let digits = ungrouped(text), let rate = DecimalRate(decimal: digits),
      rate.digits.magnitude <= limit
    else { throw record.amountDiagnostic(field, PaymentColumn.rate.name) }
    return rate.value.micros
  }

  /// The number without the commas between its thousands; nil where commas stand elsewhere.
  static func ungrouped(_ text: String) -> String? {
    guard text.contains(",") else { return text }
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let groups = parts[0].drop { $0 == "-" }.split(separator: ",", omittingEmptySubsequences: false)
    guard (1...3).contains(groups[0].count), groups.dropFirst().allSatisfy({ $0.count == 3 }),
      parts.dropFirst().allSatisfy({ !$0.contains(",") })
    else { return nil }
    return text.filter { $0 != "," }
  }
}

extension PaymentLine {
  /// Whether what is owed is the sum of its parts, to a hundredth.
  var addsUp: Bool {
    let parts = [earned, balance ?? 0, inputTax, adjustments, withholding]
    let sum = parts.reduce(Int128(0)) { $0 + Int128($1) }
    return (sum - Int128(owed)).magnitude <= 10_000
  }
}
