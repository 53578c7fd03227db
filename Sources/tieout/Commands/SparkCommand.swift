import ArgumentParser
import Billing
import Foundation
import Languages
import Workflow

/// `tieout spark`
struct SparkCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "spark",
    abstract: say("@command.write-a-spark-script"),
    discussion: """
      \(say(about))

        tieout spark 2023-06 --out level1.sql --into /data/tieout-2023-06
        spark-sql -f level1.sql
        tieout import /data/tieout-2023-06
      """)

  private static let about: Wording = "@command.for-months-that-are-too"

  @Argument(
    help: .words("@command.period-to-reconcile", value: "@shared.period"), transform: readPeriod)
  var period: Period

  @Option(
    name: [.customShort("o"), .long],
    help: .words("@command.save-the-script-here", value: "@command.file-sql"), completion: .file())
  var out: String

  @Option(
    help: .words(
      "@command.folder-for-spark-output-default",
      value: "@shared.path"))
  var into: String?

  @Option(help: .words("@command.your-table-of-orders", value: "@command.table"))
  var orders = "orders"

  @Option(help: .words("@command.your-table-of-transactions", value: "@command.table"))
  var transactions = "transactions"

  @Option(
    help: .words(
      "@command.column-that-your-table-does",
      value: "@command.table-column"))
  var lacking: [String] = []

  @OptionGroup var replacing: ReplaceOption

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    let known = ["orders.", "transactions."]
    for column in lacking where !known.contains(where: column.hasPrefix) {
      throw wrongUsage("@command.expected-a-column-such \(column)")
    }
  }

  /// Writes the script for a period and the file of ids that it needs, and prints how to go on.
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
    let written = try terminal.during("@command.writing \(out)") { try writeSparkScript(request) }
    try terminal.print(shared.format == .json ? written.json : written.text)
    return .done
  }
}
