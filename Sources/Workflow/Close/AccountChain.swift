import Billing
import Conclusions
import Languages
import Ledger
import Matching
import Reporting

/// What the closes before a calendar month have put into the accounts that go on, and what of
/// fiscal months they booked.
struct AccountChain {
  /// Nil where no close before is in force.
  private(set) var opening: [AccountBalance]?
  private(set) var booked: [SettledAmount] = []
  /// From whose first day on payments and settlements are booked: what was before is in the
  /// opening.
  private(set) var start: Day
  /// The close that the opening is taken from.
  private(set) var before: CloseRecord?
  /// A month that has to be closed first; nil where the month at hand is the next.
  private(set) var missing: Period?

  /// Says which offsets were accepted of an invoice that an earlier payment was lowered by.
  private(set) var refusedOffsets: [Wording] = []

  /// Fiscal months that closes of versions before this one booked.
  private var bookedMonths: Set<FiscalMonth> = []
  private let ledger: Ledger
  private let book: CloseBook
  private let request: ReconcileRequest

  /// Reads the closes before the request's calendar month.
  init(_ request: ReconcileRequest, _ ledger: Ledger) throws {
    self.ledger = ledger
    self.request = request
    book = try CloseBook(ledger)
    let period = request.period
    let earlier = book.closed(ofSameSortAs: period).filter { $0.period.last < period.first }
    start = earlier.first?.period.first ?? period.first
    missing = book.obstacles(to: period).toClose.first
    before = earlier.last
    if let before, missing == nil { opening = try balances(after: before) }
    for close in earlier {
      guard let bytes = try ledger.document(CloseDocument.settled, ofClose: close.number) else {
        continue
      }
      guard let settled = bookedAmounts(ofCSV: String(decoding: bytes, as: UTF8.self)) else {
        throw unreadable(close)
      }
      booked += settled
    }
    try addBookedByFiscalCloses()
  }

  /// The error that what a close kept cannot be read.
  private func unreadable(_ close: CloseRecord) -> LedgerError {
    .corrupt(path: ledger.path, detail: say("@close.close-no-cannot-be-read \(close.number)"))
  }

  /// The balances that a close ended with. Closes of versions before this one keep none: theirs are
  /// what the journals posted.
  private func balances(after close: CloseRecord) throws -> [AccountBalance]? {
    guard let bytes = try ledger.document(CloseDocument.balances, ofClose: close.number) else {
      return try postedBalances()
    }
    guard let balances = accountBalances(ofCSV: String(decoding: bytes, as: UTF8.self)) else {
      throw unreadable(close)
    }
    return balances
  }

  /// The balances of the receivable and of deferred revenue that the journals of all closes posted,
  /// from the configured opening on.
  private func postedBalances() throws -> [AccountBalance] {
    var sums: [Currency: Int64] = request.settings.openingReceivable
    var deferred: [Currency: Int64] = [:]
    for close in book.closed {
      guard let bytes = try ledger.document(CloseDocument.journal, ofClose: close.number) else {
        continue
      }
      let text = String(decoding: bytes, as: UTF8.self)
      let accounts = request.settings.accounts
      guard let owed = journalPostings(to: accounts[.receivable], ofJournalCSV: text),
        let later = journalPostings(to: accounts[.deferred], ofJournalCSV: text)
      else { throw unreadable(close) }
      sums.merge(owed, uniquingKeysWith: +)
      deferred.merge(later, uniquingKeysWith: +)
    }
    /// The sums, in micro-units, as balances of an account, by currency; none of zero.
    func balances(_ account: AccountRole, _ sums: [Currency: Int64]) -> [AccountBalance] {
      sums.filter { $0.value != 0 }.sorted { $0.key < $1.key }.map {
        AccountBalance(account: account, amount: Money(micros: $0.value, $0.key), cost: nil)
      }
    }
    return balances(.receivable, sums) + balances(.deferred, deferred)
  }

