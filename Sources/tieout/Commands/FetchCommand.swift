import ArgumentParser
import Billing
import Fetching
import Foundation
import Languages
import Workflow

/// `tieout fetch`
struct FetchCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: say("Get reports and answers from Apple, and import them."),
    discussion: """
      \(say(about))

        tieout fetch
        tieout fetch sales --from 2023-06-01 --to 2023-06-30
        tieout fetch refunds --of-findings 2023-06
      """,
    subcommands: [
      FetchSalesCommand.self, FetchFinanceCommand.self, FetchNotificationsCommand.self,
      FetchHistoryCommand.self, FetchRefundsCommand.self, FetchStatusesCommand.self,
      FetchOrderCommand.self, FetchReceiptsCommand.self,
    ])

  private static let about: Wording = """
    Without a subcommand, it gets what the ledger lacks, up to the newest reports that Apple can \
    have published by now, and requests the newest two days again; this is the command to run from \
    cron. Each answer is a file under Apple's own name, written whole or not at all. A day without \
    sales is recorded; what Apple has not published yet is requested again next time. Keys belong \
    in tieout.toml: [apple], with issuer_id, key_id, key_file and vendor_number, holds a team key \
    for reports; [apple.purchases], with issuer_id, key_id, key_file and bundle_id, holds a key \
    for in-app purchases; any of these settings may come from the environment instead, for example \
    as TIEOUT_APPLE_KEY_ID or TIEOUT_APPLE_PURCHASES_KEY_ID. Ends with status 4 when Apple cannot \
    be reached or refuses; what has been fetched stays, and the same command resumes from there.
    """

  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws { try fetching.validate(shared) }

  func run(on terminal: Terminal) throws -> Ending {
    try fetching.run(.lacking, shared, terminal)
  }
}

/// `tieout fetch sales`
struct FetchSalesCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "sales",
    abstract: say("Get sales and subscription reports."),
    discussion: """
      \(say(about))

        tieout fetch sales --from 2023-06-01 --to 2023-06-30
        tieout fetch sales --frequency monthly --from 2023-01-01 --to 2023-06-30
        tieout fetch sales --type SUBSCRIPTION,SUBSCRIBER --from 2023-06-30
      """)

  private static let about: Wording = """
    Without --from it begins with the vendor's first report in the ledger; without --to it ends \
    with the newest that Apple can have. Weeks are named by their Sunday, months by any of their \
    days.
    """

  @Option(help: .words("The first day.", value: "YYYY-MM-DD"), transform: readDay)
  var from: Day?

  @Option(help: .words("The last day.", value: "YYYY-MM-DD"), transform: readDay)
  var to: Day?

  @Option(help: .words("The length of time that one report covers.", value: "daily|weekly|monthly"))
  var frequency = ReportFrequency.daily

  @Option(
    help: .words(
      "Reports, separated by commas: SALES, SUBSCRIPTION, SUBSCRIPTION_EVENT, SUBSCRIBER.",
      value: "list"),
    transform: readReportTypes)
  var type: [ReportType] = [.sales]

  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    try fetching.validate(shared)
    if let from, let to, from > to { throw wrongUsage("--from is later than --to.") }
    if frequency != .daily, type != [.sales] {
      throw wrongUsage("--frequency is for sales: subscription reports are daily.")
    }
  }

  func run(on terminal: Terminal) throws -> Ending {
    try fetching.run(.sales(type, frequency, from: from, to: to), shared, terminal)
  }
}

/// `tieout fetch finance`
struct FetchFinanceCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "finance",
    abstract: say("Get financial reports."),
    discussion: """
      \(say(about))

        tieout fetch finance --period FY2023-P09
        tieout fetch finance --period FY2023-P09 --region US,EU
      """)

  private static let about: Wording = """
    Without --period it gets the months that the ledger lacks. ZZ is all regions in one file, Z1 \
    the detail with the day of each transaction. The payments summary and the transaction tax \
    report cannot be fetched: download them.
    """

  @Option(help: .words("The fiscal month.", value: "FY2023-P09"), transform: readPeriod)
  var period: Period?

  @Option(
    help: .words("Regions by Apple's codes, separated by commas.", value: "ZZ,Z1"),
    transform: readRegions)
  var region = ["ZZ", "Z1"]

  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    try fetching.validate(shared)
    if let period, period.fiscalMonth == nil {
      throw wrongUsage("expected a fiscal month such as FY2023-P09, found \"\(period)\"")
    }
  }

  func run(on terminal: Terminal) throws -> Ending {
    try fetching.run(.finance(period?.fiscalMonth, regions: region), shared, terminal)
  }
}

