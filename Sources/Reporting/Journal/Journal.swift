package import Billing
import Languages
package import Conclusions

/// Double entry for one calendar month: what Apple reports, what it settles and pays on days of the
/// month, and what is owed valued at its end.
///
/// One book goes by one calendar: a fiscal month has no journal, its settlement and payments are
/// in those of the calendar months.
package struct Journal: Sendable {
  /// As the period was written; entries are numbered within it.
  package let period: String
  /// The currency of values.
  package let base: Currency
  /// Ascending by day.
  package let entries: [JournalEntry]
  /// How what Apple owes came about, by currency: each figure is what the entries come to.
  package let receivable: [ReceivableLine]
  /// What the accounts that go on stand at in the end, by account and currency.
  package let closing: [AccountBalance]
  /// What proceeds that reduced the receivable count at its cost, less what they come to at their
  /// rates, in base currency.
  let proceedsAtCost: Int64

  /// The journal of what was concluded; empty for a fiscal month.
  package init(_ reconciliation: Reconciliation, settings: Settings) {
    period = reconciliation.period.description
    base = reconciliation.baseCurrency
    var valuation = Valuation(reconciliation)
    guard reconciliation.period.fiscalMonth == nil else {
      (entries, receivable, closing, proceedsAtCost) = ([], [], [], 0)
      return
    }
    let drafts =
      CalendarJournal(reconciliation, settings).drafts + settledDrafts(reconciliation)
    let valued = drafts.enumerated().sorted {
      ($0.element.day, $0.offset) < ($1.element.day, $1.offset)
    }
    .map { valuation.entry(of: $0.element) }
    entries = (valued + valuation.revalue()).filter { !$0.postings.isEmpty }
    (receivable, closing) = (valuation.receivable, valuation.closing)
    proceedsAtCost = valuation.proceedsAtCost
  }

  /// What an account's postings come to in micro-units, by currency; without those that come to
  /// nothing.
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
  /// No account stands twice in one currency, and none with nothing; debits first.
  package let postings: [Posting]
  /// The rate by which a posting has its value, base currency for one, and whose it is: a day's, or
  /// that of the month that it is the mean of. What has none counts as it stood in the books.
  var rates: [Posting.Key: UsedRate] = [:]

  struct UsedRate: Hashable {
    var value: Fraction
    var day: String
  }

  /// Puts postings of one account and currency together, debits first.
  ///
  /// - Precondition: the postings come to zero in each currency that they count in.
  package init(day: Day, narration: Wording, _ all: [Posting]) {
    var sums: [Posting.Key: Posting] = [:]
    var balances: [Currency: Int64] = [:]
    for posting in all {
      if sums[posting.key] == nil {
        sums[posting.key] = posting
      } else {
        sums[posting.key]! += posting
      }
      let weight = posting.value ?? posting.amount
      balances[weight.currency, default: 0] += weight.micros
    }
    precondition(balances.values.allSatisfy { $0 == 0 }, "an entry does not balance")
    self.day = day
    self.narration = String(say(narration).map { $0.isNewline ? " " : $0 })
    postings = sums.values.filter { !$0.isNothing }.sorted()
  }
}

/// One account's part in an entry.
package struct Posting: Hashable, Sendable, Comparable {
  package let account: AccountRole
  /// Debit positive, credit negative.
  package private(set) var amount: Money
  /// What it counts for in base currency, where that is another one and all rates are loaded.
  package private(set) var value: Money?

  /// A debit; below zero a credit.
  ///
  /// - Parameter value: in base currency; nil where that is the amount's, or not known.
  package init(_ account: AccountRole, _ amount: Money, value: Money? = nil) {
    self.account = account
    self.amount = amount
    self.value = value
  }

  /// A debit of an amount.
  init(_ account: AccountRole, debit amount: Money) { self.init(account, amount) }
  /// A credit of an amount.
  init(_ account: AccountRole, credit amount: Money) { self.init(account, -amount) }

  /// A debit in micro-units.
  init(_ account: AccountRole, debit micros: Int64, _ currency: Currency) {
    self.init(account, Money(micros: micros, currency))
  }

  /// A credit in micro-units.
  init(_ account: AccountRole, credit micros: Int64, _ currency: Currency) {
    self.init(account, Money(micros: -micros, currency))
  }

  /// What postings that are put together have in common.
  struct Key: Hashable {
    var account: AccountRole
    var currency: Currency
    var isValued: Bool
  }

  /// By which postings are put together: account, currency, and whether there is a value.
  var key: Key { Key(account: account, currency: amount.currency, isValued: value != nil) }
  /// Whether both the amount and the value are zero.
  var isNothing: Bool { amount.isZero && value?.isZero ?? true }

  /// Adds a posting of the same account and currency.
  static func += (left: inout Posting, right: Posting) {
    left.amount += right.amount
    left.value = left.value.flatMap { value in right.value.map { value + $0 } }
  }

  /// The posting's value in micro-units of base currency; nil where it is not known.
  package func value(in base: Currency) -> Int64? {
    amount.currency == base ? amount.micros : value?.micros
  }

  /// By currency, then debits before credits, then accounts in their order.
  package static func < (left: Posting, right: Posting) -> Bool {
    if left.amount.currency != right.amount.currency {
      return left.amount.currency < right.amount.currency
    }
    if (left.amount.micros > 0) != (right.amount.micros > 0) { return left.amount.micros > 0 }
    return left.account.place < right.account.place
  }
}

extension AccountRole {
  /// The account's index in the order of all accounts.
  var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
