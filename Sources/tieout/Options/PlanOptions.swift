import ArgumentParser
import Billing
import Languages
import Pricing
import Workflow

/// Where and when a plan holds.
struct PlaceOptions: ParsableArguments {
  @Option(
    help: .words(
      """
      Storefronts, separated by commas: CN,US. Those joined as DE+FR+IT, or named by a currency \
      such as EUR, share one rate; all selects every storefront. (default: those with sales in \
      the period)
      """, value: "list"), transform: readStorefronts)
  var storefronts: [StorefrontGroup] = []

  @Option(
    help: .words(
      """
      The day whose prices, taxes and commissions apply. (default: the period's last, else --as-of)
      """, value: "YYYY-MM-DD"), transform: readDay)
  var date: Day?

  @Option(
    help: .words("The period whose reports give the volumes.", value: "period"),
    transform: readPeriod)
  var period: Period?

  func scope(_ shared: SharedOptions, _ settings: Settings) -> PlanScope {
    PlanScope(
      ledgerPath: shared.ledger, isLedgerNeeded: shared.namesLedger, settings: settings,
      day: date ?? period?.last ?? shared.effectiveAsOf, period: period)
  }
}

/// What is planned.
struct OfferOptions: ParsableArguments {
  @Option(
    help: .words("Tiers instead of the catalogue's products.", value: "1,2,5"),
    transform: readList)
  var tiers: [String] = []

  @Option(
    help: .words("Prices in each storefront's own currency.", value: "30,68"),
    transform: readAmounts)
  var prices: [Int64] = []

  func validate() throws {
    if !tiers.isEmpty, !prices.isEmpty {
      throw wrongUsage("--tiers and --prices exclude each other.")
    }
  }

  var choice: OfferChoice {
    !prices.isEmpty ? .prices(prices) : !tiers.isEmpty ? .tiers(tiers) : .catalogue
  }
}

/// A commission that stands in for the rule's.
struct CommissionOption: ParsableArguments {
  @Option(
    help: .words("Apple's commission instead of the rule's.", value: "fraction"),
    transform: readFraction)
  var commission: Int64?
}

/// The other channel, and what is wanted of the rate.
struct ChannelOptions: ParsableArguments {
  @Option(
    help: .words(
      "Coins per unit of money on the other channel. (default: the rate that its orders show)",
      value: "coins"), transform: readRate)
  var channelRate: Int64?

  @Option(
    help: .words("What the other channel's payment costs.", value: "fraction"),
    transform: readFee)
  var channelFee: Int64 = 0

  @Option(
    help: .words("The other channel's money. (default: base currency)", value: "CNY"),
    transform: readCurrency)
  var channelCurrency: Currency?

  @Option(
    help: .words("The other channel, if orders name several.", value: "name"))
  var channel: String?

  @Option(
    help: .words(
      """
      equal-net, or margin=0.33 to plan for a deduction of 33%, so that the net does not fall \
      below the other channel's unless more is deducted.
      """, value: "target"),
    transform: readTarget)
  var target = PlanTarget.equalNet

  var choice: ChannelChoice {
    var choice = ChannelChoice()
    choice.rate = channelRate
    choice.fee = channelFee
    choice.currency = channelCurrency
    choice.name = channel
    choice.target = target
    return choice
  }
}

/// How rates are rounded.
struct RateRoundingOptions: ParsableArguments {
  @Option(
    help: .words("Round down to whole coins, or to multiples.", value: "whole|5|10"),
    transform: readStep)
  var round: Int64 = 1

  @Option(
    help: .words(
      "Never below this many coins per unit of the other channel's money.", value: "coins"),
    transform: readRate)
  var floor: Int64?

  var rounding: PlanRounding { PlanRounding(step: round, floor: floor) }
}
