import Billing
import Ledger
import Matching

/// Whether what closed periods rest on has changed since they were closed, or looked at last.
struct ClosedInputs {
  /// Of a closed period.
  struct Change {
    let close: CloseRecord
    /// Kinds of inputs that changed; empty where the close kept nothing to tell it by.
    let kinds: [String]
    let now: InputDigests

    /// Whether exchange rates of a calendar month changed: what stands in base currency rests on
    /// them.
    var hasOtherRates: Bool {
      close.period.fiscalMonth == nil && kinds.contains(InputKind.rates.rawValue)
    }
  }

  private let book: CloseBook
  private let ledger: Ledger
  private let carryMax: Int
  /// By period, of the newest close in force that looked at it.
  private let kept: [String: (close: Int64, digests: InputDigests)]

  /// Reads what the closes in force kept of the inputs that they rest on.
  ///
  /// - Parameter carryMax: fiscal months that a sale may stay unsettled, as configured.
  init(_ book: CloseBook, _ ledger: Ledger, carryMax: Int) throws {
    self.book = book
    self.ledger = ledger
    self.carryMax = carryMax
    let inForce = Set(book.closed.map(\.number))
    var kept: [String: (close: Int64, digests: InputDigests)] = [:]
    for (close, basis) in try ledger.keptBases() where inForce.contains(close) {
      kept[basis.period] = (close, basis.digests)
    }
    self.kept = kept
  }

  /// What the period rests on now.
  func digests(of period: Period) throws -> InputDigests {
    try ledger.inputDigests(days(of: period))
  }

  /// What changed of the inputs of a closed period since it was closed, or looked at last; nil
  /// where nothing did.
  func change(of close: CloseRecord) throws -> Change? {
    let period = close.period
    guard let (number, before) = kept[period.description], number >= close.number else {
      // Closes of versions before this one kept only which file was the newest.
      let booking = book.lastBooking(of: close)
      let last = max(close.lastSource, booking?.lastSource ?? 0)
      guard try ledger.hasChanges(after: last, touching: days(of: period).reports) else {
        return nil
      }
      return Change(close: close, kinds: [], now: try digests(of: period))
    }
    let now = try digests(of: period)
    let kinds = now.changes(since: before)
    return kinds.isEmpty ? nil : Change(close: close, kinds: kinds, now: now)
  }

  /// The days whose facts a conclusion of `period` rests on, for each sort of input.
  private func days(of period: Period) -> InputDays {
    guard let month = period.fiscalMonth else {
      return InputDays(
        purchases: period.purchaseDays, reports: period.purchaseDays,
        rates: reportDays(period), hasSettlement: false, coinBalances: period.balanceDays)
    }
    let months = SettlementCells.reach(month, carryMax: carryMax)
    let days = months[0].first...months[months.count - 1].last
    return InputDays(
      purchases: period.purchaseDays, reports: days,
      rates: month.first...month.last.advanced(by: Rules.ratesAfterMonth), hasSettlement: true)
  }
}
