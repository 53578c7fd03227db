package import Billing
import Foundation
import Languages
import Ledger
import Reporting

/// Who gives a close its second signature.
package struct ConfirmRequest: Sendable {
  package var period: Period
  package var ledgerPath: String
  package var by: String
  package var at: Instant
  /// Their day.
  package var asOf: Day
  /// Of the program.
  package var version: String

  package init(
    _ period: Period, ledgerPath: String, by: String, at: Instant, asOf: Day, version: String
  ) {
    (self.period, self.ledgerPath, self.by) = (period, ledgerPath, by)
    (self.at, self.asOf, self.version) = (at, asOf, version)
  }
}

/// Completes a close that awaits its second signature: its book gets the name and the day, and what
/// was withheld is handed out. What was imported since the close changes nothing of it.
///
/// It is added in one transaction: a process that is killed before leaves the close awaiting. Where
/// it was completed before, what was signed then stands.
/// - Throws: a ``Stop`` where there is no such close, or the signer is who made it; `LedgerError`.
package func confirm(_ request: ConfirmRequest) throws -> CloseOutcome {
  try stopping {
    let (period, path) = (request.period, request.ledgerPath)
    guard identity(of: path) != nil else { throw LedgerError.missing(path: path) }
    let lock = try ImportLock(ledgerPath: path)
    defer { withExtendedLifetime(lock) {} }
    let ledger = try Ledger(path: path, mode: .readWrite)
    let state = try ledger.state()
    let book = try CloseBook(ledger)
    guard let close = book.close(of: period) else {
      throw Stop(
        .badInput, "@close.is-not-closed \(period)", help: "@close.close-it-first \(period)")
    }
    switch book.signatures(of: close) {
    case .two: return .closedBefore(close)
    case .one:
      throw Stop(
        .badInput, "@close.one-signature-closed-it \(period) \(close.number) \(close.by)",
        help: "@close.two-signatures-begin-with")
    case .awaited: break
    }
    try checkSigner(request.by)
    try checkOther(request, than: close)
    let second = SecondSignature(
      close: close.number, at: request.at, by: request.by, asOf: request.asOf,
      version: request.version)
    guard
      try ledger.add(
        second, documents: try signedDocuments(close, second, ledger), concludedFrom: state)
    else {
      throw Stop(
        .ledger, "@close.ledger-changed-while-was-being \(period)",
        help: "@close.run-the-command-again")
    }
    return .confirmed(close, second)
  }
}

/// Throws where a signer's name is empty or has characters that do not print; asked where two
/// persons sign.
func checkSigner(_ name: String) throws {
  let isOdd = name.unicodeScalars.contains {
    [.control, .format, .surrogate, .unassigned].contains($0.properties.generalCategory)
  }
  guard isOdd || comparedName(name).isEmpty else { return }
  throw Stop(.badInput, "@close.signer-has-no-name", help: "@close.name-who-signs")
}

/// Throws where the second signer is who made the close, or signs on an earlier day.
private func checkOther(_ request: ConfirmRequest, than close: CloseRecord) throws {
  if comparedName(request.by) == comparedName(close.by) {
    throw Stop(
      .badInput, "@close.signed-by-the-same \(close.period) \(close.number) \(close.by)",
      help: "@close.have-it-confirmed \(close.period)")
  }
  if request.asOf < close.asOf {
    throw Stop(
      .badInput, "@close.second-day-is-earlier \(request.asOf) \(close.by) \(close.asOf)",
      help: "@close.leave-as-of-out")
  }
}

/// The name without what does not make it another person's: case, spacing, width of letters.
private func comparedName(_ name: String) -> String {
  name.precomposedStringWithCompatibilityMapping.lowercased().filter { !$0.isWhitespace }
}

/// The summary and the workbook with both names, made of the bytes that the close kept; throws
/// where these were changed.
private func signedDocuments(
  _ close: CloseRecord, _ second: SecondSignature, _ ledger: Ledger
) throws -> [CloseDocument] {
  for (name, sha256) in try ledger.documents(ofClose: close.number, withheld: true) {
    let bytes = try ledger.document(name, ofClose: close.number) ?? []
    guard CloseDocument(name, bytes).sha256 == sha256 else {
      throw LedgerError.corrupt(
        path: ledger.path, detail: say("@shared.of-close-no-was-changed \(name) \(close.number)"))
    }
  }
  let places = SignaturePlaces(close)
  /// The document as the close kept it until the second signature.
  func kept(_ name: String) throws -> [UInt8] {
    try closeDocument(CloseDocument.awaiting(name), of: close, ledger)
  }
  let summary = places.summary(try kept(CloseDocument.summary), signedBy: second)
  var workbook: [UInt8]?
  let unsigned = try kept(CloseDocument.workbook)
  try savingWorkbook(ledger.path) { () throws(OutputError) in
    workbook = try places.workbook(
      unsigned, signedBy: second, besides: folder(of: ledger.path))
  }
  guard let summary, let workbook else {
    throw Stop(
      .badInput, "@close.book-has-no-place \(close.period) \(close.number)",
      help: "@close.reopen-it-and-close-it")
  }
  return [
    CloseDocument(CloseDocument.summary, summary), CloseDocument(CloseDocument.workbook, workbook),
  ]
}
