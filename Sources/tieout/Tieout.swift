import ArgumentParser
import Billing
import Foundation
import Languages

/// The command line: what comes first decides which of the subcommands runs.
@main
struct Tieout: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tieout",
    abstract: say("@terminal.ties-your-ledger-out"),
    discussion: say(
      "@terminal.import-reports-and-your-own"),
    version: version,
    subcommands: [
      ImportCommand.self, FetchCommand.self, ReconcileCommand.self, CloseCommand.self,
      ReopenCommand.self,
      ClosesCommand.self, FindingCommand.self, PlanCommand.self, PriceCommand.self,
      ExplainCommand.self, ExportCommand.self, SQLCommand.self, StatusCommand.self,
      SparkCommand.self, ForgetCommand.self, BackupCommand.self, VerifyCommand.self,
      TemplateCommand.self,
      ConfigCommand.self, CompletionsCommand.self, ManualCommand.self,
    ])

  static let version = "0.2.0"

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  static func main() {
    // A reader that stops reading is no failure: writes report it instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow any more is a write that fails.
    signal(SIGXFSZ, SIG_IGN)
    var arguments = CommandLine.unsafeArguments.dropFirst().map { fileName($0) }
    let language = Language.take(from: &arguments)
    Translation.$current.withValue(Translation(language)) { run(arguments) }
  }

  private static func run(_ arguments: [String]) {
    do {
      // Only imported files may have names that are no text.
      if let name = arguments.first(where: \.hasRawBytes),
        !["import", "forget"].contains(where: arguments.contains)
      {
        throw wrongUsage("@shared.expected-text-in-utf-8 \(name)")
      }
      if let unknown = CalledCommand(arguments).unknown { throw wrongUsage(unknown) }
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
