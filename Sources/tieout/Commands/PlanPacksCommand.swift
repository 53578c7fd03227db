import ArgumentParser
import Billing
import Languages
import Pricing
import Workflow

/// `tieout plan packs`
struct PlanPacksCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "packs",
    abstract: say(
      """
      Propose what each pack of coins should hold or cost, compared with the catalogue, by \
      storefront.
      """),
    discussion: """
      \(say(about))

        tieout plan packs --date 2026-12-01 --period 2026-10 --channel-fee 0.006
        tieout plan packs --keep-coins --storefronts CN,US,JP --channel-rate 10 --out packs.xlsx
      """)

  private static let about: Wording = """
    Finds the coins (with --keep-coins, the price point) at which each pack leaves the same net as \
    its counterpart on the other channel, by the taxes and terms of --date. Counterparts come from \
    --channel-packs, else from the channel's paid orders in --period, else from its rate. Joined \
    storefronts, such as DE+FR, get the same coins. The saved tables can be imported.
    """

  @Flag(help: .words("Keep each pack's coins and find its price point."))
  var keepCoins = false

  @Option(
    help: .words("Packs of the other channel.", value: "sku=price/coins,…"),
    transform: readChannelPacks)
  var channelPacks: [ChannelPack] = []

  @Option(
    help: .words(
      "Round coins down to convenient round figures, or to multiples.", value: "figures|10"),
    transform: readPackStep)
  var round = PackRounding.figures

  @Option(
    parsing: .unconditional,
    help: .words(
      """
      Elasticity of units: at -1.2, coins that are 10% more expensive sell 12% less. (default: \
      volumes are held constant)
      """,
      value: "value"), transform: readElasticity)
  var elasticity: Int64 = 0

  @OptionGroup var place: PlaceOptions
  @OptionGroup var apple: CommissionOption
  @OptionGroup var channel: ChannelOptions
  @OptionGroup var replacing: ReplaceOption

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  @Option(help: .words("Save the workbook here.", value: "file.xlsx"), completion: .workbook)
  var out: String?

  @Option(help: .words("Save the new rows of the catalogue here.", value: "file.csv"))
  var saveProducts: String?

  @Option(help: .words("Save the new tiers here.", value: "file.csv"))
  var saveTiers: String?

  func validate() throws { try shared.refuseCSV() }

  func run(on terminal: Terminal) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    let tables = [saveProducts, saveTiers].compactMap(\.self)
    let outputs = try configuration.outputs([out] + tables, shared, replaces: replacing)
    defer { outputs.note(on: terminal) }
    try checkWorkbookName(out)
    var request = PackPlanRequest(scope: place.scope(shared, configuration.settings))
    request.groups = place.storefronts
    request.goal = keepCoins ? .prices : .coins
    request.channel = channel.choice
    request.channelPacks = channelPacks
    request.rounding = round
    request.elasticity = elasticity
    request.commission = apple.commission
    let planned = try terminal.during("planning …") { try planPacks(request) }
    if let saveProducts { try Workflow.saveProducts(planned.tables, to: saveProducts) }
    if let saveTiers { try Workflow.saveTiers(planned.tables, to: saveTiers) }
    if let out { try saveWorkbook(of: planned.plan, to: out) }
    try terminal.print(
      shared.format == .json
        ? json(of: planned.plan) : text(of: planned.plan, workbook: out, tables: tables))
    return .done
  }
}
