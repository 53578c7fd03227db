import ArgumentParser
import Billing
import Languages
import Workflow

/// `tieout status`
struct StatusCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: say("@command.show-what-is-loaded-missing"),
    discussion: """
      \(say(about))

        tieout status --as-of 2023-07-05 --fail-on warning
        tieout status 2023-06
      """)

  private static let about: Wording = "@command.day-sales-report-is-due"

  @Argument(
    help: .words("@command.only-this-period", value: "@shared.period"), transform: readPeriod)
  var period: Period?

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws { try shared.refuseCSV() }

  /// Prints what is loaded and what is missing; ends with `failOn` where the worst of it is as
  /// severe as `--fail-on` says.
  func run(on terminal: Terminal) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    let status = try ledgerStatus(
      of: shared.ledger, asOf: shared.effectiveAsOf,
      flowIn: configuration.settings.businessZone, settings: configuration.settings,
      in: period)
    try terminal.print(shared.format == .json ? status.json : status.text)
    guard let failOn = shared.failOn, let worst = status.worst, worst >= failOn
    else { return .done }
    return .failOn
  }
}
