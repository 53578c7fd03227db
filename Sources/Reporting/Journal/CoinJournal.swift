import Billing
import Conclusions

/// What is owed for coins, in double entry: sales leave revenue, what was used comes back to it.
/// Each entry moves one account whose balance is carried forward.
struct CoinJournal {
  private let reconciliation: Reconciliation
  private let statement: CoinStatement?
  /// The balances, before the month, of the accounts of coins that are carried forward.
  private let stood: [AccountBalance]

  /// Takes from a month what is owed for coins, and what stood in the books.
  init(_ reconciliation: Reconciliation) {
    self.reconciliation = reconciliation
    statement = reconciliation.coinStatement
    stood = (reconciliation.books?.opening ?? []).filter { $0.account.isOfCoins }
  }

  /// The entries for coins, before they have values. Where nothing is valued, what stands in the
  /// books stays there.
  var drafts: [JournalDraft] {
    guard let statement else { return [] }
    let rolls = Dictionary(grouping: statement.rolls, by: \.currency)
    let ties = Dictionary(grouping: statement.ties, by: \.currency)
    let currencies = Set(rolls.keys).union(ties.keys).union(stood.map(\.amount.currency))
    let drafts = currencies.sorted().flatMap { currency in
      let (own, tie) = (rolls[currency] ?? [], ties[currency]?.first)
      let others = Dictionary(grouping: own.filter { !$0.isApple }, by: \.channel)
        .sorted { $0.key < $1.key }
      return openings(currency, own, tie)
        + sales(currency, own.filter(\.isApple), Side(apple: statement.revenue))
        + others.flatMap { sales(currency, $1, Side(channel: $0)) } + refunds(tie)
    }
    return drafts.filter { draft in draft.postings.contains { !$0.amount.isZero } }
  }

  /// An entry that moves an amount from one account to another.
  ///
  /// - Parameters:
  ///   - channel: whose coins it is about; nil is Apple.
  ///   - rating: by which rate its postings get values.
  ///   - day: nil is the period's last.
  private func entry(
    _ words: Wording, of channel: String? = nil, _ rating: JournalDraft.Rating, _ money: Money,
    _ accounts: (debit: AccountRole, credit: AccountRole), on day: Day? = nil
  ) -> JournalDraft {
    let (period, currency) = (reconciliation.period, money.currency)
    return JournalDraft(
      day ?? period.last,
      channel.map { "@journal.of-a-channel \($0) \(period) \(words) \(currency)" }
        ?? "@journal.apple \(period) \(words) \(currency)", at: rating,
      [Posting(accounts.debit, debit: money), Posting(accounts.credit, credit: money)])
  }

  /// Which accounts the sales of a channel stand in.
  private struct Side {
    let revenue: AccountRole
    let refunds: AccountRole
    let commission: AccountRole
    /// Nil is Apple.
    let channel: String?

    /// The accounts of Apple's sales.
    init(apple kind: RevenueKind) {
      (revenue, refunds, commission) = (.revenue(kind), .refunds, .commission)
      channel = nil
    }

    /// The accounts of another channel's sales.
    init(channel: String) {
      (revenue, refunds, commission) = (.channelRevenue, .channelRevenue, .channelCommission)
      self.channel = channel
    }
  }

  /// The entries of what a channel's coins in a currency did in the month: sold, used, not expected
  /// to be used, refunded; and their commission.
  private func sales(
    _ currency: Currency, _ rolls: [CoinRoll], _ side: Side
  ) -> [JournalDraft] {
    /// A part of all roll-forwards added up.
    func sum(_ part: (CoinRoll) -> CoinValue) -> CoinValue {
      rolls.reduce(.zero) { $0 + part($1) }
    }
    /// An entry of the channel, on the period's last day at the month's mean rate.
    ///
    /// - Parameter micros: in the currency of the sales.
    func added(
      _ words: Wording, _ micros: Int64, _ debit: AccountRole, _ credit: AccountRole
    ) -> JournalDraft {
      entry(
        words, of: side.channel, .average, Money(micros: micros, currency), (debit, credit))
    }
    /// An entry that takes micro-units from what is owed for coins, at what that liability was
    /// carried at in the books. The liability stands first, for it is carried forward.
    ///
    /// - Parameter credit: the account that gets them.
    func released(_ words: Wording, _ micros: Int64, to credit: AccountRole) -> JournalDraft {
      entry(
        words, of: side.channel, .cost(of: .coinLiability), Money(micros: micros, currency),
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
        "@journal.commission-on-coins-released", of: side.channel, .cost(of: .coinCost),
        Money(micros: delivered.cost + breakage.cost + refunded.cost, currency),
        (side.commission, .coinCost)),
    ]
  }

