/// An amount on a bank statement.
package struct BankCredit: Hashable, Sendable {
  /// The day on which the bank booked it.
  package var day: Day
  /// Micro-units of `currency`; below zero for a debit.
  package var amount: Int64
  package var currency: Currency
  /// What the bank says of it, as the statement has it; empty where it has nothing.
  package var reference: String
  /// The day from which it bears interest; nil where the statement has none.
  package var valueDay: Day?
  /// Who paid, or who was paid, as the statement has it; empty where it does not say.
  package var payer: String

  package init(
    day: Day, amount: Int64, currency: Currency, reference: String, valueDay: Day? = nil,
    payer: String = ""
  ) {
    self.day = day
    self.amount = amount
    self.currency = currency
    self.reference = reference
    self.valueDay = valueDay
    self.payer = payer
  }

  /// Who paid, and what for: what tells entries of a day and an amount apart, however the statement
  /// divides it.
  package var text: String {
    payer.isEmpty || reference.isEmpty ? payer + reference : payer + ", " + reference
  }
}

extension BankCredit {
  /// Whether the bank's text names a company of Apple's: `Apple Distribution International`, `Apple
  /// Inc.`, `Apple Pty Limited`, `Apple Canada Inc.`, `iTunes K.K.`, `Apple Services Latam` (App
  /// Store Connect, "Apple legal entities", 2024), or what banks cut these to.
  package var namesApple: Bool { Self.isApple(text) }

  private static func isApple(_ text: String) -> Bool {
    let text = text.lowercased()
    if ["苹果", "アップル", "ｱﾂﾌﾟﾙ", "ｱｯﾌﾟﾙ", "애플"].contains(where: text.contains) { return true }
    return text.split { !$0.isLetter }.contains { word in
      word == "apple" || word == "itunes"
        || ["appledist", "appleserv", "applecanada", "applepty", "appleinc", "itunesk"]
          .contains(where: word.hasPrefix)
    }
  }
}

extension BankCredit {
  /// Whether a debit takes `credit` back: it is of the same amount, not earlier, and of the same
  /// party. Without a name it may be any payment.
  package func takesBack(_ credit: BankCredit) -> Bool {
    guard amount < 0, amount == -credit.amount, currency == credit.currency, day >= credit.day
    else { return false }
    // A transfer of one's own may name in its text what it is made of.
    let party = payer.isEmpty ? reference : payer
    let payer = credit.payer.isEmpty ? credit.reference : credit.payer
    return Self.isApple(party) && credit.namesApple
      || !party.isEmpty && party.lowercased() == payer.lowercased()
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
        "description", "details", "narrative", "memo", "附言", "摘要", "Verwendungszweck",
        "Buchungstext",
      ]),
    CompanyColumn(
      "value_date", .day(.ifSaid(\.valueDay)), "@company.day-from-which-it-bears", "2023-08-04",
      called: ["value_day", "Valuta", "Valutadatum", "Wertstellung", "起息日"], stored: "value_day",
      view: "@company.day-from-which-it-bears"),
    CompanyColumn(
      "payer", .text(\.payer), "@company.who-paid", "Apple Distribution International",
      called: [
        "counterparty", "counterparty_name", "name", "对方户名", "对方账户名", "对手信息", "交易对方",
        "Auftraggeber", "Zahlungspflichtiger", "Begünstigter/Zahlungspflichtiger",
        "Beguenstigter/Zahlungspflichtiger", "Name Zahlungsbeteiligter",
      ], view: "@company.who-paid"),
  ]
}

/// What the bank statements in the ledger say.
package struct BankFacts: Sendable {
  /// Ascending by day; what two statements repeat stands once.
  package var credits: [(credit: BankCredit, source: Source)] = []
  /// Days that statements cover, from the first line to the last of each; none of a statement with
  /// rejected lines.
  package var spans: [ClosedRange<Day>] = []

  package init() {}
}
