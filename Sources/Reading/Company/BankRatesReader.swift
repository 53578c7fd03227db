internal import Billing

/// Reads a central bank's table of exchange rates as downloaded. Each rate counts as a record;
/// blanks are counted, and lines below the table left out.
struct BankRatesReader: RowReader {
  private let layout: BankRatesLayout
  private var rows: [(line: Int32, ExchangeRate)] = []
  private var seenRates = ToldRates()
  private var first: Day?
  private var last: Day?
  private var blanks = 0
  private(set) var footerCount = 0
  /// Of rates that are published anew as a day goes on, those among the rows, and how many are not.
  private var published: [Published: (clock: Int, place: Int)] = [:]
  private var earlier = 0

  private struct Published: Hashable {
    var day: Day
    var base: Currency
  }

  init(_ layout: BankRatesLayout) { self.layout = layout }

  var pending: Int { rows.count }

  /// Reads a line's rates, and returns how many there are: each is a record.
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    guard let date = day(trimmed(record[layout.date])) else { return try footer(record) }
    var found: [(line: Int32, ExchangeRate)] = []
    /// Appends the rate in a field to `found`: how much of `quote` ten to the power of `scale`
    /// units of `base` are. Where banks write that there is none, it only adds to `blanks`.
    func addRate(
      _ field: Int, _ name: String, _ base: Currency, _ quote: Currency, scale: Int
    ) throws(RecordDiagnostic) {
      if Self.isBlank(trimmed(record[field])) {
        blanks += 1
        return
      }
      let rate = try exchangeRate(record, field, name, scale: scale)
      if layout.isPerHundred, base.code == "USD", rate.value < Fraction(1) {
        throw RecordDiagnostic(
          field, "rate", "@company.rates-are-not-for-100 \(name) \(shown(record[field]))",
          help: "@company.write-each-rate-with-its-pair")
      }
      let row = ExchangeRate(date: date, base: base, quote: quote, rate: rate)
      try seenRates.add(row, line: record.line, field)
      found.append((record.line, row))
    }
    switch layout.form {
    case .wide(let quotes):
      for quote in quotes {
        try addRate(quote.field, quote.name, quote.base, quote.quote, scale: quote.scale)
      }
    case .series(let base, let quote, let rate, let frequency, let multiplier):
      if let frequency, record.text(frequency) != "D" {
        throw RecordDiagnostic(
          frequency, "rate", "@company.rate-is-of-no-day \(shown(record[frequency]))",
          help: "@company.download-daily-rates")
      }
      if let multiplier, !["", "0"].contains(record.text(multiplier)) {
        throw RecordDiagnostic(
          multiplier, "rate", "@company.units-are-not-a-power-of-ten \(shown(record[multiplier]))",
          help: "@company.write-each-rate-with-its-pair")
      }
      try addRate(
        rate, "OBS_VALUE", try currency(record, base), try currency(record, quote), scale: 0)
    case .chinese(let name, let rate, let title, let time):
      let currencyName = record.text(name)
      guard let base = Currency(chineseCurrencies[currencyName] ?? currencyName) else {
        throw RecordDiagnostic(
          name, "currency", "@company.currency-name-is-not-known \(shown(record[name]))",
          help: "@company.leave-the-line-out")
      }
      let (yuan, clock) = (Currency("CNY")!, Self.clock(record.text(time)))
      let key = Published(day: date, base: base)
      guard let known = published[key], !Self.isBlank(trimmed(record[rate])) else {
        try addRate(rate, title, base, yuan, scale: 2)
        if !found.isEmpty { published[key] = (clock, rows.count) }
        break
      }
      let last = try exchangeRate(record, rate, title, scale: 2)
      let row = ExchangeRate(date: date, base: base, quote: yuan, rate: last)
      let (line, before) = rows[known.place]
      if clock == known.clock, before.rate != last {
        throw ToldRates.contradiction(row, told: before.rate, line: line, rate)
      }
      // The last of a day is the day's.
      if clock > known.clock {
        rows[known.place] = (record.line, row)
        published[key] = (clock, known.place)
      }
      earlier += 1
      footerCount += 1
      return 1
    }
    rows += found
    first = min(first ?? date, date)
    last = max(last ?? date, date)
    return found.count
  }

  /// Seconds since midnight of the time that a text ends with; 0 where it has none.
  private static func clock(_ text: String) -> Int {
    let parts = (text.split(separator: " ").last ?? "").split(separator: ":")
      .compactMap(plainNumber)
    guard parts.count > 1 else { return 0 }
    return parts[0] * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
  }

  /// The currency in a field; throws a diagnostic when it is blank or none.
  private func currency(_ record: Record, _ field: Int) throws(RecordDiagnostic) -> Currency {
    guard let currency = try record.currency(field, "CURRENCY") else {
      throw record.blankDiagnostic(field, "CURRENCY")
    }
    return currency
  }

  /// Passes over a line without a date and without rates, as banks put below a table, and returns
  /// 1. Throws a diagnostic for any other line without a date.
  private mutating func footer(_ record: Record) throws(RecordDiagnostic) -> Int {
    let bytes = trimmed(record[layout.date])
    if case .wide(let quotes) = layout.form,
      quotes.allSatisfy({ Self.isBlank(trimmed(record[$0.field])) })
    {
      footerCount += 1
      return 1
    }
    if bytes.isEmpty { throw record.blankDiagnostic(layout.date, "Date") }
    let text = String(decoding: bytes, as: UTF8.self)
    if text.utf8.count == 7, Day(text + "-01") != nil {
      throw RecordDiagnostic(
        layout.date, "rate", "@company.rate-is-of-a-month \(text)",
        help: "@company.download-the-daily-series")
    }
    if layout.dates == nil, MappingHint(day: bytes) != nil {
      throw RecordDiagnostic(
        layout.date, "date", "@company.order-of-the-date-is-not-sure \(shown(bytes))",
        help: "@company.download-again-and-do-not-save")
    }
    throw RecordDiagnostic(
      layout.date, "date", "@company.date-is-not-a-date \(shown(bytes))",
      help: "@company.bank-writes-17-september-2026")
  }

  /// Whether the bytes are what banks write where there is no rate.
  private static func isBlank(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return ["", "N/A", "ND", "-", "--", "---", ".", "NaN", "-9999"].contains(text)
  }

  /// The day that a text names: `2026-09-17`, `2026/9/17 9:30`, `2026.09.17`, `17 September 2026`;
  /// and `9/17/26` where other rows show what comes first. Nil for any other text.
  private func day(_ bytes: UnsafeRawBufferPointer) -> Day? {
    if let day = isoDay(bytes) ?? namedDay(bytes) { return day }
    let text = String(decoding: bytes, as: UTF8.self)
    let day = text.prefix { $0 != " " && $0 != "T" }
    let parts = day.split { "-/.年月日".contains($0) }.compactMap(plainNumber)
    guard parts.count == 3, day.first?.isNumber == true else { return nil }
    if parts[0] > 1900 { return Day(year: parts[0], month: parts[1], day: parts[2]) }
    guard let order = layout.dates, parts[0] < 32 else { return nil }
    // Spreadsheets write two digits of a year, from 1930 on.
    let year = parts[2] > 99 ? parts[2] : parts[2] + (parts[2] < 30 ? 2000 : 1900)
    return order == .mdy
      ? Day(year: year, month: parts[0], day: parts[1])
      : Day(year: year, month: parts[1], day: parts[0])
  }

  mutating func takeBlock() -> FactBlock {
    defer { (rows, published) = ([], [:]) }
    return FactBlock(rows: .rates(rows))
  }

  func summary(_ log: ReadingLog) -> RowSummary {
    ColumnMap(unknown: layout.unread).warnAboutUnknown(log, line: 0)
    var summary = RowSummary(begin: first, end: last)
    if blanks > 0 {
      summary.tallies = [
        Tally(
          what: "@company.places-without-a-rate", one: "@company.place-without-a-rate",
          count: blanks)
      ]
    }
    if earlier > 0 {
      summary.tallies.append(
        Tally(
          what: "@company.earlier-rates-of-a-day-are-left-out",
          one: "@company.earlier-rate-of-a-day-is-left-out", count: earlier))
    }
    return summary
  }
}

