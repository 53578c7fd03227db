/// One line of Apple's invoices of commission on purchases outside the App Store: Apple does not
/// take it from proceeds, but may set unpaid invoices off against a payment (PRICING.md, section 3,
/// as of 2026-11-20: invoices come about 15 days after the month and are due in 30).
package struct CommissionInvoice: Hashable, Sendable {
  /// What lines of one invoice share: of one number in two currencies are two invoices.
  package struct Key: Hashable, Comparable, Sendable {
    package var number: String
    package var currency: Currency

    package init(number: String, currency: Currency) {
      self.number = number
      self.currency = currency
    }

    package static func < (left: Self, right: Self) -> Bool {
      (left.number, left.currency) < (right.number, right.currency)
    }
  }

  package var key: Key { Key(number: number, currency: currency) }

  package var number: String
  /// The days whose purchases it bills, both included.
  package var first: Day
  package var last: Day
  /// The app as Apple names it; empty where the invoice does not tell.
  package var app: String
  package var currency: Currency
  /// Micro-units: commission, tax on it, and both together.
  package var amount: Int64
  package var tax: Int64
  package var total: Int64
  /// The day by which it is to be paid.
  package var due: Day

  package init(
    number: String, first: Day, last: Day, app: String, currency: Currency, amount: Int64,
    tax: Int64, total: Int64, due: Day
  ) {
    self.number = number
    self.first = first
    self.last = last
    self.app = app
    self.currency = currency
    self.amount = amount
    self.tax = tax
    self.total = total
    self.due = due
  }
}

extension CommissionInvoice: ListedRow {
  package static let blank = CommissionInvoice(
    number: "", first: Day(number: 0), last: Day(number: 0), app: "", currency: .blank, amount: 0,
    tax: 0, total: 0, due: Day(number: 0))

  package static let columns: [CompanyColumn<Self>] = [
    CompanyColumn(
      "invoice_number", .code(\.number), required: true, "@company.number-of-apple-invoice",
      "AEI-2026-000123"),
    CompanyColumn(
      "billing_period", .own(.plain), required: true, "@company.month-that-it-bills",
      "2026-10"),
    .currency(
      .currency(.always(\.currency)), required: true,
      "@company.currency-of-the-invoice-by", "EUR"),
    .amount(.balance(\.amount), "@company.commission-without-tax", "100.00"),
    CompanyColumn(
      "total", .balance(\.total), required: true, "@company.commission-and-its-tax", "119.00"),
    CompanyColumn(
      "due", .day(.always(\.due)), required: true, "@company.day-by-which-it-is",
      "2026-11-30"),
    CompanyColumn("app", .text(\.app), "@company.app-that-it-is-about", "com.example.app"),
    CompanyColumn("tax", .balance(\.tax), "@company.tax-on-the-commission", "19.00"),
  ]
}
