package import Billing

/// What another channel takes of a price.
package struct ChannelCosts: Hashable, Sendable {
  /// What it keeps of a price without tax, millionths.
  package var fee: Int64
  /// On a price without tax, millionths.
  package var tax: Int64

  package init(fee: Int64, tax: Int64 = 0) { (self.fee, self.tax) = (fee, tax) }

  /// The part of a price that is left.
  package var left: Fraction {
    Fraction(micros: 1_000_000 - fee) / Fraction(micros: 1_000_000 + tax)
  }
}

/// The rate at which coins are sold on another channel, and what is left of it there.
package struct ChannelTerms: Hashable, Sendable {
  /// As the orders name it; empty where the figures were given.
  package var name: String
  package var currency: Currency
  /// Coins for one unit of `currency`, millionths.
  package var rate: Int64
  package var costs: ChannelCosts
  /// Base currency for one unit of `currency`; nil where no rate is loaded.
  package var worth: CurrencyRate?
  /// Whether orders told the rate.
  package var isObserved: Bool

  package init(
    name: String = "", currency: Currency, rate: Int64, costs: ChannelCosts,
    worth: CurrencyRate?, isObserved: Bool = false
  ) {
    self.name = name
    self.currency = currency
    self.rate = rate
    self.costs = costs
    self.worth = worth
    self.isObserved = isObserved
  }

  /// Coins for one unit of money that is left after fee and tax.
  package var coinsPerNet: Fraction { Fraction(micros: rate) / costs.left }

  /// What a coin leaves, in units of `currency`.
  package var netPerCoin: Fraction { Fraction.one / coinsPerNet }
}

/// What an exchange rate is to bring.
package enum PlanTarget: Hashable, Sendable {
  /// The same net per coin as on the other channel.
  case equalNet
  /// The same still, and a little more, when this part of the price is taken (millionths); where
  /// more is taken anyway, that counts.
  case margin(Int64)

  /// The most that may count as left of a price.
  package var largestShare: Fraction {
    switch self {
    case .equalNet: .one
    case .margin(let deduction): Fraction(micros: 1_000_000 - deduction)
    }
  }
}

/// What is to be planned, before it is known at which prices.
package enum OfferChoice: Hashable, Sendable {
  /// Every product of the catalogue that has coins and a tier.
  case catalogue
  case tiers([String])
  /// Micro-units of each storefront's own currency.
  case prices([Int64])
}

/// How planners round a rate: always down.
package struct PlanRounding: Hashable, Sendable {
  /// Rates are multiples of it.
  package var step: Int64
  /// Coins per unit of the channel's money that no rate may fall below.
  package var floor: Int64?

  package init(step: Int64 = 1, floor: Int64? = nil) {
    precondition(step > 0)
    self.step = step
    self.floor = floor
  }
}

/// Coins per unit of money on Apple's channel that leave what another channel leaves.
package struct RatePlan: Sendable {
  package var day: Day
  package var baseCurrency: Currency
  package var channel: ChannelTerms
  package var target: PlanTarget
  package var rounding: PlanRounding
  /// The bounds of the deduction that the company expects, millionths; nil follows the terms.
  package var expectedDeduction: ClosedRange<Int64>?
  /// The reports that volumes and observed proceeds come from.
  package var period: Period?
  /// Millionths by which coins may be cheaper than where they are dearest.
  package var threshold: Int64
  /// Coins per unit of the channel's money that the company gives today, millionths; nil where
  /// nobody asks what that is worth.
  package var current: Int64?
  /// Rows of one group stand together.
  package var rows: [Row] = []
  package var groups: [Group] = []
  /// Dearest last.
  package var coinPrices: [CoinPrice] = []
  package var channelSales: [ChannelSales] = []
  /// What could not be planned and why.
  package var notes: [Wording] = []

  package init(
    day: Day, baseCurrency: Currency, channel: ChannelTerms, target: PlanTarget,
    rounding: PlanRounding, expectedDeduction: ClosedRange<Int64>?, period: Period?,
    threshold: Int64
  ) {
    self.day = day
    self.baseCurrency = baseCurrency
    self.channel = channel
    self.target = target
    self.rounding = rounding
    self.expectedDeduction = expectedDeduction
    self.period = period
    self.threshold = threshold
  }
}

