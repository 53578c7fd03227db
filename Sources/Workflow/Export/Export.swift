package import Billing
import Conclusions
import Foundation
import Languages
import Ledger
import Matching
package import Reporting
import Synchronization

/// Something that can be exported.
package enum ExportKind: String, Sendable, CaseIterable {
  case findings, proceeds, entities, patterns, flow, coins, refunds, subscriptions, orders
  case transactions
  case coinMovements = "coin_movements"
  case journal

  /// Whether it is concluded of a period, or only narrowed by one.
  package var needsPeriod: Bool { !Self.imported.contains(self) }
  /// Rows as they were imported.
  fileprivate static let imported: Set<Self> = [.orders, .transactions, .coinMovements]
}

/// What to export, and which rows of it.
package struct ExportRequest: Sendable {
  package var kind: ExportKind
  package var ledgerPath: String
  package var settings: Settings
  package var asOf: Day
  /// Of the program: findings that it recorded itself are used again while they hold.
  package var version: String?
  /// Is told which part of the work begins.
  package var phase: @Sendable (Wording) -> Void = { _ in }
  /// Nil for all of the ledger's orders or transactions.
  package var period: Period?
  /// Only findings of these codes; empty for all.
  package var codes: Set<FindingCode> = []
  /// Only findings of this severity or above.
  package var severity: Severity?
  package var storefront: Storefront?
  /// From this day on.
  package var since: Day?
  /// Whether rows are JSON, one object per line; else CSV.
  package var isJSONLines: Bool
  /// Whether text that a spreadsheet takes for a formula is quoted, in CSV.
  package var isForSpreadsheet = false
  /// The program that the journal is for; nil for the journal's own columns.
  package var program: AccountingProgram?
  /// Which of the files that the program needs, from 1; nil where one has all.
  package var part: Int?

  package init(
    _ kind: ExportKind, ledgerPath: String, settings: Settings, asOf: Day, isJSONLines: Bool
  ) {
    self.kind = kind
    self.ledgerPath = ledgerPath
    self.settings = settings
    self.asOf = asOf
    self.isJSONLines = isJSONLines
  }
}

/// Writes the rows of `request`, one at a time. What is of a period comes from the facts as they
/// are now, also of a closed period; findings as they were recorded, where nothing
/// that they follow from has changed.
///
/// - Precondition: a period where the kind needs one.
/// - Throws: a ``Stop``, and what `sink` throws.
package func export(
  _ request: ExportRequest, to sink: @escaping ([UInt8]) throws -> Void
) throws {
  try stopping {
    switch request.kind {
    case .orders, .transactions, .coinMovements:
      try Ledger.reading(request.ledgerPath, connections: piecesAtOnce) {
        try exportRows(of: $0, request, to: sink)
      }
    case .findings, .proceeds, .entities, .patterns, .flow, .coins, .refunds, .subscriptions,
      .journal:
      guard let period = request.period else { preconditionFailure("a period is concluded of") }
      if request.kind == .journal, period.fiscalMonth != nil {
        throw Stop(
          .badInput, "@export.has-no-journal-settlement \(period)",
          help: "@export.export-the-journal-of-the-calendar")
      }
      var wanted = ReconcileRequest(
        ledgerPath: request.ledgerPath, period: period, settings: request.settings,
        asOf: request.asOf)
      (wanted.version, wanted.phase) = (request.version, request.phase)
      wanted.lists = [.refunds, .subscriptions].contains(request.kind) ? .whole : .none
      let result = try wanted.reading { ledger in
        try requireFacts(of: period, in: ledger, asOf: request.asOf)
        if request.kind == .findings, let recorded = try wanted.recorded(ledger) {
          return recorded
        }
        return try reconcile(wanted, ledger)
      }
      try exportConclusion(result, request, to: sink)
    }
  }
}

