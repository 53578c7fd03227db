import ArgumentParser
import Billing
import Languages
import Workflow

/// `tieout doctor`
struct DoctorCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: say("@command.what-the-set-up-leaves-open"),
    discussion: say("@command.doctor-changes-nothing"))

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws { try shared.refuseCSV() }

  func run(on terminal: Terminal) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    let doctor = try Doctor(
      path: configuration.path, given: configuration.given, configuration.settings,
      ledgerPath: shared.ledger, asOf: shared.effectiveAsOf)
    try terminal.print(shared.format == .json ? doctor.json : doctor.text)
    return .done
  }
}
