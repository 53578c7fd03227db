import ArgumentParser
import Billing
import Languages
import Workflow

/// `tieout plan`
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: say("@command.plan-virtual-currency-exchange-rates"),
    subcommands: [
      PlanRateCommand.self, PlanPriceCommand.self, PlanPacksCommand.self, PlanWhatIfCommand.self,
    ])
}

/// `tieout plan rate`
struct PlanRateCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "rate",
    abstract: say(
      "@command.calculate-how-many-coins"),
    discussion: """
      \(say(about))

        tieout plan rate --storefronts CN --prices 30 --channel-rate 100
        tieout plan rate --storefronts all --period 2023-06 --out plan.xlsx
      """)

  private static let about: Wording = "@command.rate-on-apple-channel-rate"

  @OptionGroup var place: PlaceOptions
  @OptionGroup var offers: OfferOptions
  @OptionGroup var apple: CommissionOption
  @OptionGroup var channel: ChannelOptions
  @OptionGroup var rounding: RateRoundingOptions

  @Option(help: .words("@command.coins-given-today", value: "@shared.coins"), transform: readRate)
  var current: Int64?

  @OptionGroup var replacing: ReplaceOption

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  @Option(
    help: .words(
      "@command.mark-storefronts-whose-coins-cost",
      value: "@shared.fraction"), transform: readFraction)
  var threshold: Int64 = 100_000

  @Option(
    name: [.customShort("o"), .long],
    help: .words("@command.save-the-workbook-here", value: "@command.file-xlsx"),
    completion: .workbook)
  var out: String?

  func validate() throws { try shared.refuseCSV() }

  /// Plans rates of coins, saves the workbook where it was asked for, and prints the plan.
  func run(on terminal: Terminal) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    let outputs = try configuration.outputs([out], shared, replaces: replacing)
    defer { outputs.note(on: terminal) }
    try checkWorkbookName(out)
    var request = RatePlanRequest(scope: place.scope(shared, configuration.settings))
    request.groups = place.storefronts
    request.choice = offers.choice
    request.commission = apple.commission
    request.channel = channel.choice
    request.channel.rounding = rounding.rounding
    request.threshold = threshold
    request.current = current
    let plan = try terminal.during("@command.planning") { try planRate(request) }
    if let out { try saveWorkbook(of: plan, to: out) }
    try terminal.print(
      shared.format == .json
        ? json(of: plan) : text(of: plan, isVerbose: shared.verbose, workbook: out))
    return .done
  }
}
