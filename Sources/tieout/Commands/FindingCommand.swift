import ArgumentParser
import Billing
import Foundation
import Languages
import Workflow

/// `tieout finding`
struct FindingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "finding",
    abstract: say("@command.accept-assign-comment-on-reopen"),
    discussion: say(
      "@command.what-was-recorded-stays"),
    subcommands: [
      AcceptCommand.self, AssignCommand.self, CommentCommand.self, ReopenFindingCommand.self,
      ListFindingsCommand.self,
    ])
}

/// What all remarks have in common.
struct RemarkOptions: ParsableArguments {
  @Argument(help: .words("@command.ids-of-findings-as-reconcile", value: "@shared.id"))
  var ids: [String]

  @Option(help: .words("@command.reason", value: "@command.text"))
  var reason: String?

  @Option(help: .words("@command.your-name-for-the-record", value: "@shared.name"))
  var by: String?

  @Option(
    help: ArgumentHelp(
      say("@command.time-of-the-remark"), valueName: say("YYYY-MM-DD"),
      visibility: .hidden), transform: readDay)
  var on: Day?

  /// Whether the reason says anything.
  var saysWhy: Bool { reason.map { !$0.allSatisfy(\.isWhitespace) } ?? false }

  /// Records a remark on the findings, and prints what is now said of them.
  ///
  /// - Parameter assignee: who is to look after them; empty for all other actions.
  func run(_ action: Remark.Action, to assignee: String = "", _ shared: SharedOptions) throws {
    let terminal = Terminal(shared)
    try terminal.run {
      let user = ProcessInfo.processInfo.environment["USER", default: ""]
      let said = try Workflow.remark(
        RemarkRequest(
          ledgerPath: shared.ledger, action: action, findings: ids, assignee: assignee,
          reason: reason ?? "", by: by ?? (user.isEmpty ? NSUserName() : user),
          at: on?.startUTC ?? now()))
      let report = SaidReport(said)
      try terminal.print(shared.format == .json ? report.json : report.text)
      return .done
    }
  }
}

/// `tieout finding accept`
struct AcceptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept", abstract: say("@command.accept-findings-as-they"))

  @OptionGroup var remark: RemarkOptions
  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    if !remark.saysWhy { throw wrongUsage("@command.accepting-a-finding-needs") }
  }

  func run() throws { try remark.run(.accept, shared) }
}

/// `tieout finding assign`
struct AssignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "assign", abstract: say("@command.assign-findings-to-someone"))

  @OptionGroup var remark: RemarkOptions

  @Option(help: .words("@command.person-who-is-to-deal", value: "@shared.name"))
  var to: String

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    if to.isEmpty { throw wrongUsage("@command.to-must-name-somebody") }
  }

  func run() throws { try remark.run(.assign, to: to, shared) }
}

/// `tieout finding comment`
struct CommentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "comment", abstract: say("@command.comment-on-findings-reason-is"))

  @OptionGroup var remark: RemarkOptions
  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    if !remark.saysWhy { throw wrongUsage("@command.comment-needs-a-reason") }
  }

  func run() throws { try remark.run(.comment, shared) }
}

/// `tieout finding reopen`
struct ReopenFindingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen", abstract: say("@command.withdraw-acceptances"))

  @OptionGroup var remark: RemarkOptions
  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws { try shared.refuseCSV() }
  func run() throws { try remark.run(.reopen, shared) }
}

/// `tieout finding list`
struct ListFindingsCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: say("@command.list-findings-that-were-accepted"),
    discussion: say(
      "@command.finding-that-the-last-reconciliation"))

  @Argument(help: .words("@command.only-these-findings", value: "@shared.id"))
  var ids: [String] = []

  @Option(
    help: .words("@command.only-findings-of-this-period", value: "@shared.period"),
    transform: readPeriod)
  var period: Period?

  @Option(
    help: .words("@command.only-findings-in-this-state", value: "open|assigned|accepted|reopened"),
    completion: .list(FindingWork.State.allCases.map(\.rawValue)), transform: readState)
  var state: FindingWork.State?

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  /// Other commands take the period by itself: no ID looks like one.
  mutating func validate() throws {
    try shared.refuseCSV()
    guard period == nil, ids.count == 1, ids[0].contains("-"), let named = Period(ids[0]) else {
      return
    }
    (period, ids) = (named, [])
  }

  /// Prints recorded findings that have the wished ids and state, with what people said of them.
  func run(on terminal: Terminal) throws -> Ending {
    let settings = try Configuration(shared, terminal).settings
    let listed = try listedFindings(
      ledgerPath: shared.ledger, period: period, in: settings.baseCurrency
    ) { one in
      (state == nil || one.state == state)
        && (ids.isEmpty || ids.contains { one.id.hasPrefix($0.lowercased()) })
    }
    let report = SaidReport(listed)
    try terminal.print(shared.format == .json ? report.json : report.text)
    return .done
  }
}

@Sendable private func readState(_ text: String) throws -> FindingWork.State {
  guard let state = FindingWork.State(rawValue: text) else {
    throw unknownWord(text, among: FindingWork.State.allCases.map(\.rawValue))
  }
  return state
}
