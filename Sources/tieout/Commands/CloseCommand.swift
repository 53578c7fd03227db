import ArgumentParser
import Billing
import Foundation
import Languages
import Workflow

/// `tieout close`
struct CloseCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "close",
    abstract: say("@command.close-a-month-reconcile"),
    usage: say("@command.tieout-close-period"),
    discussion: """
      \(say(about))

        tieout close 2023-06 --out 2023-06.xlsx
        tieout close 2023-06 --accept 3fa9c1d20b4e5f60 --reason "paid in July"
        tieout close confirm 2023-06 --by "Bea Klein" --out 2023-06.xlsx
      """)

  private static let about: Wording = "@command.closing-a-calendar-month-freezes"

  @Argument(help: .words("@command.period-or-confirm", value: "@shared.period"))
  var words: [String]

  private static let confirmWord = "confirm"

  /// The period that is named, the last of the words.
  private var period: Period {
    guard let period = try? readPeriod(words[words.count - 1]) else {
      preconditionFailure("validate has read it")
    }
    return period
  }

  /// Whether it is the second signature that is given.
  private var confirms: Bool { words.count == 2 }

  @Option(
    name: [.customShort("o"), .long],
    help: .words("@command.save-the-workbook-here", value: "@command.file-xlsx"),
    completion: .workbook)
  var out: String?

  @Option(
    parsing: .singleValue,
    help: .words("@command.accept-this-finding-may", value: "@shared.id"))
  var accept: [String] = []

  @Option(
    parsing: .singleValue,
    help: .words("@command.reason-one-for-each-accept", value: "@command.text"))
  var reason: [String] = []

  @Option(help: .words("@command.your-name-for-the-record", value: "@shared.name"))
  var by: String?

  @Flag(help: .words("@command.first-close-any-earlier-months"))
  var withEarlier = false

  @OptionGroup var replacing: ReplaceOption

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    guard words.count == 1 || words.count == 2 && words[0] == Self.confirmWord else {
      throw wrongUsage("@command.one-period-or-confirm")
    }
    _ = try readPeriod(words[words.count - 1])
    if confirms, !accept.isEmpty || !reason.isEmpty || withEarlier {
      throw wrongUsage("@command.confirm-accepts-nothing")
    }
    if !accept.isEmpty, reason.isEmpty || (reason.count > 1 && reason.count != accept.count) {
      throw wrongUsage("@command.give-a-reason-for-each")
    }
    if accept.isEmpty && !reason.isEmpty {
      throw wrongUsage("@command.reason-belongs-to-accept")
    }
    if reason.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
      throw wrongUsage("@command.reason-must-say-something")
    }
  }

  /// Closes the period, with `--with-earlier` after the months before it, or confirms its close;
  /// prints a report on each. Ends with `failOn` where not all were closed.
  func run(on terminal: Terminal) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    let months =
      withEarlier ? try monthsToClose(through: period, ledgerPath: shared.ledger) : [period]
    let outputs = try configuration.outputs(
      months.flatMap { CloseReport.paths(of: $0, workbook: $0 == period ? out : nil) }, shared,
      replaces: replacing)
    defer { outputs.note(on: terminal) }
    try checkWorkbookName(out)
    var reports: [CloseReport] = []
    for month in months {
      let outcome = try terminal.during("@command.closing \(month)") {
        confirms
          ? try Workflow.confirm(confirmation)
          : try Workflow.close(request(month, configuration, terminal.phase))
      }
      let report = try CloseReport(
        outcome, period: month, ledgerPath: shared.ledger, workbook: month == period ? out : nil,
        settings: configuration.settings)
      reports.append(report)
      // The months after one that awaits its second signature wait for it.
      if report.isRefused || report.awaitsSecond { break }
    }
    try terminal.print(
      shared.format != .json
        ? reports.map(\.text).joined()
        : withEarlier ? CloseReport.json(of: reports) : reports[0].json)
    if !terminal.isQuiet,
      let left = try monthLeftOpen(before: period, ledgerPath: shared.ledger)
    {
      terminal.note(
        "@command.first-close-begins-the-series \(period) \(left) \(period) \(left) \(period)",
        severity: .warning)
    }
    return reports.count < months.count || reports.contains(where: \.isRefused) ? .failOn : .done
  }

  /// The request to confirm the period's close with a second signature.
  private var confirmation: ConfirmRequest {
    ConfirmRequest(
      period, ledgerPath: shared.ledger, by: by ?? NSUserName(), at: now(),
      asOf: shared.effectiveAsOf, version: Tieout.version)
  }

  /// The request to close one month.
  ///
  /// - Parameters:
  ///   - month: the one to close; findings that the call accepts are accepted with the last month.
  ///   - phase: is called with each part of the work as it begins.
  private func request(
    _ month: Period, _ configuration: Configuration, _ phase: @escaping @Sendable (Wording) -> Void
  ) -> CloseRequest {
    let reasons = reason.count == 1 ? accept.map { _ in reason[0] } : reason
    var reconcile = ReconcileRequest(
      ledgerPath: shared.ledger, period: month, settings: configuration.settings,
      asOf: shared.effectiveAsOf)
    reconcile.version = Tieout.version
    reconcile.phase = phase
    return CloseRequest(
      reconcile: reconcile,
      accepted: month == period ? zip(accept, reasons).map { (id: $0, reason: $1) } : [],
      by: by ?? NSUserName(),
      at: now(), version: Tieout.version)
  }
}

