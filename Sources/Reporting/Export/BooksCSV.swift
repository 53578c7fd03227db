package import Billing
package import Conclusions

// What a close keeps for the closes after it, and how they read it.

extension List<AccountBalance> {
  /// The columns of balances as a close keeps them.
  static var balances: List {
    List([
      Column("account") { .text($0.account.rawValue) },
      Column("currency") { .text($0.amount.currency.code) },
      Column("amount") { .text(decimalText(micros: $0.amount.micros)) },
      Column("base_amount") { .text(ifAny: $0.cost.map { decimalText(micros: $0) }) },
      Column("revaluation") { .text(decimalText(micros: $0.revaluation)) },
    ])
  }
}

extension List<SettledAmount> {
  /// The columns of settled amounts as a close keeps them.
  static var settled: List {
    List([
      Column("fiscal_month") { .text($0.key.month.description) },
      Column("kind") { .text($0.key.kind.rawValue) },
      Column("place") { .text($0.key.place) },
      Column("currency") { .text($0.key.currency.code) },
      Column("amount") { .text(decimalText(micros: $0.micros)) },
      Column("bank_currency") { .text(ifAny: $0.key.bankCurrency?.code) },
      Column("received") { .text(decimalText(micros: $0.received)) },
      Column("account") { .text($0.account) },
      Column("day") { .day($0.day) },
      Column("estimated") { .text($0.isDayEstimated ? "true" : "false") },
    ])
  }
}

/// The CSV of what accounts stand at that go on from month to month, one row per account and
/// currency.
package func balancesCSV(_ balances: [AccountBalance]) -> String { List.balances.csv(balances) }

/// The CSV of what of fiscal months a calendar month booked, one row per amount.
package func settledCSV(_ settled: [SettledAmount]) -> String { List.settled.csv(settled) }

/// The balances that `balancesCSV` wrote; nil for any other text.
package func accountBalances(ofCSV text: String) -> [AccountBalance]? {
  let table = CSVTable(text)
  return table.read { row in
    guard let account = row("account").flatMap(AccountRole.init(rawValue:)),
      let currency = row("currency").flatMap({ Currency($0) }),
      let amount = row("amount").flatMap({ micros(decimal: $0) }), let cost = row("base_amount"),
      let revaluation = row("revaluation").flatMap({ micros(decimal: $0) })
    else { return nil }
    let known = micros(decimal: cost)
    guard cost.isEmpty == (known == nil) else { return nil }
    return AccountBalance(
      account: account, amount: Money(micros: amount, currency), cost: known,
      revaluation: revaluation)
  }
}

/// The amounts that `settledCSV` wrote; nil for any other text.
package func bookedAmounts(ofCSV text: String) -> [SettledAmount]? {
  let table = CSVTable(text)
  return table.read { row in
    guard let month = row("fiscal_month").flatMap({ FiscalMonth($0) }),
      let kind = row("kind").flatMap(SettledAmount.Kind.init(rawValue:)),
      let place = row("place"), let currency = row("currency").flatMap({ Currency($0) }),
      let amount = row("amount").flatMap({ micros(decimal: $0) }),
      let bank = row("bank_currency"),
      let received = row("received").flatMap({ micros(decimal: $0) }),
      let account = row("account"), let day = row("day").flatMap({ Day($0) }),
      let estimated = row("estimated"), bank.isEmpty || Currency(bank) != nil
    else { return nil }
    return SettledAmount(
      kind, of: month, in: place, Money(micros: amount, currency),
      received: Currency(bank).map { Money(micros: received, $0) }, account: account, on: day,
      isDayEstimated: estimated == "true")
  }
}

/// What a journal's CSV posts to an account, in micro-units by currency, debits positive; nil for
/// any other text.
package func journalPostings(to account: String, ofJournalCSV text: String) -> [Currency: Int64]? {
  let table = CSVTable(text)
  let rows = table.read { row -> (String, Currency, Int64)? in
    guard let name = row("account"), let currency = row("currency").flatMap({ Currency($0) }),
      let amount = row("amount").flatMap({ micros(decimal: $0) })
    else { return nil }
    return (name, currency, amount)
  }
  return rows.map { rows in
    var sums: [Currency: Int64] = [:]
    for (name, currency, amount) in rows where name == account {
      sums[currency, default: 0] += amount
    }
    return sums
  }
}
