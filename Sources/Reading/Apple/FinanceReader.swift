internal import Billing

/// Reads the rows of Apple's financial report or of its detail, and what these say of themselves
/// below the rows.
struct FinanceReader: RowReader {
  let kind: InputKind
  private let columns: [Int]
  private let fieldCount: Int
  private let storefronts: StorefrontLookup
  private var rows: [FinanceRow] = []
  private var footers: [FinanceFooterLine] = []
  private var terms: Interner<FinanceTerms>
  private var firstDates = AppleDateReader()
  private var lastDates = AppleDateReader()
  private var sums: [TermsSum] = []
  private var unknown = UnknownWords()
  private var mismatches = Mismatches()
  private var stated = StatedTotals()
  private var rowCount = 0

  private(set) var footerCount = 0
  /// Whether the report ends with its table of storefronts.
  private(set) var hasStorefrontTable = false
  /// The line of the last row; 0 for none.
  private(set) var lastRowLine: Int32 = 0
  /// Of the report, the days of its rows; of the detail, the days of settlement.
  private(set) var begin: Day?
  private(set) var end: Day?

  /// What the rows with the same terms add up to.
  private struct TermsSum {
    var terms: FinanceTerms
    var quantity: Int64 = 0
    var extended: Int128 = 0
  }

  /// Rows whose extended share is not quantity × share.
  private struct Mismatches {
    var count = 0
    var line = 0
    var expected: Int64 = 0
    var found: Int64 = 0
  }

  /// Micro-units that an extended share may have: a million million.
  private static let extendedLimit: UInt64 = 1_000_000_000_000_000_000

  /// - Parameters:
  ///   - map: where the file has the columns.
  ///   - fieldCount: fields of a record, by which lines below the rows are read.
  init(_ kind: InputKind, _ map: ColumnMap, fieldCount: Int, storefronts: StorefrontLookup) {
    self.kind = kind
    self.fieldCount = fieldCount
    self.storefronts = storefronts
    columns = map.fields
    terms = Interner(fields: FinanceColumn.terms.map { map.fields[$0.rawValue] })
  }

  var pending: Int { rows.count + footers.count }

  /// Whether the totals below the rows are all there.
  var isFooterWhole: Bool { stated.areWhole(hasTable: hasStorefrontTable, rows: rowCount) }

  /// The terms of the rows so far.
  var knownTerms: [FinanceTerms] { sums.map(\.terms) }