/// Writes what is asked for of a period's reconciliation, in the request's form.
private func exportConclusion(
  _ result: Reconciliation, _ request: ExportRequest,
  to sink: @escaping ([UInt8]) throws -> Void
) throws {
  switch request.kind {
  case .proceeds:
    try exportProceeds(result, storefront: request.storefront, request.form, to: sink)
  case .entities: try exportEntities(result, request.form, to: sink)
  case .patterns: try exportPatterns(result, request.form, to: sink)
  case .flow: try exportFlow(result, since: request.since, request.form, to: sink)
  case .coins: try exportCoins(result, since: request.since, request.form, to: sink)
  case .refunds:
    try exportRefunds(
      result, storefront: request.storefront, since: request.since, request.form, to: sink)
  case .subscriptions:
    try exportSubscriptions(result, storefront: request.storefront, request.form, to: sink)
  case .journal:
    // DATEV's character set has room for few languages.
    let translation = request.program == .datev ? Translation.english : Translation.current
    let journal = Translation.$current.withValue(translation) {
      Journal(result, settings: request.settings)
    }
    if let program = request.program {
      let bytes: [UInt8]
      do throws(AccountingGap) {
        bytes = try journal.file(
          for: program, request.settings, since: request.since, part: request.part)
      } catch {
        throw error.stop(program)
      }
      return try sink(bytes)
    }
    try exportJournal(
      journal, request.settings.accounts, since: request.since, request.form, to: sink)
  default:
    var filter = FindingFilter()
    filter.codes = request.codes
    filter.severity = request.severity
    filter.storefront = request.storefront
    filter.since = request.since
    try exportFindings(result, filter, request.form, to: sink)
  }
}

extension AccountingGap {
  /// The error that a journal cannot be written for a program, with what to do about it.
  fileprivate func stop(_ program: AccountingProgram) -> Stop {
    let name = program.rawValue
    switch self {
    case .codes(let roles):
      let keys = roles.map(\.rawValue).joined(separator: ", ")
      return Stop(
        .badInput, "@export.accounts-without-a-code \(name) \(keys)",
        help: "@export.name-their-codes")
    case .notCodes(let codes):
      return Stop(
        .badInput, "@export.does-not-take-these-accounts \(name) \(codes.joined(separator: ", "))",
        help: "@export.write-only-digits-below-account")
    case .unvalued(let entries):
      let shown = entries.prefix(5).joined(separator: ", ")
      return Stop(
        .badInput, "@export.entries-without-a-value \(shown)",
        help: "@export.import-the-exchange-rates")
    case .key(let key):
      return Stop(
        .badInput, "@export.is-not-configured \(key) \(name)",
        help: "@export.guide-page-on-closing")
    case .parts(let count, let lines):
      return Stop(
        .badInput,
        "@export.lines-of-the-journal \(grouped(lines)) \(name)",
        help: "@export.write-its-parts-one-by \(count) \(count)")
    case .noPart(let number, let count):
      return Stop(
        .badInput,
        counted(count, "@export.there-is-no-part \(number)") {
          "@export.there-is-no-part-the-journal \(number) \($0)"
        }, help: "@export.leave-part-out-to-see")
    case .entry(let entry, let lines):
      return Stop(
        .badInput,
        "@export.lines-of-entry-in-all \(entry) \(grouped(lines)) \(name)",
        help: "@export.export-the-journal")
    }
  }
}

/// Writes imported rows on several cores, in their order: as many pieces at a time, so that no more
/// than these is held.
private func exportRows(
  of ledger: Ledger, _ request: ExportRequest, to sink: @escaping ([UInt8]) throws -> Void
) throws {
  let rows = try WrittenRows(ledger, request)
  try sink(rows.header)
  guard let times = request.times else { return }
  let filter = RowFilter(times: times, storefront: request.storefront)
  let pieces = pieces(try rows.table.runs(ledger, filter))
  let repeated = (0..<piecesAtOnce).map { _ in rows.nothingRepeated }
  for first in stride(from: 0, to: pieces.count, by: piecesAtOnce) {
    let written = inThreads(min(piecesAtOnce, pieces.count - first)) { index in
      Result { try rows.written(pieces[first + index], filter, repeated[index]) }
    }
    for piece in written { try sink(try piece.get()) }
  }
}

/// A piece is some ten megabytes of text.
private let piecesAtOnce = min(coreCount, 4)

/// Puts runs of rows together to pieces of about a block's rows, for threads to be worth it.
private func pieces(_ runs: [ExportedRows.Run]) -> [ArraySlice<ExportedRows.Run>] {
  var pieces: [ArraySlice<ExportedRows.Run>] = []
  var (start, count) = (0, 0)
  for (index, run) in runs.enumerated() {
    count += run.rows.count
    if count >= FactBlock.rowLimit || index == runs.count - 1 {
      pieces.append(runs[start...index])
      (start, count) = (index + 1, 0)
    }
  }
  return pieces
}

/// Orders, transactions or movements of coins as they are written.
private struct WrittenRows: Sendable {
  let table: ExportedRows
  private let ledger: Ledger
  private let form: RowWriter.Form
  private let names: [String]
  private let cells: [CellForm]
  private let mask: UserMask?

  /// Cells of terms that one piece after the other has written, by runs of columns.
  final class Repeated: Sendable {
    fileprivate let cells: Mutex<[RepeatedCells]>

