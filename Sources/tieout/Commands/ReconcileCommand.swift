import ArgumentParser
import Billing
import CMachine
import Conclusions
import Languages
import Matching
import Reporting
import Workflow

/// `tieout reconcile`
struct ReconcileCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "reconcile",
    abstract: say("@command.tie-out-a-period-findings"),
    discussion: """
      \(say(about))

        tieout reconcile 2023-06 --out 2023-06.xlsx
        tieout reconcile --period FY2023-P09 --format json --fail-on error
      """)

  private static let about: Wording = "@command.period-is-a-calendar-month"

  @Argument(
    help: .words("@command.period-to-reconcile", value: "@shared.period"), transform: readPeriod)
  var named: Period?

  @Option(
    name: .customLong("period"),
    help: .words("@command.same-as-an-option", value: "@shared.period"),
    transform: readPeriod)
  var given: Period?

  /// The period that is named, as an argument or as an option.
  private var period: Period {
    guard let period = named ?? given else { preconditionFailure("validate has seen one") }
    return period
  }

  @Option(
    name: [.customShort("o"), .long],
    help: .words("@command.save-the-workbook-here", value: "@command.file-xlsx"),
    completion: .workbook)
  var out: String?

  @Option(
    name: .customLong("summary"),
    help: .words("@command.form-of-the-summary-text", value: "@command.form")
  )
  var form: SummaryPage.Form = .text

  @Option(help: .words("@command.findings-to-show", value: "@shared.count"))
  var top: Int?

  @Flag(help: .words("@command.show-all-findings"))
  var all = false

  @OptionGroup var replacing: ReplaceOption

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    if form != .text, shared.format != .text {
      throw wrongUsage("@command.summary-is-for-people-format")
    }
    if top.map({ $0 < 0 }) ?? false || all && top != nil {
      throw wrongUsage("@command.top-is-a-number")
    }
    if named == nil, given == nil {
      throw wrongUsage("@command.name-the-period-to-reconcile")
    }
    if let named, let given, named != given {
      throw wrongUsage("@command.period-is-named-twice \(named) \(given)")
    }
  }

  /// Reconciles the period on one thread, while another records what is found in the ledger.
  func run(on terminal: Terminal) throws -> Ending {
    // Else the bound rises with the largest list that was freed, and lists below it leave holes: a
    // tenth of the memory of wide catalogues. An import, which makes one list after the other,
    // would ask for the memory of each anew.
    _ = mallopt(M_MMAP_THRESHOLD, 1 << 20)
    let configuration = try Configuration(shared, terminal)
    let outputs = try configuration.outputs([out], shared, replaces: replacing)
    defer { outputs.note(on: terminal) }
    try checkWorkbookName(out)
    let recording = RecordingAhead(of: period, in: shared.ledger)
    // Recording takes as long as much of the conclusion, and needs only its findings to begin.
    let (shown, refusal) = inTwoThreads(
      { Result { try show(configuration.settings, recording, terminal) } }, { recording.run() })
    if let refusal, !shared.quiet {
      terminal.note("@command.findings-were-not-recorded \(refusal)", severity: .warning)
    }
    return try shown.get()
  }

  /// Reconciles the period, saves the workbook, prints the result or what a close kept, and returns
  /// how the call ends.
  ///
  /// - Parameter recording: gets the result as soon as it is there, to record its findings.
  private func show(
    _ settings: Settings, _ recording: RecordingAhead, _ terminal: Terminal
  ) throws -> Ending {
    defer { recording.finish(nil) }
    let outcome = try terminal.during("@command.reconciling \(period)") {
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
      terminal.phase("@command.writing-2 \(period) \(out)")
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

  /// Prints the result as JSON, or its summary for people.
  private func print(_ result: Reconciliation, _ terminal: Terminal) throws {
    switch shared.format {
    case .json: try writeJSON(of: result, to: terminal.print)
    case .text, .csv, .jsonl:
      try terminal.print(summary(of: result, workbook: out, as: form, limit: limit))
    }
  }

  /// How many findings the summary shows; nil for all.
  private var limit: Int? { all ? nil : top ?? FindingScreen.usual }

  /// Prints what a closed period's close kept, whatever was imported since, and saves the workbook
  /// of then.
  private func show(_ kept: ClosedPeriod, _ terminal: Terminal) throws -> Ending {
    if let out { try kept.saveWorkbook(to: out) }
    try terminal.print(shared.format == .json ? kept.json : kept.summary(as: form))
    if !shared.quiet {
      terminal.note(
        kept.awaitsSecond
          ? "@command.awaits-second \(period) \(kept.close.number)"
          : "@command.is-closed-close-no-what \(period) \(kept.close.number)")
      if let language = kept.otherLanguage {
        terminal.note("@command.closed-in-another-language \(period) \(language.rawValue)")
      }
    }
    guard let failOn = shared.failOn, kept.hasFinding(of: failOn) else { return .done }
    return .failOn
  }

  /// How the call ends: with `failOn` where a finding that nobody accepted is as severe as
  /// `--fail-on` says.
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
