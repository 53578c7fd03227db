import ArgumentParser
import Billing
import Foundation
import Languages
import Workflow

/// `tieout sql`
struct SQLCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: say("Query the ledger in SQL, read-only."),
    discussion: say(
      """
      Without a query, lists the views and what their columns mean; plain sqlite3 has the views \
      too. Where mask_users is set, users are masked. Findings are those that the last \
      reconciliation of each period recorded.

        tieout sql "select sku, count(*) from v_order group by sku"
        tieout sql --format csv - < query.sql
      """))

  @Argument(help: .words("One statement; - reads it from standard input."))
  var query: String?

  @Flag(help: .words("List the views and what their columns mean."))
  var views = false

  @Option(
    help: .words(
      """
      Stop a query that runs longer than this; 0 for no limit.
      """, value: "seconds"))
  var timeLimit = 60

  @Option(
    help: .words(
      """
      Stop a query that needs more memory than this; 0 for no limit.
      """, value: "MB"))
  var memoryLimit = 1024

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    if views && query != nil { throw wrongUsage("Give a query or --views, not both.") }
    if query == nil { try shared.refuseCSV() }
    guard (0...86_400).contains(timeLimit) else {
      throw wrongUsage("expected seconds from 0 to 86400, found \"\(timeLimit)\"")
    }
    guard (0...1_048_576).contains(memoryLimit) else {
      throw wrongUsage("expected megabytes from 0 to 1048576, found \"\(memoryLimit)\"")
    }
  }

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
