import ArgumentParser
import Billing
import Languages
import Matching
import Reporting
import Workflow

/// `tieout reconcile`
struct ReconcileCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "reconcile",
    abstract: say("Tie out a period: findings, bridge and, with --out, a workbook."),
    usage: say(
      """
      tieout reconcile [--period] <period> [--out <file.xlsx>] [--replace] [--summary <form>] \
      [<options>]
      """),
    discussion: """
      \(say(about))

        tieout reconcile 2023-06 --out 2023-06.xlsx
        tieout reconcile --period FY2023-P09 --format json --fail-on error
      """)

  private static let about: Wording = """
    A period is a calendar month 2023-06, a range of days 2023-06-01..2023-06-15, or a month of \
    Apple's fiscal year FY2023-P09. Findings that were accepted (see tieout finding) do not \
    count for --fail-on.
    """

  @Argument(
    help: .words("The period to reconcile.", value: "period"), transform: readPeriod)
  var named: Period?

  @Option(
    name: .customLong("period"), help: .words("The same, as an option.", value: "period"),
    transform: readPeriod)
  var given: Period?

  private var period: Period {
    guard let period = named ?? given else { preconditionFailure("validate has seen one") }
    return period
  }

  @Option(help: .words("Save the workbook here.", value: "file.xlsx"), completion: .workbook)
  var out: String?

  @Option(
    name: .customLong("summary"),
    help: .words("The form of the summary: text, or one page to send as md or html.", value: "form")
  )
  var form: SummaryPage.Form = .text

  @OptionGroup var replacing: ReplaceOption

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    if form != .text, shared.format != .text {
      throw wrongUsage("--summary is for people, --format json for scripts: choose one.")
    }
    if named == nil, given == nil {
      throw wrongUsage("Name the period to reconcile, such as 2023-06 or FY2023-P09.")
    }
    if let named, let given, named != given {
      throw wrongUsage("The period is named twice: \(named) and \(given).")
    }
  }

  func run(on terminal: Terminal) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    let outputs = try configuration.outputs([out], shared, replaces: replacing)
    defer { outputs.note(on: terminal) }
    try checkWorkbookName(out)
    let recording = RecordingAhead(of: period, in: shared.ledger)
    // Recording takes as long as much of the conclusion, and needs only its findings to begin.
    let (shown, refusal) = inTwoThreads(
      { Result { try show(configuration.settings, recording, terminal) } }, { recording.run() })
    if let refusal, !shared.quiet {
      terminal.note("the findings were not recorded: \(refusal)", severity: .warning)
    }
    return try shown.get()
  }

  /// Reconciles and shows what comes of it, which is recorded meanwhile.
  private func show(
    _ settings: Settings, _ recording: RecordingAhead, _ terminal: Terminal
  ) throws -> Ending {
    defer { recording.finish(nil) }
    let outcome = try terminal.during("reconciling \(period) …") {
      var request = ReconcileRequest(
        ledgerPath: shared.ledger, period: period, settings: settings,
        asOf: shared.effectiveAsOf)
      request.version = Tieout.version
      request.phase = terminal.phase
      request.resolvesSales = true
      request.recording = recording
      request.lists = out != nil || shared.format != .json ? .readable : .none
      let outcome = try PeriodResult(request)
      guard case .open(let result) = outcome else { return outcome }
      recording.finish(result)
      guard let out else { return outcome }
      terminal.phase("\(period): writing \(out)")
      // People read the workbook's name in their result; that for scripts is printed meanwhile,
      // once the line of progress is gone.
      if shared.format != .json { try saveWorkbook(of: result, to: out) }
      return outcome
    }
    let result: Reconciliation
    switch outcome {
    case .closed(let kept): return try show(kept, terminal)
    case .open(let open): result = open
    }
    if let out, shared.format == .json {
      let (saved, printed) = inTwoThreads(
        { Result { try saveWorkbook(of: result, to: out) } },
        { Result { try print(result, terminal) } })
      try saved.get()
      try printed.get()
    } else {
      try print(result, terminal)
    }
    // Giving a month's findings back takes longer than the program has left to run.
    _ = Unmanaged.passRetained(UntilExit(value: result))
    return ending(result)
  }

  private func print(_ result: Reconciliation, _ terminal: Terminal) throws {
    switch shared.format {
    case .json: try writeJSON(of: result, to: terminal.print)
    case .text, .csv, .jsonl: try terminal.print(summary(of: result, workbook: out, as: form))
    }
  }

  /// A closed period prints what its close kept, whatever was imported since.
  private func show(_ kept: ClosedPeriod, _ terminal: Terminal) throws -> Ending {
    if let out { try kept.saveWorkbook(to: out) }
    try terminal.print(shared.format == .json ? kept.json : kept.summary(as: form))
    if !shared.quiet {
      terminal.note(
        """
        \(period) is closed (close no. \(kept.close.number)); what was imported since is booked \
        later
        """)
    }
    guard let failOn = shared.failOn, kept.hasFinding(of: failOn) else { return .done }
    return .failOn
  }

  private func ending(_ result: Reconciliation) -> Ending {
    guard let failOn = shared.failOn else { return .done }
    let meets = result.findings.contains { $0.severity >= failOn && !$0.isAccepted }
    return meets ? .failOn : .done
  }
}

/// Has a value that is never given back.
private final class UntilExit {
  let value: Reconciliation

  init(value: Reconciliation) { self.value = value }
}

extension SummaryPage.Form: ExpressibleByArgument {}
