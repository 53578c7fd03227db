import ArgumentParser
import Billing
import Languages
import Pricing
import Workflow

/// Where and when a plan holds.
struct PlaceOptions: ParsableArguments {
  @Option(
    help: .words(
      "@option.storefronts-separated-by-commas-cn", value: "@shared.list"),
    transform: readStorefronts)
  var storefronts: [StorefrontGroup] = []

  @Option(
    help: .words(
      "@option.day-whose-prices-taxes", value: "YYYY-MM-DD"), transform: readDay)
  var date: Day?

  @Option(
    help: .words("@option.period-whose-reports-give", value: "@shared.period"),
    transform: readPeriod)
  var period: Period?

  /// Where a plan gets its figures from, and the day that it holds for: the one named, else the
  /// last of the period, else the day of the call.
  func scope(_ shared: SharedOptions, _ settings: Settings) -> PlanScope {
    PlanScope(
      ledgerPath: shared.ledger, isLedgerNeeded: shared.namesLedger, settings: settings,
      day: date ?? period?.last ?? shared.effectiveAsOf, period: period)
  }
}

/// What is planned.
struct OfferOptions: ParsableArguments {
  @Option(
    help: .words("@option.tiers-instead-of-the-catalogue", value: "1,2,5"),
    transform: readList)
  var tiers: [String] = []

  @Option(
    help: .words("@option.prices-in-each-storefront-own", value: "30,68"),
    transform: readAmounts)
  var prices: [Int64] = []

  func validate() throws {
    if !tiers.isEmpty, !prices.isEmpty {
      throw wrongUsage("@option.tiers-and-prices-exclude-each")
    }
  }

  /// What is planned: the prices or the tiers that are named, else the catalogue.
  var choice: OfferChoice {
    !prices.isEmpty ? .prices(prices) : !tiers.isEmpty ? .tiers(tiers) : .catalogue
  }
}

/// A commission that stands in for the rule's.
struct CommissionOption: ParsableArguments {
  @Option(
    help: .words("@option.apple-commission-instead", value: "@shared.fraction"),
    transform: readFraction)
  var commission: Int64?
}

/// The other channel, and what is wanted of the rate.
struct ChannelOptions: ParsableArguments {
  @Option(
    help: .words(
      "@option.coins-per-unit-of-money",
      value: "@shared.coins"), transform: readRate)
  var channelRate: Int64?

  @Option(
    help: .words("@option.what-the-other-channel-payment", value: "@shared.fraction"),
    transform: readFee)
  var channelFee: Int64?

  @Option(
    help: .words("@option.other-channel-money-default-base", value: "CNY"),
    transform: readCurrency)
  var channelCurrency: Currency?

  @Option(
    help: .words("@option.other-channel-if-orders-name", value: "@shared.name"))
  var channel: String?

  @Option(
    help: .words(
      "@option.equal-net-or-margin-0", value: "@shared.target"),
    transform: readTarget)
  var target = PlanTarget.equalNet

  /// The other channel and the target, as the options describe them.
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
    help: .words("@option.round-down-to-whole-coins", value: "whole|5|10"),
    transform: readStep)
  var round: Int64 = 1

  @Option(
    help: .words(
      "@option.never-below-this-many-coins", value: "@shared.coins"),
    transform: readRate)
  var floor: Int64?

  /// How rates are rounded, and what none may fall below.
  var rounding: PlanRounding { PlanRounding(step: round, floor: floor) }
}
