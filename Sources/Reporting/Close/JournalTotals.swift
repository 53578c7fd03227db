import Billing
import Conclusions

/// What a journal posts, as its close shows it: by account, and entry by entry what is not sales.
struct JournalTotals: Sendable {
  let period: String
  let base: Currency
  /// What stands of an account together, accounts in their order.
  let accounts: [AccountTotal]
  /// Differences, adjustments and taxes.
  let booked: [EntryBesideSales]
  /// Debits less credits in base currency; nil where a rate is missing.
  let receivable: Int64?
  let revaluation: Int64?
  /// Names of the two accounts.
  let receivableName: String
  let revaluationName: String
  /// By what revenue is booked.
  let revenue: Settings.Revenue
  /// Whether an account has the name that it has without a configuration.
  let hasDefaultNames: Bool

  /// Adds up a journal under the accounts' names.
  init(_ journal: Journal, _ settings: Settings) {
    (period, base, revenue) = (journal.period, journal.base, settings.revenue)
    let totals = journal.accountTotals(settings.accounts)
    var order: [String: Int] = [:]
    for total in totals where order[total.account] == nil { order[total.account] = order.count }
    accounts = totals.enumerated().sorted {
      (order[$0.element.account]!, $0.offset) < (order[$1.element.account]!, $1.offset)
    }.map(\.element)
    booked = journal.besideSales
    (receivable, revaluation) = (journal.net(.receivable), journal.net(.revaluation))
    receivableName = settings.accounts[.receivable]
    revaluationName = settings.accounts[.revaluation]
    hasDefaultNames = journal.entries.flatMap(\.postings).contains {
      settings.accounts[$0.account] == $0.account.defaultName
    }
  }
}

/// What a journal posts to one account in one currency.
struct AccountTotal: Hashable, Sendable {
  /// As the books call it.
  var account: String
  var debit: Money
  /// Positive.
  var credit: Money
  /// In base currency; nil where a rate is missing.
  var baseDebit: Int64? = 0
  var baseCredit: Int64? = 0
  /// Numbers of the entries that post to it, ascending.
  var entries: [Int] = []
}

/// An entry that changes what Apple owes and is none of sales.
struct EntryBesideSales: Hashable, Sendable {
  var figure: CloseFigure
  /// From 1.
  var number: Int
  var day: Day
  var narration: String
  /// As it adds to what Apple owes.
  var amount: Money
  /// In base currency; nil where a rate is missing.
  var value: Int64?
}

extension Journal {
  /// What the journal posts to each account in each currency: accounts in the order in which
  /// entries come to them.
  func accountTotals(_ names: Accounts) -> [AccountTotal] {
    struct Key: Hashable {
      var account: String
      var currency: Currency
    }
    var totals: [AccountTotal] = []
    var places: [Key: Int] = [:]
    let postings = entries.enumerated().flatMap { number, entry in
      entry.postings.map { (number: number + 1, posting: $0) }
    }
    for (number, posting) in postings.enumerated().sorted(by: {
      ($0.element.posting.account.place, $0.offset) < ($1.element.posting.account.place, $1.offset)
    }).map(\.element) {
      let currency = posting.amount.currency
      let key = Key(account: names[posting.account], currency: currency)
      let place = places[key] ?? totals.count
      if place == totals.count {
        places[key] = place
        totals.append(
          AccountTotal(account: key.account, debit: .zero(currency), credit: .zero(currency)))
      }
      totals[place].add(posting, value: posting.value(in: base))
      if totals[place].entries.last != number { totals[place].entries.append(number) }
    }
    return totals
  }

  /// What an account's postings come to in micro-units of base currency, debits less credits; nil
  /// where a rate is missing.
  fileprivate func net(_ role: AccountRole) -> Int64? {
    var sum: Int64 = 0
    for posting in entries.flatMap(\.postings) where posting.account == role {
      guard let value = posting.value(in: base) else { return nil }
      sum += value
    }
    return sum
  }

  /// The entries that change what Apple owes and are none of sales or payments, in the order of
  /// their figures.
  fileprivate var besideSales: [EntryBesideSales] {
    let figures: [AccountRole: CloseFigure] = [
      .settlementDifference: .settlementDifference, .paymentDifference: .paymentDifference,
      .adjustment: .adjustment, .inputTax: .inputTax, .withholding: .withholding,
    ]
    let all = entries.enumerated().flatMap { number, entry -> [EntryBesideSales] in
      guard !entry.postings.contains(where: { $0.account == .bank }),
        let figure = entry.postings.lazy.compactMap({ figures[$0.account] }).first
      else { return [] }
      return entry.postings.filter { $0.account == .receivable }.map {
        EntryBesideSales(
          figure: figure, number: number + 1, day: entry.day, narration: entry.narration,
          amount: $0.amount, value: $0.value(in: base))
      }
    }
    return CloseFigure.allCases.flatMap { figure in all.filter { $0.figure == figure } }
  }
}

extension AccountTotal {
  /// Adds a posting to the debits or credits.
  ///
  /// - Parameter value: in micro-units of base currency; nil where a rate is missing.
  fileprivate mutating func add(_ posting: Posting, value: Int64?) {
    let isDebit = (value ?? posting.amount.micros) > 0
    if posting.amount.micros > 0 { debit += posting.amount } else { credit -= posting.amount }
    guard let value else {
      (baseDebit, baseCredit) = (nil, nil)
      return
    }
    if isDebit {
      baseDebit = baseDebit.map { $0 + value }
    } else {
      baseCredit = baseCredit.map { $0 - value }
    }
  }
}
