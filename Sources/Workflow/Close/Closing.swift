package import Billing
import Conclusions
import Crypto
import Foundation
import Languages
import Ledger
import Matching
import Reporting

/// What to close.
package struct CloseRequest: Sendable {
  package var reconcile: ReconcileRequest
  /// Ids of findings that may stand, each with the reason.
  package var accepted: [(id: String, reason: String)]
  package var by: String
  package var at: Instant
  /// Of the program.
  package var version: String

  package init(
    reconcile: ReconcileRequest, accepted: [(id: String, reason: String)], by: String, at: Instant,
    version: String
  ) {
    self.reconcile = reconcile
    self.accepted = accepted
    self.by = by
    self.at = at
    self.version = version
  }
}

/// What became of a close.
package enum CloseOutcome: Sendable {
  /// Closed now, with what else has to be said of it.
  case closed(CloseRecord, accepted: [Acceptance], remarks: [Wording])
  /// It was closed before; what was kept then stands.
  case closedBefore(CloseRecord)
  /// Signed by a second person now.
  case confirmed(CloseRecord, SecondSignature)
  /// Errors are open that nobody accepted.
  case refused([Finding])
}

extension CloseDocument {
  static let reconciliation = "reconciliation.json"
  static let summary = "summary.txt"
  static let workbook = "workbook.xlsx"
  static let receivable = "receivable.csv"
  /// What accounts that go on stand at: the next month's close begins with it.
  static let balances = "balances.csv"
  /// What of fiscal months was booked.
  static let settled = "settled.csv"
  /// What the month comes to: the next month's close stands its own beside it.
  static let figures = "figures.csv"
  static let journal = "journal.csv"
  /// What is owed for coins: the next month's close tells what changed of it.
  static let coins = "coins.csv"
  /// All that a close may write beside its workbook.
  static let beside = [
    receivable, journal, "journal.hledger", "journal.beancount", balances, settled, figures,
    "proceeds.csv", "deferred.csv", coins,
  ]
  /// Kept to be printed again, or saved where the caller says; all else is written with the close.
  static let keptOnly: Set<String> = [
    reconciliation, summary, workbook, awaiting(summary), awaiting(workbook),
  ]

  /// The name under which a document is kept until the second signature: `summary-awaiting.txt`.
  static func awaiting(_ name: String) -> String {
    name.replacing(".", with: "-awaiting.", maxReplacements: 1)
  }

  /// A document with the digest of its bytes.
  init(_ name: String, _ bytes: [UInt8]) {
    self.init(name: name, bytes: bytes, sha256: hexDigest(of: bytes))
  }
}

/// SHA-256 in lower-case hex.
private func hexDigest(of bytes: [UInt8]) -> String {
  hexText(SHA256.hash(data: bytes))
}

/// One digest of all input files: SHA-256 of their digests, ascending, each with a line feed, so
/// that `sort -u | sha256sum` finds it again from those on the sheet Inputs. Days that were
/// declared to be without sales, and the configuration, are no files and not in it.
private func digest(of inputs: [InputFile]) -> String {
  let lines = Set(inputs.map(\.sha256)).sorted().map { $0 + "\n" }
  return hexDigest(of: Array(lines.joined().utf8))
}

/// Reconciles a calendar or fiscal month and keeps the result for good, unless errors are open.
///
/// No import runs meanwhile. The close is added in one transaction, and only to the state of the
/// ledger that it was concluded from: a process that is killed before leaves the period open.
/// - Throws: a ``Stop`` where nothing is loaded for the period or it cannot be closed,
///   `LedgerError`.
package func close(_ request: CloseRequest) throws -> CloseOutcome {
  try stopping {
    let (period, path) = (request.reconcile.period, request.reconcile.ledgerPath)
    guard identity(of: path) != nil else { throw LedgerError.missing(path: path) }
    let lock = try ImportLock(ledgerPath: path)
    defer { withExtendedLifetime(lock) {} }
    let ledger = try Ledger(path: path, mode: .readWrite)
    // Before the snapshot: what is committed between the two has the close refused, not forgotten.
    let state = try ledger.state()
    let month = try request.reconcile.reading { snapshot in
      try requireFacts(of: period, in: snapshot, asOf: request.reconcile.asOf)
      try checkClosable(period, asOf: request.reconcile.asOf)
      return try MonthToClose(request, snapshot, state: state)
    }
    switch month {
    case .closed(let earlier): return .closedBefore(earlier)
    case .refused(let open): return .refused(open)
    case .open(let month): return try close(month, request, in: ledger)
    }
  }
}

