internal import Billing

/// Reads a bank statement: `date, amount, currency, reference`.
struct BankReader: RowReader {
  private let columns: [Int]
  private var rows: [(line: Int32, BankCredit)] = []
  private var first: Day?
  private var last: Day?

  init(_ map: ColumnMap) { columns = map.fields }

  var pending: Int { rows.count }

  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    func field(_ name: String) -> Int { columns[CompanyTable.bank.index(name)] }
    func required<Value>(_ value: Value?, _ name: String) throws(RecordDiagnostic) -> Value {
      guard let value else { throw record.blankDiagnostic(field(name), name) }
      return value
    }
    let day = try required(record.isoDate(field("date"), "date"), "date")
    let amount = try required(
      record.amount(field("amount"), "amount", mayBeNegative: true), "amount")
    let currency = try required(record.currency(field("currency"), "currency"), "currency")
    rows.append(
      (
        record.line,
        BankCredit(
          day: day, amount: amount, currency: currency, reference: record.text(field("reference")))
      ))
    first = min(first ?? day, day)
    last = max(last ?? day, day)
    return 1
  }

  mutating func takeBlock() -> FactBlock {
    defer { rows = [] }
    return FactBlock(rows: .bank(rows))
  }

  func summary(_ log: ReadingLog) -> RowSummary { RowSummary(begin: first, end: last) }
}