  /// Reads a row, or a line below the rows, which has no date in its first column.
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    guard let first = firstDates.read(trimmed(record[field(.firstDate)])) else {
      return try readBelow(record)
    }
    guard let last = lastDates.read(trimmed(record[field(.lastDate)])) else {
      throw dateFault(record, .lastDate)
    }
    if kind == .finance { try checkMonth(record, first, last) }
    guard let units = wholeNumber(trimmed(record[field(.quantity)])),
      let quantity = Int32(exactly: units)
    else { throw quantityFault(record) }
    let extended = try extended(record)
    var code = terms.find(record)
    if code < 0 { code = try newTerms(record) }
    checkExtended(quantity, extended, share: sums[Int(code)].terms.share, line: record.line)
    sums[Int(code)].quantity += units
    sums[Int(code)].extended += Int128(extended)
    let begins = kind == .finance ? first : last
    begin = min(begin ?? begins, begins)
    end = max(end ?? last, last)
    rowCount += 1
    lastRowLine = record.line
    let isDetail = kind == .financeDetail
    rows.append(
      FinanceRow(
        line: record.line, quantity: quantity, extended: extended, terms: code,
        transactionDay: isDetail ? first : nil, settlementDay: isDetail ? last : nil))
    return 1
  }

  /// Hands over the rows and footers since the last block, with the terms that are new with them.
  mutating func takeBlock() -> FactBlock {
    var block = FactBlock(rows: .finance(kind, rows))
    block.newFinanceTerms = terms.takeFresh()
    block.footers = footers
    rows = []
    footers = []
    rows.reserveCapacity(min(block.rowCount, FactBlock.rowLimit))
    return block
  }

  /// The days and the sums of all rows, with warnings about what the report states otherwise of
  /// itself.
  func summary(_ log: ReadingLog) throws -> RowSummary {
    unknown.warn(log, help: unknownRowsHelp)
    if mismatches.count > 0 {
      let found = decimalText(micros: mismatches.found)
      let expected = decimalText(micros: mismatches.expected)
      log.warn(
        "amount", line: mismatches.line,
        mismatches.count == 1
          ? "@apple.extended-partner-share-is-not \(found) \(expected)"
          : """
          @apple.extended-partner-share-is-not-quantity \(mismatches.count) \(found) \
          \(expected)
          """,
        help: "@apple.extended-share-is-what-counts")
    }
    if log.rejectedCount == 0 { warnOfContradictions(log) }
    var totals = TotalsByCurrency()
    for sum in sums {
      let price = Int64(sum.terms.customerPrice.magnitude)
      totals.add(
        sum.terms.customerCurrency ?? sum.terms.currency, units: sum.quantity, price: price)
      totals.add(sum.terms.currency, proceeds: sum.extended)
    }
    return RowSummary(begin: begin, end: end, totals: try totals.totals(file: log.file))
  }

  /// One warning for all that the report states of itself and its rows do not come to.
  private func warnOfContradictions(_ log: ReadingLog) {
    var places: [FinancePlace: StatedTotals.Sum] = [:]
    for sum in sums {
      let place = FinancePlace(storefront: sum.terms.storefront, currency: sum.terms.currency)
      places[place, default: .init()].add(sum.quantity, sum.extended)
    }
    let found = stated.contradictions(rows: rowCount, places)
    guard let first = found.first else { return }
    let more = found.count - 1
    log.warn(
      "footer", line: Int(first.line),
      more == 0 ? first.message : "@apple.further-contradictions \(first.message) \(more)",
      help: "@apple.report-contradicts-itself-it-may")
  }

  /// The file's field of a column; −1 where it has none.
  private func field(_ column: FinanceColumn) -> Int { columns[column.rawValue] }
  /// The column's name in this kind of report, for diagnostics.
  private func name(_ column: FinanceColumn) -> String { column.name(in: kind) }

  /// Notes a row whose extended share differs from quantity × share (micro-units) by over a
  /// hundredth.
  private mutating func checkExtended(
    _ quantity: Int32, _ extended: Int64, share: Int64, line: Int32
  ) {
    // A share is at most 10¹⁵ micro-units: up to 4,000 units nothing can leave 64 bits.
    let expected =
      quantity.magnitude <= 4000
      ? Int128(share &* Int64(quantity)) : Int128(share) * Int128(quantity)
    guard (expected - Int128(extended)).magnitude > 10_000 else { return }
    if mismatches.count == 0 {
      mismatches.line = Int(line)
      mismatches.found = extended
      mismatches.expected = Int64(clamping: expected)
    }
    mismatches.count += 1
  }
}

// MARK: - Values of a row

extension FinanceReader {
  /// Throws a diagnostic for a row whose last day comes before its first, or whose days are not
  /// those of the rows before it: all rows of a report are of one fiscal month.
  private func checkMonth(_ record: Record, _ first: Day, _ last: Day) throws(RecordDiagnostic) {
    if first > last {
      throw RecordDiagnostic(
        field(.lastDate), "date",
        "@apple.end-date-comes-before-the-start \(shown(record[field(.lastDate)]))",
        help: "@apple.download-the-report-again")
    }
    guard let begin, let end, begin != first || end != last else { return }
    throw RecordDiagnostic(
      field(.firstDate), "date",
      "@apple.row-covers-and-the-rows \(first) \(last) \(begin) \(end)",
      help: "@apple.financial-report-covers-one-fiscal")
  }