    /// Begins without cells.
    ///
    /// - Parameter count: of runs of columns.
    fileprivate init(_ count: Int) {
      cells = Mutex(Array(repeating: RepeatedCells(), count: count))
    }
  }

  /// Prepares the columns of the table that the request exports.
  init(_ ledger: Ledger, _ request: ExportRequest) throws {
    (self.ledger, form) = (ledger, request.form)
    let table: ExportedRows.Table =
      switch request.kind {
      case .orders: .orders
      case .coinMovements: .coinMovements
      default: .transactions
      }
    self.table = try ExportedRows(ledger, table)
    // The line is last in the ledger's row; the file stands before it.
    names = table.columns.dropLast() + ["file", "line"]
    cells = table.columns.map { name in CellForm(name, table.form(of: name)) }
    mask = request.settings.maskUsers ? try UserMask(ledger) : nil
  }

  /// No cells of terms written yet.
  var nothingRepeated: Repeated { Repeated(table.ofTerms.count) }

  /// The bytes before the first row: of CSV the column names.
  var header: [UInt8] {
    var writer = RowWriter(form, names)
    return writer.taken()
  }

  /// The bytes of the rows of these runs that the filter lets through.
  ///
  /// - Parameter repeated: cells of terms that were written before and are copied.
  func written(
    _ runs: ArraySlice<ExportedRows.Run>, _ filter: RowFilter, _ repeated: Repeated
  ) throws -> [UInt8] {
    // Of what is not used no page is touched.
    let room = runs.reduce(0) { $0 + $1.rows.count } * 320
    var writer = RowWriter(form, names, isContinued: true, room: room)
    try repeated.cells.withLock { repeated in
      try table.forEach(runs, filter, ledger) { row, file in
        var column = 0
        for (run, columns) in table.ofTerms.enumerated() {
          try add(column..<columns.lowerBound, of: row, to: &writer)
          try writer.cells(columns.count, number: row.terms, of: &repeated[run]) { writer in
            try add(columns, of: row, to: &writer)
          }
          column = columns.upperBound
        }
        try add(column..<(cells.count - 1), of: row, to: &writer)
        writer.text(file)
        try add((cells.count - 1)..<cells.count, of: row, to: &writer)
        writer.closeRow()
      }
    }
    return writer.taken()
  }

  /// Writes the cells of some columns of a row, users masked where they are to be.
  private func add(
    _ columns: Range<Int>, of row: borrowing ExportedRows.Row, to writer: inout RowWriter
  ) throws {
    for column in columns {
      let value = try row.value(column)
      switch (value, cells[column]) {
      case (.nothing, _): writer.null()
      case (.number(let micros), .amount): writer.decimal(micros)
      case (.number(let seconds), .time): writer.time(Instant(seconds: seconds))
      case (.day(let day), _): writer.text(day.description)
      case (.number(let number), .truth): writer.bool(number == 1)
      case (.number(let number), .count): writer.integer(number)
      // Ids are text whatever the ledger keeps them as.
      case (.number(let number), .user) where mask != nil: writer.text(mask!(String(number)))
      case (.number(let number), .plain), (.number(let number), .user):
        writer.text(digitsOf: number)
      case (.text(let bytes), .user) where mask != nil:
        writer.text(mask!(String(decoding: bytes, as: UTF8.self)))
      case (.text(let bytes), _): writer.text(bytes)
      }
    }
  }
}

extension ExportRequest {
  /// The form in which rows are written.
  fileprivate var form: RowWriter.Form {
    isJSONLines ? .jsonLines : isForSpreadsheet ? .spreadsheet : .csv
  }

  /// The times of the rows to export: from the start of the first day to the end of the last, in
  /// the company's accounting day; nil where the one is after the other.
  fileprivate var times: ClosedRange<Instant>? {
    let zone = settings.businessZone
    var first = Int64.min
    var last = Int64.max
    if let period {
      first = zone.start(of: period.first).seconds
      last = zone.start(of: period.last.advanced(by: 1)).seconds - 1
    }
    if let since = since { first = max(first, zone.start(of: since).seconds) }
    return first <= last ? Instant(seconds: first)...Instant(seconds: last) : nil
  }
}

/// How a column of the ledger is written.
private enum CellForm {
  case plain, count, amount, time, truth, user

  /// The form of a column, by its name and what the ledger says of it.
  init(_ column: String, _ form: ColumnForm?) {
    self =
      switch (column, form) {
      case ("user_id", _), ("resolved_user", _), ("app_account_token", _): .user
      case ("resolved_price", _), (_, .amount): .amount
      case ("line", _), (_, .number): .count
      case (_, .flag): .truth
      case ("date", _), (_, .time): .time
      default: .plain
      }
  }
}
