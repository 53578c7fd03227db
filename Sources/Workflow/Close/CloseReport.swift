package import Billing
import Conclusions
import Languages
import Foundation
import Ledger
import Matching
import Reporting

/// What `close` tells of its outcome, and the files that it writes.
package struct CloseReport: Sendable {
  private let outcome: CloseOutcome
  private let period: Period
  /// What the names of written files begin with.
  private let stem: String
  /// Written, as the caller named them.
  private(set) var files: [String] = []
  /// What the month comes to; nil where it is open, or was closed by a version that kept none.
  private var statement: CloseStatement?
  private var signatures = Signatures.one
  /// The errors that keep the month open, as reconcile lists them.
  private var refusing: FindingScreen?
  /// That what the month rests on has changed since it was signed first; nil where it has not.
  private var change: ChangedClose?

  /// Writes the journal and its lists, and the workbook where the caller wants one, from what the
  /// close keeps: a call that was interrupted before is finished by the next one.
  ///
  /// - Parameter workbook: where the workbook is saved; the rest stands beside it, else in the
  ///   current folder, under the period's name.
  package init(
    _ outcome: CloseOutcome, period: Period, ledgerPath: String, workbook: String?,
    settings: Settings = Settings()
  ) throws {
    self.outcome = outcome
    self.period = period
    stem = Self.stem(period, workbook)
    if case .refused(let findings) = outcome {
      refusing = try Self.screen(findings, period, ledgerPath, settings.baseCurrency)
    }
    guard let record = outcome.record else { return }
    (signatures, change) = try Self.standing(of: record, ledgerPath, settings)
    let book =
      awaitsSecond ? CloseDocument.awaiting(CloseDocument.workbook) : CloseDocument.workbook
    for (name, bytes) in try Self.kept(by: record, ledgerPath) {
      if name == CloseDocument.figures {
        statement = CloseStatement(ofCSV: String(decoding: bytes, as: UTF8.self), period: period)
      }
      if name == book, let workbook {
        try save(bytes, to: workbook)
      } else if !awaitsSecond, !CloseDocument.keptOnly.contains(name) {
        try save(bytes, to: "\(stem).\(name)")
      }
    }
  }

  /// Who has signed the close, and what changed since the first signature where a second one is
  /// asked for.
  private static func standing(
    of close: CloseRecord, _ ledgerPath: String, _ settings: Settings
  ) throws -> (Signatures, ChangedClose?) {
    try stopping {
      try Ledger.reading(ledgerPath) { ledger in
        let signatures = try CloseBook(ledger).signatures(of: close)
        if signatures == .one { return (signatures, nil) }
        let changes = try changedCloses(ledger, settings)
        return (signatures, changes.first { $0.record.number == close.number })
      }
    }
  }

  /// Whether the month is locked, and complete only with a second signature.
  package var awaitsSecond: Bool { signatures == .awaited }

  /// Files that a close may write: the workbook, and what stands beside it.
  package static func paths(of period: Period, workbook: String?) -> [String] {
    let stem = stem(period, workbook)
    return [workbook].compactMap(\.self) + CloseDocument.beside.map { "\(stem).\($0)" }
  }

  /// What the names of written files begin with: the workbook's path without the name's ending,
  /// else the period.
  private static func stem(_ period: Period, _ workbook: String?) -> String {
    guard let workbook else { return period.description }
    let name = workbook.utf8.lastIndex(of: UInt8(ascii: "/")).map {
      workbook.utf8.index(after: $0)
    }
    guard let dot = workbook.utf8.lastIndex(of: UInt8(ascii: ".")),
      dot > name ?? workbook.startIndex
    else { return workbook }
    return String(workbook[..<dot])
  }

  /// The names and bytes of what a close kept, the workbook first, the rest by name.
  private static func kept(
    by close: CloseRecord, _ ledgerPath: String
  ) throws -> [(String, [UInt8])] {
    try stopping {
      try Ledger.reading(ledgerPath) { ledger in
        let names = try ledger.documents(ofClose: close.number).map(\.name)
        let workbook = names.filter { $0 == CloseDocument.workbook }
        return try (workbook + names.filter { $0 != CloseDocument.workbook }).map {
          ($0, try closeDocument($0, of: close, ledger))
        }
      }
    }
  }

  /// Whether the month stays open because errors are.
  package var isRefused: Bool {
    if case .refused = outcome { true } else { false }
  }

  /// Writes a file and notes its path; throws a ``Stop`` where it cannot be written.
  private mutating func save(_ bytes: [UInt8], to path: String) throws {
    do {
      let file = try OutputFile(path)
      try file.write(bytes)
      try file.commit()
    } catch {
      throw Stop(
        .badInput, "@close.is-closed-but-cannot \(period) \(path) \(error.message)",
        help: "@close.make-sure-that-the-folder")
    }
    files.append(path)
  }

  /// What became of the close, its figures and the files written, for a person.
  package var text: String {
    switch outcome {
    case .closed(let record, let accepted, let remarks):
      say(
        awaitsSecond
          ? "@close.signed-once \(period) \(record.number) \(record.by) \(record.asOf)"
          : "@close.closed-close-no-by-2 \(period) \(record.number) \(record.by) \(record.asOf)")
        + "\n" + accepted.map { "  " + say($0.wording) + "\n" }.joined() + figures
        + remarks.map { say($0) + "\n" }.joined() + writtenFiles + next
    case .closedBefore(let record):
      say(alreadyClosed(record)) + "\n" + figures + writtenFiles + next
    case .confirmed(let record, let second):
      say(
        """
        @close.confirmed \(period) \(record.number) \(record.by) \(record.asOf) \(second.by) \
        \(second.asOf)
        """) + "\n" + figures + writtenFiles + next
    case .refused(let findings):
      say("@close.is-not-closed-open \(period) \(errors(findings.count))") + "\n"
        + (refusing?.text ?? "") + say("@close.help-clear-them-or-accept") + "\n"
    }
  }

  /// The open errors of a refused close as lines of the screen, with what each comes to in base
  /// currency.
  private static func screen(
    _ findings: [Finding], _ period: Period, _ ledgerPath: String, _ base: Currency
  ) throws -> FindingScreen {
    let rates = try stopping {
      try Ledger.reading(ledgerPath) { RateBook(try $0.rates(period.last...period.last)) }
    }
    var screen = FindingScreen(findings, in: base) { place in
      findings.worth(at: place).worth(in: base, rates, on: period.last)
    }
    screen.all = "tieout reconcile \(period) --all"
    return screen
  }

  /// The sentence that says that this month was closed or signed already, and by whom.
  ///
  /// - Parameter record: of the close that is in force.
  private func alreadyClosed(_ record: CloseRecord) -> Wording {
    let (number, by) = (record.number, record.by)
    switch signatures {
    case .one: return "@close.is-already-closed-close-no \(period) \(number) \(by) \(record.at)"
    case .awaited: return "@close.is-already-signed \(period) \(number) \(by) \(record.asOf)"
    case .two(let second):
      return """
        @close.is-already-confirmed \(period) \(number) \(by) \(record.asOf) \(second.by) \
        \(second.asOf)
        """
    }
  }

  /// Lines that say what changed since the first signature, and who is to do what.
  private var next: String {
    var lines = change.map { [$0.wording] } ?? []
    if awaitsSecond { lines.append("@close.help-have-it-confirmed \(period)") }
    return lines.map { say($0) + "\n" }.joined()
  }

  /// The figures of the month as text; empty where the close kept none.
  private var figures: String { statement.map { "\n" + $0.text + "\n" } ?? "" }

  /// The line that names the files written; empty for none.
  private var writtenFiles: String {
    if files.isEmpty { return "" }
    let names: Wording =
      files.count > 3
      ? "@close.wrote-many \(files.count) \(stem)" : "@close.wrote \(files.asList)"
    return wrapped(say(names), columns: ReaderWidth.prose, hanging: 2).enumerated()
      .map { ($0 == 0 ? "" : "  ") + $1 + "\n" }.joined()
  }

  /// The report for a script: one JSON document.
  package var json: String { jsonDocument(writeFields) }

  /// The reports of several months, in their order, as one JSON document.
  package static func json(of reports: [CloseReport]) -> String {
    jsonDocument { $0.objects("closes", of: reports) { $1.writeFields(to: &$0) } }
  }

  private func writeFields(to writer: inout JSONWriter) {
    writer.string("period", period.description)
    writer.bool("closed", !isRefused && !awaitsSecond)
    writer.object("close", outcome.record) { $1.writeFields(to: &$0) }
    writer.write(signatures)
    writer.objects("open", of: outcome.open) { writer, finding in
      writer.string("id", finding.id)
      writer.string("code", finding.code.rawValue)
      writer.string("explanation", say(finding.explanation))
    }
    writer.strings("files", files)
    if let statement { writer.members(of: statement) }
  }
}

extension CloseOutcome {
  /// The close that there is now.
  fileprivate var record: CloseRecord? {
    switch self {
    case .closed(let record, _, _), .closedBefore(let record), .confirmed(let record, _): record
    case .refused: nil
    }
  }

  /// The errors that keep the month open.
  fileprivate var open: [Finding] { if case .refused(let findings) = self { findings } else { [] } }
}

extension CloseRecord {
  /// One line on the close or reopening, for a person.
  package var text: String {
    say(
      action == .close
        ? "@close.closed-close-no-by \(period) \(number) \(by)"
        : "@close.reopened-by \(period) \(by) \(reason)") + "\n"
  }

  /// The close or reopening for a script: one JSON document.
  package var json: String { jsonDocument(writeFields) }

  /// Several closes or reopenings, in the order in which they were made, as one JSON document.
  package static func json(of records: [CloseRecord]) -> String {
    jsonDocument { $0.objects("closes", of: records) { $1.writeFields(to: &$0) } }
  }
}
