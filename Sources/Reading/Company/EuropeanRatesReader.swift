internal import Billing

/// Reads the European Central Bank's `eurofxref` file as downloaded: a line per day, a column per
/// currency, 1 EUR = x. Each rate counts as a record.
struct EuropeanRatesReader: RowReader {
  private let dateField: Int
  private let quotes: [(field: Int, currency: Currency)]
  private var rows: [(line: Int32, ExchangeRate)] = []
  private var told = ToldRates()
  private var first: Day?
  private var last: Day?

  init(_ header: Header) throws {
    dateField = 0
    var quotes: [(field: Int, currency: Currency)] = []
    for (field, printed) in header.printed.enumerated().dropFirst() where !printed.isEmpty {
      guard let currency = Currency(printed) else {
        throw header.diagnostic(
          "@company.column-is-not-a-currency \(printed)",
          help: "@company.download-the-file")
      }
      if quotes.contains(where: { $0.currency == currency }) {
        throw header.diagnostic(
          "@shared.column-occurs-twice \(printed)", help: "@shared.leave-one-of-them-out")
      }
      quotes.append((field, currency))
    }
    self.quotes = quotes
  }

  var pending: Int { rows.count }

  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    let date = try date(record)
    var found: [(line: Int32, ExchangeRate)] = []
    for quote in quotes {
      let bytes = trimmed(record[quote.field])
      if bytes.isEmpty || bytes.elementsEqual("N/A".utf8) { continue }
      let rate = try exchangeRate(record, quote.field, quote.currency.code)
      let row = ExchangeRate(
        date: date, base: Currency("EUR")!, quote: quote.currency, rate: rate)
      try told.add(row, line: record.line, quote.field)
      found.append((record.line, row))
    }
    rows += found
    first = min(first ?? date, date)
    last = max(last ?? date, date)
    return found.count
  }

  /// `2026-09-17` in the history, `17 September 2026` in the daily file.
  private func date(_ record: Record) throws(RecordDiagnostic) -> Day {
    let bytes = trimmed(record[dateField])
    if bytes.isEmpty { throw record.blankDiagnostic(dateField, "Date") }
    if let day = isoDay(bytes) { return day }
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard words.count == 3, let day = Int(words[0]), let year = Int(words[2]),
      let month = months.firstIndex(of: String(words[1])),
      let date = Day(year: year, month: month + 1, day: day)
    else {
      throw RecordDiagnostic(
        dateField, "date", "@company.date-is-not-a-date \(shown(bytes))",
        help: "@company.bank-writes-17-september-2026")
    }
    return date
  }

  mutating func takeBlock() -> FactBlock {
    defer { rows = [] }
    return FactBlock(rows: .rates(rows))
  }

  func summary(_ log: ReadingLog) -> RowSummary { RowSummary(begin: first, end: last) }
}

extension Header {
  /// Whether this is the header of the bank's file.
  var isEuropeanRates: Bool {
    let currencies = printed.dropFirst().filter { !$0.isEmpty }
    return names.first == "date" && currencies.count >= 2
      && currencies.allSatisfy { Currency($0) != nil }
  }
}
