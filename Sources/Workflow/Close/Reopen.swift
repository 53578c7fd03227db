package import Billing
import Ledger

/// Opens a closed period again. The close, with all that it printed, stays in the history.
///
/// - Throws: a ``Stop`` where the period is not closed, or a later month is: its close begins with
///   what this one ended with.
package func reopen(
  _ period: Period, ledgerPath: String, reason: String, by: String, at: Instant, asOf: Day,
  version: String
) throws -> CloseRecord {
  try stopping {
    guard identity(of: ledgerPath) != nil else { throw LedgerError.missing(path: ledgerPath) }
    let lock = try ImportLock(ledgerPath: ledgerPath)
    defer { withExtendedLifetime(lock) {} }
    let ledger = try Ledger(path: ledgerPath, mode: .readWrite)
    let state = try ledger.state()
    let book = try CloseBook(ledger)
    guard book.close(of: period) != nil else {
      throw Stop(
        .badInput, "@close.is-not-closed \(period)",
        help: "@close.list-them-with-tieout-closes")
    }
    let later = book.obstacles(to: period).toReopen.map(\.description)
    guard later.isEmpty else {
      throw Stop(
        .badInput,
        "@close.cannot-be-reopened-a-later \(period) \(later.last!)",
        help: "@close.reopen-first-or-add \(later.asList)")
    }
    var record = CloseRecord(
      action: .reopen, period: period, at: at, by: by, reason: reason, asOf: asOf,
      version: version, lastSource: try ledger.lastSource())
    guard let number = try ledger.add(NewClose(record: record), concludedFrom: state) else {
      throw Stop(
        .ledger, "@close.ledger-changed-while-was-being-reopened \(period)",
        help: "@close.run-the-command-again")
    }
    record.number = number
    return record
  }
}

/// The closed months that must be opened before a month can be, the latest first, and the month.
///
/// - Throws: `LedgerError` as a ``Stop``.
package func monthsToReopen(from period: Period, ledgerPath: String) throws -> [Period] {
  try stopping {
    try Ledger.reading(ledgerPath) { try CloseBook($0).obstacles(to: period).toReopen } + [period]
  }
}