  /// The row's extended share in micro-units; throws a diagnostic when it is blank, no amount or
  /// too large.
  private func extended(_ record: Record) throws(RecordDiagnostic) -> Int64 {
    let bytes = trimmed(record[field(.extended)])
    if bytes.isEmpty { throw record.blankDiagnostic(field(.extended), name(.extended)) }
    guard let amount = micros(decimal: bytes) else {
      throw record.amountDiagnostic(field(.extended), name(.extended))
    }
    guard amount.magnitude <= Self.extendedLimit else {
      throw RecordDiagnostic(
        field(.extended), "amount",
        "@apple.is-larger-than-a-trillion \(name(.extended)) \(shown(bytes))",
        help: "@apple.decimal-point-may-have-been")
    }
    return amount
  }

  /// Reads and keeps terms that no row before had; returns their code, by which rows name them.
  @inline(never)
  private mutating func newTerms(_ record: Record) throws(RecordDiagnostic) -> Int32 {
    /// The row's trimmed text in a column.
    func text(_ column: FinanceColumn) -> String { record.text(field(column)) }
    let type = try record.requiredText(field(.type), name(.type))
    if text(.sku).isEmpty, text(.appleIdentifier).isEmpty {
      throw record.blankDiagnostic(field(.sku), name(.sku))
    }
    guard
      let storefront = try record.storefront(field(.storefront), name(.storefront), storefronts)
    else { throw record.blankDiagnostic(field(.storefront), name(.storefront)) }
    guard let currency = try record.currency(field(.currency), name(.currency)) else {
      throw record.blankDiagnostic(field(.currency), name(.currency))
    }
    let price = try record.amount(
      field(.customerPrice), name(.customerPrice), mayBeNegative: true)
    let value = FinanceTerms(
      storefront: storefront, sku: text(.sku), appleIdentifier: text(.appleIdentifier),
      type: ProductType(type), title: text(.title), isReturn: try isReturn(record),
      share: try share(record), currency: currency, customerPrice: price ?? 0,
      customerCurrency: try record.currency(field(.customerCurrency), name(.customerCurrency)),
      promoCode: text(.promoCode), orderType: text(.orderType))
    if value.customerPrice != 0, value.customerCurrency == nil {
      throw record.blankDiagnostic(field(.customerCurrency), name(.customerCurrency))
    }
    if !ProductType(type).isKnown {
      unknown.add(unknownWord("Product Type Identifier", record[field(.type)]), line: record.line)
    }
    let code = terms.insert(value, for: record)
    if Int(code) == sums.count { sums.append(TermsSum(terms: value)) }
    return code
  }

  /// What one unit brings the developer, in micro-units.
  private func share(_ record: Record) throws(RecordDiagnostic) -> Int64 {
    guard let share = try record.amount(field(.share), name(.share), mayBeNegative: true) else {
      throw record.blankDiagnostic(field(.share), name(.share))
    }
    return share
  }

  /// Whether the row is a return: by `S` or `R`; where the column is blank, by the sign of its
  /// price.
  private func isReturn(_ record: Record) throws(RecordDiagnostic) -> Bool {
    let words = ["S": false, "R": true]
    let told = try record.word(
      field(.sign), name(.sign), allowed: ["S", "R"], { words[$0.uppercased()] })
    return told ?? trimmed(record[field(.customerPrice)]).starts(with: "-".utf8)
  }

  /// What is wrong with a quantity that is blank or no whole number.
  @inline(never)
  private func quantityFault(_ record: Record) -> RecordDiagnostic {
    let bytes = record[field(.quantity)]
    if trimmed(bytes).isEmpty { return record.blankDiagnostic(field(.quantity), name(.quantity)) }
    return RecordDiagnostic(
      field(.quantity), "units", "@apple.quantity-is-not-a-whole \(shown(bytes))",
      help: "@apple.apple-counts-whole-units-download")
  }

