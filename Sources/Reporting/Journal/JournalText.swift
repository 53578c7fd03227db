package import Billing

extension Journal {
  /// The journal as CSV, one row per posting: `date, entry, account, currency, amount, base_amount,
  /// rate, narration, rate_day`; debits positive.
  package func csv(_ accounts: Accounts) -> String { List.journal.csv(lines(accounts)) }

  /// The postings as lines of a list, with the names of their accounts and entries.
  func lines(_ accounts: Accounts) -> [JournalLine] {
    entries.enumerated().flatMap { index, entry in
      entry.postings.map {
        JournalLine(
          entry: entry, name: name(ofEntry: index), account: accounts[$0.account],
          amount: $0.amount, base: $0.value(in: base).map { Money(micros: $0, base) },
          used: entry.rates[$0.key])
      }
    }
  }

  /// The first line of a journal for hledger.
  private static func opening(hledger period: String) -> String { "; Apple \(period), by Tieout" }

  /// The first line of a journal for beancount.
  private static func opening(beancount period: String) -> String {
    "option \"title\" \"Apple \(period)\""
  }

  /// The first lines of journals for other programs, where a `*` is any period.
  static var openings: [String] { [opening(hledger: "*"), opening(beancount: "*")] }

  /// The journal as plain text that hledger reads: currencies and accounts declared, so that strict
  /// checks pass.
  package func hledger(_ accounts: Accounts) -> String {
    var text = Self.opening(hledger: "\(period)") + "\n\ndecimal-mark .\n\n"
    for currency in currencies {
      text += "commodity \(currency.minorDigits == 0 ? "1000." : "1000.00") \(currency)\n"
    }
    text += "\n"
    var declared: Set<String> = []
    for role in roles where declared.insert(accounts[role]).inserted {
      text += "account \(accounts[role])  ; type:\(role.hledgerType)\n"
    }
    for (index, entry) in entries.enumerated() {
      let narration = entry.narration.map { $0 == ";" || $0 == "|" ? "," : $0 }
      text += "\n\(entry.day) * (\(name(ofEntry: index))) \(String(narration))\n"
      text += lines(of: entry, indent: 4) { accounts[$0] }
    }
    return text
  }

  /// The journal as plain text that beancount reads; accounts that it would not take have the
  /// nearest name that it does.
  ///
  /// - Parameter base: the currency that reports are made in.
  package func beancount(_ accounts: Accounts, base: Currency) -> String {
    var text = Self.opening(beancount: "\(period)") + "\n"
    text += "option \"operating_currency\" \"\(base)\"\n"
    // It divides what an amount counts for in all by the amount, and has to multiply it again.
    let half = decimalText(micros: base.minorUnit / 2)
    text += "option \"inferred_tolerance_default\" \"\(base):\(half)\"\n\n"
    for name in Set(roles.map(accounts.beancountName)).sorted() {
      text += "1970-01-01 open \(name)\n"
    }
    for (index, entry) in entries.enumerated() {
      let narration = entry.narration.map { $0 == "\"" ? "'" : $0 == "\\" ? "/" : $0 }
      text += "\n\(entry.day) * \"\(String(narration))\" ^\(name(ofEntry: index))\n"
      text += lines(of: entry, indent: 2, accounts.beancountName)
    }
    return text
  }

  /// The name of the entry at an index: the period and its number from 1, `2023-07/1`.
  func name(ofEntry index: Int) -> String { "\(period)/\(index + 1)" }

  /// The currencies of all amounts and values, sorted.
  private var currencies: [Currency] {
    let postings = entries.flatMap(\.postings)
    return Set(postings.map(\.amount.currency) + postings.compactMap(\.value?.currency)).sorted()
  }

  /// The accounts that entries post to, in their order.
  private var roles: [AccountRole] {
    let used = Set(entries.flatMap(\.postings).map(\.account))
    return AccountRole.allCases.filter(used.contains)
  }

  /// The postings of an entry as lines of text, their amounts one below the other.
  ///
  /// - Parameters:
  ///   - indent: spaces before each line.
  ///   - name: how the program calls an account.
  private func lines(
    of entry: JournalEntry, indent: Int, _ name: (AccountRole) -> String
  ) -> String {
    let rows = entry.postings.map { posting in
      // What it counts for in all: both tools take the sign from the amount.
      let value = posting.value.map { " @@ \($0.magnitude.text) \($0.currency)" } ?? ""
      return (name(posting.account), posting.amount.text, "\(posting.amount.currency)\(value)")
    }
    let width = rows.map(\.0.count).max() ?? 0
    let digits = rows.map(\.1.count).max() ?? 0
    func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
    return rows.map { name, amount, currency in
      spaces(indent) + name + spaces(width - name.count + 2 + digits - amount.count) + amount
        + " \(currency)\n"
    }.joined()
  }
}

/// A posting as the journal's list has it.
struct JournalLine {
  var entry: JournalEntry
  /// Of the entry.
  var name: String
  /// As the books call it.
  var account: String
  /// Debits positive.
  var amount: Money
  /// In base currency; nil where a rate is missing.
  var base: Money?
  /// The rate of a day or a month that it has its value by; nil where it is none of these.
  var used: JournalEntry.UsedRate?

  /// The rate that was used, else the one that the value shows, base currency for one: of a small
  /// amount the rounded value shows another than it has. Nil without a value or an amount.
  var rate: Fraction? {
    guard let base, !amount.isZero else { return nil }
    return used?.value
      ?? Fraction(Int128(base.micros), over: Int128(amount.micros)).roundedRate
  }
}

extension List<JournalLine> {
  /// The columns of the journal's list.
  static var journal: List {
    List([
      Column("date") { .day($0.entry.day) },
      Column("entry") { .text($0.name) },
      Column("account") { .text($0.account) },
      Column("currency") { .text($0.amount.currency.code) },
      Column("amount") { .money($0.amount.micros, $0.amount.currency) },
      Column("base_amount") { .money(ifAny: $0.base) },
      Column("rate") { $0.rate.map(Cell.exchange) ?? .blank },
      Column("narration") { .text($0.entry.narration) },
      Column("rate_day") { .text($0.used?.day ?? "") },
    ])
  }
}

extension AccountRole {
  /// The letter by which hledger knows what sort of account it is.
  fileprivate var hledgerType: String {
    switch root {
    case "Assets": self == .bank ? "C" : "A"
    case "Liabilities": "L"
    case "Equity": "V"
    case "Income": "R"
    default: "X"
    }
  }
}