/// `tieout reopen`
struct ReopenCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen",
    abstract: say("@command.reopen-a-closed-month"))

  @Argument(
    help: .words("@command.2023-06-or-fy2023-p09", value: "@shared.period"), transform: readPeriod)
  var period: Period

  @Option(help: .words("@command.reason-for-reopening", value: "@command.text"))
  var reason: String

  @Option(help: .words("@command.your-name-for-the-record", value: "@shared.name"))
  var by: String?

  @Flag(help: .words("@command.reopen-the-closed-months-after"))
  var withLater = false

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    if reason.allSatisfy(\.isWhitespace) { throw wrongUsage("@command.reason-must-say-something") }
  }

  /// Reopens the period, with `--with-later` the closed months after it too, and prints what was
  /// recorded.
  func run(on terminal: Terminal) throws -> Ending {
    let months =
      withLater ? try monthsToReopen(from: period, ledgerPath: shared.ledger) : [period]
    let records = try months.map { month in
      try reopen(
        month, ledgerPath: shared.ledger, reason: reason, by: by ?? NSUserName(), at: now(),
        asOf: shared.effectiveAsOf, version: Tieout.version)
    }
    try terminal.print(
      shared.format != .json
        ? records.map(\.text).joined()
        : withLater ? CloseRecord.json(of: records) : records[0].json)
    return .done
  }
}

/// `tieout closes`
struct ClosesCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "closes",
    abstract: say("@command.list-closes-and-reopenings-print"),
    discussion: """
      \(say(about))

        tieout closes 2023-06 --print summary.txt > summary.txt
      """)

  private static let about: Wording = "@command.print-writes-a-document-byte"

  @Argument(
    help: .words("@command.only-this-period", value: "@shared.period"), transform: readPeriod)
  var period: Period?

  @Option(help: .words("@command.number-of-the-close-default", value: "@command.number"))
  var number: Int64?

  @Option(
    name: .customLong("print"), help: .words("@command.document-to-print", value: "@shared.name"))
  var document: String?

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    if document != nil && period == nil {
      throw wrongUsage("@command.name-the-period-whose-document")
    }
    if document == nil && number != nil { throw wrongUsage("@command.number-belongs-to-print") }
  }

  /// Prints a document that a close keeps, or lists closes and reopenings.
  func run(on terminal: Terminal) throws -> Ending {
    if let document, let period {
      try terminal.print(
        closeDocument(document, of: period, number: number, ledgerPath: shared.ledger))
    } else {
      let history = try CloseHistory(ledgerPath: shared.ledger, period: period)
      try terminal.print(shared.format == .json ? history.json : history.text)
    }
    return .done
  }
}
