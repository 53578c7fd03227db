internal import Billing

/// Reads exchange rates: `date, base, quote, rate`.
struct RatesReader: RowReader {
  private let columns: [Int]
  private var rows: [(line: Int32, ExchangeRate)] = []
  private var first: Day?
  private var last: Day?

  init(_ map: ColumnMap) { columns = map.fields }

  var pending: Int { rows.count }

  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    func field(_ name: String) -> Int { columns[CompanyTable.rates.index(name)] }
    func required<Value>(_ value: Value?, _ name: String) throws(RecordDiagnostic) -> Value {
      guard let value else { throw record.blankDiagnostic(field(name), name) }
      return value
    }
    let date = try required(record.isoDate(field("date"), "date"), "date")
    let base = try required(record.currency(field("base"), "base"), "base")
    let quote = try required(record.currency(field("quote"), "quote"), "quote")
    let rate = try exchangeRate(record, field("rate"), "rate")
    rows.append((record.line, ExchangeRate(date: date, base: base, quote: quote, rate: rate)))
    first = min(first ?? date, date)
    last = max(last ?? date, date)
    return 1
  }

  mutating func takeBlock() -> FactBlock {
    defer { rows = [] }
    return FactBlock(rows: .rates(rows))
  }

  func summary(_ log: ReadingLog) -> RowSummary { RowSummary(begin: first, end: last) }
}

/// A rate above zero with at most six places.
func exchangeRate(_ record: Record, _ field: Int, _ name: String) throws(RecordDiagnostic) -> Int64
{
  guard let rate = try record.amount(field, name, mayBeNegative: true) else {
    throw record.blankDiagnostic(field, name)
  }
  guard rate > 0 else {
    throw RecordDiagnostic(
      field, "rate", "\(name) is not above zero: \(shown(record[field]))",
      help: "write how much of the quote currency one unit of the base currency is worth")
  }
  return rate
}
