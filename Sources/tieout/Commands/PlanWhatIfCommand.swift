import ArgumentParser
import Billing
import Languages
import Pricing
import Workflow

/// `tieout plan what-if`
struct PlanWhatIfCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "what-if",
    abstract: say("@command.calculate-what-a-change"),
    discussion: """
      \(say(about))

        tieout plan what-if --commission CN=0.25@2026-03-15 --period 2023-06
      """)

  private static let about: Wording = "@command.each-option-may-be-given"

  @Option(
    help: .words("@command.commission-0-15-cn-0", value: "@shared.commission"),
    transform: readCommissionChange)
  var commission: [WhatIf.Change] = []

  @Option(
    help: .words(
      "@command.share-of-subscription-units", value: "@shared.fraction"),
    transform: readYearChange)
  var afterOneYear: [WhatIf.Change] = []

  @Option(
    help: .words("@command.total-tax-included", value: "DE=0.16"),
    transform: readTaxChange)
  var tax: [WhatIf.Change] = []

  @Option(
    help: .words(
      "@command.how-much-base-currency-one", value: "USD=7.0|USD=+5%"),
    transform: readWorthChange)
  var fx: [WhatIf.Change] = []

  @Option(
    help: .words("@command.product-new-tier", value: "@command.sku-tier"), transform: readTierChange
  )
  var tier: [WhatIf.Change] = []

  @Option(
    help: .words("@command.coins-for-the-same-money", value: "+10%"), transform: readCoinRate)
  var coinRate: Int64 = 1_000_000

  @Option(
    help: .words("@command.coins-given-for-nothing", value: "@shared.coins"),
    transform: readFreeCoins)
  var freeCoins: Int64 = 0

  @OptionGroup var place: PlaceOptions
  @OptionGroup var offers: OfferOptions
  @OptionGroup var replacing: ReplaceOption

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  @Option(
    name: [.customShort("o"), .long],
    help: .words("@command.save-the-workbook-here", value: "@command.file-xlsx"),
    completion: .workbook)
  var out: String?

  private var coins: CoinChange { CoinChange(rate: coinRate, free: freeCoins) }
  private var changes: [WhatIf.Change] { commission + afterOneYear + tax + fx + tier }

  func validate() throws {
    try shared.refuseCSV()
    if changes.isEmpty, coins.isNothing {
      throw wrongUsage(
        "@command.name-a-change-with-commission")
    }
  }

  /// Calculates what the changes would do, saves the workbook where it was asked for, and prints
  /// it.
  func run(on terminal: Terminal) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    let outputs = try configuration.outputs([out], shared, replaces: replacing)
    defer { outputs.note(on: terminal) }
    try checkWorkbookName(out)
    var request = WhatIfRequest(
      scope: place.scope(shared, configuration.settings), changes: changes)
    request.groups = place.storefronts
    request.choice = offers.choice
    request.coins = coins
    let plan = try terminal.during("@command.planning") { try planWhatIf(request) }
    if let out { try saveWorkbook(of: plan, to: out) }
    try terminal.print(shared.format == .json ? json(of: plan) : text(of: plan, workbook: out))
    return .done
  }
}
