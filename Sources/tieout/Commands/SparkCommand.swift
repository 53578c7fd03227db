import ArgumentParser
import Billing
import Foundation
import Languages
import Workflow

/// `tieout spark`
struct SparkCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "spark",
    abstract: say("Write a Spark script that matches and counts purchases."),
    discussion: """
      \(say(about))

        tieout spark 2023-06 --out level1.sql --into /data/tieout-2023-06
        spark-sql -f level1.sql
        tieout import /data/tieout-2023-06
      """)

  private static let about: Wording = """
    For months that are too large for one machine. Over your own tables of orders and \
    transactions, the script matches purchases, counts those with nothing wrong, and writes the \
    rows of all others. Import both beside Apple's reports, then reconcile. If reconcile asks for \
    more rows, run this command and its script once more.
    """

  @Argument(help: .words("The period to reconcile.", value: "period"), transform: readPeriod)
  var period: Period

  @Option(help: .words("Save the script here.", value: "file.sql"), completion: .file())
  var out: String

  @Option(
    help: .words(
      "The folder for Spark's output. (default: tieout-PERIOD beside the script)",
      value: "path"))
  var into: String?

  @Option(help: .words("Your table of orders in Spark.", value: "table"))
  var orders = "orders"

  @Option(help: .words("Your table of transactions in Spark.", value: "table"))
  var transactions = "transactions"

  @Option(
    help: .words(
      "A column that your table does not have, such as orders.device; may be repeated.",
      value: "table.column"))
  var lacking: [String] = []

  @OptionGroup var replacing: ReplaceOption

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    let known = ["orders.", "transactions."]
    for column in lacking where !known.contains(where: column.hasPrefix) {
      throw wrongUsage("expected a column such as orders.device, found \"\(column)\"")
    }
  }

  func run(on terminal: Terminal) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    let folder = URL(fileURLWithPath: out).deletingLastPathComponent().path
    var request = SparkRequest(
      ledgerPath: shared.ledger, period: period, settings: configuration.settings,
      asOf: shared.effectiveAsOf, mappings: configuration.mappings, script: out,
      output: into ?? "\(folder)/tieout-\(period)")
    (request.orders, request.transactions) = (orders, transactions)
    request.lacking = lacking
    let outputs = try configuration.outputs([out, request.idsPath], shared, replaces: replacing)
    defer { outputs.note(on: terminal) }
    let written = try terminal.during("writing \(out) …") { try writeSparkScript(request) }
    try terminal.print(shared.format == .json ? written.json : written.text)
    return .done
  }
}
