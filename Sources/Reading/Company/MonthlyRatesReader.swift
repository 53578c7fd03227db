internal import Billing

/// Reads rates that hold from one day to another, as a tax office publishes them for its months: a
/// line per currency, so many units for one of the base that the heading names (`Currency Units per
/// £1`). Each line is a rate of each of its days.
struct MonthlyRatesReader: RowReader {
  private let layout: MonthlyRatesLayout
  private var rows: [(line: Int32, ExchangeRate)] = []
  private var seenRates = ToldRates()
  private var first: Day?
  private var last: Day?

  init(_ layout: MonthlyRatesLayout) { self.layout = layout }

  var pending: Int { rows.count }

  /// Reads a line, whose rate is one of each of its days, and returns how many days these are: each
  /// is a record.
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    guard let currency = try record.currency(layout.currency, "currency code") else {
      throw record.blankDiagnostic(layout.currency, "currency code")
    }
    let rate = try exchangeRate(record, layout.rate, "rate")
    let (begin, end) = (try day(record, layout.begin), try day(record, layout.end))
    guard begin <= end, begin.distance(to: end) < Self.mostDays else {
      throw RecordDiagnostic(
        layout.end, "date", "@company.rate-holds-from-to \(begin) \(end)",
        help: "@company.write-a-span-of-a-year-at-most")
    }
    var found: [(line: Int32, ExchangeRate)] = []
    for number in begin.number...end.number {
      let row = ExchangeRate(
        date: Day(number: number), base: layout.base, quote: currency, rate: rate)
      try seenRates.add(row, line: record.line, layout.rate)
      found.append((record.line, row))
    }
    rows += found
    (first, last) = (min(first ?? begin, begin), max(last ?? end, end))
    return found.count
  }

  /// Longer spans are mistakes.
  private static let mostDays = 366

  /// The day in a field: `2026-07-31`, `31/07/2026` as the tax office writes it, or `31-Jul-26` as
  /// spreadsheets do.
  private func day(_ record: Record, _ field: Int) throws(RecordDiagnostic) -> Day {
    let bytes = trimmed(record[field])
    if bytes.isEmpty { throw record.blankDiagnostic(field, "date") }
    if let day = isoDay(bytes) ?? namedDay(bytes) { return day }
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "/").map { Int($0) }
    guard parts.count == 3, let day = parts[0], let month = parts[1], let year = parts[2],
      let date = Day(year: year, month: month, day: day)
    else {
      throw RecordDiagnostic(
        field, "date", "@company.date-is-not-a-date \(shown(bytes))",
        help: "@company.write-the-day-first")
    }
    return date
  }

  mutating func takeBlock() -> FactBlock {
    defer { rows = [] }
    return FactBlock(rows: .rates(rows))
  }

  func summary(_ log: ReadingLog) -> RowSummary { RowSummary(begin: first, end: last) }
}

/// Where a table of rates from day to day has its columns.
struct MonthlyRatesLayout {
  let base: Currency
  let currency: Int
  let rate: Int
  let begin: Int
  let end: Int

  /// Finds the columns by the header of a table whose rates hold from one day to another; nil for
  /// any other header.
  init?(_ header: Header) {
    let names = header.names
    guard let begin = names.firstIndex(of: "start date"),
      let end = names.firstIndex(of: "end date"),
      let currency = names.firstIndex(of: "currency code"),
      let rate = names.firstIndex(where: { $0.contains(" per ") }),
      let base = Self.base(header.printed[rate])
    else { return nil }
    (self.base, self.currency, self.rate, self.begin, self.end) = (base, currency, rate, begin, end)
  }

  /// Throws a diagnostic for a table of rates per unit of one currency that does not say on which
  /// days they hold, as tables of a year's average or of one day do not.
  static func refuseWithoutDays(_ header: Header) throws {
    guard header.has("currency code"), header.printed.contains(where: { base($0) != nil }) else {
      return
    }
    throw Diagnostic(
      topic: "column", at: SourceLocation(file: header.file, line: header.line),
      "@company.rates-name-no-days", help: "@company.add-start-and-end-date")
  }

  /// The currency of one unit that a heading names: `GBP` of `Currency Units per £1`; nil for none.
  private static func base(_ heading: String) -> Currency? {
    guard let one = heading.split(separator: " ").last, one.hasSuffix("1"),
      heading.lowercased().contains(" per ")
    else { return nil }
    let unit = String(one.dropLast())
    return ["£": "GBP", "€": "EUR", "US$": "USD"][unit].flatMap { Currency($0) } ?? Currency(unit)
  }
}
