import Billing
import Foundation
import Ledger
import Matching
import Reading

/// Loads files into the ledger, each in one transaction of its own, and says what each one was.
///
/// A bad file leaves no trace and the others go on; what is wrong with it is in the summary.
/// Throws what stops the whole call: a ``Stop`` for a ledger that is locked, corrupt or too new.
///
/// - Parameter isStopped: whether somebody wants the call to end; asked often, also while a file
///   has nothing to read. The file under way leaves no trace, and those behind it stay as they are.
package func importFiles(
  _ request: ImportRequest, progress: @escaping (ImportProgress) -> Void = { _ in },
  waiting: () -> Void = {}, isStopped: @escaping () -> Bool = { false }
) throws -> ImportSummary {
  try stopping {
    let inputs = inputFiles(
      under: request.paths, excluding: ownFiles(of: request),
      mappings: request.mappings.filter { request.kind == nil || $0.kind == request.kind })
    if let first = inputs.first?.file {
      // Whoever watches sees at once that something goes on.
      progress(
        ImportProgress(
          file: first.path, filesDone: 0, fileCount: inputs.count, rows: 0, bytesRead: 0,
          byteCount: inputs.byteCount))
    }
    let trial = try TrialLedger(request, files: inputs.count)
    defer { withExtendedLifetime(trial) {} }
    let ledgerPath = trial?.path ?? request.ledgerPath
    var summary = ImportSummary(isDryRun: request.isDryRun)
    summary.defaultStorefront = request.defaultStorefront
    let lock: ImportLock
    do {
      lock = try ImportLock(
        ledgerPath: ledgerPath, patience: request.patience, waiting: waiting, isStopped: isStopped)
    } catch is ImportStopped {
      summary.stop(before: inputs.count)
      return summary
    }
    defer { withExtendedLifetime(lock) {} }
    // Not before the lock: while it is waited for, a file may be written anew.
    let ahead = FileAhead(inputs, for: request)
    defer { ahead.cancel(waits: !isStopped()) }
    let isScratch = request.isScratch || trial != nil
    let ledger = try Ledger(path: ledgerPath, mode: isScratch ? .scratch : .readWrite)
    let lastRun = try ledger.lastIDRun()
    if inputs.isEmpty, request.noSales.isEmpty {
      summary.diagnostics.append(
        Diagnostic(
          topic: "path", at: SourceLocation(file: request.paths.joined(separator: ", ")),
          "@import.expected-files-to-import-found", help: "@import.name-files-or-folders"))
    }
    var loader = FileLoader(
      ledger: ledger, request: request, files: inputs, ahead: ahead, isTrial: trial != nil,
      progress: progress, isStopped: isStopped)
    files: for (index, input) in inputs.enumerated() {
      switch input {
      case .file(let file):
        do {
          let imported = try loader.load(file)
          if let reason = try imported.leftOut(file, in: ledger) {
            summary.leftOut.append(LeftOutFile(path: file.path, reason: reason))
          } else {
            summary.files.append(imported)
          }
        } catch is ImportStopped {
          summary.stop(before: inputs.count - index)
          break files
        }
      case .leftOut(let file):
        summary.leftOut.append(file)
        loader.filesDone += 1
      case .diagnostic(let diagnostic):
        summary.files.append(ImportedFile(rejected: diagnostic.location.file, diagnostic))
        loader.filesDone += 1
      }
    }
    if summary.filesLeft == 0 {
      try summary.countRatesAgain(request, in: ledger, isTrial: request.isDryRun && trial == nil)
    }
    for far in try ledger.distantRepeats(after: lastRun) {
      guard let index = summary.files.lastIndex(where: { $0.file == far.file && $0.isLoaded })
      else { continue }
      summary.files[index].remark(onFar: far.repeated)
    }
    if summary.filesLeft == 0 {
      try summary.countReportsAgain(request, in: ledger, isTrial: trial != nil)
    }
    for index in summary.files.indices {
      guard let warning = try UnitCheck(summary.files[index], in: ledger)?.diagnostic else {
        continue
      }
      summary.files[index].diagnostics.append(warning)
    }
    summary.diagnostics += missingPages(summary.files)
    summary.diagnostics += try openAnswers(
      loader.pages, in: ledger, isDryRun: request.isDryRun && trial == nil)
    if summary.filesLeft == 0 { try recordNoSales(request, in: ledger, into: &summary) }
    if !request.isDryRun { try summary.noteRejectedFiles(inputs, in: ledger) }
    if let month = summary.loadedMonth {
      let book = try CloseBook(ledger)
      summary.bookedIn = book.close(of: month).flatMap { book.openMonth(after: $0.period) }
    }
    return summary
  }
}

