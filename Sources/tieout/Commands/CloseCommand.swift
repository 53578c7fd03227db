import ArgumentParser
import Billing
import Foundation
import Languages
import Workflow

/// `tieout close`
struct CloseCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "close",
    abstract: say("Close a month: reconcile it, keep the result for good, and write its journal."),
    discussion: """
      \(say(about))

        tieout close 2023-06 --out 2023-06.xlsx
        tieout close 2023-06 --accept 3fa9c1d20b4e5f60 --reason "paid in July"
      """)

  private static let about: Wording = """
    Closing a calendar month freezes orders and sales; closing a fiscal month freezes settlement \
    and payment. Neither waits for the other. While errors are open the close is refused (status \
    1), unless each is accepted with its id and a reason. Anything imported later cannot change a \
    closed month; it is booked in the earliest open month that follows. Months are closed in \
    order, because each opens with the closing balances of the one before.
    """

  @Argument(
    help: .words("2023-06 or FY2023-P09.", value: "period"), transform: readPeriod)
  var period: Period

  @Option(help: .words("Save the workbook here.", value: "file.xlsx"), completion: .workbook)
  var out: String?

  @Option(
    parsing: .singleValue,
    help: .words("Accept this finding; may be repeated.", value: "id"))
  var accept: [String] = []

  @Option(
    parsing: .singleValue,
    help: .words("The reason: one for each --accept in order, or one for all.", value: "text"))
  var reason: [String] = []

  @Option(help: .words("Your name, for the record. (default: the user name)", value: "name"))
  var by: String?

  @Flag(help: .words("First close any earlier months that are still open."))
  var withEarlier = false

  @OptionGroup var replacing: ReplaceOption

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    if !accept.isEmpty, reason.isEmpty || (reason.count > 1 && reason.count != accept.count) {
      throw wrongUsage("Give a --reason for each --accept, or one for all.")
    }
    if accept.isEmpty && !reason.isEmpty {
      throw wrongUsage("--reason belongs to --accept.")
    }
    if reason.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
      throw wrongUsage("--reason must say something.")
    }
  }

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
      let outcome = try terminal.during("closing \(month) …") {
        try close(request(month, configuration, terminal.phase))
      }
      reports.append(
        try CloseReport(
          outcome, period: month, ledgerPath: shared.ledger,
          workbook: month == period ? out : nil))
      if reports[reports.count - 1].isRefused { break }
    }
    try terminal.print(
      shared.format != .json
        ? reports.map(\.text).joined()
        : withEarlier ? CloseReport.json(of: reports) : reports[0].json)
    return reports.contains(where: \.isRefused) ? .failOn : .done
  }

  /// - Parameter month: what is accepted is meant of the last one.
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
    abstract: say("Reopen a closed month; its close stays in the history."))

  @Argument(
    help: .words("2023-06 or FY2023-P09.", value: "period"), transform: readPeriod)
  var period: Period

  @Option(help: .words("The reason for reopening.", value: "text"))
  var reason: String

  @Option(help: .words("Your name, for the record. (default: the user name)", value: "name"))
  var by: String?

  @Flag(help: .words("Reopen the closed months after it first."))
  var withLater = false

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    if reason.allSatisfy(\.isWhitespace) { throw wrongUsage("--reason must say something.") }
  }

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
    abstract: say("List closes and reopenings; print the documents a close kept."),
    discussion: """
      \(say(about))

        tieout closes 2023-06 --print summary.txt > summary.txt
      """)

  private static let about: Wording = """
    --print writes a document byte for byte as the close made it: reconciliation.json, \
    summary.txt, workbook.xlsx, the journal.
    """

  @Argument(
    help: .words("Only this period.", value: "period"), transform: readPeriod)
  var period: Period?

  @Option(help: .words("The number of the close. (default: the one in force)", value: "number"))
  var number: Int64?

  @Option(name: .customLong("print"), help: .words("The document to print.", value: "name"))
  var document: String?

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    if document != nil && period == nil {
      throw wrongUsage("Name the period whose document to print.")
    }
    if document == nil && number != nil { throw wrongUsage("--number belongs to --print.") }
  }

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
