import ArgumentParser
import Billing
import Foundation
import Languages
import Workflow

/// `tieout finding`
struct FindingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "finding",
    abstract: say("Accept, assign, comment on, reopen or list findings."),
    discussion: say(
      """
      What was recorded stays with a finding through later runs as long as the facts behind it \
      stay the same. If they change, the finding reopens and still shows what was recorded before. \
      An accepted finding does not hold up a close, and --fail-on ignores it. An ID may be \
      shortened to its first characters.

        tieout finding accept 3fa9c1d20b4e5f60 --reason "Apple pays it in July"
        tieout finding assign 3fa9 --to ann
        tieout finding list --period 2023-06
      """),
    subcommands: [
      AcceptCommand.self, AssignCommand.self, CommentCommand.self, ReopenFindingCommand.self,
      ListFindingsCommand.self,
    ])
}

/// What all remarks have in common.
struct RemarkOptions: ParsableArguments {
  @Argument(help: .words("Ids of findings, as reconcile prints them.", value: "id"))
  var ids: [String]

  @Option(help: .words("The reason.", value: "text"))
  var reason: String?

  @Option(help: .words("Your name, for the record. (default: the user name)", value: "name"))
  var by: String?

  @Option(
    help: ArgumentHelp(
      say("The time of the remark, in UTC. (default: now)"), valueName: say("YYYY-MM-DD"),
      visibility: .hidden), transform: readDay)
  var on: Day?

  /// Whether the reason says anything.
  var saysWhy: Bool { reason.map { !$0.allSatisfy(\.isWhitespace) } ?? false }

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

struct AcceptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept", abstract: say("Accept findings as they are."))

  @OptionGroup var remark: RemarkOptions
  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    if !remark.saysWhy { throw wrongUsage("Accepting a finding needs a --reason.") }
  }

  func run() throws { try remark.run(.accept, shared) }
}

struct AssignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "assign", abstract: say("Assign findings to someone."))

  @OptionGroup var remark: RemarkOptions

  @Option(help: .words("The person who is to deal with them.", value: "name"))
  var to: String

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    if to.isEmpty { throw wrongUsage("--to must name somebody.") }
  }

  func run() throws { try remark.run(.assign, to: to, shared) }
}

struct CommentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "comment", abstract: say("Comment on findings; --reason is the text."))

  @OptionGroup var remark: RemarkOptions
  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    if !remark.saysWhy { throw wrongUsage("A comment needs a --reason.") }
  }

  func run() throws { try remark.run(.comment, shared) }
}

struct ReopenFindingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen", abstract: say("Withdraw acceptances."))

  @OptionGroup var remark: RemarkOptions
  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws { try shared.refuseCSV() }
  func run() throws { try remark.run(.reopen, shared) }
}

struct ListFindingsCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: say("List findings that were accepted, assigned or commented on."),
    discussion: say(
      """
      A finding that the last reconciliation of its period did not raise is listed as no longer \
      found.
      """))

  @Argument(help: .words("Only these findings.", value: "id"))
  var ids: [String] = []

  @Option(
    help: .words("Only findings of this period.", value: "period"),
    transform: readPeriod)
  var period: Period?

  @Option(
    help: .words("Only findings in this state.", value: "open|assigned|accepted|reopened"),
    completion: .list(FindingWork.State.allCases.map(\.rawValue)), transform: readState)
  var state: FindingWork.State?

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws { try shared.refuseCSV() }

  func run(on terminal: Terminal) throws -> Ending {
    let all = try findingsUnderWork(ledgerPath: shared.ledger, period: period)
    let wanted = all.filter { one in
      (state == nil || one.state == state)
        && (ids.isEmpty || ids.contains { one.id.hasPrefix($0.lowercased()) })
    }
    let report = SaidReport(wanted)
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