/// A month as one state of the ledger has it.
private enum MonthToClose {
  case closed(CloseRecord)
  /// By errors that are recorded, and nothing that they follow from has changed.
  case refused([Finding])
  case open(Concluded)

  struct Concluded {
    let result: Reconciliation
    let figures: [KeptFigures]
    let basis: [KeptBasis]
    let lastSource: Int64
    let state: Ledger.State
    /// That the close gets.
    let number: Int64
    /// The figures of the month before.
    let before: MonthBefore
  }

  /// Finds out whether the month is closed already, refused for recorded errors, or open; an open
  /// one is reconciled.
  ///
  /// - Parameter state: of the ledger that the close is to be added to.
  init(_ wanted: CloseRequest, _ snapshot: Ledger, state: Ledger.State) throws {
    let request = wanted.reconcile
    if let earlier = try CloseBook(snapshot).close(of: request.period) {
      self = .closed(earlier)
      return
    }
    try checkOrder(of: request.period, CloseBook(snapshot))
    // Whether a fiscal month is settled is told by more than its findings.
    if request.period.fiscalMonth == nil, let recorded = try request.recorded(snapshot) {
      let open = try acceptances(wanted, recorded).open
      if !open.isEmpty {
        self = .refused(open)
        return
      }
    }
    let own = try reconcileFacts(request, snapshot)
    let bookings = try Bookings(request, snapshot)
    var result = try own.booking(bookings, request, snapshot).withRecorded(in: snapshot)
    result.restsOn = try request.basis(snapshot)
    try checkSettled(result)
    self = .open(
      Concluded(
        result: result, figures: try bookings.figures(of: own),
        basis: try bookings.basis(of: own.period), lastSource: try snapshot.lastSource(),
        state: state, number: try snapshot.nextClose(),
        before: try MonthBefore(request, snapshot)))
  }
}

/// What the close of the month before says, and why it may say nothing.
private struct MonthBefore {
  let comparison: CloseStatement.Comparison
  let statement: CloseStatement?

