import Billing
import Ledger
import Matching
import Reporting

extension Reconciliation {
  /// Rolls what Apple owes on to the end of a fiscal month whose settlement is loaded.
  ///
  /// What was owed before comes from the close of the month before, else from the configuration.
  mutating func rollReceivable(
    _ settings: Settings, _ ledger: Ledger, _ rates: RateBook
  ) throws {
    guard let settlement else { return }
    let (opening, note) = try Self.opening(settlement.month, settings, ledger)
    let receivable = Receivable(
      settlement.month, base: baseCurrency, opening: opening, rates: rates)
    self.receivable = receivable.lines(
      proceeds: proceeds, settlement: settlement, booked: booked)
    notes.append(note)
    let unvalued = self.receivable.filter { $0.base == nil }.map(\.currency.code)
    if !unvalued.isEmpty { notes.append(unvaluedNote(unvalued)) }
  }

  private static func opening(
    _ month: FiscalMonth, _ settings: Settings, _ ledger: Ledger
  ) throws -> ([ReceivableBalance], note: Wording) {
    let before = month.previous
    if let close = try CloseBook(ledger).close(of: before.period),
      let bytes = try ledger.document(CloseDocument.receivable, ofClose: close.number),
      let balances = closingBalances(
        ofReceivableCSV: String(decoding: bytes, as: UTF8.self), base: settings.baseCurrency)
    {
      return (
        balances,
        """
        what Apple owed before \(month) is the closing balance of close no. \(close.number)
        """
      )
    }
    let configured = settings.openingReceivable.map {
      ReceivableBalance(amount: Money(micros: $0.value, $0.key), base: nil)
    }
    return (
      configured.sorted { $0.currency < $1.currency },
      configured.isEmpty
        ? """
        what Apple owed before \(month) is taken as zero: \(before) is not closed, and the \
        configuration has no opening_receivable
        """
        : """
        what Apple owed before \(month) is the configuration's opening_receivable, because \
        \(before) is not closed
        """
    )
  }
}
