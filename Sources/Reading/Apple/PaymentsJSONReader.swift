internal import Billing

/// The members of the JSON behind Apple's payments page that Tieout reads, level by level.
enum PaymentsKey: Int, AnyCaseKey { case sapVendorNumber, reportDate, reportSummaries }

enum PaymentSummaryKey: Int, AnyCaseKey {
  case status, amount, currency, bankName, maskedBankAccount, paidOrExpectingPaymentDate
  case isPaymentExpected
  case proceedsByRegion
}

enum RegionProceedsKey: Int, AnyCaseKey {
  case regionCurrency, unitsSold, beginBalance, earned, total, withHoldingTax, inputTax
  case adjustmentAmount, totalOwed, exchangeRate, proceeds
}

enum RegionCurrencyKey: Int, AnyCaseKey { case regionCode, regionName, currencyCode }

/// Reads the JSON behind Apple's payments page: a block per summary in it.
struct PaymentsJSONReader: TapeReader {
  private var lines: PaymentLines
  private var rows = PaymentRows()
  private var blocks = 0
  /// Payments that were not made and are not expected.
  private var unexpected: [(payment: Wording, status: String, line: Int)] = []
  private(set) var footerCount = 0
  /// The fiscal month, and the vendor's number, as the first record names them.
  private(set) var month: FiscalMonth?
  private(set) var vendor = ""

  private let fields = ObjectFields<PaymentsKey>()
  private let summaryFields = ObjectFields<PaymentSummaryKey>()
  private let regionFields = ObjectFields<RegionProceedsKey>()
  private let currencyFields = ObjectFields<RegionCurrencyKey>()
  private var piece = PieceRecord<PaymentColumn>()

  init(regions: FinanceRegionLookup) { lines = PaymentLines(regions: regions) }

  var pending: Int { rows.lines.count + rows.payouts.count }

  /// Reads the summaries of one fiscal month; returns how many regions and payouts they have.
  mutating func read(_ tape: JSONTape, line: Int) throws(RecordDiagnostic) -> Int {
    guard try findSummaries(tape, 0) else {
      throw RecordDiagnostic(
        nil, "kind", "@apple.this-record-is-not", offset: tape.place(of: 0),
        help: "@apple.save-the-whole-response-behind")
    }
    let month = try month(tape, fields[.reportDate])
    if let known = self.month, known != month {
      throw RecordDiagnostic(
        nil, "date", "@apple.this-summary-is-for-but \(month) \(known)",
        offset: tape.place(of: fields[.reportDate]), help: "@apple.save-each-month")
    }
    let vendor = word(tape, fields[.sapVendorNumber])
    var found = PaymentRows()
    for summary in tape.elements(of: fields[.reportSummaries]) {
      try readSummary(tape, summary, line: line, block: blocks + found.payouts.count, into: &found)
    }
    self.month = month
    if self.vendor.isEmpty { self.vendor = vendor }
    blocks += found.payouts.count
    footerCount += found.payouts.count
    for payout in found.payouts {
      for line in found.lines where line.block == payout.block { lines.add(line) }
      lines.endBlock(isPaid: payout.isPaid)
    }
    rows.lines += found.lines
    rows.payouts += found.payouts
    return found.lines.count + found.payouts.count
  }

  /// Has ``fields`` find the members of the object with the summaries, be it `node` or inside it;
  /// false where there is none.
  private func findSummaries(_ tape: JSONTape, _ node: Int32) throws(RecordDiagnostic) -> Bool {
    guard tape.kind(of: node) == .object else { return false }
    try fields.find(tape, node)
    if fields[.reportSummaries] >= 0 { return true }
    var part = node + 1
    while part < tape.nodes[Int(node)].next {
      if try findSummaries(tape, part) { return true }
      part = tape.nodes[Int(part)].next
    }
    return false
  }

  /// Appends a summary's payout and regions to `found`, and notes a payment that was not made and
  /// is not expected.
  ///
  /// - Parameters:
  ///   - line: where the record begins.
  ///   - block: the number of the summary in the file.
  private mutating func readSummary(
    _ tape: JSONTape, _ node: Int32, line: Int, block: Int, into found: inout PaymentRows
  ) throws(RecordDiagnostic) {
    try summaryFields.find(tape, node)
    let payout = try payout(tape, line: lineNumber(tape, node, line), block: block)
    for region in tape.elements(of: summaryFields[.proceedsByRegion]) {
      found.lines.append(
        try regionLine(tape, region, line: lineNumber(tape, region, line), block: block))
    }
    found.payouts.append(payout)
    let status = word(tape, summaryFields[.status])
    guard !payout.isPaid, word(tape, summaryFields[.isPaymentExpected]) == "false",
      let amount = payout.amount, amount != 0
    else { return }
    let money = payout.currency.map { Money(micros: amount, $0) }
    unexpected.append(
      (
        """
        @apple.payment \
        \(money.map { "\($0.text) \($0.currency)" } ?? decimalText(micros: amount))
        """,
        status.isEmpty ? "-" : status, Int(payout.line)
      ))
  }

