package import Billing
package import Fetching
import Foundation
import Ledger
import Synchronization

/// What a fetch came to.
package struct FetchSummary: Sendable {
  package var isDryRun: Bool
  /// In the order in which they came; of a dry run in the order in which they would be asked.
  package var answers: [FetchedAnswer] = []
  /// What came in; nil where nothing was imported.
  package var imported: ImportSummary?
  /// What is wrong beside the files.
  package var diagnostics: [Diagnostic] = []
  /// Files that came before, were never imported, and are not there.
  var lostFiles = 0
  /// Files of lists whose end has not come, by question.
  private var parts: [String: [String]] = [:]

  init(isDryRun: Bool) { self.isDryRun = isDryRun }

  /// Whether something is missing: Apple could not be reached or refused, or what came is lost.
  package var lacksAnswers: Bool {
    guard !isDryRun, lostFiles == 0 else { return !isDryRun }
    return answers.contains { answer in
      switch answer.outcome {
      case .refused, .failed, .open, nil: true
      case .rows, .nothing, .notYet, .gone: false
      }
    }
  }
}

/// Asks Apple for what the request wishes, writes each answer into a file, and imports the files.
///
/// What was answered is remembered as it comes: a process that ends at any moment leaves whole
/// files, and the next one goes on.
///
/// - Parameters:
///   - stop: raised from outside to end soon; what has landed is imported by the next run then.
///     Where time is up no more is asked, and what has landed is imported.
///   - progress: called after each answer, on the caller's thread.
///   - importing: called as the import goes on.
/// - Throws: a ``Stop`` for a key that is missing or wrong, a folder that cannot be written, or a
///   ledger that cannot be used.
package func fetch(
  _ request: FetchRequest, stop: StopSignal, progress: (FetchProgress) -> Void = { _ in },
  importing: @escaping (ImportProgress) -> Void = { _ in }
) throws -> FetchSummary {
  try stopping {
    var summary = FetchSummary(isDryRun: request.isDryRun)
    let path = request.importing.ledgerPath
    if request.isDryRun {
      let isThere = identity(of: path) != nil
      let questions =
        isThere
        ? try Ledger.reading(path) { try FetchPlan($0, request).questions(request.wish) }
        : try FetchPlan(nil, request).questions(request.wish)
      summary.answers = questions.map { FetchedAnswer($0, at: request.now) }
      return summary
    }
    let lock = try fetchLock(path)
    defer { withExtendedLifetime(lock) {} }
    let ledger = try Ledger(path: path, mode: .readWrite)
    let questions = try FetchPlan(ledger, request).questions(request.wish)
    try ask(questions, request, ledger, stop: stop, progress, into: &summary)
    if request.imports { try importLanded(request, ledger, stop, importing, into: &summary) }
    return summary
  }
}

/// The lock that keeps another fetch into the ledger away. Throws a ``Stop`` where one is running.
private func fetchLock(_ ledgerPath: String) throws -> ImportLock {
  do {
    return try ImportLock(ledgerPath: ledgerPath, suffix: ImportLock.fetchSuffix)
  } catch LedgerError.locked {
    throw Stop(
      .ledger, "@fetch.another-fetch-into-is-running \(ledgerPath)",
      help: "@fetch.wait-until-it-ends")
  }
}

/// Requests under way at the same time, at most.
private let width = 3