/// Reads the European Central Bank's `eurofxref` as XML, of a day or of all: a piece per day.
struct EuropeanXMLReader: PieceReader {
  private var rows: [(line: Int32, ExchangeRate)] = []
  private var seenRates = ToldRates()
  private var first: Day?
  private var last: Day?

  static let mark = "eurofxref"

  var pending: Int { rows.count }

  /// The bytes up to the end of a day's rates; nil where it is not there yet.
  func length(ofPieceIn text: UnsafeRawBufferPointer) -> Int? {
    endOfTag("</Cube>", in: text)
  }

  /// Reads the rates of a day, and returns how many there are: each is a record.
  mutating func read(
    _ piece: UnsafeRawBufferPointer, line: Int32
  ) throws(RecordDiagnostic) -> Int {
    let text = String(decoding: piece, as: UTF8.self)
    var date: Day?
    var found: [(line: Int32, ExchangeRate)] = []
    var number = line
    for part in text.split(separator: "<", omittingEmptySubsequences: false) {
      defer { number += Int32(part.count { $0 == "\n" }) }
      if let dayText = Self.value("time", part) {
        guard let day = Day(dayText) else { throw wrong(dayText) }
        date = day
      }
      guard let code = Self.value("currency", part), let rate = Self.value("rate", part) else {
        continue
      }
      guard let date, let quote = Currency(code) else { throw wrong(code) }
      let decimal = Array(rate.utf8).withUnsafeBytes { DecimalRate(decimal: $0) }
      guard let decimal, decimal.digits > 0 else { throw wrong(rate) }
      let row = ExchangeRate(date: date, base: Currency("EUR")!, quote: quote, rate: decimal)
      try seenRates.add(row, line: number, 0)
      found.append((number, row))
      (first, last) = (min(first ?? date, date), max(last ?? date, date))
    }
    rows += found
    return found.count
  }

  /// What is wrong with a text that is no day, currency or rate.
  private func wrong(_ text: some StringProtocol) -> RecordDiagnostic {
    RecordDiagnostic(
      nil, "rate", "@company.is-no-rate-of-the-bank \(String(text))", offset: 0,
      help: "@company.download-the-file")
  }

  /// The value of an attribute, between quotation marks of either kind; nil for none.
  private static func value(_ name: String, _ part: Substring) -> Substring? {
    guard let start = part.firstRange(of: "\(name)=")?.upperBound, start < part.endIndex else {
      return nil
    }
    let mark = part[start]
    guard mark == "\"" || mark == "'" else { return nil }
    return part[part.index(after: start)...].prefix { $0 != mark }
  }

  mutating func takeBlock() -> FactBlock {
    defer { rows = [] }
    return FactBlock(rows: .rates(rows))
  }

  func summary(_ log: ReadingLog) -> RowSummary { RowSummary(begin: first, end: last) }
}
