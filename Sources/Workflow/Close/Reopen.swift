package import Billing
import Ledger

/// Opens a closed period again. The close, with all that it printed, stays in the history.
///
/// - Throws: a ``Stop`` where the period is not closed, or a later close has booked its changes.
package func reopen(
  _ period: Period, ledgerPath: String, reason: String, by: String, at: Instant, asOf: Day,
  version: String
) throws -> CloseRecord {
  try stopping {
    let lock = try ImportLock(ledgerPath: ledgerPath)
    defer { withExtendedLifetime(lock) {} }
    guard identity(of: ledgerPath) != nil else { throw LedgerError.missing(path: ledgerPath) }
    let ledger = try Ledger(path: ledgerPath, mode: .readWrite)
    let state = try ledger.state()
    let book = try CloseBook(ledger)
    guard book.close(of: period) != nil else {
      throw Stop(
        .badInput, "\(period) is not closed",
        help: "tieout closes lists what is closed")
    }
    let bookers = book.bookers(of: period).map(\.period.description)
    guard bookers.isEmpty else {
      throw Stop(
        .badInput, "changes of \(period) are booked in \(bookers.joined(separator: ", "))",
        help: "reopen \(bookers.last!) first, then \(period)")
    }
    var record = CloseRecord(
      action: .reopen, period: period, at: at, by: by, reason: reason, asOf: asOf,
      version: version, lastSource: try ledger.lastSource())
    guard let number = try ledger.add(NewClose(record: record), concludedFrom: state) else {
      throw Stop(
        .ledger, "the ledger changed while \(period) was being reopened",
        help: "run the command again")
    }
    record.number = number
    return record
  }
}
