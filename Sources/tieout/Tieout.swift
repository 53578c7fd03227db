import ArgumentParser
import Billing
import Foundation
import Languages

/// The command line: what comes first decides which of the subcommands runs.
@main
struct Tieout: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tieout",
    abstract: say("Ties your ledger out to Apple's In-App Purchase reports."),
    discussion: say(
      """
      Import reports and your own orders and transactions, then reconcile a period:

        tieout import reports/ orders.csv transactions.csv products.csv
        tieout reconcile --period 2023-06 --out 2023-06.xlsx

      On a terminal, output longer than the screen goes through the pager named by TIEOUT_PAGER or \
      PAGER, or else through 'less'; --no-pager prints it directly.

      Exit status:
        0   done
        1   done, but with a finding at or above --fail-on; or a close was refused
        2   some input was bad (the other files of the call are imported), or
            a file, a ledger, a period or a required setting is missing
        3   the ledger is locked, corrupt or from a newer version
        4   Apple could not be reached, or refused the request; what was fetched stays
        64  wrong usage
      """),
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

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

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
        throw wrongUsage("expected text in UTF-8, found \"\(name)\"")
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
