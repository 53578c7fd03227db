package import Billing
import Languages
package import Matching

/// Double entry for one period: calendar months book what Apple reports (levels 1 and 2), fiscal
/// months what it settles and pays (levels 3 and 4).
package struct Journal: Sendable {
  /// As the period was written; entries are numbered within it.
  package var period: String
  /// Ascending by day.
  package var entries: [JournalEntry]

  /// The journal of what was concluded.
  package init(_ reconciliation: Reconciliation, settings: Settings) {
    period = reconciliation.period.description
    let entries =
      reconciliation.period.fiscalMonth == nil
      ? CalendarJournal(reconciliation, settings.revenue).entries
      : FiscalJournal(reconciliation).entries
    self.entries = entries.enumerated().filter { !$0.element.postings.isEmpty }
      .sorted { ($0.element.day, $0.offset) < ($1.element.day, $1.offset) }.map(\.element)
  }

  /// What an account's postings come to, by currency.
  package func balances(of role: AccountRole) -> [Currency: Int64] {
    var balances: [Currency: Int64] = [:]
    for posting in entries.flatMap(\.postings) where posting.account == role {
      balances[posting.amount.currency, default: 0] += posting.amount.micros
    }
    return balances.filter { $0.value != 0 }
  }
}

/// What is booked on one day for one reason.
package struct JournalEntry: Hashable, Sendable {
  package let day: Day
  /// Without line breaks.
  package let narration: String
  /// No account stands twice in one currency, and no amount is zero; debits first.
  package let postings: [Posting]

  /// - Precondition: in each currency the postings come to zero.
  package init(day: Day, narration: Wording, _ all: [Posting]) {
    var sums: [Posting.Key: Int64] = [:]
    var balances: [Currency: Int64] = [:]
    for posting in all {
      sums[posting.key, default: 0] += posting.amount.micros
      balances[posting.amount.currency, default: 0] += posting.amount.micros
    }
    precondition(balances.values.allSatisfy { $0 == 0 }, "an entry does not balance")
    self.day = day
    self.narration = String(say(narration).map { $0.isNewline ? " " : $0 })
    postings = sums.filter { $0.value != 0 }
      .map { Posting($0.key.account, Money(micros: $0.value, $0.key.currency)) }
      .sorted()
  }
}

/// One account's part in an entry.
package struct Posting: Hashable, Sendable, Comparable {
  package let account: AccountRole
  /// Debit positive, credit negative.
  package let amount: Money

  /// A debit.
  package init(_ account: AccountRole, _ amount: Money) {
    self.account = account
    self.amount = amount
  }

  init(_ account: AccountRole, debit amount: Money) { self.init(account, amount) }
  init(_ account: AccountRole, credit amount: Money) { self.init(account, -amount) }

  /// A debit of micro-units.
  init(_ account: AccountRole, debit micros: Int64, _ currency: Currency) {
    self.init(account, Money(micros: micros, currency))
  }

  init(_ account: AccountRole, credit micros: Int64, _ currency: Currency) {
    self.init(account, Money(micros: -micros, currency))
  }

  struct Key: Hashable {
    var account: AccountRole
    var currency: Currency
  }

  var key: Key { Key(account: account, currency: amount.currency) }

  package static func < (left: Posting, right: Posting) -> Bool {
    if left.amount.currency != right.amount.currency {
      return left.amount.currency < right.amount.currency
    }
    if (left.amount.micros > 0) != (right.amount.micros > 0) { return left.amount.micros > 0 }
    return left.account.place < right.account.place
  }
}

extension AccountRole {
  /// Its place among all accounts.
  fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