extension ImportedFile {
  /// Why a file that was rejected is no input, so that it is listed as left out and no fault; nil
  /// for any other. A note that the user named is rejected all the same.
  fileprivate func leftOut(_ found: FoundFile, in ledger: Ledger) throws -> LeftOutReason? {
    guard status == .rejected else { return nil }
    let reason = diagnostics.lazy.compactMap(\.leftOut).first
    if reason == .ownWork || reason != nil && !found.isNamed { return reason }
    // What the ledger wrote and no sign of its content tells: other programs' journals.
    guard kind == nil, found.member == nil, found.sheet == nil,
      found.path != RawFile.standardInput,
      found.byteCount != nil, let digest = try? ContentDigest(of: found.path)
    else { return nil }
    return try ledger.wrote(digest.sha256) ? .ownWork : nil
  }
}

extension ImportSummary {
  /// Notes in the ledger which files of the call are there and were rejected as a whole, until they
  /// come in or are forgotten, and takes the note off the call's other files.
  fileprivate func noteRejectedFiles(_ inputs: [FoundInput], in ledger: Ledger) throws {
    let found = Set(
      inputs.compactMap(\.file).filter { identity(of: $0.container) != nil }.map(\.path))
    let own = files.filter { found.contains($0.file) }
    let rejected = own.filter { $0.status == .rejected }.map { plainPath($0.file) }
    let others = own.filter { $0.status != .rejected }.map { plainPath($0.file) }
    try ledger.noteRejected(rejected, noLonger: others + leftOut.map { plainPath($0.path) })
  }
}

/// The path without any `./` at its start: one file has one name, as far as it can be known.
func plainPath(_ path: String) -> String {
  path.hasPrefix("./") ? plainPath(String(path.dropFirst(2))) : path
}

extension ImportSummary {
  /// Makes known files of exchange rates take precedence over later ones again, unless the call
  /// names those too: a folder that is imported once more changes nothing.
  ///
  /// - Parameter isTrial: whether it is only found out which would count no longer.
  fileprivate mutating func countRatesAgain(
    _ request: ImportRequest, in ledger: Ledger, isTrial: Bool
  ) throws {
    let named = Set(files.compactMap(\.sha256))
    for index in files.indices where files[index].status == .skipped && files[index].kind == .rates
    {
      guard let sha256 = files[index].sha256 else { continue }
      let replaced = try ledger.countRatesAgain(
        of: sha256, named: named, at: request.importedAt, isTrial: isTrial)
      if !replaced.isEmpty { files[index].supersedes = replaced.joined(separator: ", ") }
    }
  }
}

/// Warnings of answers of this call's files that say that more pages follow, where neither these
/// files nor the ledger have them.
///
/// - Parameter pages: of each file of the call, in order.
private func openAnswers(
  _ pages: [[ImportedPage]], in ledger: Ledger, isDryRun: Bool
) throws -> [Diagnostic] {
  let own = Set(pages.joined())
  if own.isEmpty { return [] }
  let known = try ledger.answerPages()
  return OpenPages(isDryRun ? known + pages : known).pages.filter(own.contains).map { page in
    Diagnostic(
      .warning, topic: "pages", at: SourceLocation(file: page.file, line: Int(page.page.line)),
      page.wording,
      help: "@import.import-the-rest-too")
  }
}

/// Runs `body` and turns the ledger's errors into a ``Stop``; a ``Diagnostic`` passes as it is.
func stopping<Value>(_ body: () throws -> Value) throws -> Value {
  do { return try body() } catch { throw Stop(error) ?? error }
}

/// A ledger to try an import in: an empty one when there is none yet, because a dry run creates no
/// file, and a copy where several files may repeat one another.
private struct TrialLedger {
  private let folder: ScratchFolder
  var path: String { folder.path + "/trial.sqlite" }

