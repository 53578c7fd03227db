import ArgumentParser
import Billing
import Languages
import Pricing
import Workflow

/// `tieout plan what-if`
struct PlanWhatIfCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "what-if",
    abstract: say("Calculate what a change of commission, tax, exchange rate or tier would do."),
    discussion: """
      \(say(about))

        tieout plan what-if --commission CN=0.25@2026-03-15 --period 2023-06
      """)

  private static let about: Wording = """
    Each option may be given several times; each change is calculated alone, then all together. \
    Volumes come from Apple's reports for --period; without it, one unit of each product, tier or \
    price is assumed.
    """

  @Option(
    help: .words("A commission: 0.15, CN=0.25, CN=0.25@2026-03-15.", value: "commission"),
    transform: readCommissionChange)
  var commission: [WhatIf.Change] = []

  @Option(
    help: .words(
      "The share of subscription units in their second year or later.", value: "fraction"),
    transform: readYearChange)
  var afterOneYear: [WhatIf.Change] = []

  @Option(
    help: .words("The total tax included in a storefront's prices.", value: "DE=0.16"),
    transform: readTaxChange)
  var tax: [WhatIf.Change] = []

  @Option(
    help: .words(
      """
      How much base currency one unit buys, or a change such as +5%.
      """, value: "USD=7.0|USD=+5%"),
    transform: readWorthChange)
  var fx: [WhatIf.Change] = []

  @Option(
    help: .words("A product's new tier.", value: "sku=tier"), transform: readTierChange)
  var tier: [WhatIf.Change] = []

  @OptionGroup var place: PlaceOptions
  @OptionGroup var offers: OfferOptions
  @OptionGroup var replacing: ReplaceOption

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  @Option(help: .words("Save the workbook here.", value: "file.xlsx"), completion: .workbook)
  var out: String?

  private var changes: [WhatIf.Change] { commission + afterOneYear + tax + fx + tier }

  func validate() throws {
    try shared.refuseCSV()
    if changes.isEmpty {
      throw wrongUsage(
        "Name a change with --commission, --after-one-year, --tax, --fx or --tier.")
    }
  }

  func run(on terminal: Terminal) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    let outputs = try configuration.outputs([out], shared, replaces: replacing)
    defer { outputs.note(on: terminal) }
    try checkWorkbookName(out)
    var request = WhatIfRequest(
      scope: place.scope(shared, configuration.settings), changes: changes)
    request.groups = place.storefronts
    request.choice = offers.choice
    let plan = try terminal.during("planning …") { try planWhatIf(request) }
    if let out { try saveWorkbook(of: plan, to: out) }
    try terminal.print(shared.format == .json ? json(of: plan) : text(of: plan, workbook: out))
    return .done
  }
}