  /// Reads the figures that the close of the month before kept.
  init(_ request: ReconcileRequest, _ ledger: Ledger) throws {
    let period = request.period.previous
    guard let close = try CloseBook(ledger).close(of: period) else {
      (comparison, statement) = (.notClosed, nil)
      return
    }
    guard let bytes = try ledger.document(CloseDocument.figures, ofClose: close.number) else {
      (comparison, statement) = (.noFigures, nil)
      return
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let kept = CloseStatement(ofCSV: text, period: period) else {
      throw LedgerError.corrupt(
        path: ledger.path, detail: say("@close.close-no-cannot-be-read \(close.number)"))
    }
    let isSame = kept.currency == request.settings.baseCurrency
    (comparison, statement) = (isSame ? .compared : .otherCurrency, kept)
  }
}

/// Adds the close of a month to the ledger with its documents, unless errors are open. Throws where
/// the ledger changed since the month was concluded.
private func close(
  _ month: MonthToClose.Concluded, _ request: CloseRequest, in ledger: Ledger
) throws -> CloseOutcome {
  let result = month.result
  if request.reconcile.settings.twoSignatures { try checkSigner(request.by) }
  try ledger.record(result)
  let (accepted, open) = try acceptances(request, result)
  guard open.isEmpty else { return .refused(open) }
  var new = NewClose(
    record: CloseRecord(
      action: .close, period: result.period, at: request.at, by: request.by, reason: "",
      asOf: request.reconcile.asOf, version: request.version, lastSource: month.lastSource))
  new.record.number = month.number
  new.inputs = result.inputs
  new.acceptances = accepted
  let settings = request.reconcile.settings
  let pack = ClosePack(
    of: result, settings, record: new.record,
    inputsDigest: digest(of: result.inputs),
    accepting: accepted.filter { one in request.accepted.contains { $0.id.begins(one.finding) } },
    awaitsSecond: settings.twoSignatures,
    comparison: month.before.comparison, before: month.before.statement)
  new.documents = try documents(of: result, pack, besides: ledger.path)
  if settings.twoSignatures {
    new.withheld = books(of: result, settings)
  } else {
    new.documents += books(of: result, settings)
  }
  new.figures = month.figures
  new.basis = month.basis
  guard let number = try ledger.add(new, concludedFrom: month.state) else {
    throw Stop(
      .ledger, "@close.ledger-changed-while-was-being \(result.period)",
      help: "@close.run-the-command-again")
  }
  precondition(number == month.number, "the close tells another number than it has")
  return .closed(new.record, accepted: accepted, remarks: result.coinRemarks)
}

/// Throws where the period is no month, or has not ended.
private func checkClosable(_ period: Period, asOf: Day) throws {
  guard period.isClosable else {
    throw Stop(
      .badInput, "@close.cannot-be-closed-only-months \(period)",
      help: "@close.name-a-calendar-month-such")
  }
  guard asOf > period.last else {
    throw Stop(
      .badInput, "@close.has-not-ended-its-last \(period) \(period.last) \(asOf)",
      help: "@close.close-it-once-it-has")
  }
}

/// Throws where an earlier month is open or awaits a signature, or a later one is closed. Months
/// are closed one after the other: each begins with what the one before ended with.
private func checkOrder(of period: Period, _ book: CloseBook) throws {
  if let earlier = book.awaiting.first(where: {
    $0.period.isOfSameSort(as: period) && $0.period.last < period.first
  }) {
    throw Stop(
      .badInput, "@close.cannot-be-closed-awaiting \(period) \(earlier.period)",
      help: "@close.have-it-confirmed \(earlier.period)")
  }
  let (toReopen, toClose) = book.obstacles(to: period)
  if !toReopen.isEmpty {
    let months = toReopen.map(\.description).asList
    throw Stop(
      .badInput, "@close.cannot-be-closed-a-later \(period) \(toReopen.last!)",
      help: "@close.reopen-first-and-close-them \(months) \(period)")
  }
  if !toClose.isEmpty {
    let months = toClose.map(\.description).asList
    throw Stop(
      .badInput, "@close.cannot-be-closed-an-earlier \(period) \(toClose[0])",
      help: "@close.close-first-or-add \(months)")
  }
}

/// The open months that must be closed before a month can be, the earliest first, and that month.
///
/// - Throws: a ``Stop`` where no month is closed and an earlier one has sales reports: nobody told
///   with which the series begins, and none before it can be closed later; `LedgerError` as one.
package func monthsToClose(through period: Period, ledgerPath: String) throws -> [Period] {
  try stopping {
    try Ledger.reading(ledgerPath) { ledger in
      let book = try CloseBook(ledger)
      if book.closed(ofSameSortAs: period).isEmpty, book.awaiting.isEmpty,
        let first = try firstReported(before: period, ledger)
      {
        throw Stop(
          .badInput, "@close.first-close-is-not-chosen \(period) \(first)",
          help: "@close.close-the-first-month \(first) \(period)")
      }
      return book.obstacles(to: period).toClose + [period]
    }
  }
}

/// The earliest calendar month with sales reports before one; nil for none, and for fiscal months.
/// The report of the day before a month is the month's.
private func firstReported(before period: Period, _ ledger: Ledger) throws -> Period? {
  if period.fiscalMonth != nil { return nil }
  let reports = try ledger.files().filter { $0.input.kind == .sales }
  guard let first = reports.compactMap(\.input.from).min() else { return nil }
  var earliest: Period?
  var month = period.previous
  while first < month.last {
    earliest = month
    month = month.previous
  }
  return earliest
}

/// The earliest calendar month with sales reports that can be closed no more, because the close of
/// `period` is the first; nil for none.
///
/// - Throws: `LedgerError` as a ``Stop``.
package func monthLeftOpen(before period: Period, ledgerPath: String) throws -> Period? {
  try stopping {
    try Ledger.reading(ledgerPath) { ledger in
      let closed = try CloseBook(ledger).closed(ofSameSortAs: period).map(\.period.description)
      return closed == [period.description] ? try firstReported(before: period, ledger) : nil
    }
  }
}

/// Throws where a fiscal month's financial reports or payments are not loaded: it is closed on
/// these.
private func checkSettled(_ result: Reconciliation) throws {
  guard result.period.fiscalMonth != nil else { return }
  let isSettled = result.settlement.map { !$0.lines.isEmpty } ?? false
  if isSettled, result.settlement?.payments.isEmpty == false { return }
  throw Stop(
    .badInput,
    isSettled
      ? "@close.cannot-be-closed-its-payments \(result.period)"
      : "@close.cannot-be-closed-its-financial \(result.period)",
    help: "@close.download-them-from-payments")
}

/// The findings that the caller or people let stand, each with its reason, and the errors that stay
/// open.
private func acceptances(
  _ request: CloseRequest, _ result: Reconciliation
) throws -> (accepted: [Acceptance], open: [Finding]) {
  let levels = result.period.closingLevels
  var accepted: [Acceptance] = []
  for (id, reason) in request.accepted {
    let meant = result.findings.filter { id.begins($0.id) }
    guard let finding = meant.first else {
      throw Stop(
        .badInput, "@close.there-is-no-finding \(id) \(result.period)",
        help: "@close.reconcile-prints-the-ids")
    }
    guard meant.count == 1 else {
      throw Stop(
        .badInput, "@finding.several-findings-start \(id)",
        help: "@shared.type-more-of-the-id \(meant.prefix(5).map(\.id).asList)")
    }
    guard !accepted.contains(where: { $0.finding == finding.id }) else { continue }
    accepted.append(Acceptance(finding: finding.id, code: finding.code.rawValue, reason: reason))
  }
  let ids = Set(accepted.map(\.finding))
  // What Apple settled is compared with nothing on days without a sales report.
  let errors = result.findings.filter {
    $0.severity == .error && (levels.contains($0.code.level) || $0.code == .reportMissing)
      && !ids.contains($0.id)
  }
  accepted += errors.compactMap(\.acceptance)
  return (accepted, errors.filter { !$0.isAccepted })
}

extension String {
  /// Whether this, as a person typed it, is an id or its beginning: lists print eight digits.
  fileprivate func begins(_ id: String) -> Bool { !isEmpty && id.hasPrefix(lowercased()) }
}

extension Finding {
  /// The acceptance that `finding accept` gave; nil where it did not let the finding stand.
  fileprivate var acceptance: Acceptance? {
    guard isAccepted, let last = work?.remarks.last(where: { $0.action == .accept }) else {
      return nil
    }
    return Acceptance(
      finding: id, code: code.rawValue,
      reason: last.reason.isEmpty ? say("@close.accepted-by \(last.by)") : last.reason)
  }
}

/// The reconciliation as `reconcile --format json` prints it, as bytes.
func json(of result: Reconciliation) -> [UInt8] {
  var bytes: [UInt8] = []
  writeJSON(of: result) { bytes += $0 }
  return bytes
}

/// The documents of all that a close prints, beside its journal.
private func documents(
  of result: Reconciliation, _ pack: ClosePack, besides ledgerPath: String
) throws -> [CloseDocument] {
  /// The document's name, that of an awaiting one where a second signature is awaited.
  func name(_ name: String) -> String {
    pack.awaitsSecond ? CloseDocument.awaiting(name) : name
  }
  return [
    CloseDocument(CloseDocument.reconciliation, json(of: result)),
    CloseDocument(
      name(CloseDocument.summary),
      Array(reconciliationSummary(result, workbook: nil, pack: pack).utf8)),
    CloseDocument(
      name(CloseDocument.workbook), try workbook(of: result, pack, besides: ledgerPath)),
    CloseDocument(CloseDocument.figures, Array(pack.statement.csv.utf8)),
  ]
}

/// The documents that accounting takes over: of a calendar month double entry, once for each
/// program that reads it, and lists beside it; of a fiscal month what Apple owes.
private func books(of result: Reconciliation, _ settings: Settings) -> [CloseDocument] {
  var texts = [(CloseDocument.receivable, receivableCSV(result))]
  if result.period.fiscalMonth == nil {
    let journal = Journal(result, settings: settings)
    texts += [
      (CloseDocument.journal, journal.csv(settings.accounts)),
      ("journal.hledger", journal.hledger(settings.accounts)),
      (
        "journal.beancount",
        journal.beancount(settings.accounts, base: settings.baseCurrency)
      ),
      (CloseDocument.balances, balancesCSV(journal.closing)),
      (CloseDocument.settled, settledCSV(result.books?.settled ?? [])),
      ("proceeds.csv", proceedsCSV(result)),
    ]
  }
  if !result.deferral.isEmpty { texts.append(("deferred.csv", deferredCSV(result))) }
  if let statement = result.coinStatement {
    texts.append((CloseDocument.coins, coinsCSV(statement)))
  }
  return texts.map { CloseDocument($0, Array($1.utf8)) }
}

/// The workbook's bytes: it is written beside the ledger and deleted at once.
private func workbook(
  of result: Reconciliation, _ pack: ClosePack, besides ledgerPath: String
) throws -> [UInt8] {
  try savingWorkbook(ledgerPath) { () throws(OutputError) in
    try workbookBytes(result, pack: pack, besides: folder(of: ledgerPath))
  }
}
