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

extension BankCredit {
  /// Whether the bank's text names a company of Apple's: `Apple Distribution International`, `Apple
  /// Inc.`, `Apple Pty Limited`, `Apple Canada Inc.`, `iTunes K.K.`, `Apple Services Latam` (App
  /// Store Connect, "Apple legal entities", 2024), or what banks cut these to.
  package var namesApple: Bool {
    let text = reference.lowercased()
    if ["苹果", "アップル", "ｱﾂﾌﾟﾙ", "ｱｯﾌﾟﾙ", "애플"].contains(where: text.contains) { return true }
    return text.split { !$0.isLetter }.contains { word in
      word == "apple" || word == "itunes"
        || ["appledist", "appleserv", "applecanada", "applepty", "appleinc", "itunesk"]
          .contains(where: word.hasPrefix)
    }
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
      "APPLE 85127269",
      called: [
        "payer", "counterparty", "description", "details", "narrative", "memo", "对方户名", "对方账户名",
        "对手信息", "交易对方", "附言", "摘要", "Auftraggeber", "Verwendungszweck",
      ]),
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