  /// Whether the close before carried balances on.
  var keepsBalances: Bool {
    get throws {
      guard let before, missing == nil else { return false }
      return try ledger.document(CloseDocument.balances, ofClose: before.number) != nil
    }
  }

  /// How what is owed for coins rolled in the close before; nil where it valued none.
  func rollsOfCoins() throws -> [CoinRoll]? {
    guard let before, missing == nil else { return nil }
    return try ledger.coinRolls(ofClose: before)
  }

  /// The amounts that the first close left out of what Apple owed.
  ///
  /// - Parameter loaded: the opening as far as it is loaded, where no close and no configuration
  ///   tells it.
  func gaps(_ loaded: LoadedOpening?) throws -> [OpeningGap] {
    if missing != nil { return [] }
    return try before.map { try OpeningGap.kept(by: $0, ledger) } ?? loaded?.gaps ?? []
  }

  /// The remark that says where the opening comes from.
  ///
  /// - Parameter loaded: the opening as far as it is loaded, where no close and no configuration
  ///   tells it.
  func note(_ loaded: LoadedOpening?) -> Wording {
    let period = request.period
    if let missing {
      return "@close.what-apple-owes-is-only \(period) \(missing)"
    }
    if let before {
      return "@shared.what-apple-owed-before-is \(period) \(before.number)"
    }
    guard let loaded else {
      return "@close.what-apple-owed-before-is \(period)"
    }
    return loaded.basis == .assumedZero
      ? "@close.no-month-before-is-closed \(period)" : loaded.note(period)
  }

  /// What the opening rests on: a close, the configuration, what is loaded, or the month alone.
  ///
  /// - Parameter loaded: the opening as far as it is loaded, where no close and no configuration
  ///   tells it.
  func basis(_ loaded: LoadedOpening?) -> OpeningBasis {
    if missing != nil { return .monthOnly }
    return before != nil ? .close : loaded?.basis ?? .configuration
  }

  // MARK: - Fiscal months

  /// Fiscal months that are closed and have ended by the end of the month at hand.
  private var fiscalCloses: [(close: CloseRecord, month: FiscalMonth)] {
    book.closed.compactMap { close in
      guard let month = close.period.fiscalMonth, month.last <= request.period.last else {
        return nil
      }
      return (close, month)
    }
  }

  /// Adds what closes of fiscal months booked themselves, in versions before this one: settlement
  /// and payments.
  private mutating func addBookedByFiscalCloses() throws {
    for (close, month) in fiscalCloses {
      let older = try book.conclusions(of: close).filter {
        try ledger.document(CloseDocument.journal, ofClose: $0.number) != nil
      }
      guard let last = older.last else { continue }
      let figures = try PeriodFigures(
        of: close, booking: last.number == close.number ? nil : last, ledger)
      booked += figures.differences(month) + figures.payments(month)
      bookedMonths.insert(month)
    }
  }

  /// The settled amounts that are known now of fiscal months until the end of the month at hand:
  /// differences that their closes concluded, deductions as Apple tells them, payments as the bank
  /// has them, else Apple.
  mutating func known() throws -> [SettledAmount] {
    let period = request.period
    var accepted: AcceptedFindings?
    var setOff = SetOffInvoices()
    var all: [SettledAmount] = []
    for (close, month) in fiscalCloses {
      let figures = try PeriodFigures(of: close, booking: book.lastBooking(of: close), ledger)
      all += figures.differences(month)
      try setOff.add(figures, of: month) { finding in
        let people = try accepted ?? AcceptedFindings(ledger)
        accepted = people
        return try people.has(finding, close, ledger)
      }
    }
    all += setOff.accepted.filter { $0.day <= period.last }.compactMap(\.settledAmount)
    refusedOffsets = setOff.refused.filter { $0.proposal.day <= period.last }.map {
      proposal, twice in
      "@close.invoices-are-accepted-as-set \(twice.asList) \(proposal.month)"
    }
    let settings = request.settings
    let received = try payoutFacts().received(settings, asOf: request.asOf)
    for summary in received.payments where summary.month.last <= period.last {
      all += summary.settledAmounts(
        through: min(period.last, request.asOf), told: settings.paymentDays)
    }
    return all.filter { $0.day >= start || bookedMonths.contains($0.key.month) }
  }

