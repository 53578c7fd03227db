import Billing
import Ledger
import Matching
import Reporting

extension Reconciliation {
  /// Rolls what Apple owes on to the end of a fiscal month whose settlement is loaded.
  ///
  /// What was owed before comes from the close of the month before, else from the configuration,
  /// else from what is loaded.
  mutating func rollReceivable(
    _ request: ReconcileRequest, _ ledger: Ledger, _ rates: RateBook
  ) throws {
    guard let settlement else { return }
    let (opening, basis, note) = try Self.opening(settlement, request, ledger)
    openingBasis = basis
    let receivable = Receivable(
      settlement.month, base: baseCurrency, opening: opening, rates: rates)
    self.receivable = receivable.lines(
      proceeds: proceeds, settlement: settlement, booked: booked)
    notes.append(note)
    let unvalued = self.receivable.filter { $0.base == nil }.map(\.currency.code)
    if !unvalued.isEmpty { notes.append(unvaluedNote(unvalued)) }
  }

  private static func opening(
    _ settlement: Settlement, _ request: ReconcileRequest, _ ledger: Ledger
  ) throws -> ([ReceivableBalance], basis: OpeningBasis, note: Wording) {
    let (month, settings) = (settlement.month, request.settings)
    let before = month.previous
    if let close = try CloseBook(ledger).close(of: before.period),
      let bytes = try ledger.document(CloseDocument.receivable, ofClose: close.number),
      let balances = closingBalances(
        ofReceivableCSV: String(decoding: bytes, as: UTF8.self), base: settings.baseCurrency)
    {
      return (
        balances, .close,
        """
        what Apple owed before \(month) is the closing balance of close no. \(close.number)
        """
      )
    }
    let configured = settings.openingReceivable.map {
      ReceivableBalance(amount: Money(micros: $0.value, $0.key), base: nil)
    }
    if !configured.isEmpty {
      return (
        configured.sorted { $0.currency < $1.currency }, .configuration,
        """
        what Apple owed before \(month) is the configuration's opening_receivable, because \
        \(before) is not closed
        """
      )
    }
    let loaded = try LoadedOpening(before: month.first, settlement, request, ledger)
    return (
      loaded.balances, loaded.basis,
      loaded.basis == .assumedZero
        ? """
        what Apple owed before \(month) is taken as zero: \(before) is not closed, and the \
        configuration has no opening_receivable
        """ : loaded.note(month.period)
    )
  }
}
