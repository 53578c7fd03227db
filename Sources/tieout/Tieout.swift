import ArgumentParser
import Billing
import CMachine
import Foundation
import Languages
import Workflow

/// The command line: what comes first decides which of the subcommands runs.
@main
struct Tieout: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tieout",
    abstract: say("@terminal.ties-your-ledger-out"),
    discussion: say(
      "@terminal.import-reports-and-your-own"),
    version: version,
    groupedSubcommands: [
      CommandGroup(
        name: say("@command.every-month"),
        subcommands: [
          ImportCommand.self, FetchCommand.self, StatusCommand.self, ReconcileCommand.self,
          ExplainCommand.self, FindingCommand.self, CloseCommand.self,
        ]),
      CommandGroup(
        name: say("@command.prices-and-coins"),
        subcommands: [PriceCommand.self, PlanCommand.self]),
      CommandGroup(
        name: say("@command.take-out"),
        subcommands: [ExportCommand.self, SQLCommand.self, SparkCommand.self]),
      CommandGroup(
        name: say("@command.set-up-and-keep"),
        subcommands: [
          ConfigCommand.self, DoctorCommand.self, TemplateCommand.self, ClosesCommand.self,
          ReopenCommand.self, ForgetCommand.self, BackupCommand.self, UpgradeCommand.self,
          VerifyCommand.self,
          CompletionsCommand.self, ManualCommand.self,
        ]),
    ])

  static let version = "0.2.0"

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  /// Without a command: prints what to do next.
  func run() throws {
    let path = shared.config ?? Configuration.placeBeside(ledger: shared.ledger)
    let text = FileManager.default.contents(atPath: path).map {
      String(decoding: $0, as: UTF8.self)
    }
    let steps = NextSteps(
      ledgerPath: shared.ledger, isDefault: !shared.namesLedger, asOf: shared.effectiveAsOf,
      mappings: text.map(Configuration.mappings) ?? [])
    try Terminal(shared).print(shared.format == .json ? steps.json : steps.text)
  }

  /// Prepares the process, finds the language of all texts, and runs what the arguments name.
  static func main() {
    // A reader that stops reading is no failure: writes report it instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow any more is a write that fails.
    signal(SIGXFSZ, SIG_IGN)
    // Threads come and go, and each would keep what it gave back to itself: a tenth of the memory
    // of fifty million movements of coins.
    _ = mallopt(M_ARENA_MAX, CInt(coreCount))
    var arguments = CommandLine.unsafeArguments.dropFirst().map { fileName($0) }
    if arguments.first == "-V" { arguments[0] = "--version" }
    let language = Language.take(from: &arguments)
    Translation.$current.withValue(Translation(language)) { run(arguments) }
  }

  /// Runs the command that the arguments name, or prints the help that they ask for; an error ends
  /// the process with its status.
  private static func run(_ arguments: [String]) {
    do {
      // Only imported files may have names that are no text.
      if let name = arguments.first(where: \.hasRawBytes),
        !["import", "forget"].contains(where: arguments.contains)
      {
        throw wrongUsage("@shared.expected-text-in-utf-8 \(name)")
      }
      let called = CalledCommand(arguments)
      if called.asksForOptions { return printHelp(.ofOptions(columns: helpColumns)) }
      if let unknown = called.unknown { throw wrongUsage(unknown) }
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      end(with: error, arguments)
    }
  }
}

extension CommandLine {
  /// The arguments as the system gave them: a name need not be UTF-8.
  fileprivate static var unsafeArguments: [[UInt8]] {
    (0..<Int(argc)).compactMap { index in
      unsafeArgv[index].map { argument in
        Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
      }
    }
  }
}