  /// Reads the payments that may be booked in the month at hand, and what the bank has.
  private func payoutFacts() throws -> SettlementFacts {
    // Months that ended before may have been paid since.
    let first = min(
      start.advanced(by: -Rules.ratesAfterMonth), bookedMonths.min()?.first ?? start)
    let last = request.period.last
    var facts = SettlementFacts()
    facts.payments = try ledger.payments(of: first...last)
    facts.bank = try ledger.bank(of: first...last.advanced(by: Rules.bankDaysAfterMonth))
    return facts.naming(request.settings.paymentRegions)
  }

  /// Remarks on payouts of the month that are booked by Apple's word, though there are bank
  /// statements.
  var unseenPayouts: [Wording] {
    get throws {
      let asOf = min(request.period.last, request.asOf)
      return try payoutFacts().unseenPayouts(request.settings, asOf: asOf)
        .filter { request.period.contains($0.day) }.map { month, amount, day in
          "@close.no-bank-statement-covers \(day) \(month) \(spoken(amount))"
        }
    }
  }
}

extension [SettledAmount] {
  /// What payments of these months were owed for, by month and currency.
  fileprivate func collected(
    of months: Set<FiscalMonth>
  ) -> [(month: FiscalMonth, amounts: [Money])] {
    let payments = filter { $0.key.kind == .collected && months.contains($0.key.month) }
    return Dictionary(grouping: payments, by: \.key.month).sorted { $0.key < $1.key }.map {
      let sums = Dictionary(grouping: $1, by: \.key.currency)
        .mapValues { $0.sum(in: $0[0].key.currency, \.amount) }
      return ($0, sums.values.sorted { $0.currency < $1.currency })
    }
  }
}

extension SetOffInvoices.Proposal {
  /// The day on which the payment's difference is booked.
  fileprivate var day: Day { Day(number: offset.day) }

  /// The offset as an amount to book; nil where its currency is not known.
  fileprivate var settledAmount: SettledAmount? {
    Currency(offset.currency).map {
      SettledAmount(
        .offset, of: month, in: offset.place, Money(micros: offset.amount, $0),
        account: offset.invoices.joined(separator: ", "), on: day)
    }
  }
}

extension PeriodFigures {
  /// The differences of settlement and of payment that a fiscal month's figures have (what its
  /// findings come to), as amounts to book on the month's last day.
  fileprivate func differences(_ month: FiscalMonth) -> [SettledAmount] {
    let settled = steps.filter { $0.key.cause == .settlementDifference }.map { step, sum in
      SettledAmount(
        .settlementDifference, of: month, in: step.storefront,
        Money(micros: sum.amount, step.currency), on: month.last)
    }
    let paid = payments.map { region, sums in
      SettledAmount(
        .paymentDifference, of: month, in: region.region,
        Money(micros: sums["payment-difference"] ?? 0, region.currency), on: month.last)
    }
    return settled + paid
  }

  /// What earlier versions of this program booked for a fiscal month's payments: deductions, and
  /// what the bank received.
  fileprivate func payments(_ month: FiscalMonth) -> [SettledAmount] {
    payments.flatMap { region, sums in
      /// The sum that the region's payment has of a cause, as an amount booked on the last day of
      /// `month`; `received` is what the bank got of it, in its own currency.
      func amount(_ kind: SettledAmount.Kind, _ cause: String, received: Money? = nil)
        -> SettledAmount
      {
        SettledAmount(
          kind, of: month, in: region.region, Money(micros: sums[cause] ?? 0, region.currency),
          received: received, on: month.last)
      }
      var amounts = [
        amount(.adjustment, "adjustment"), amount(.inputTax, "input-tax"),
        amount(.withholding, "withholding"),
      ]
      if let bank = region.bankCurrency {
        amounts.append(
          amount(.collected, "owed", received: Money(micros: sums["paid"] ?? 0, bank)))
      }
      return amounts
    }
  }
}