  /// The payout that a summary states; ``summaryFields`` has found the summary's members.
  ///
  /// - Parameters:
  ///   - line: of the file, on which the summary begins.
  ///   - block: the number of the summary in the file.
  private func payout(_ tape: JSONTape, line: Int32, block: Int) throws(RecordDiagnostic) -> Payout
  {
    let node = summaryFields[.amount]
    let text = word(tape, node)
    let amount = PaymentLines.ungrouped(text).flatMap { micros(decimal: $0) }
    if !text.isEmpty, amount == nil {
      throw RecordDiagnostic(
        nil, "amount", "@apple.amount-is-not-a-decimal \(shown(tape.text(node)))",
        offset: tape.place(of: node), help: "@apple.save-the-response-behind")
    }
    let account = [summaryFields[.bankName], summaryFields[.maskedBankAccount]]
      .map { word(tape, $0) }.filter { !$0.isEmpty }
    let day = trimmed(tape.text(summaryFields[.paidOrExpectingPaymentDate]))
    return Payout(
      line: line, block: Int32(clamping: block), amount: amount,
      currency: Currency(word(tape, summaryFields[.currency])),
      account: account.joined(separator: "-"),
      day: day.count < 10 ? nil : isoDay(UnsafeRawBufferPointer(rebasing: day[..<10])),
      isPaid: word(tape, summaryFields[.status]) == "PAID")
  }

  /// The line of the region at `node`; ``summaryFields`` has found the members of its summary.
  ///
  /// - Parameters:
  ///   - line: of the file, on which the region begins.
  ///   - block: the number of the summary in the file.
  private mutating func regionLine(
    _ tape: JSONTape, _ node: Int32, line: Int32, block: Int
  ) throws(RecordDiagnostic) -> PaymentLine {
    try regionFields.find(tape, node)
    try currencyFields.find(tape, regionFields[.regionCurrency])
    /// Adds a part's text as the next field of `piece`.
    func put(_ column: PaymentColumn, _ node: Int32) {
      piece.put(column, tape.text(node), at: tape.place(of: node))
    }
    piece.begin()
    put(.region, currencyFields[.regionName])
    put(.code, currencyFields[.regionCode])
    put(.currency, currencyFields[.currencyCode])
    put(.units, regionFields[.unitsSold])
    put(.balance, regionFields[.beginBalance])
    put(.earned, regionFields[.earned])
    put(.preTaxSubtotal, regionFields[.total])
    put(.inputTax, regionFields[.inputTax])
    put(.adjustments, regionFields[.adjustmentAmount])
    put(.withholding, regionFields[.withHoldingTax])
    put(.owed, regionFields[.totalOwed])
    put(.rate, regionFields[.exchangeRate])
    put(.proceeds, regionFields[.proceeds])
    // The payout's currency is the bank's.
    put(.bankCurrency, summaryFields[.currency])
    do throws(RecordDiagnostic) {
      return try lines.line(piece.record(line: line), .pieces, block: block)
    } catch {
      throw error.placed { piece.place(of: $0) }
    }
  }

  /// The fiscal month that is named by the calendar month of `2022-06-01T00:00:00Z`.
  private func month(_ tape: JSONTape, _ node: Int32) throws(RecordDiagnostic) -> FiscalMonth {
    let text = trimmed(tape.text(node))
    if text.count >= 10, let day = isoDay(UnsafeRawBufferPointer(rebasing: text[..<10])),
      let month = FiscalMonth(namedMonth: day.parts.month, ofYear: day.parts.year)
    {
      return month
    }
    throw RecordDiagnostic(
      nil, "date", "@apple.reportdate-is-not-a-date \(shown(text))", offset: tape.place(of: node),
      help: "@apple.save-the-whole-response-behind")
  }

  /// The trimmed text of a part; empty for no part (−1).
  private func word(_ tape: JSONTape, _ node: Int32) -> String {
    String(decoding: trimmed(tape.text(node)), as: UTF8.self)
  }

  /// The line of the file on which a part stands, in a record that begins on line `first`.
  private func lineNumber(_ tape: JSONTape, _ node: Int32, _ first: Int) -> Int32 {
    Int32(truncatingIfNeeded: first + lineEnds(tape.base, 0, tape.place(of: node)))
  }

  mutating func takeBlock() -> FactBlock {
    defer { rows = PaymentRows() }
    return FactBlock(rows: .payments(rows))
  }

  /// The fiscal month and the sums of all regions, with warnings about payments that are not
  /// expected.
  func summary(_ log: ReadingLog) throws -> RowSummary {
    lines.warn(log)
    for (payment, status, line) in unexpected.prefix(20) {
      log.warn(
        "payment", line: line,
        "@apple.was-neither-made-nor-is \(payment) \(status)",
        help: "@apple.see-in-app-store-connect")
    }
    return RowSummary(
      begin: month?.first, end: month?.last, totals: try lines.totals.totals(file: log.file))
  }
}

extension JSONTape {
  /// The elements of an array; none of anything else.
  func elements(of node: Int32) -> [Int32] {
    guard kind(of: node) == .array else { return [] }
    var elements: [Int32] = []
    var next = node + 1
    while next < nodes[Int(node)].next {
      elements.append(next)
      next = nodes[Int(next)].next
    }
    return elements
  }
}
