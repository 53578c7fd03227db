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