extension RatePlan {
  /// A product, tier or price in one storefront.
  package struct Row: Hashable, Sendable {
    package var storefront: Storefront
    /// A SKU, `tier 5`, or empty for a bare price.
    package var product: String
    package var tier: String
    package var terms: ProceedsTerms
    /// The rule with its figures.
    package var rule: Wording
    /// The channel's money for one unit of the price's; nil where no rate is loaded.
    package var worth: CurrencyRate?
    /// How many units of the price's money the rates are for.
    package var unit: Int64
    /// Coins that the catalogue gives for the price.
    package var presentCoins: Int64?
    /// By the list; nil where no rate is loaded or the price is zero.
    package var rate: PlannedRate?
    package var observed: Observation?

    /// Coins for the price at the planned rate, whole.
    package var plannedCoins: Int64? { rate.map { coins(for: terms.price, at: $0.planned) } }

    /// Coins for an amount of the price's money in micro-units, rounded down.
    ///
    /// - Parameter rate: coins for ``unit`` units of the price's money.
    package func coins(for micros: Int64, at rate: Int64) -> Int64 {
      Fraction(Int128(micros) * Int128(rate), over: 1_000_000 * Int128(unit))
        .roundedDown(toMultipleOf: 1)
    }
  }

  /// A rate before and after rounding, in coins for a number of units of money.
  package struct PlannedRate: Hashable, Sendable {
    /// At which the net per coin is the other channel's, or the target's.
    package var exact: Fraction
    package var planned: Int64
    /// Whether the floor holds it above `exact`.
    package var isHeldUp: Bool
  }

  /// What Apple reported of a row's product in the period, refunds taken off.
  package struct Observation: Hashable, Sendable {
    package var units: Int64
    /// Customer prices and proceeds of all units, micro-units of the price's currency.
    package var gross: Int64
    package var proceeds: Int64
    package var rate: PlannedRate?
  }

  /// Rows that get one rate.
  package struct Group: Hashable, Sendable {
    package var name: String
    package var storefronts: [Storefront]
    /// The money that the rate is for: the rows' own where they share one, else the channel's.
    package var currency: Currency
    package var unit: Int64
    /// Indexes of the plan's rows.
    package var rows: Range<Int>
    package var choices: [Choice] = []
  }

  /// One way to choose a common rate.
  package struct Choice: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
      /// The lowest of the rows: nowhere above the target.
      case safe
      /// The rows' rates weighted by what customers paid.
      case weighted
      case median

      /// The choice in words for people.
      package var wording: Wording {
        switch self {
        case .safe: "@planning.safe"
        case .weighted: "@planning.weighted"
        case .median: "@planning.median"
        }
      }
    }

    package var kind: Kind
    /// What is left of the price, before the target's margin.
    package var share: Fraction
    package var rate: PlannedRate
    /// What it brings at the observed volumes against the channel's net per coin, micro-units of
    /// base currency: coins not given above zero, coins given too many below; nil without volumes.
    package var gain: Int64?
  }

  /// What coins cost and leave in a storefront, one of each of its products bought; micro-units of
  /// base currency for a thousand coins.
  package struct CoinPrice: Hashable, Sendable {
    package var storefront: Storefront
    package var coins: Int64
    /// Whether the coins are the catalogue's; else they are those of the planned rates.
    package var isPresent: Bool
    package var net: Int64
    package var price: Int64
    package var isNetBelow: Bool = false
    package var isPriceBelow: Bool = false
  }
}

/// What paid and fulfilled orders of another channel add up to in one currency.
package struct ChannelSales: Hashable, Sendable {
  package var channel: String
  package var currency: Currency
  /// Orders that tell both price and coins, or whose product the catalogue has coins for.
  package var orders: Int
  /// What they paid, micro-units.
  package var gross: Int64
  package var coins: Int64
  /// Orders left out because price or coins are not known.
  package var unknown: Int
  /// Base currency for one unit of `currency`; nil where no rate is loaded.
  package var worth: CurrencyRate?
  /// As the company configured them; nil where it did not, or the plan has its own.
  package var costs: ChannelCosts?

  package init(
    channel: String, currency: Currency, orders: Int = 0, gross: Int64 = 0, coins: Int64 = 0,
    unknown: Int = 0, worth: CurrencyRate? = nil
  ) {
    self.channel = channel
    self.currency = currency
    self.orders = orders
    self.gross = gross
    self.coins = coins
    self.unknown = unknown
    self.worth = worth
  }

  /// Coins for one unit of money; nil where nothing was paid.
  package var rate: Fraction? {
    gross > 0 ? Fraction(Int128(coins) * 1_000_000, over: Int128(gross)) : nil
  }

  /// What a thousand coins left in base currency; nil where no coins were sold or no exchange rate
  /// is loaded.
  ///
  /// - Parameter planned: fee and tax of the plan's channel, which are used where this channel has
  ///   none of its own configured.
  package func netPerThousand(_ planned: ChannelCosts) -> Fraction? {
    guard coins > 0, let worth else { return nil }
    return Fraction(micros: gross) * worth.value * (costs ?? planned).left
      * Fraction(1_000, over: Int128(coins))
  }
}
