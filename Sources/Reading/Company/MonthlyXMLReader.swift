internal import Billing

/// Reads a tax office's rates of a month as XML: HMRC's `exchangeRateMonthList`, which names the
/// days on which they hold (`Period="01/Jul/2026 to 31/Jul/2026"`) and how much of each currency a
/// pound is. A piece per currency; each is a rate of each of the days.
struct MonthlyXMLReader: PieceReader {
  private var days: ClosedRange<Day>?
  private var rows: [(line: Int32, ExchangeRate)] = []
  private var seenRates = ToldRates()
  private var isWhole = false
  private var lastLine: Int32 = 0

  static let root = "exchangeRateMonthList"
  static let mark = "<\(root)"

  var pending: Int { rows.count }

  /// The bytes up to the end of a currency's rate; nil where it is not there yet.
  func length(ofPieceIn text: UnsafeRawBufferPointer) -> Int? {
    endOfTag("</exchangeRate>", in: text)
  }

  /// Reads the rate of one currency, which is one of each day of the list, and returns how many
  /// days these are: each is a record.
  mutating func read(
    _ piece: UnsafeRawBufferPointer, line: Int32
  ) throws(RecordDiagnostic) -> Int {
    let text = String(decoding: piece, as: UTF8.self)
    lastLine = line
    if text.contains("</\(Self.root)>") { isWhole = true }
    guard text.contains("<exchangeRate>") else { return 0 }
    if let list = text.firstRange(of: Self.mark) {
      let period = Self.between("Period=\"", "\"", text[list.upperBound...])
      let ends = (period ?? "").split(separator: " ").compactMap { end in
        Array(end.utf8).withUnsafeBytes { isoDay($0) ?? namedDay($0) }
      }
      guard ends.count == 2, ends[0] <= ends[1], ends[0].distance(to: ends[1]) < Self.mostDays
      else { throw wrong(period ?? "") }
      days = ends[0]...ends[1]
    }
    let code = Self.between("<currencyCode>", "<", text[...]) ?? ""
    let rate = Self.between("<rateNew>", "<", text[...]) ?? ""
    guard let days, let quote = Currency(code) else { throw wrong(code) }
    let decimal = Array(rate.utf8).withUnsafeBytes { DecimalRate(decimal: $0) }
    guard let decimal, decimal.digits > 0 else { throw wrong(rate) }
    var found: [(line: Int32, ExchangeRate)] = []
    for number in days.lowerBound.number...days.upperBound.number {
      let row = ExchangeRate(
        date: Day(number: number), base: Currency("GBP")!, quote: quote, rate: decimal)
      try seenRates.add(row, line: line, 0)
      found.append((line, row))
    }
    rows += found
    return found.count
  }

  /// Longer spans are mistakes.
  private static let mostDays = 366

  /// What is wrong with a text that is no period, currency or rate.
  private func wrong(_ text: some StringProtocol) -> RecordDiagnostic {
    RecordDiagnostic(
      nil, "rate", "@company.is-no-rate-of-the-bank \(String(text))", offset: 0,
      help: "@company.download-the-rates-again")
  }

  /// What stands in a text between the first `begin` and the next `end`, trimmed; nil without
  /// `begin`.
  private static func between(_ begin: String, _ end: Character, _ text: Substring) -> Substring? {
    guard let start = text.firstRange(of: begin)?.upperBound else { return nil }
    let value = text[start...].prefix { $0 != end }.drop { $0.isWhitespace }
    guard let last = value.lastIndex(where: { !$0.isWhitespace }) else { return value }
    return value[...last]
  }

  mutating func takeBlock() -> FactBlock {
    defer { rows = [] }
    return FactBlock(rows: .rates(rows))
  }

  /// The days of all rates; throws a diagnostic when the end of the list is missing.
  func summary(_ log: ReadingLog) throws -> RowSummary {
    guard isWhole else {
      throw Diagnostic(
        topic: "cut", at: SourceLocation(file: log.file, line: Int(lastLine)),
        "@company.list-of-rates-is-cut", help: "@company.download-the-rates-again")
    }
    return RowSummary(begin: days?.lowerBound, end: days?.upperBound)
  }
}
