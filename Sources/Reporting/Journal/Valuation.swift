import Billing
import Conclusions

/// Gives entries their values in base currency, in the order of their days, and keeps what the
/// accounts come to that go on from month to month. The roll-forward of the receivable is the sum
/// of its postings.
struct Valuation {
  private let base: Currency
  private let period: Period
  private let rates: MonthRates?
  private var accounts: [Key: AccountBalance] = [:]
  private var movements: [Currency: Movement] = [:]
  private var averages: [Currency: Fraction?] = [:]
  /// What proceeds that reduce the receivable count at its cost, less what they come to at their
  /// rates.
  private(set) var proceedsAtCost: Int64 = 0

  private struct Key: Hashable, Comparable {
    var account: AccountRole
    var currency: Currency
    /// By the accounts' order, then currency.
    static func < (left: Self, right: Self) -> Bool {
      (left.account.place, left.currency) < (right.account.place, right.currency)
    }
  }

  /// Of the receivable, in its own currency and in base currency.
  private struct Movement {
    var own: ReceivableMovement
    var inBase: ReceivableMovement
    /// Whether every part of it has a value.
    var isValued = true
  }

  /// Accounts whose balances are carried forward from month to month.
  fileprivate static let carriedForward: Set<AccountRole> = [
    .receivable, .deferred, .deferredCommission, .coinLiability, .coinRefunds, .coinCost,
  ]

  /// Begins with the balances that stood in the books before the month.
  init(_ reconciliation: Reconciliation) {
    base = reconciliation.baseCurrency
    period = reconciliation.period
    rates = reconciliation.books?.rates
    for balance in reconciliation.books?.opening ?? [] {
      let currency = balance.amount.currency
      accounts[Key(account: balance.account, currency: currency)] = balance
      guard balance.account == .receivable else { continue }
      var movement = Movement(own: ReceivableMovement(currency), inBase: ReceivableMovement(base))
      movement.own.opening = balance.amount
      movement.inBase.opening.micros = (balance.cost ?? 0) + balance.revaluation
      movement.isValued = balance.cost != nil
      movements[currency] = movement
    }
  }

  /// What micro-units are worth in base currency at a rate, in micro-units rounded to the minor
  /// unit.
  private func rounded(_ micros: Int64, at rate: Fraction) -> Int64 {
    rate.micros(of: micros, toMultipleOf: base.minorUnit)
  }

  /// The rate, base currency for one of a currency, by which a draft's postings in that currency
  /// get their values; nil where it is missing.
  private mutating func rate(_ currency: Currency, _ draft: JournalDraft) -> Fraction? {
    guard let rates else { return nil }
    if currency == base { return .one }
    switch draft.rating {
    case .day, .cost: return rates.rate(currency, on: draft.day)?.value
    case .dayBefore: return rates.rate(currency, on: period.first.advanced(by: -1))?.value
    case .average:
      if let known = averages[currency] { return known }
      let average = rates.average(currency)
      averages[currency] = .some(average)
      return average
    }
  }

  /// Names the rate by which a draft's postings in a currency get their values: by its day, or by
  /// the month whose mean it is. Nil where they count at what the account's balance was carried at
  /// in the books, or without a rate.
  private func rateDay(_ currency: Currency, _ draft: JournalDraft) -> String? {
    /// The day of the currency's rate that is in force on another day; nil without one.
    func dated(_ day: Day) -> String? { rates?.dated(currency, on: day)?.day.description }
    return switch draft.rating {
    case .day: dated(draft.day)
    case .cost: nil
    case .dayBefore: dated(period.first.advanced(by: -1))
    case .average: "\(period)"
    }
  }

  /// Adds an amount to the balance of an account that is carried forward, and returns the amount's
  /// value in micro-units of base currency: what is taken off counts at what the balance was
  /// carried at. Nil where that is not known, or the entry has no values.
  ///
  /// - Parameters:
  ///   - rate: base currency for one; nil where it is missing.
  ///   - isValued: whether the entry has values; else the balance's cost is not known from here on.
  private mutating func move(
    _ account: AccountRole, _ amount: Money, rate: Fraction?, isValued: Bool
  ) -> Int64? {
    let key = Key(account: account, currency: amount.currency)
    var balance =
      accounts[key] ?? AccountBalance(account: account, amount: .zero(amount.currency), cost: 0)
    let moved = balance.move(amount.micros, rate: rate, in: base)
    if !isValued { balance.cost = nil }
    accounts[key] = balance
    return isValued ? moved : nil
  }

  /// Adds an amount to a figure of the receivable.
  ///
  /// - Parameter value: in micro-units of base currency; nil where it is not known.
  private mutating func addMovement(
    _ part: WritableKeyPath<ReceivableMovement, Money>, _ amount: Money, value: Int64?
  ) {
    var movement =
      movements[amount.currency]
      ?? Movement(own: ReceivableMovement(amount.currency), inBase: ReceivableMovement(base))
    movement.own[keyPath: part] += amount
    if let value {
      movement.inBase[keyPath: part].micros += value
    } else {
      movement.isValued = false
    }
    movements[amount.currency] = movement
  }