  /// What is wrong with a column that has no date.
  @inline(never)
  private func dateFault(_ record: Record, _ column: FinanceColumn) -> RecordDiagnostic {
    let bytes = record[field(column)]
    if trimmed(bytes).isEmpty { return record.blankDiagnostic(field(column), name(column)) }
    return RecordDiagnostic(
      field(column), "date", "@shared.is-not-a-date \(name(column)) \(shown(bytes))",
      help: "@apple.apple-writes-mm-dd-yyyy")
  }
}

// MARK: - Below the rows

extension FinanceReader {
  /// Reads a line below the rows: totals in the words of several years, and the table of
  /// storefronts. Returns 1, or 0 for the header of that table, which is no record.
  @inline(never)
  private mutating func readBelow(_ record: Record) throws(RecordDiagnostic) -> Int {
    let filled = (0..<fieldCount).filter { !trimmed(record[$0]).isEmpty }
    guard let first = filled.first else { throw dateFault(record, .firstDate) }
    if record.text(first).lowercased().hasPrefix("total") {
      let words = filled.map(record.text).joined(separator: " ")
      try keepFooter(total(words, field: first), record)
      return 1
    }
    if Header.normalised(record.text(first)) == "country of sale", filled.count == 4 {
      hasStorefrontTable = true
      return 0
    }
    guard hasStorefrontTable, first == 0, filled.count == 4 else {
      throw dateFault(record, .firstDate)
    }
    try keepFooter(storefrontTotal(record), record)
    return 1
  }

  /// Keeps what a line below the rows states.
  private mutating func keepFooter(_ footer: FinanceFooter, _ record: Record) {
    footers.append(FinanceFooterLine(line: record.line, footer: footer))
    stated.add(footer, line: record.line)
    footerCount += 1
  }

  /// What a total states: `Total_Rows 4`, `Total_Amount:32.68` (before June 2010), `Total 32.68
  /// AUD` (before February 2009).
  private func total(_ line: String, field: Int) throws(RecordDiagnostic) -> FinanceFooter {
    let label = line.prefix { $0 != ":" && $0 != " " }.lowercased()
    let rest = line.dropFirst(label.count).drop { $0 == ":" || $0 == " " }
    let words = rest.split(separator: " ").map { $0.filter { $0 != "," } }
    let currency = words.dropFirst().first.map { Currency($0) }
    let footer: FinanceFooter? =
      switch (label, words.count) {
      case ("total_rows", 1): whole(words[0]).map(FinanceFooter.rows)
      case ("total_units", 1): whole(words[0]).map(FinanceFooter.units)
      case ("total_amount", 1...2), ("total", 1...2):
        micros(decimal: words[0]).flatMap { amount in
          currency == .some(nil) ? nil : .amount(amount, currency ?? nil)
        }
      default: nil
      }
    guard let footer else {
      throw RecordDiagnostic(
        field, "footer", "@apple.line-is-not-a-known \(line.prefix(60))",
        help: "@apple.apple-writes-total-rows-total")
    }
    return footer
  }

  /// The whole number that a text is; nil for any other text.
  private func whole(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8 { wholeNumber(UnsafeRawBufferPointer($0)) }
  }

  /// What a line of the table of storefronts states: country, currency, quantity, share.
  private func storefrontTotal(_ record: Record) throws(RecordDiagnostic) -> FinanceFooter {
    guard let storefront = try record.storefront(0, "country of sale", storefronts),
      let currency = try record.currency(1, "partner share currency")
    else { throw record.blankDiagnostic(0, "country of sale") }
    guard let quantity = whole(record.text(2).filter { $0 != "," }) else {
      throw RecordDiagnostic(
        2, "units", "@apple.quantity-is-not-a-whole \(shown(record[2]))",
        help: "@apple.apple-counts-whole-units-download")
    }
    guard let extended = micros(decimal: record.text(3).filter { $0 != "," }) else {
      throw record.amountDiagnostic(3, "extended partner share")
    }
    return .storefront(storefront, currency, quantity: quantity, extended: extended)
  }
}
