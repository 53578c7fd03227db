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
    abstract: say("@command.get-reports-and-answers"),
    discussion: """
      \(say(about))

        tieout fetch
        tieout fetch sales --from 2023-06-01 --to 2023-06-30
        tieout fetch refunds --of-findings 2023-06
      """,
    subcommands: [
      FetchSalesCommand.self, FetchFinanceCommand.self, FetchNotificationsCommand.self,
      FetchHistoryCommand.self, FetchRefundsCommand.self, FetchStatusesCommand.self,
      FetchOrderCommand.self, FetchReceiptsCommand.self, FetchPricesCommand.self,
    ])

  private static let about: Wording = "@command.without-a-subcommand-it-gets"

  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws { try fetching.validate(shared) }

  func run(on terminal: Terminal) throws -> Ending {
    try fetching.run(.lacking, shared, terminal)
  }
}

/// `tieout fetch sales`
struct FetchSalesCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "sales",
    abstract: say("@command.get-sales-and-subscription-reports"),
    discussion: """
      \(say(about))

        tieout fetch sales --from 2023-06-01 --to 2023-06-30
        tieout fetch sales --frequency monthly --from 2023-01-01 --to 2023-06-30
        tieout fetch sales --type SUBSCRIPTION,SUBSCRIBER --from 2023-06-30
      """)

  private static let about: Wording = "@command.without-from-it-begins"

  @Option(help: .words("@command.first-day", value: "YYYY-MM-DD"), transform: readDay)
  var from: Day?

  @Option(help: .words("@command.last-day", value: "YYYY-MM-DD"), transform: readDay)
  var to: Day?

  @Option(help: .words("@command.length-of-time-that-one", value: "daily|weekly|monthly"))
  var frequency = ReportFrequency.daily

  @Option(
    help: .words(
      "@command.reports-separated-by-commas-sales",
      value: "@shared.list"),
    transform: readReportTypes)
  var type: [ReportType] = [.sales]

  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    try fetching.validate(shared)
    if let from, let to, from > to { throw wrongUsage("@command.from-is-later-than") }
    if frequency != .daily, type != [.sales] {
      throw wrongUsage("@command.frequency-is-for-sales-subscription")
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
    abstract: say("@command.get-financial-reports"),
    discussion: """
      \(say(about))

        tieout fetch finance --period FY2023-P09
        tieout fetch finance --period FY2023-P09 --region US,EU
      """)

  private static let about: Wording = "@command.without-period-it-gets"

  @Option(help: .words("@command.fiscal-month", value: "FY2023-P09"), transform: readPeriod)
  var period: Period?

  @Option(
    help: .words("@command.regions-by-apple-codes-separated", value: "ZZ,Z1"),
    transform: readRegions)
  var region = ["ZZ", "Z1"]

  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    try fetching.validate(shared)
    if let period, period.fiscalMonth == nil {
      throw wrongUsage("@command.expected-a-fiscal-month-such \(period)")
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
    abstract: say("@command.get-the-notifications-that-apple"),
    discussion: """
      \(say(about))

        tieout fetch notifications --from 2023-06-01 --to 2023-06-30 --type REFUND,DID_RENEW
      """)

  private static let about: Wording = "@command.apple-keeps-them-for-180"

  @Option(help: .words("@command.first-day", value: "YYYY-MM-DD"), transform: readDay)
  var from: Day?

  @Option(help: .words("@command.last-day", value: "YYYY-MM-DD"), transform: readDay)
  var to: Day?

  @Option(
    help: .words(
      "@command.kinds-separated-by-commas", value: "@shared.list"),
    transform: readNotificationTypes)
  var type: [String] = []

  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    try fetching.validate(shared)
    if let from, let to, from > to { throw wrongUsage("@command.from-is-later-than") }
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
      "@command.get-the-transactions"),
    discussion: """
      \(say(about))

        tieout fetch order MXXXXXXXXX
      """)

  private static let about: Wording = "@command.number-is-in-apple-email"

  @Argument(help: .words("@command.order-numbers", value: "@command.number"))
  var numbers: [String]

  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws { try fetching.validate(shared) }

  func run(on terminal: Terminal) throws -> Ending {
    try fetching.run(.orders(numbers), shared, terminal)
  }
}

/// `tieout fetch receipts`
struct FetchReceiptsCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "receipts",
    abstract: say("@command.have-stored-receipts-verified-again"),
    discussion: """
      \(say(about))

        tieout fetch receipts receipts.jsonl
      """)

  private static let about: Wording = "@command.file-has-one-receipt-per"

  @Argument(help: .words("@command.file-of-receipts", value: "@shared.file"))
  var file: String

  @OptionGroup var fetching: FetchOptions
  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws { try fetching.validate(shared) }

  func run(on terminal: Terminal) throws -> Ending {
    try fetching.run(.receipts(file), shared, terminal)
  }
}

extension ReportFrequency: ExpressibleByArgument {}

/// The kinds of report in a list with commas; refuses a word that is none.
@Sendable private func readReportTypes(_ text: String) throws -> [ReportType] {
  try readList(text).map { item in
    guard let type = ReportType(rawValue: item.uppercased()) else {
      throw unknownWord(item, among: ReportType.allCases.map(\.rawValue))
    }
    return type
  }
}

/// Apple's codes of financial regions in a list with commas; refuses a code that is none.
@Sendable private func readRegions(_ text: String) throws -> [String] {
  try readList(text).map { item in
    guard let region = fetchedRegion(item) else {
      throw wrongUsage(
        "@command.expected-a-region-of-apple \(item)")
    }
    return region
  }
}

/// Kinds of notifications in a list with commas, each as `TYPE` or `TYPE/SUBTYPE`.
@Sendable private func readNotificationTypes(_ text: String) throws -> [String] {
  try readList(text).map { item in
    let isPlain = item.utf8.allSatisfy {
      $0 &- 0x41 < 26 || $0 &- 0x30 < 10 || $0 == 0x5F || $0 == 0x2F
    }
    guard isPlain, item.count(where: { $0 == "/" }) < 2 else {
      throw wrongUsage("@command.expected-a-kind-of-notification \(item)")
    }
    return item
  }
}
