import ArgumentParser
import Billing
import Foundation
import Languages
import Workflow

/// `tieout sql`
struct SQLCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: say("@command.query-the-ledger-in-sql"),
    discussion: say(
      "@command.without-a-query-lists"))

  @Argument(help: .words("@command.one-statement-reads"))
  var query: String?

  @Flag(help: .words("@command.list-the-views-and-what"))
  var views = false

  @Option(
    help: .words(
      "@command.stop-a-query-that-runs", value: "@command.seconds"))
  var timeLimit = 60

  @Option(
    help: .words(
      "@command.stop-a-query-that-needs", value: "@command.mb"))
  var memoryLimit = 1024

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    if views && query != nil { throw wrongUsage("@command.give-a-query-or-views") }
    if query == nil { try shared.refuseCSV() }
    guard (0...86_400).contains(timeLimit) else {
      throw wrongUsage("@command.expected-seconds-from-0 \(timeLimit)")
    }
    guard (0...1_048_576).contains(memoryLimit) else {
      throw wrongUsage("@command.expected-megabytes-from-0 \(memoryLimit)")
    }
  }

  /// Prints the rows of a query, which `-` reads from standard input; without one a guide to the
  /// views.
  func run(on terminal: Terminal) throws -> Ending {
    guard let query else {
      try terminal.print(shared.format == .json ? viewGuideJSON() : viewGuideText())
      return .done
    }
    let configuration = try Configuration(shared, terminal)
    let input = FileHandle.standardInput
    let sql = query == "-" ? String(decoding: input.readDataToEndOfFile(), as: UTF8.self) : query
    let form: QueryForm =
      switch shared.format {
      case .text: .text
      case .json: .json
      case .csv: .csv
      case .jsonl: .jsonLines
      }
    try terminal.printing(whileReading: shared.ledger) {
      try Workflow.query(
        sql, ledgerPath: shared.ledger, masksUsers: configuration.settings.maskUsers, form,
        seconds: timeLimit, megabytes: memoryLimit, to: $0)
    }
    return .done
  }
}