  /// The entries of one currency's refunds of coins through Apple; none without a tie. What is
  /// known to be refunded is owed to customers until Apple's reports take it off.
  ///
  /// - Parameter tie: the refunds as they are known, and as Apple's reports have them.
  private func refunds(_ tie: CoinStatement.Tie?) -> [JournalDraft] {
    guard let tie else { return [] }
    return [
      entry("@journal.refunds-of-coins", .average, tie.refunded, (.refunds, .coinRefunds)),
      entry(
        "@journal.refunds-of-coins-reported", .cost(of: .coinRefunds), tie.reportedRefunds,
        (.coinRefunds, .refunds)),
    ]
  }

  /// The entries, on the period's first day, that change the balances in the books to the opening
  /// that is known now: what was sold before coins were valued is no revenue of this month.
  ///
  /// - Parameters:
  ///   - rolls: the roll-forwards of all channels in the currency.
  ///   - tie: has the opening of refunds; nil where that is zero.
  private func openings(
    _ currency: Currency, _ rolls: [CoinRoll], _ tie: CoinStatement.Tie?
  ) -> [JournalDraft] {
    guard let books = reconciliation.books, let statement else { return [] }
    let isFirst = books.isFirst || stood.isEmpty && !statement.goesOn
    let words: Wording =
      isFirst ? "@journal.coins-sold-before-the-first" : "@journal.changes-in-coins"
    /// An entry that debits micro-units to an account: from the account of openings in the first
    /// month, later from that of prior periods.
    ///
    /// - Parameter channel: whose coins they are; nil is Apple.
    func changed(_ account: AccountRole, _ micros: Int64, of channel: String?) -> JournalDraft {
      let other: AccountRole =
        isFirst ? .opening : channel == nil ? .priorPeriod : .channelPriorPeriod
      return entry(
        words, of: channel, .dayBefore, Money(micros: micros, currency), (account, other),
        on: reconciliation.period.first)
    }
    /// The balance of an account before the month, in micro-units of this currency.
    func balanceBefore(_ account: AccountRole) -> Int64 {
      stood.filter { $0.account == account && $0.amount.currency == currency }
        .reduce(0) { $0 + $1.amount.micros }
    }
    var changes: [String: CoinValue] = [:]
    for roll in rolls where !roll.isApple {
      changes[roll.channel, default: .zero] += roll.opening + roll.itemsOpening
    }
    for roll in books.coins where !roll.isApple && roll.currency == currency {
      changes[roll.channel, default: .zero] -= roll.closing + roll.itemsClosing
    }
    let others = changes.sorted { $0.key < $1.key }
    // What is left of the accounts' change is Apple's: they come to the opening in any case.
    let opening = rolls.reduce(CoinValue.zero) { $0 + $1.opening + $1.itemsOpening }
    let rest = others.reduce(opening) { $0 - $1.value }
    return [
      changed(.coinLiability, -rest.amount - balanceBefore(.coinLiability), of: nil),
      changed(.coinCost, rest.cost - balanceBefore(.coinCost), of: nil),
      changed(
        .coinRefunds, -(tie?.refundsOpening.micros ?? 0) - balanceBefore(.coinRefunds), of: nil),
    ]
      + others.flatMap { channel, value in
        [
          changed(.coinLiability, -value.amount, of: channel),
          changed(.coinCost, value.cost, of: channel),
        ]
      }
  }
}
