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
      "@command.write-findings-proceeds-sellers-patterns"),
    discussion: say(
      "@command.findings-proceeds-entities-what-each"))

  @Argument(
    help: .words(
      "@command.what-to-export-findings-proceeds", value: "@shared.kind"),
    completion: .list(ExportKind.allCases.map(\.rawValue)), transform: readExportKind)
  var kind: ExportKind?

  @Option(
    help: .words("@command.write-plain-tables", value: "@shared.file"),
    completion: .file(extensions: ["sqlite"]))
  var to: String?

  @Option(
    help: .words("@command.period-orders-and-transactions-outside", value: "@shared.period"),
    transform: readPeriod)
  var period: Period?

  @Option(
    parsing: .singleValue,
    help: .words("@command.only-findings-of-this-code", value: "@shared.code"),
    completion: .list(FindingCode.allCases.map(\.rawValue)), transform: readCode)
  var code: [FindingCode] = []

  @Option(
    help: .words("@command.only-findings-of-this-severity", value: "info|warning|error"),
    completion: .severities, transform: readSeverity)
  var severity: Severity?

  @Option(
    help: .words("@command.only-this-storefront", value: "@shared.storefront"),
    transform: readStorefront)
  var storefront: Storefront?

  @Option(
    help: .words("@command.only-from-this-business-day", value: "YYYY-MM-DD"),
    transform: readDay)
  var since: Day?

  @Option(
    name: [.customShort("o"), .long],
    help: .words("@command.write-here-default-standard-output", value: "@shared.file"),
    completion: .file(extensions: ["csv", "jsonl"]))
  var out: String?

  @Option(
    name: .customLong("for"),
    help: .words(
      "@command.accounting-program-that-imports",
      value: "xero|quickbooks|datev|kingdee|yonyou"),
    completion: .list(AccountingProgram.allCases.map(\.rawValue)), transform: readProgram)
  var program: AccountingProgram?

  @Option(
    help: .words(
      "@command.only-this-part-where",
      value: "@command.number"), transform: readPart)
  var part: Int?

  @Flag(help: .words("@command.put-before-text"))
  var spreadsheet = false

  @OptionGroup var replacing: ReplaceOption

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    guard (kind == nil) != (to == nil) else {
      throw wrongUsage("@command.name-a-kind-or-to")
    }
    if let kind { try validate(kind) }
  }

  /// Refuses options that do not apply to this kind of export.
  private func validate(_ kind: ExportKind) throws {
    if shared.format == .json {
      throw wrongUsage("@command.this-command-does-not-support")
    }
    let foreign: Set = ["xlsx", "xls", "ods", "pdf", "docx", "html", "zip", "gz"]
    if let out, let dot = out.lastIndex(of: "."),
      foreign.contains(out[dot...].dropFirst().lowercased())
    {
      throw wrongUsage("@command.export-writes-csv-or-json \(out)")
    }
    if spreadsheet, shared.format == .jsonl {
      throw wrongUsage("@command.spreadsheet-is-for-csv")
    }
    if kind.needsPeriod, period == nil {
      throw wrongUsage("@command.export-needs-period \(kind.rawValue)")
    }
    if kind != .findings, !code.isEmpty || severity != nil {
      throw wrongUsage("@command.code-and-severity")
    }
    if [.proceeds, .entities, .patterns, .subscriptions].contains(kind), since != nil {
      throw wrongUsage(
        "@command.since-does-not-apply \(kind.rawValue)")
    }
    if kind == .entities, storefront != nil {
      throw wrongUsage("@command.storefront-does-not-apply")
    }
    if [.patterns, .flow, .coins].contains(kind), storefront != nil {
      throw wrongUsage(
        "@command.storefront-does-not-apply-to-export \(kind.rawValue)")
    }
    if program != nil, kind != .journal || shared.format == .jsonl || spreadsheet {
      throw wrongUsage("@command.for-applies-to-export-journal")
    }
    if part != nil, program != .xero {
      throw wrongUsage("@command.part-is-not")
    }
    if kind == .journal, storefront != nil {
      throw wrongUsage(
        "@command.storefront-does-not-apply-to-export-journal")
    }
  }

  /// Writes the export to its file or to standard output; with `--to`, plain tables instead.
  func run(on terminal: Terminal) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    let outputs = try configuration.outputs([out, to], shared, replaces: replacing)
    defer { outputs.note(on: terminal) }
    guard let kind else {
      try exportPlainTables(
        of: shared.ledger, to: to!, masksUsers: configuration.settings.maskUsers)
      return .done
    }
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
    throw wrongUsage("@command.expected-a-part-number \(text)")
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
    throw wrongUsage("@command.expected-a-code-such \(text)")
  }
  throw wrongUsage(
    "@command.expected-a-code-such-as-not \(text) \(meant)")
}
