import ArgumentParser
import Billing
import Languages
import Workflow

/// `tieout plan price`
struct PlanPriceCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "price",
    abstract: say(
      "@command.find-the-tiers-around-wanted"),
    discussion: """
      \(say(about))

        tieout plan price --storefronts CN,JP --wanted 28.00 --channel-rate 100
      """)

  private static let about: Wording = "@command.wanted-takes-prices"

  @Option(
    help: .words("@command.prices-or-a-csv-file", value: "@command.25-00-66-00-file"))
  var wanted: String

  @Flag(help: .words("@command.search-the-subscription-prices"))
  var subscriptions = false

  @OptionGroup var place: PlaceOptions
  @OptionGroup var apple: CommissionOption
  @OptionGroup var channel: ChannelOptions
  @OptionGroup var rounding: RateRoundingOptions
  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  /// Finds the tiers around the wanted prices, and prints them; ends with `badInput` where a row of
  /// the file could not be read.
  func run(on terminal: Terminal) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    var request = TierPlanRequest(scope: place.scope(shared, configuration.settings))
    request.groups = place.storefronts
    let file = isFile ? try WantedFile(path: wanted, day: request.scope.day) : nil
    request.named = file?.prices ?? []
    request.wanted = isFile ? [] : try readAmounts(wanted)
    terminal.report(file?.diagnostics ?? [])
    request.table = subscriptions ? .subscription : .iap
    request.channel = channel.choice
    request.channel.rounding = rounding.rounding
    request.commission = apple.commission
    let plan = try planPrice(request)
    try terminal.print(shared.format == .json ? json(of: plan) : text(of: plan))
    return file?.hasBadInput == true ? .badInput : .done
  }

  /// Whether the wanted prices are in a file, and not in the option itself.
  private var isFile: Bool { wanted.lowercased().hasSuffix(".csv") }

  func validate() throws {
    try shared.refuseCSV()
    if !isFile { _ = try readAmounts(wanted) }
  }
}
