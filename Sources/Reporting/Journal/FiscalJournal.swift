import Billing
import Matching

/// What Apple settled and paid for a fiscal month.
struct FiscalJournal {
  let reconciliation: Reconciliation

  init(_ reconciliation: Reconciliation) { self.reconciliation = reconciliation }

  var entries: [JournalEntry] {
    guard let settlement = reconciliation.settlement else { return prior }
    let month = settlement.month
    return differences(settlement) + prior + revaluations
      + settlement.payments.flatMap { [changes($0, month), payment($0, month)].compactMap(\.self) }
  }

  private var day: Day { reconciliation.period.last }

  private func differences(_ settlement: Settlement) -> [JournalEntry] {
    settlement.lines.map { line in
      JournalEntry(
        day: day,
        narration: """
          Apple \(line.storefront) \(settlement.month): settlement differs from the sales reports
          """,
        settlementDifference(line.difference))
    }
  }

  /// What Apple owes at the month's last rates against what it stands for in the books.
  private var revaluations: [JournalEntry] {
    reconciliation.receivable.compactMap { line in
      guard let gain = line.base?.exchange, let rate = line.rate else { return nil }
      return JournalEntry(
        day: day,
        narration: """
          Apple \(reconciliation.period): what is owed in \(line.currency), valued at \
          \(decimalText(micros: rate))
          """,
        [Posting(.revaluation, debit: gain), Posting(.exchange, credit: gain)])
    }
  }

  private func settlementDifference(_ amount: Money) -> [Posting] {
    [
      Posting(.receivable, debit: amount), Posting(.settlementDifference, credit: amount),
    ]
  }

  /// What changes the amount that is owed, on the day of the payout or, where nothing was paid, on
  /// the month's last day. A balance carried over is in the receivable since its own month.
  private func changes(_ payment: RegionPayment, _ month: FiscalMonth) -> JournalEntry {
    let changes: [(AccountRole, Money)] = [
      (.paymentDifference, payment.difference), (.adjustment, payment.adjustment),
      (.inputTax, payment.inputTax), (.withholding, payment.withholding),
    ]
    return JournalEntry(
      day: payment.paidOn ?? day,
      narration: "Apple \(payment.region) \(month): taxes and adjustments in \(payment.currency)",
      changes.flatMap { account, amount in
        [Posting(.receivable, debit: amount), Posting(account, credit: amount)]
      })
  }

  private func payment(_ payment: RegionPayment, _ month: FiscalMonth) -> JournalEntry? {
    guard let paid = payment.paid else { return nil }
    let owed = payment.owed
    let rest =
      paid.currency == owed.currency
      ? [Posting(.paymentDifference, debit: owed - paid)]
      : [Posting(.conversion, debit: owed), Posting(.conversion, credit: paid)]
    return JournalEntry(
      day: payment.paidOn ?? day,
      narration: "Apple \(payment.region) \(month): payment of what is owed in \(owed.currency)",
      [Posting(.bank, debit: paid), Posting(.receivable, credit: owed)] + rest)
  }

  /// Changes of closed months, one entry per month and storefront.
  private var prior: [JournalEntry] {
    priorEntries(reconciliation, booked: "Apple \(reconciliation.period)") { change in
      change.cause == .settlementDifference ? settlementDifference(change.amount) : []
    }
  }
}
