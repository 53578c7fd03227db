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

/// What the bank statements in the ledger say.
package struct BankFacts: Sendable {
  /// Ascending by day; what two statements repeat stands once.
  package var credits: [(credit: BankCredit, source: Source)] = []
  /// Days that statements cover, from the first line to the last of each.
  package var spans: [ClosedRange<Day>] = []

  package init() {}
}
