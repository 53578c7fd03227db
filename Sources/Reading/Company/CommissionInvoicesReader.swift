internal import Billing

/// Reads Apple's invoices of commission on external purchases, a line per app.
struct CommissionInvoicesReader: RowReader {
  private let columns: [Int]
  private var rows: [(line: Int32, CommissionInvoice)] = []
  private var first: Day?
  private var last: Day?

  init(_ map: ColumnMap) { columns = map.fields }

  var pending: Int { rows.count }

  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    func field(_ name: String) -> Int { columns[CompanyTable.commissionInvoices.index(name)] }
    func required<Value>(_ value: Value?, _ name: String) throws(RecordDiagnostic) -> Value {
      guard let value else { throw record.blankDiagnostic(field(name), name) }
      return value
    }
    func amount(_ name: String) throws(RecordDiagnostic) -> Int64? {
      try record.amount(field(name), name, mayBeNegative: true)
    }
    let text = try record.requiredText(field("billing_period"), "billing_period")
    guard let period = Period(text) else {
      throw RecordDiagnostic(
        field("billing_period"), "date",
        """
        billing_period is neither a month nor a span of days: \
        \(shown(record[field("billing_period")]))
        """,
        help: "write the month, 2026-10, or its days, 2026-10-01..2026-10-31")
    }
    let invoice = CommissionInvoice(
      number: try record.requiredText(field("invoice_number"), "invoice_number"),
      first: period.first, last: period.last, app: record.text(field("app")),
      currency: try required(record.currency(field("currency"), "currency"), "currency"),
      amount: try required(amount("amount"), "amount"), tax: try amount("tax") ?? 0,
      total: try required(amount("total"), "total"),
      due: try required(record.isoDate(field("due"), "due"), "due"))
    guard invoice.amount + invoice.tax == invoice.total else {
      throw RecordDiagnostic(
        field("total"), "amount", "total is not amount and tax together",
        help: """
          correct the row by Apple's invoice: nothing is set off by a total that does not add up
          """)
    }
    rows.append((record.line, invoice))
    first = min(first ?? period.first, period.first)
    last = max(last ?? period.last, period.last)
    return 1
  }

  mutating func takeBlock() -> FactBlock {
    defer { rows = [] }
    return FactBlock(rows: .commissionInvoices(rows))
  }

  func summary(_ log: ReadingLog) -> RowSummary { RowSummary(begin: first, end: last) }
}
