import ArgumentParser
import Billing
import Foundation
import Languages
import Workflow

/// `tieout export`
struct ExportCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "export",
      abstract: say(
        "Write findings, proceeds, orders, transactions or the journal as CSV or JSON lines."),
      discussion: """
        \(say("""
        Findings, proceeds and the journal are reconciled anew and need --period; orders and \
        transactions are the rows that were imported, each with its file and line. Columns keep \
        their names and their order. Amounts are decimal text, times ISO 8601 in UTC, lists are \
        joined by spaces in CSV. Text is never changed: tell a spreadsheet that text starting with \
        = + - or @ is text.
        """))

          tieout export findings --period 2023-06 --severity error --out errors.csv
          tieout export orders --since 2023-06-12 --storefront CN --format jsonl
        """)
  }

  @Argument(
    help: ArgumentHelp(
      say("What to write."), valueName: "findings|proceeds|orders|transactions|journal"),
    transform: readExportKind)
  var kind: ExportKind

  @Option(
    help: ArgumentHelp(
      say("The period; of orders and transactions, only its own."),
      valueName: "period"), transform: readPeriod)
  var period: Period?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(say("Only findings of this code; may be repeated."), valueName: "code"),
    transform: readCode)
  var code: [FindingCode] = []

  @Option(
    help: ArgumentHelp(
      say("Only findings of this severity or above."), valueName: "info|warning|error"),
    transform: readSeverity)
  var severity: Severity?

  @Option(
    help: ArgumentHelp(say("Only this storefront."), valueName: "storefront"),
    transform: readStorefront)
  var storefront: Storefront?

  @Option(
    help: ArgumentHelp(
      say("Only from this day on, in the company's accounting day."), valueName: "YYYY-MM-DD"),
    transform: readDay)
  var since: Day?

  @Option(help: ArgumentHelp(say("Write here. (default: standard output)"), valueName: "file"))
  var out: String?

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    if shared.format == .json {
      throw ValidationError(say("--format json is not for this command; it has: csv, jsonl."))
    }
    if kind.needsPeriod, period == nil {
      throw ValidationError(say("export \(kind.rawValue) needs --period."))
    }
    if kind != .findings, !code.isEmpty || severity != nil {
      throw ValidationError(say("--code and --severity are for export findings."))
    }
    if kind == .proceeds, since != nil {
      throw ValidationError(say("--since is not for export proceeds: they are of whole periods."))
    }
    if kind == .journal, storefront != nil {
      throw ValidationError(
        say("--storefront is not for export journal: entries balance over all."))
    }
  }

  func run() throws {
    let terminal = Terminal(shared)
    try terminal.run {
      let configuration = try Configuration(shared, terminal)
      var request = ExportRequest(
        kind, ledgerPath: shared.ledger, settings: configuration.settings,
        asOf: shared.effectiveAsOf, isJSONLines: shared.format == .jsonl)
      request.period = period
      request.codes = Set(code)
      request.severity = severity
      request.storefront = storefront
      request.since = since
      if let out {
        try saveFile(at: out) { try export(request, to: $0) }
      } else {
        try export(request, to: terminal.print)
      }
      return .done
    }
  }
}

@Sendable private func readExportKind(_ text: String) throws -> ExportKind {
  let kinds = ExportKind.allCases.map(\.rawValue)
  guard let kind = ExportKind(rawValue: text) else {
    let meant = nearest(to: text, among: kinds).map { "; did you mean \($0)?" } ?? ""
    throw ValidationError("expected \(kinds.joined(separator: ", ")), found \"\(text)\"\(meant)")
  }
  return kind
}

@Sendable private func readCode(_ text: String) throws -> FindingCode {
  guard let code = FindingCode(rawValue: text) else {
    let meant =
      nearest(to: text, among: FindingCode.allCases.map(\.rawValue))
      .map { "; did you mean \($0)?" } ?? ""
    throw ValidationError("expected a code such as not-in-report, found \"\(text)\"\(meant)")
  }
  return code
}
