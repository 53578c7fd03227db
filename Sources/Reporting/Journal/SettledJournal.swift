import Billing
import Conclusions

/// The entries of what Apple settled and paid of fiscal months, on days of a calendar month.
func settledDrafts(_ reconciliation: Reconciliation) -> [JournalDraft] {
  let all = reconciliation.books?.settled ?? []
  return all.compactMap(changeDraft) + paymentDrafts(all)
}

/// The entry of a difference, a deduction or an offset: it changes what is owed, except for an
/// offset. Nil for what is part of a payment.
private func changeDraft(_ settled: SettledAmount) -> JournalDraft? {
  let key = settled.key
  if key.kind == .offset { return offsetDraft(settled) }
  let (account, words): (AccountRole, Wording)
  let movement: WritableKeyPath<ReceivableMovement, Money>
  switch key.kind {
  case .settlementDifference:
    (account, movement) = (.settlementDifference, \.settlementDifference)
    words = "@journal.settlement-differs-from-the-sales"
  case .paymentDifference:
    (account, movement) = (.paymentDifference, \.paymentDifference)
    words = "@journal.payments-summary-differs"
  case .adjustment:
    (account, movement, words) = (.adjustment, \.adjustment, "@shared.adjustment")
  case .inputTax: (account, movement, words) = (.inputTax, \.inputTax, "@shared.input-tax")
  case .withholding:
    (account, movement, words) = (.withholding, \.withholding, "@journal.tax-withheld")
  case .collected, .payoutDifference, .offset: return nil
  }
  return JournalDraft(
    settled.bookedOn, "Apple \(key.place) \(key.month): \(words)", at: .day, moving: movement,
    [Posting(.receivable, debit: settled.amount), Posting(account, credit: settled.amount)])
}

/// The entry of an offset: what a person accepted as set off was no difference of the payment, it
/// paid invoices.
private func offsetDraft(_ settled: SettledAmount) -> JournalDraft {
  JournalDraft(
    settled.bookedOn,
    """
    @journal.apple-set-off-against-commission \(settled.key.place) \(settled.key.month) \
    \(settled.account)
    """, at: .day,
    [
      Posting(.commissionPayable, debit: settled.amount),
      Posting(.paymentDifference, credit: settled.amount),
    ])
}

/// One entry per payout: what the bank got, for what was owed in each currency.
private func paymentDrafts(_ all: [SettledAmount]) -> [JournalDraft] {
  struct Payout: Hashable {
    var month: FiscalMonth
    var account: String
    var bank: Currency
    var day: Day
    var bookedOn: Day
  }
  var payouts: [Payout: [SettledAmount]] = [:]
  for settled in all {
    let bank: Currency
    switch settled.key.kind {
    case .collected: bank = settled.key.bankCurrency!
    case .payoutDifference: bank = settled.key.currency
    default: continue
    }
    let payout = Payout(
      month: settled.key.month, account: settled.account, bank: bank, day: settled.day,
      bookedOn: settled.bookedOn)
    payouts[payout, default: []].append(settled)
  }
  let keys = payouts.keys.sorted {
    ($0.bookedOn, $0.day, $0.month, $0.account, $0.bank)
      < ($1.bookedOn, $1.day, $1.month, $1.account, $1.bank)
  }
  return keys.map { key in
    let parts = payouts[key]!
    let estimated = parts.contains(where: \.isDayEstimated)
    let account: Wording =
      key.account.isEmpty ? "@shared.bank" : Wording(verbatim: key.account)
    let words: Wording = "@journal.apple-paid \(key.month) \(account) \(key.day)"
    var draft = JournalDraft(
      key.bookedOn, estimated ? words + "@shared.estimated-date" : words, at: .day, moving: \.paid,
      parts.flatMap(paymentPostings))
    draft.collected = parts
    return draft
  }
}

/// The postings of a part of a payout: what was owed leaves the receivable, the bank gets what
/// came, and the rest is a difference of payment or of exchange.
private func paymentPostings(_ part: SettledAmount) -> [Posting] {
  let (owed, received) = (part.amount, part.received)
  guard let bank = part.key.bankCurrency else {
    return [Posting(.bank, debit: owed), Posting(.paymentDifference, credit: owed)]
  }
  let paid = [Posting(.receivable, credit: owed), Posting(.bank, debit: received, bank)]
  let rest: AccountRole = bank == owed.currency ? .paymentDifference : .realisedExchange
  return paid + [Posting(rest, debit: owed), Posting(rest, credit: received, bank)]
}
