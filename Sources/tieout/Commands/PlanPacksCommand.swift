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
      "@command.propose-what-each-pack"),
    discussion: """
      \(say(about))

        tieout plan packs --date 2026-12-01 --period 2026-10 --channel-fee 0.006
        tieout plan packs --keep-coins --storefronts CN,US,JP --channel-rate 10 --out packs.xlsx
      """)

  private static let about: Wording = "@command.finds-the-coins-with-keep"

  @Flag(help: .words("@command.keep-each-pack-coins"))
  var keepCoins = false

  @Option(
    help: .words("@command.packs-of-the-other-channel", value: "sku=price/coins,…"),
    transform: readChannelPacks)
  var channelPacks: [ChannelPack] = []

  @Option(
    help: .words(
      "@command.round-coins-down-to-convenient", value: "figures|10"),
    transform: readPackStep)
  var round = PackRounding.figures

  @Option(
    parsing: .unconditional,
    help: .words(
      "@command.elasticity-of-units-at-1",
      value: "@shared.value"), transform: readElasticity)
  var elasticity: Int64 = 0

  @OptionGroup var place: PlaceOptions
  @OptionGroup var apple: CommissionOption
  @OptionGroup var channel: ChannelOptions
  @OptionGroup var replacing: ReplaceOption

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  @Option(
    name: [.customShort("o"), .long],
    help: .words("@command.save-the-workbook-here", value: "@command.file-xlsx"),
    completion: .workbook)
  var out: String?

  @Option(help: .words("@command.save-the-new-rows", value: "@command.file-csv"))
  var saveProducts: String?

  @Option(help: .words("@command.save-the-new-tiers-here", value: "@command.file-csv"))
  var saveTiers: String?

  func validate() throws { try shared.refuseCSV() }

  /// Plans packs, saves the workbook and the tables that were asked for, and prints the plan.
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
    let planned = try terminal.during("@command.planning") { try planPacks(request) }
    if let saveProducts { try Workflow.saveProducts(planned.tables, to: saveProducts) }
    if let saveTiers { try Workflow.saveTiers(planned.tables, to: saveTiers) }
    if let out { try saveWorkbook(of: planned.plan, to: out) }
    try terminal.print(
      shared.format == .json
        ? json(of: planned.plan) : text(of: planned.plan, workbook: out, tables: tables))
    return .done
  }
}