  /// The entry of a draft with its values, where each of its currencies has a rate; else without.
  /// Changes the balances of the accounts that are carried forward.
  mutating func entry(of draft: JournalDraft) -> JournalEntry {
    let amounts = Amounts(draft.postings)
    let postings = draft.collected.isEmpty ? booked(draft, amounts) : collected(draft)
    var entry = JournalEntry(
      day: draft.day, narration: draft.narration, postings ?? amounts.postings)
    for posting in entry.postings {
      guard let value = posting.value else { continue }
      let currency = posting.amount.currency
      guard let used = rate(currency, draft), let day = rateDay(currency, draft) else { continue }
      // What is taken off a balance that is carried forward counts as that did, whatever the rate.
      if Self.carriedForward.contains(posting.account) {
        guard draft.collected.isEmpty,
          abs(rounded(posting.amount.micros, at: used) - value.micros) <= base.minorUnit
        else { continue }
      }
      entry.rates[posting.key] = JournalEntry.UsedRate(value: used, day: day)
    }
    return entry
  }
}

/// What the postings of an entry come to, by account and currency; first those of accounts that
/// are carried forward.
private struct Amounts {
  private(set) var postings: [Posting] = []

  /// Puts postings of one account and currency together, without those that come to nothing.
  init(_ all: [Posting]) {
    var sums: [Posting.Key: Posting] = [:]
    for posting in all {
      if sums[posting.key] == nil {
        sums[posting.key] = posting
      } else {
        sums[posting.key]! += posting
      }
    }
    /// What a posting is sorted by: whether its account is carried forward (first), the account's
    /// own place, the currency.
    func sortKey(_ posting: Posting) -> (Int, Int, Currency) {
      let account = posting.account
      return (
        Valuation.carriedForward.contains(account) ? 0 : 1, account.place, posting.amount.currency
      )
    }
    postings = sums.values.filter { !$0.amount.isZero }.sorted { sortKey($0) < sortKey($1) }
  }

  /// The currencies of the postings, sorted.
  var currencies: [Currency] { Set(postings.map(\.amount.currency)).sorted() }
}

// MARK: - Entries

extension Valuation {
  /// The postings, with values, of an entry of sales, differences, deductions or deferrals; nil
  /// where a rate is missing. Balances that are carried forward change in either case.
  ///
  /// - Parameter amounts: what the draft's postings come to.
  private mutating func booked(_ draft: JournalDraft, _ amounts: Amounts) -> [Posting]? {
    var known: [Currency: Fraction] = [:]
    for currency in amounts.currencies { known[currency] = rate(currency, draft) }
    let isValued = known.count == amounts.currencies.count
    var valued: [Posting] = []
    var rest: Int64 = 0
    for currency in amounts.currencies {
      var postings = amounts.postings.filter { $0.amount.currency == currency }
      // What converts from currency to currency is what the others leave.
      postings.removeAll { $0.account == .realisedExchange }
      var valueRate = known[currency] ?? .zero
      var (running, before): (Int64, Int64) = (0, 0)
      if let first = postings.first, Self.carriedForward.contains(first.account) {
        let cost = move(first.account, first.amount, rate: known[currency], isValued: isValued)
        if let movement = draft.movement, first.account == .receivable {
          addMovement(movement, first.amount, value: cost)
        }
        // Where it is not known at what it stood, it counts at the rate.
        let rated = value(first.amount.micros, valueRate, currency)
        let moved = cost ?? rated
        if draft.movement == \.proceeds { proceedsAtCost += moved - rated }
        // The others of an account that is reduced count as that stood.
        if case .cost = draft.rating {
          valueRate = Fraction(Int128(moved), over: Int128(first.amount.micros))
        }
        running = first.amount.micros
        before = value(running, valueRate, currency)
        valued.append(posting(first, moved))
        rest += moved
        postings.removeFirst()
      }
      for other in postings {
        running += other.amount.micros
        let after = value(running, valueRate, currency)
        valued.append(posting(other, after - before))
        rest += after - before
        before = after
      }
    }
    return isValued ? valued + [Posting(.realisedExchange, credit: rest, base)] : nil
  }

  /// What micro-units of a currency are worth in micro-units of base currency, at a rate.
  private func value(_ micros: Int64, _ rate: Fraction, _ currency: Currency) -> Int64 {
    currency == base ? micros : rounded(micros, at: rate)
  }

  /// A posting with its value in micro-units; one in base currency needs none.
  private func posting(_ posting: Posting, _ value: Int64) -> Posting {
    posting.amount.currency == base
      ? posting : Posting(posting.account, posting.amount, value: Money(micros: value, base))
  }