/// `tieout fetch notifications`
struct FetchNotificationsCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "notifications",
    abstract: say("Get the notifications that Apple sent to the app's server."),
    discussion: """
      \(say(about))

        tieout fetch notifications --from 2023-06-01 --to 2023-06-30 --type REFUND,DID_RENEW
      """)

  private static let about: Wording = """
    Apple keeps them for 180 days. What was fetched before is not requested again. Days are UTC \
    days.
    """

  @Option(help: .words("The first day.", value: "YYYY-MM-DD"), transform: readDay)
  var from: Day?

  @Option(help: .words("The last day.", value: "YYYY-MM-DD"), transform: readDay)
  var to: Day?

  @Option(
    help: .words(
      """
      Kinds, separated by commas, with a subtype after a slash: REFUND,EXPIRED/VOLUNTARY.
      """, value: "list"),
    transform: readNotificationTypes)
  var type: [String] = []

  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    try fetching.validate(shared)
    if let from, let to, from > to { throw wrongUsage("--from is later than --to.") }
  }

  func run(on terminal: Terminal) throws -> Ending {
    try fetching.run(
      .notifications(
        from: from?.startUTC, to: to.map { $0.advanced(by: 1).startUTC }, types: type),
      shared, terminal)
  }
}

/// `tieout fetch order`
struct FetchOrderCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "order",
    abstract: say(
      "Get the transactions for an order number, as shown in Apple's email to the customer."),
    discussion: """
      \(say(about))

        tieout fetch order MXXXXXXXXX
      """)

  private static let about: Wording = """
    The number is in Apple's email to the customer. Order numbers exist in Production only.
    """

  @Argument(help: .words("Order numbers.", value: "number"))
  var numbers: [String]

  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws { try fetching.validate(shared) }

  func run(on terminal: Terminal) throws -> Ending {
    try fetching.run(.orders(numbers), shared, terminal)
  }
}

/// `tieout fetch receipts`
struct FetchReceiptsCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "receipts",
    abstract: say("Have stored receipts verified again."),
    discussion: """
      \(say(about))

        tieout fetch receipts receipts.jsonl
      """)

  private static let about: Wording = """
    The file has one receipt per line: base64 alone, or an object with receipt_data and, where \
    known, order_id and user_id; stored answers with latest_receipt work too. Production is asked \
    first, and the Sandbox once if Production says so. The shared secret comes from \
    TIEOUT_APPLE_SHARED_SECRET and is stored nowhere.
    """

  @Argument(help: .words("The file of receipts.", value: "file"))
  var file: String

  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws { try fetching.validate(shared) }

  func run(on terminal: Terminal) throws -> Ending {
    try fetching.run(.receipts(file), shared, terminal)
  }
}

extension ReportFrequency: ExpressibleByArgument {}

@Sendable private func readReportTypes(_ text: String) throws -> [ReportType] {
  try readList(text).map { item in
    guard let type = ReportType(rawValue: item.uppercased()) else {
      throw unknownWord(item, among: ReportType.allCases.map(\.rawValue))
    }
    return type
  }
}

@Sendable private func readRegions(_ text: String) throws -> [String] {
  try readList(text).map { item in
    guard let region = fetchedRegion(item) else {
      throw wrongUsage(
        "expected a region of Apple's financial reports such as EU, found \"\(item)\"")
    }
    return region
  }
}

@Sendable private func readNotificationTypes(_ text: String) throws -> [String] {
  try readList(text).map { item in
    let isPlain = item.utf8.allSatisfy {
      $0 &- 0x41 < 26 || $0 &- 0x30 < 10 || $0 == 0x5F || $0 == 0x2F
    }
    guard isPlain, item.count(where: { $0 == "/" }) < 2 else {
      throw wrongUsage("expected a kind of notification such as REFUND, found \"\(item)\"")
    }
    return item
  }
}