extension Reconciliation {
  /// Opens the accounts of a calendar month with the balances before it and what of fiscal months
  /// is booked in it, and rolls what Apple owes through it.
  mutating func openBooks(_ request: ReconcileRequest, _ ledger: Ledger) throws {
    var chain = try AccountChain(request, ledger)
    let before = period.first.advanced(by: -1)
    let rates = MonthRates(
      RateBook(try ledger.rates(before...period.last)), base: baseCurrency, period: period)
    let configured = request.settings.openingReceivable
    let loaded =
      chain.before == nil && configured.isEmpty
      ? try LoadedOpening(before: period.first, nil, request, ledger) : nil
    let first = (loaded?.amounts ?? configured).sorted { $0.key < $1.key }.map {
      AccountBalance(account: .receivable, amount: Money(micros: $0.value, $0.key), cost: nil)
    }
    let opening = (chain.opening ?? (chain.missing == nil ? first : [])).map { balance in
      var balance = balance
      balance.cost =
        balance.cost
        ?? rates.rate(balance.amount.currency, on: before).map {
          balance.amount.converted(at: $0, to: baseCurrency).micros
        }
      return balance
    }
    var known = try chain.known()
    // Until the months between are closed, only what this one tells of itself is its own.
    if chain.missing != nil { known.removeAll { !period.contains($0.day) } }
    let settled = SettledAmount.changes(
      from: chain.missing == nil ? chain.booked : [], to: known, in: period)
    let kept = try chain.rollsOfCoins()
    if let kept { carryCoins(from: kept) }
    books = MonthBooks(
      opening: opening, isFirst: try !chain.keepsBalances, settled: settled,
      rates: rates)
    books?.coins = kept ?? []
    receivable = Journal(self, settings: request.settings).receivable
    (openingBasis, openingGaps) = (chain.basis(loaded), try chain.gaps(loaded))
    notes.append(chain.note(loaded))
    if openingBasis?.assumption != nil { notes += openingGaps.remarks(period) }
    notes += settled.collected(of: Set(openingGaps.map(\.month))).map { month, amounts in
      "@close.paid-for-is-booked-though \(listed(amounts)) \(month)"
    }
    notes += try chain.unseenPayouts + chain.refusedOffsets
    let unvalued = receivable.filter { $0.base == nil }.map(\.currency.code)
    if !unvalued.isEmpty { notes.append(unvaluedNote(unvalued)) }
  }

  /// Adds remarks on how much what is owed for coins differs from what the close before left.
  ///
  /// - Parameter kept: the roll-forwards of that close.
  private mutating func carryCoins(from kept: [CoinRoll]) {
    coinStatement?.goesOn = true
    let changes = (coinStatement?.changes(since: kept) ?? []).map { change -> Wording in
      let coin: Wording =
        change.coin.isEmpty ? "@list.coins-without-a-name" : Wording(verbatim: change.coin)
      return """
        @coins.changed-of-closed-months \(coin) \(change.channel) \(change.amount.currency) \
        \(grouped(change.amount)) \(grouped(Int(change.coins)))
        """
    }
    coinRemarks += changes
    notes += changes
  }

  /// The remark that what Apple owes in these currencies has no value in base currency.
  func unvaluedNote(_ currencies: [String]) -> Wording {
    "@close.what-apple-owes-in-is \(currencies.asList) \(baseCurrency)"
  }
}

extension Ledger {
  /// The roll-forwards of what is owed for coins that a close kept; nil where it valued none.
  func coinRolls(ofClose close: CloseRecord) throws -> [CoinRoll]? {
    guard let bytes = try document(CloseDocument.coins, ofClose: close.number) else { return nil }
    guard let rolls = keptCoinRolls(ofCSV: String(decoding: bytes, as: UTF8.self)) else {
      throw LedgerError.corrupt(
        path: path, detail: say("@close.close-no-cannot-be-read \(close.number)"))
    }
    return rolls
  }
}