/// Asks the questions on several threads, and records each answer in the ledger and the summary as
/// it comes.
private func ask(
  _ questions: [FetchQuestion], _ request: FetchRequest, _ ledger: Ledger, stop: StopSignal,
  _ progress: (FetchProgress) -> Void, into summary: inout FetchSummary
) throws {
  guard !questions.isEmpty else { return }
  let hosts = Set(questions.map(\.host))
  let tokens = try request.access.tokens(for: hosts)
  summary.diagnostics += request.access.keyWarnings(for: hosts)
  try LandedFile.makeFolder(request.folder)
  let requests = RequestLog()
  let apple = AppleClient(
    addresses: request.access.addresses, tokens: tokens, limits: request.limits, stop: stop,
    record: requests.add)
  let runner = QuestionRunner(apple, folder: request.folder, now: request.now)
  let workers = WorkerThreads<FetchedAnswer>(
    width: width, count: questions.count
  ) { index, deliver in
    try runner.run(questions[index], deliver)
  }
  let saleDays = Dictionary(
    questions.compactMap { question in question.saleDay.map { (question.item, $0) } },
    uniquingKeysWith: { first, _ in first })
  var done = 0
  do {
    while let answer = try workers.next() {
      let isSales = answer.list.hasPrefix(ReportType.sales.rawValue + " ")
      let noSales =
        isSales && answer.outcome == .nothing
        ? saleDays[answer.item].map { ($0.day, $0.vendor) } : nil
      // Without an import the ledger's facts stay as they are: the day is asked for again.
      let isFact =
        answer.outcome == .nothing
        && ReportType.allCases.contains {
          answer.list.hasPrefix($0.rawValue + " ")
        }
      let isKept = request.imports || !isFact
      // The next fetch may work in another folder.
      try ledger.record(
        isKept ? answer.record : nil, files: answer.files.map(absolutePath),
        unchanged: answer.unchangedFile.map { (absolutePath($0.path), $0.sha256) },
        requests: requests.take(), noSales: request.imports ? noSales : nil)
      if answer.isPart {
        summary.partFiles(answer)
        continue
      }
      done += 1
      summary.add(answer)
      progress(
        FetchProgress(
          question: answer.question, done: done, count: questions.count))
    }
  } catch {
    stop.raise()
    workers.abandon()
    throw error
  }
  try ledger.record(nil, requests: requests.take())
  summary.diagnostics += summary.problems(clockError: apple.clockError)
}

/// Imports what came from Apple and was not imported yet, of this call and of those before it, by
/// name: the ledger is then the one that an import of the same files makes.
private func importLanded(
  _ request: FetchRequest, _ ledger: Ledger, _ stop: StopSignal,
  _ progress: @escaping (ImportProgress) -> Void, into summary: inout FetchSummary
) throws {
  let waiting = try ledger.unimportedFiles()
  let paths = waiting.filter { identity(of: $0) != nil }
  if !paths.isEmpty {
    var importing = request.importing
    importing.paths = paths
    let imported = try importFiles(importing, progress: progress, isStopped: { stop.isStopped })
    let loaded = imported.files.filter { $0.status != .rejected }.map(\.file)
    try ledger.markImported(loaded)
    summary.imported = imported
  }
  let isThere = Set(paths)
  try tellLost(waiting.filter { !isThere.contains($0) }, ledger, into: &summary)
}

/// Adds an error for each file that came from Apple, was never imported, and is gone. A report that
/// came again, into another folder, is not missed.
///
/// - Parameter paths: of the files that are gone.
private func tellLost(
  _ paths: [String], _ ledger: Ledger, into summary: inout FetchSummary
) throws {
  guard !paths.isEmpty else { return }
  let files = Dictionary(grouping: try ledger.files().map(\.input.file), by: lastName(of:))
  /// Whether a report of the same name was imported from another folder.
  func isHere(_ path: String) -> Bool {
    // Under the same path it is the version that the lost one replaced.
    path.hasSuffix(FetchQuestion.reportEnding)
      && files[lastName(of: path), default: []].contains { $0 != path }
  }
  try ledger.markImported(paths.filter(isHere))
  let lost = paths.filter { !isHere($0) }
  summary.lostFiles = lost.count
  summary.diagnostics += lost.map { path in
    Diagnostic(
      topic: "apple", at: SourceLocation(file: path),
      "@fetch.was-fetched-but-was-gone",
      help: "@fetch.put-it-back-or-run")
  }
}

/// The file's name without its folder.
private func lastName(of path: String) -> Substring { path.split(separator: "/").last ?? "" }

/// The requests that went out and are not recorded yet; threads add to it.
private final class RequestLog: Sendable {
  private let requests = Mutex<[AppleRequest]>([])

  /// Adds a request that went out; of any thread.
  func add(_ attempt: Attempt) {
    requests.withLock {
      $0.append(
        AppleRequest(
          host: attempt.host.rawValue, at: attempt.at, milliseconds: attempt.milliseconds,
          status: attempt.status, hasFailed: attempt.hasFailed))
    }
  }

  /// Returns the requests that were added since the last call.
  func take() -> [AppleRequest] {
    requests.withLock { requests in
      defer { requests = [] }
      return requests
    }
  }
}

extension FetchSummary {
  /// Adds the end of an answer, with the files of its parts.
  fileprivate mutating func add(_ answer: FetchedAnswer) {
    var answer = answer
    let parts = self.parts.removeValue(forKey: answer.question) ?? []
    answer.files = parts + answer.files
    answers.append(answer)
  }

  /// Keeps the files of a list of which more comes, until its end does.
  fileprivate mutating func partFiles(_ answer: FetchedAnswer) {
    parts[answer.question, default: []] += answer.files
  }
}
