import Billing
import Matching

/// What is owed for coins, in double entry: sales leave revenue, what was used comes back to it.
/// Each entry moves one account that goes on.
struct CoinJournal {
  private let reconciliation: Reconciliation
  private let statement: CoinStatement?
  /// What stands in the accounts that go on for coins.
  private let stood: [AccountBalance]

  init(_ reconciliation: Reconciliation) {
    self.reconciliation = reconciliation
    statement = reconciliation.coinStatement
    stood = (reconciliation.books?.opening ?? []).filter { $0.account.isOfCoins }
  }

  /// Where nothing is valued, what stands in the books stays there.
  var drafts: [JournalDraft] {
    guard let statement else { return [] }
    let rolls = Dictionary(grouping: statement.rolls, by: \.currency)
    let ties = Dictionary(grouping: statement.ties, by: \.currency)
    let currencies = Set(rolls.keys).union(ties.keys).union(stood.map(\.amount.currency))
    let drafts = currencies.sorted().flatMap { currency in
      let (own, tie) = (rolls[currency] ?? [], ties[currency]?.first)
      return openings(currency, own, tie)
        + sales(currency, own.filter(\.isApple), Side(apple: statement.revenue))
        + sales(currency, own.filter { !$0.isApple }, Side.others) + refunds(currency, tie)
    }
    return drafts.filter { draft in draft.postings.contains { !$0.amount.isZero } }
  }

  /// From one account to another.
  private func entry(
    _ words: Wording, _ rating: JournalDraft.Rating, _ money: Money,
    _ accounts: (debit: AccountRole, credit: AccountRole), on day: Day? = nil
  ) -> JournalDraft {
    JournalDraft(
      day ?? reconciliation.period.last,
      "@journal.apple \(reconciliation.period) \(words) \(money.currency)", at: rating,
      [Posting(accounts.debit, debit: money), Posting(accounts.credit, credit: money)])
  }

  /// Which accounts the sales of a channel stand in.
  private struct Side {
    let revenue: AccountRole
    let refunds: AccountRole
    let commission: AccountRole
    private let isApple: Bool

    init(apple kind: RevenueKind) {
      (revenue, refunds, commission) = (.revenue(kind), .refunds, .commission)
      isApple = true
    }

    private init() {
      (revenue, refunds, commission) = (.channelRevenue, .channelRevenue, .channelCommission)
      isApple = false
    }

    static let others = Side()

    func said(_ words: Wording) -> Wording {
      isApple ? words : "@journal.in-other-channels \(words)"
    }
  }

  private func sales(
    _ currency: Currency, _ rolls: [CoinRoll], _ side: Side
  ) -> [JournalDraft] {
    func sum(_ part: (CoinRoll) -> CoinValue) -> CoinValue {
      rolls.reduce(.zero) { $0 + part($1) }
    }
    func added(
      _ words: Wording, _ micros: Int64, _ debit: AccountRole, _ credit: AccountRole
    ) -> JournalDraft {
      entry(side.said(words), .average, Money(micros: micros, currency), (debit, credit))
    }
    /// What goes on stands first.
    func released(_ words: Wording, _ micros: Int64, to credit: AccountRole) -> JournalDraft {
      entry(
        side.said(words), .cost(of: .coinLiability), Money(micros: micros, currency),
        (.coinLiability, credit))
    }
    let (sold, refunded, breakage) = (sum(\.sold), sum(\.allRefunded), sum(\.breakage))
    let delivered = sum { $0.delivered + $0.reversed }
    return [
      added("@journal.coins-sold", sold.amount, side.revenue, .coinLiability),
      released("@journal.coins-used", delivered.amount, to: side.revenue),
      released("@journal.coins-not-expected-to-be-used", breakage.amount, to: .coinBreakage),
      released("@journal.unused-coins-refunded", refunded.amount, to: side.refunds),
      added("@journal.commission-on-coins-sold", sold.cost, .coinCost, side.commission),
      entry(
        side.said("@journal.commission-on-coins-recognised"), .cost(of: .coinCost),
        Money(micros: delivered.cost + breakage.cost + refunded.cost, currency),
        (side.commission, .coinCost)),
    ]
  }

  /// What is known to be refunded is owed to customers until Apple's reports take it off.
  private func refunds(_ currency: Currency, _ tie: CoinStatement.Tie?) -> [JournalDraft] {
    guard let tie else { return [] }
    return [
      entry("@journal.refunds-of-coins", .average, tie.refunded, (.refunds, .coinRefunds)),
      entry(
        "@journal.refunds-of-coins-reported", .cost(of: .coinRefunds), tie.reportedRefunds,
        (.coinRefunds, .refunds)),
    ]
  }

  /// What stood in the books is made what it is known to be now: what was sold before coins were
  /// valued is no revenue of this month.
  private func openings(
    _ currency: Currency, _ rolls: [CoinRoll], _ tie: CoinStatement.Tie?
  ) -> [JournalDraft] {
    guard let books = reconciliation.books, let statement else { return [] }
    let isFirst = books.isFirst || stood.isEmpty && !statement.goesOn
    let other = isFirst ? AccountRole.opening : .priorPeriod
    let words: Wording =
      isFirst ? "@journal.coins-sold-before-the-first" : "@journal.changes-in-coins"
    func changed(_ account: AccountRole, to micros: Int64) -> JournalDraft {
      let before = stood.filter { $0.account == account && $0.amount.currency == currency }
        .reduce(0) { $0 + $1.amount.micros }
      return entry(
        words, .dayBefore, Money(micros: micros - before, currency), (account, other),
        on: reconciliation.period.first)
    }
    let opening = rolls.reduce(CoinValue.zero) { $0 + $1.opening + $1.itemsOpening }
    return [
      changed(.coinLiability, to: -opening.amount), changed(.coinCost, to: opening.cost),
      changed(.coinRefunds, to: -(tie?.refundsOpening.micros ?? 0)),
    ]
  }
}
