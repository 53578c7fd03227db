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

  /// The wish to get a list of purchases for each of these transactions.
  func wish(_ list: PurchaseList) -> FetchWish {
    .purchases(list, ids: ids, file: file, findingsOf: ofFindings)
  }
}

/// `tieout fetch prices`
struct FetchPricesCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "prices",
    abstract: say("@command.get-prices-with-apple-proceeds"),
    discussion: """
      \(say(about))

        tieout fetch prices
        tieout fetch prices gems.60=6446671421
        tieout fetch prices --points --storefronts US,CN,DE
      """)

  private static let about: Wording = "@command.prices-of-the-products"

  @Argument(
    help: .words("@command.products-by-sku-and-number", value: "SKU=ID"), transform: readProduct)
  var products: [PricedProduct] = []

  @Flag(help: .words("@command.named-products-are-subscriptions"))
  var subscriptions = false

  @Flag(help: .words("@command.all-prices-that-products-may-have"))
  var points = false

  @Option(
    help: .words("@command.storefronts-of-price-points", value: "@shared.list"),
    transform: { try readList($0).map(readStorefront) })
  var storefronts: [Storefront] = []

  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    try fetching.validate(shared)
    if !points, !storefronts.isEmpty { throw wrongUsage("@command.storefronts-are-for-points") }
    if subscriptions, products.isEmpty { throw wrongUsage("@command.subscriptions-is-for-named") }
  }

  func run(on terminal: Terminal) throws -> Ending {
    let named = products.map {
      PricedProduct(sku: $0.sku, appleID: $0.appleID, isSubscription: subscriptions)
    }
    return try fetching.run(
      .prices(named, points ? .points(storefronts) : .own), shared, terminal)
  }
}

/// A product as `SKU=ID`, Apple's number behind the SKU.
@Sendable private func readProduct(_ text: String) throws -> PricedProduct {
  let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
  let product = PricedProduct(
    sku: parts.first ?? "", appleID: parts.last ?? "", isSubscription: false)
  guard parts.count == 2, product.isNameable, (1...20).contains(product.appleID.utf8.count),
    product.appleID.utf8.allSatisfy({ $0 &- 0x30 < 10 })
  else { throw wrongUsage("@command.expected-sku-and-number \(text)") }
  return product
}