  /// The postings, with values, of a payment by Apple: what was owed leaves the receivable at what
  /// it was carried at, the bank counts at the day's rate, the rest is a realised difference. Nil
  /// where the bank's rate is missing; the receivable's balance changes in either case.
  private mutating func collected(_ draft: JournalDraft) -> [Posting]? {
    var parts: [Currency: (owed: Int64, received: Int64)] = [:]
    var difference: Int64 = 0
    var bank = base
    for settled in draft.collected {
      if settled.key.kind == .payoutDifference {
        difference += settled.micros
        bank = settled.key.currency
        continue
      }
      let currency = settled.key.currency
      bank = settled.key.bankCurrency ?? bank
      // What a payment in the same currency lacks is no matter of rates.
      let received = currency == bank ? settled.micros : settled.received
      difference += settled.received - received
      let sum = parts[currency] ?? (0, 0)
      parts[currency] = (sum.owed + settled.micros, sum.received + received)
    }
    let bankRate = rate(bank, draft)
    var valued: [Posting] = []
    var rest: Int64 = 0
    var (running, before): (Int64, Int64) = (0, 0)
    for (currency, part) in parts.sorted(by: { $0.key < $1.key }) {
      let owed = Money(micros: part.owed, currency)
      let rateOfDay = rate(currency, draft)
      let moved = move(.receivable, -owed, rate: rateOfDay, isValued: bankRate != nil)
      running += part.received
      let after = bankRate.map { value(running, $0, bank) }
      addMovement(\.paid, owed, value: moved == nil ? nil : after.map { $0 - before })
      guard let after else { continue }
      let received = after - before
      before = after
      // Where it is not known at what it stood, it stood at what it brought.
      let cost = moved ?? -received
      valued.append(posting(Posting(.receivable, credit: owed), cost))
      if moved != nil { movements[currency]!.inBase.exchange.micros += received + cost }
      rest += received + cost
    }
    guard let bankRate else { return nil }
    running += difference
    let total = value(running, bankRate, bank)
    valued += [
      posting(Posting(.bank, debit: running, bank), total),
      posting(Posting(.paymentDifference, credit: difference, bank), before - total),
      Posting(.realisedExchange, credit: rest, base),
    ]
    return valued
  }

  /// The entries that bring what is owed from what it stands at to the rates of the month's last
  /// day, one per currency.
  mutating func revalue() -> [JournalEntry] {
    guard let rates else { return [] }
    var entries: [JournalEntry] = []
    for (key, balance) in accounts.sorted(by: { $0.key < $1.key })
    where key.account == .receivable && key.currency != base {
      guard let cost = balance.cost else { continue }
      guard let dated = rates.dated(key.currency, on: period.last) ?? balance.nothing(period.last)
      else { continue }
      let target = rounded(balance.amount.micros, at: dated.rate.value) - cost
      let gain = target - balance.revaluation
      accounts[key]!.revaluation = target
      guard gain != 0 else { continue }
      movements[key.currency]?.inBase.exchange.micros += gain
      entries.append(
        JournalEntry(
          day: period.last,
          narration: balance.amount.isZero
            ? "@journal.apple-nothing-is-owed \(period) \(key.currency)"
            : """
            @journal.apple-what-is-owed \(period) \(key.currency) \(dated.rate.text) \
            \(dated.day)
            """,
          [
            Posting(.revaluation, debit: gain, base),
            Posting(.unrealisedExchange, credit: gain, base),
          ]))
    }
    return entries
  }
}

extension AccountBalance {
  /// A rate of one, dated to the day, for a balance of zero, which needs no rate of a table; nil
  /// for any other balance.
  fileprivate func nothing(_ day: Day) -> DatedRate? {
    amount.isZero ? DatedRate(rate: .one, day: day) : nil
  }
}

// MARK: - What it comes to

extension Valuation {
  /// How what Apple owes came about, ascending by currency.
  var receivable: [ReceivableLine] {
    movements.sorted { $0.key < $1.key }.compactMap { currency, movement in
      if movement.own.isZero && movement.inBase.isZero { return nil }
      let balance = accounts[Key(account: .receivable, currency: currency)]
      precondition(
        movement.own.closing.micros == balance?.amount.micros ?? 0,
        "the receivable does not roll to its account")
      let isValued = rates != nil && movement.isValued
      precondition(
        !isValued
          || movement.inBase.closing.micros == (balance?.cost ?? 0) + (balance?.revaluation ?? 0),
        "the receivable in base currency does not roll to its accounts")
      return ReceivableLine(
        own: movement.own, base: isValued ? movement.inBase : nil,
        rate: rates?.rate(currency, on: period.last))
    }
  }

  /// The balances that are carried forward, in the accounts' order; without those that are empty.
  var closing: [AccountBalance] {
    accounts.sorted { $0.key < $1.key }.map(\.value).filter {
      !$0.amount.isZero || $0.cost != 0 || $0.revaluation != 0
    }
  }
}
