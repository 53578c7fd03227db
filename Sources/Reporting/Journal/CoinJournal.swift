import Billing
import Matching

/// What is owed for coins, in double entry: sales leave revenue, what was used comes back to it.
/// Each entry moves one account that goes on.
struct CoinJournal {
  private let reconciliation: Reconciliation
  private let statement: CoinStatement?

  init(_ reconciliation: Reconciliation) {
    self.reconciliation = reconciliation
    statement = reconciliation.coinStatement
  }

  /// Where nothing is valued, what stands in the books stays there.
  var drafts: [JournalDraft] {
    guard let statement else { return [] }
    let stood = (reconciliation.books?.opening ?? []).filter {
      [.coinLiability, .coinRefunds, .coinCost].contains($0.account)
    }
    let rolls = Dictionary(grouping: statement.rolls, by: \.currency)
    let ties = Dictionary(grouping: statement.ties, by: \.currency)
    let currencies = Set(rolls.keys).union(ties.keys).union(stood.map(\.amount.currency))
    return currencies.sorted().flatMap { drafts($0, rolls[$0] ?? [], ties[$0]?.first) }
  }

  private func drafts(
    _ currency: Currency, _ rolls: [CoinRoll], _ tie: CoinStatement.Tie?
  ) -> [JournalDraft] {
    func sum(_ part: (CoinRoll) -> CoinValue) -> CoinValue {
      rolls.reduce(.zero) { $0 + part($1) }
    }
    /// From one account to another.
    func entry(
      _ words: Wording, _ rating: JournalDraft.Rating, _ micros: Int64, from debit: AccountRole,
      to credit: AccountRole, on day: Day? = nil
    ) -> JournalDraft {
      JournalDraft(
        day ?? reconciliation.period.last,
        "@journal.apple \(reconciliation.period) \(words) \(currency)", at: rating,
        [Posting(debit, debit: micros, currency), Posting(credit, credit: micros, currency)])
    }
    func released(
      _ words: Wording, _ micros: Int64, from debit: AccountRole, to credit: AccountRole,
      of account: AccountRole
    ) -> JournalDraft {
      entry(words, .cost(of: account), micros, from: debit, to: credit)
    }
    let (sold, refunded, reversed) = (sum(\.sold), sum(\.refunded), sum(\.reversed))
    let (delivered, breakage) = (sum(\.delivered) + reversed, sum(\.breakage))
    let revenue = AccountRole.revenue(.consumable)
    var drafts = openings(currency, sum { $0.opening + $0.itemsOpening }, entry)
    drafts += [
      entry("@journal.coins-sold", .average, sold.amount, from: revenue, to: .coinLiability),
      released(
        "@journal.coins-used", delivered.amount, from: .coinLiability, to: revenue,
        of: .coinLiability),
      released(
        "@journal.coins-not-expected-to-be-used", breakage.amount, from: .coinLiability,
        to: .coinBreakage, of: .coinLiability),
      released(
        "@journal.unused-coins-refunded", refunded.amount, from: .coinLiability, to: .refunds,
        of: .coinLiability),
      entry(
        "@journal.commission-on-coins-sold", .average, sold.cost, from: .coinCost,
        to: .commission),
      released(
        "@journal.commission-on-coins-recognised",
        delivered.cost + breakage.cost + refunded.cost, from: .commission, to: .coinCost,
        of: .coinCost),
    ]
    if let tie {
      drafts += [
        entry(
          "@journal.refunds-of-coins", .average, tie.refunded.micros, from: .refunds,
          to: .coinRefunds),
        released(
          "@journal.refunds-of-coins-reported", tie.reportedRefunds.micros, from: .coinRefunds,
          to: .refunds, of: .coinRefunds),
      ]
    }
    return drafts.filter { draft in draft.postings.contains { !$0.amount.isZero } }
  }

  /// What stood in the books is made what it is known to be now.
  private func openings(
    _ currency: Currency, _ opening: CoinValue,
    _ entry: (Wording, JournalDraft.Rating, Int64, AccountRole, AccountRole, Day?) -> JournalDraft
  ) -> [JournalDraft] {
    guard let books = reconciliation.books else { return [] }
    func stood(_ account: AccountRole) -> Int64 {
      books.opening.filter { $0.account == account && $0.amount.currency == currency }
        .reduce(0) { $0 + $1.amount.micros }
    }
    let other = books.isFirst ? AccountRole.opening : .priorPeriod
    let words: Wording =
      books.isFirst ? "@journal.coins-sold-before-the-first" : "@journal.changes-in-coins"
    let first = reconciliation.period.first
    return [
      entry(
        words, .dayBefore, opening.amount + stood(.coinLiability), other, .coinLiability, first),
      entry(words, .dayBefore, opening.cost - stood(.coinCost), .coinCost, other, first),
    ]
  }
}
