import ArgumentParser
import Billing
import Languages
import Workflow

/// `tieout fetch history`
struct FetchHistoryCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: say("Get the full history of the customers behind transactions."),
    discussion: """
      \(say(about))

        tieout fetch history 7000000001
        tieout fetch history --of-findings 2023-06
      """)

  private static let about: Wording = """
    Any one transaction of a customer is enough to ask about all of them. A later request returns \
    only what is new since the last one.
    """

  @OptionGroup var transactions: TransactionOptions
  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws { try fetching.validate(shared) }

  func run(on terminal: Terminal) throws -> Ending {
    try fetching.run(transactions.wish(.history), shared, terminal)
  }
}

/// `tieout fetch refunds`
struct FetchRefundsCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "refunds",
    abstract: say("Get all refunds of the customers behind transactions."),
    discussion: """
      \(say(about))

        tieout fetch refunds --of ids.txt
        tieout fetch refunds --of-findings 2023-06
      """)

  private static let about: Wording = """
    Any one transaction of a customer is enough to ask about all of them. Apple answers ten such \
    requests a second; refund notifications deliver the same information for all customers, and \
    sooner.
    """

  @OptionGroup var transactions: TransactionOptions
  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws { try fetching.validate(shared) }

  func run(on terminal: Terminal) throws -> Ending {
    try fetching.run(transactions.wish(.refunds), shared, terminal)
  }
}

/// `tieout fetch statuses`
struct FetchStatusesCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "statuses",
    abstract: say("Get the current status of the subscriptions behind transactions."),
    discussion: """
      \(say(about))

        tieout fetch statuses --of-findings 2023-06
      """)

  private static let about: Wording = """
    Any one transaction of a subscription is enough: Apple returns the latest transaction and \
    renewal of each of its customer's subscriptions.
    """

  @OptionGroup var transactions: TransactionOptions
  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws { try fetching.validate(shared) }

  func run(on terminal: Terminal) throws -> Ending {
    try fetching.run(transactions.wish(.statuses), shared, terminal)
  }
}

/// Transactions that Apple is asked about: any of a customer's stands for all of them.
struct TransactionOptions: ParsableArguments {
  @Argument(help: .words("Transactions, by Apple's ids.", value: "id"))
  var ids: [String] = []

  @Option(
    name: .customLong("of"),
    help: .words("A file with an id at the beginning of each line.", value: "file"))
  var file: String?

  @Option(
    help: .words(
      "The transactions of the findings that the period's last reconciliation recorded.",
      value: "period"),
    transform: readPeriod)
  var ofFindings: Period?

  func validate() throws {
    if ids.isEmpty, file == nil, ofFindings == nil {
      throw wrongUsage("Name transactions, or use --of or --of-findings.")
    }
  }

  func wish(_ list: PurchaseList) -> FetchWish {
    .purchases(list, ids: ids, file: file, findingsOf: ofFindings)
  }
}
