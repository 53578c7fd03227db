import ArgumentParser
import Billing
import Languages
import Reporting
import Workflow

/// `tieout export`
struct ExportCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: say(
      """
      Write findings, proceeds, sellers, patterns, purchases by day, refunds, subscriptions, \
      orders, transactions or the journal as CSV or JSON lines.
      """),
    discussion: say(
      """
      Findings, proceeds, entities (what each of Apple's companies sold and paid), patterns (what \
      many findings have in common), flow (purchases by day), refunds, subscriptions (a row per \
      chain of renewals, as of the period end) and the journal are for one --period, which is \
      reconciled anew; findings that reconcile recorded are reused as long as nothing has changed \
      since. Orders and transactions are the rows as imported, each with its file and line. \
      Columns keep their names and their order. Amounts are decimal text, times are ISO 8601 in \
      UTC, and lists are joined by spaces in CSV. Text is never changed, except that --spreadsheet \
      puts ' before text that begins with = + - or @, which a spreadsheet would take for a \
      formula. Where mask_users is set, users are masked. --for writes the journal as an \
      accounting program imports it, with the codes of [account_codes].

        tieout export findings --period 2023-06 --severity error --out errors.csv
        tieout export orders --since 2023-06-12 --storefront CN --format jsonl
        tieout export journal --period 2023-06 --for datev --out EXTF_2023-06.csv
      """))

  @Argument(
    help: .words(
      """
      What to export: findings, proceeds, entities, patterns, flow, refunds, subscriptions, \
      orders, transactions or journal.
      """, value: "kind"),
    completion: .list(ExportKind.allCases.map(\.rawValue)), transform: readExportKind)
  var kind: ExportKind

  @Option(
    help: .words("The period; orders and transactions outside it are left out.", value: "period"),
    transform: readPeriod)
  var period: Period?

  @Option(
    parsing: .singleValue,
    help: .words("Only findings of this code; may be repeated.", value: "code"),
    completion: .list(FindingCode.allCases.map(\.rawValue)), transform: readCode)
  var code: [FindingCode] = []

  @Option(
    help: .words("Only findings of this severity or above.", value: "info|warning|error"),
    completion: .severities, transform: readSeverity)
  var severity: Severity?

  @Option(
    help: .words("Only this storefront.", value: "storefront"),
    transform: readStorefront)
  var storefront: Storefront?

  @Option(
    help: .words("Only from this business day on.", value: "YYYY-MM-DD"),
    transform: readDay)
  var since: Day?

  @Option(
    help: .words("Write here. (default: standard output)", value: "file"),
    completion: .file(extensions: ["csv", "jsonl"]))
  var out: String?

  @Option(
    name: .customLong("for"),
    help: .words(
      "The accounting program that imports the journal.",
      value: "xero|quickbooks|datev|kingdee|yonyou"),
    completion: .list(AccountingProgram.allCases.map(\.rawValue)), transform: readProgram)
  var program: AccountingProgram?

  @Option(
    help: .words(
      "Only this part, where the program imports a journal of this length in parts.",
      value: "number"), transform: readPart)
  var part: Int?

  @Flag(help: .words("Put ' before text that a spreadsheet would read as a formula."))
  var spreadsheet = false

  @OptionGroup var replacing: ReplaceOption

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    if shared.format == .json {
      throw wrongUsage("this command does not support --format json; it supports: csv, jsonl.")
    }
    let foreign: Set = ["xlsx", "xls", "ods", "pdf", "docx", "html", "zip", "gz"]
    if let out, let dot = out.lastIndex(of: "."),
      foreign.contains(out[dot...].dropFirst().lowercased())
    {
      throw wrongUsage("export writes CSV or JSON lines, found \"\(out)\" as the file")
    }
    if spreadsheet, shared.format == .jsonl {
      throw wrongUsage("--spreadsheet is for CSV.")
    }
    if kind.needsPeriod, period == nil {
      throw wrongUsage("export \(kind.rawValue) needs --period.")
    }
    if kind != .findings, !code.isEmpty || severity != nil {
      throw wrongUsage("--code and --severity are for export findings.")
    }
    if [.proceeds, .entities, .patterns, .subscriptions].contains(kind), since != nil {
      throw wrongUsage(
        """
        --since does not apply to export \(kind.rawValue), which covers whole periods.
        """)
    }
    if kind == .entities, storefront != nil {
      throw wrongUsage("--storefront does not apply to export entities, which is by seller.")
    }
    if kind == .patterns || kind == .flow, storefront != nil {
      throw wrongUsage(
        """
        --storefront does not apply to export \(kind.rawValue), which covers all storefronts.
        """)
    }
    if program != nil, kind != .journal || shared.format == .jsonl || spreadsheet {
      throw wrongUsage("--for applies to export journal only, and has a format of its own.")
    }
    if part != nil, program != .xero {
      throw wrongUsage("--part is not for this program: it imports a journal of any length.")
    }
    if kind == .journal, storefront != nil {
      throw wrongUsage(
        """
        --storefront does not apply to export journal: entries balance across all storefronts.
        """)
    }
  }

  func run(on terminal: Terminal) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    let outputs = try configuration.outputs([out], shared, replaces: replacing)
    defer { outputs.note(on: terminal) }
    var request = ExportRequest(
      kind, ledgerPath: shared.ledger, settings: configuration.settings,
      asOf: shared.effectiveAsOf, isJSONLines: shared.format == .jsonl)
    request.version = Tieout.version
    request.period = period
    request.codes = Set(code)
    request.severity = severity
    request.storefront = storefront
    request.since = since
    request.isForSpreadsheet = spreadsheet
    request.program = program
    request.part = part
    if let out {
      try saveFile(at: out) { try export(request, to: $0) }
    } else {
      try terminal.printing(whileReading: shared.ledger) { try export(request, to: $0) }
    }
    return .done
  }
}

@Sendable private func readExportKind(_ text: String) throws -> ExportKind {
  if let kind = ExportKind(rawValue: text) { return kind }
  throw unknownWord(text, among: ExportKind.allCases.map(\.rawValue))
}

@Sendable private func readPart(_ text: String) throws -> Int {
  guard let part = Int(text), part > 0 else {
    throw wrongUsage("expected a part number from 1 up, found \"\(text)\"")
  }
  return part
}

@Sendable private func readProgram(_ text: String) throws -> AccountingProgram {
  if let program = AccountingProgram(rawValue: text) { return program }
  throw unknownWord(text, among: AccountingProgram.allCases.map(\.rawValue))
}

@Sendable private func readCode(_ text: String) throws -> FindingCode {
  if let code = FindingCode(rawValue: text) { return code }
  guard let meant = nearest(to: text, among: FindingCode.allCases.map(\.rawValue)) else {
    throw wrongUsage("expected a code such as not-in-report, found \"\(text)\"")
  }
  throw wrongUsage(
    "expected a code such as not-in-report, found \"\(text)\"; did you mean \(meant)?")
}
