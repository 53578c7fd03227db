import ArgumentParser
import Billing
import Languages
import Workflow

/// `tieout fetch history`
struct FetchHistoryCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: say("@command.get-the-full-history"),
    discussion: """
      \(say(about))

        tieout fetch history 7000000001
        tieout fetch history --of-findings 2023-06
      """)

  private static let about: Wording = "@command.any-one-transaction"

  @OptionGroup var transactions: TransactionOptions
  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws { try fetching.validate(shared) }

  func run(on terminal: Terminal) throws -> Ending {
    try fetching.run(transactions.wish(.history), shared, terminal)
  }
}

/// `tieout fetch refunds`
struct FetchRefundsCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "refunds",
    abstract: say("@command.get-all-refunds"),
    discussion: """
      \(say(about))

        tieout fetch refunds --of ids.txt
        tieout fetch refunds --of-findings 2023-06
      """)

  private static let about: Wording = "@command.any-one-transaction-of-a-customer"

  @OptionGroup var transactions: TransactionOptions
  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws { try fetching.validate(shared) }

  func run(on terminal: Terminal) throws -> Ending {
    try fetching.run(transactions.wish(.refunds), shared, terminal)
  }
}

/// `tieout fetch statuses`
struct FetchStatusesCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "statuses",
    abstract: say("@command.get-the-current-status"),
    discussion: """
      \(say(about))

        tieout fetch statuses --of-findings 2023-06
      """)

  private static let about: Wording = "@command.any-one-transaction-of-a-subscription"

  @OptionGroup var transactions: TransactionOptions
  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws { try fetching.validate(shared) }

  func run(on terminal: Terminal) throws -> Ending {
    try fetching.run(transactions.wish(.statuses), shared, terminal)
  }
}

/// Transactions that Apple is asked about: any of a customer's stands for all of them.
struct TransactionOptions: ParsableArguments {
  @Argument(help: .words("@command.transactions-by-apple-ids", value: "@shared.id"))
  var ids: [String] = []

  @Option(
    name: .customLong("of"),
    help: .words("@command.file-with-an-id", value: "@shared.file"))
  var file: String?

  @Option(
    help: .words(
      "@command.transactions-of-the-findings",
      value: "@shared.period"),
    transform: readPeriod)
  var ofFindings: Period?

  func validate() throws {
    if ids.isEmpty, file == nil, ofFindings == nil {
      throw wrongUsage("@command.name-transactions-or-use")
    }
  }

  func wish(_ list: PurchaseList) -> FetchWish {
    .purchases(list, ids: ids, file: file, findingsOf: ofFindings)
  }
}
