/// An amount on a bank statement.
package struct BankCredit: Hashable, Sendable {
  /// The day on which the bank booked it.
  package var day: Day
  /// Micro-units of `currency`; below zero for a debit.
  package var amount: Int64
  package var currency: Currency
  /// As the statement has it; empty where it has none.
  package var reference: String

  package init(day: Day, amount: Int64, currency: Currency, reference: String) {
    self.day = day
    self.amount = amount
    self.currency = currency
    self.reference = reference
  }
}

extension BankCredit: ListedRow {
  package static let blank = BankCredit(
    day: Day(number: 0), amount: 0, currency: .blank, reference: "")

  package static let columns: [CompanyColumn<Self>] = [
    .date(.day(.always(\.day)), "@company.day-on-which-the-bank", "2023-08-03"),
    .amount(
      .balance(\.amount), "@company.amount-received-an-amount-paid", "48399.21"),
    .currency(
      .currency(.always(\.currency)), required: true,
      "@company.account-currency-by-its-three"),
    CompanyColumn(
      "reference", .text(\.reference),
      "@company.bank-text-which-identifies",
      "APPLE 85127269"),
  ]
}

/// What the bank statements in the ledger say.
package struct BankFacts: Sendable {
  /// Ascending by day; what two statements repeat stands once.
  package var credits: [(credit: BankCredit, source: Source)] = []
  /// Days that statements cover, from the first line to the last of each.
  package var spans: [ClosedRange<Day>] = []

  package init() {}
}
