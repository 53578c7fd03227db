import ArgumentParser
import Billing
import Foundation
import Languages
import Workflow

/// `tieout sql`
struct SQLCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: say("Ask the ledger something in SQL; nothing can be changed."),
    discussion: say(
      """
      Without a query the views are listed, with what their columns mean; they are there in plain \
      sqlite3 too. Where mask_users is set, users are masked. Findings are those that the last \
      reconcile of each period recorded.

        tieout sql "select sku, count(*) from v_order group by sku"
        tieout sql --format csv - < query.sql
      """))

  @Argument(help: .words("One statement; - reads it from standard input."))
  var query: String?

  @Flag(help: .words("List the views and what their columns mean."))
  var views = false

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    if views && query != nil { throw wrongUsage("Give a query or --views, not both.") }
    if query == nil { try shared.refuseCSV() }
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
    try Workflow.query(
      sql, ledgerPath: shared.ledger, masksUsers: configuration.settings.maskUsers, form,
      to: terminal.print)
    return .done
  }
}
