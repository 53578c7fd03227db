import Billing
import Conclusions
import Ledger
import Matching
import Reporting

extension Reconciliation {
  /// Rolls what Apple owes forward to the end of a fiscal month whose settlement is loaded.
  ///
  /// What was owed before comes from the close of the month before, else from the configuration,
  /// else from what is loaded.
  mutating func rollReceivable(
    _ request: ReconcileRequest, _ ledger: Ledger, _ rates: RateBook
  ) throws {
    guard let settlement else { return }
    let opening = try Opening(settlement, request, ledger)
    (openingBasis, openingGaps) = (opening.basis, opening.gaps)
    let receivable = Receivable(
      settlement.month, base: baseCurrency, opening: opening.balances, rates: rates)
    let notDeducted = self.settlement!.leaveOut(Set(openingGaps.map(\.month)))
    self.receivable = receivable.lines(
      proceeds: proceeds, settlement: self.settlement, booked: booked)
    notes.append(opening.note)
    if opening.basis.assumption != nil { notes += openingGaps.remarks(period) }
    notes += notDeducted.map { month, amounts in
      "@reconcile.paid-for-is-not-deducted \(listed(amounts)) \(month)"
    }
    let unvalued = self.receivable.filter { $0.base == nil }.map(\.currency.code)
    if !unvalued.isEmpty { notes.append(unvaluedNote(unvalued)) }
  }

}

extension Settlement {
  /// Removes the payments for these fiscal months from those that lower what Apple owes: what they
  /// pay was left out of the opening balance.
  ///
  /// - Returns: what Apple owed with the removed payments, by month and currency.
  fileprivate mutating func leaveOut(
    _ months: Set<FiscalMonth>
  ) -> [(month: FiscalMonth, amounts: [Money])] {
    let isLeftOut = { (payment: RegionPayment) in payment.month.map(months.contains) ?? false }
    let leftOut = Dictionary(grouping: paidInMonth.filter(isLeftOut)) { $0.month! }
    paidInMonth.removeAll(where: isLeftOut)
    return leftOut.sorted { $0.key < $1.key }.map { month, payments in
      let sums = Dictionary(grouping: payments, by: \.currency)
        .mapValues { $0.sum(in: $0[0].currency, \.owed) }
      return (month, sums.values.sorted { $0.currency < $1.currency })
    }
  }
}

/// What Apple owed before a fiscal month, and what that rests on.
private struct Opening {
  let balances: [ReceivableBalance]
  let basis: OpeningBasis
  var gaps: [OpeningGap] = []
  let note: Wording

  /// Reads the balances from the close of the month before, else from the configuration, else from
  /// what is loaded.
  init(_ settlement: Settlement, _ request: ReconcileRequest, _ ledger: Ledger) throws {
    let (month, settings) = (settlement.month, request.settings)
    let before = month.previous
    if let close = try CloseBook(ledger).close(of: before.period),
      let bytes = try ledger.document(CloseDocument.receivable, ofClose: close.number),
      let balances = closingBalances(
        ofReceivableCSV: String(decoding: bytes, as: UTF8.self), base: settings.baseCurrency)
    {
      (self.balances, basis) = (balances, .close)
      gaps = try OpeningGap.kept(by: close, ledger)
      note = "@shared.what-apple-owed-before-is \(month) \(close.number)"
      return
    }
    let configured = settings.openingReceivable.map {
      ReceivableBalance(amount: Money(micros: $0.value, $0.key), base: nil)
    }
    if !configured.isEmpty {
      (balances, basis) = (configured.sorted { $0.currency < $1.currency }, .configuration)
      note = "@reconcile.what-apple-owed-before-is \(month) \(before)"
      return
    }
    let loaded = try LoadedOpening(before: month.first, settlement, request, ledger)
    (balances, basis, gaps) = (loaded.balances, loaded.basis, loaded.gaps)
    note =
      basis == .assumedZero
      ? "@reconcile.what-apple-owed-before-is-taken \(month) \(before)" : loaded.note(month.period)
  }
}

extension OpeningGap {
  /// The amounts that the first close left out, as this close states them; empty where it kept no
  /// figures.
  static func kept(by close: CloseRecord, _ ledger: Ledger) throws -> [OpeningGap] {
    guard let bytes = try ledger.document(CloseDocument.figures, ofClose: close.number) else {
      return []
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return CloseStatement(ofCSV: text, period: close.period)?.gaps ?? []
  }
}