  /// Makes the ledger in a scratch folder; nil where the import works on the ledger itself.
  ///
  /// - Parameter files: how many the call found.
  init?(_ request: ImportRequest, files: Int) throws {
    let exists = identity(of: request.ledgerPath) != nil
    guard request.isDryRun, !exists || files > 1 else { return nil }
    folder = try scratchFolder(beside: request.ledgerPath)
    if exists { try backup(request.ledgerPath, to: path) }
  }
}

/// The files that are never input, even when they lie in an imported folder: the ledger, what
/// SQLite keeps beside it, and the configuration.
private func ownFiles(of request: ImportRequest) -> Set<FileIdentity> {
  let paths = ledgerFiles(of: request.ledgerPath) + request.leftOut
  return Set(paths.compactMap { identity(of: $0) })
}

extension Day {
  /// The times that lie in this day of Apple's, which most reports begin at midnight Pacific Time,
  /// in summer (UTC-7) and in winter (UTC-8): 08:00 UTC to 07:00 UTC of the next day.
  fileprivate var pacificHours: Range<Instant> {
    let midnight = Int64(number) * 86_400
    return Instant(seconds: midnight + 8 * 3600)..<Instant(seconds: midnight + 31 * 3600)
  }
}

extension ImportSummary {
  /// Makes superseded reports count again: those that the call names once more, where it does not
  /// name the newer reports that replaced them. A copy that a spreadsheet saved again replaces
  /// nothing.
  ///
  /// - Parameter isTrial: whether the ledger is a copy, in which a dry run may keep it.
  fileprivate mutating func countReportsAgain(
    _ request: ImportRequest, in ledger: Ledger, isTrial: Bool
  ) throws {
    let again = files.indices.filter {
      files[$0].status == .skipped && (!files[$0].isResaved || request.acceptsResaved)
    }
    let replaced = try ledger.countAgain(
      again.compactMap { files[$0].sha256 }, named: Set(files.compactMap(\.sha256)),
      isKept: !request.isDryRun || isTrial)
    for index in again {
      guard let older = files[index].sha256.flatMap({ replaced[$0] }) else { continue }
      files[index].countsAgain = true
      files[index].supersedes = older
    }
  }
}

/// Records the days of the request as days without sales, for its vendor or the only one known, and
/// adds them to the summary. Warns of a report that has rows of the day, and refuses a day on which
/// the ledger has purchases, unless forced.
private func recordNoSales(
  _ request: ImportRequest, in ledger: Ledger, into summary: inout ImportSummary
) throws {
  guard !request.noSales.isEmpty else { return }
  let reports = try ledger.files().filter {
    $0.input.kind == .sales && $0.input.status != .superseded
  }
  let vendors = Set(
    reports.map(\.vendor) + summary.files.filter { $0.kind == .sales }.map(\.vendor)
  ).subtracting([""])
  guard request.vendor != nil || vendors.count < 2 else {
    summary.diagnostics.append(
      Diagnostic(
        topic: "vendor", at: SourceLocation(file: "--no-sales"),
        "@import.ledger-has-reports-of-several \(vendors.sorted().asList)",
        help: "@import.say-with-vendor"))
    return
  }
  let vendor = request.vendor ?? vendors.first ?? ""
  for day in request.noSales {
    let reportWithRows = reports.first { report in
      report.vendor == vendor && report.input.rows > 0 && report.input.from == day
        && report.input.to == day
    }
    if let report = reportWithRows?.input {
      summary.diagnostics.append(
        Diagnostic(
          .warning, topic: "no-sales", at: SourceLocation(file: "--no-sales"),
          "@import.has-a-report \(day) \(rows(report.rows)) \(report.file)",
          help: "@import.report-rows-go-on-counting"))
    }
    let count = try ledger.purchaseCount(day.pacificHours)
    guard count == 0 || request.isForced else {
      summary.diagnostics.append(
        Diagnostic(
          topic: "no-sales", at: SourceLocation(file: "--no-sales"),
          """
          @import.of-in-the-ledger-not \
          \(counted(count, "@import.1-purchase") { "@import.purchases \($0)" }) \(day)
          """,
          help: "@import.fetch-or-download-the-day"))
      continue
    }
    if !request.isDryRun { try ledger.recordNoSales(day, vendor: vendor) }
    summary.noSales.append(NoSalesDay(day: day, vendor: vendor))
  }
}
