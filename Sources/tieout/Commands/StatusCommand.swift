import ArgumentParser
import Billing
import Languages
import Workflow

/// `tieout status`
struct StatusCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: say("Show what is loaded, missing, late or restated."),
    discussion: """
      \(say(about))

        tieout status --as-of 2023-07-05 --fail-on warning
      """)

  private static let about: Wording = """
    A day's sales report is due two days after it. A day between a vendor's first and last reports \
    is missing if no report covers it; a day after the last report is late once its report is past \
    due. For --fail-on, missing and late days are errors; restated and partial files, closed \
    months whose inputs changed and clocks that the last reconciliation found to be off are \
    warnings. Open items are those of each month's last reconciliation. Purchases of the last few \
    days are counted row by row, before anything is matched; delays run from payment to fulfilment.
    """

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws { try shared.refuseCSV() }

  func run(on terminal: Terminal) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    let status = try ledgerStatus(
      of: shared.ledger, asOf: shared.effectiveAsOf,
      flowIn: configuration.settings.businessZone, settings: configuration.settings)
    try terminal.print(shared.format == .json ? status.json : status.text)
    guard let failOn = shared.failOn, let worst = status.worst, worst >= failOn
    else { return .done }
    return .failOn
  }
}
