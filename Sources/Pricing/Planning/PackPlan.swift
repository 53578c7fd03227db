package import Billing

/// The catalogue's packs of coins beside proposed ones, in each storefront.
package struct PackPlan: Sendable {
  /// What is sought while the other stays as it is.
  package enum Goal: String, Hashable, Sendable {
    /// Prices stay.
    case coins
    /// Coins stay.
    case prices
  }

  /// The day on which the proposal begins: its taxes and terms count on both sides.
  package var day: Day
  package var baseCurrency: Currency
  package var channel: Channel
  package var goal: Goal
  package var target: PlanTarget
  package var rounding: PackRounding
  /// Millionths by which units change for each millionth by which coins become dearer; zero or
  /// below. Zero: the volume is held.
  package var elasticity: Int64
  /// The reports that volumes come from; nil: one unit of each pack.
  package var period: Period?
  /// What the packs of the rows are on the other channel.
  package var counterparts: [Counterpart] = []
  package var worths: [Worth] = []
  /// Rows of one group stand together.
  package var rows: [Row] = []
  /// Where the proposed prices were looked for; empty where they stay.
  package var ladders: [Ladder] = []
  package var notes: [Wording] = []

  package init(
    day: Day, baseCurrency: Currency, channel: Channel, goal: Goal, target: PlanTarget,
    rounding: PackRounding, elasticity: Int64, period: Period?
  ) {
    precondition(elasticity <= 0, "dearer coins sell no better")
    self.day = day
    self.baseCurrency = baseCurrency
    self.channel = channel
    self.goal = goal
    self.target = target
    self.rounding = rounding
    self.elasticity = elasticity
    self.period = period
  }
}

extension PackPlan {
  /// The other channel's money, and what is left of it.
  package struct Channel: Hashable, Sendable {
    /// As the orders name it; empty where the figures were given.
    package var name: String
    package var currency: Currency
    package var costs: ChannelCosts
    /// Base currency for one unit of `currency`.
    package var worth: CurrencyRate

    package init(name: String, currency: Currency, costs: ChannelCosts, worth: CurrencyRate) {
      self.name = name
      self.currency = currency
      self.costs = costs
      self.worth = worth
    }
  }

  /// A pack on the other channel.
  package struct Counterpart: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
      case given
      /// So many paid orders of the pack have this price and these coins.
      case orders(Int)
      /// No pack of that product is known there: the channel's one rate.
      case rate
    }

    package var sku: String
    /// Micro-units of the channel's money.
    package var price: Int64
    package var coins: Int64
    package var source: Source

    package init(sku: String, price: Int64, coins: Int64, source: Source) {
      precondition(price > 0 && coins > 0)
      self.sku = sku
      self.price = price
      self.coins = coins
      self.source = source
    }
  }

  /// An exchange rate: base currency for one unit.
  package struct Worth: Hashable, Sendable {
    package var currency: Currency
    package var worth: CurrencyRate

    package init(currency: Currency, worth: CurrencyRate) {
      self.currency = currency
      self.worth = worth
    }
  }

  /// The price points of a storefront, ascending.
  package struct Ladder: Hashable, Sendable {
    package var storefront: Storefront
    package var steps: [Step]

    package struct Step: Hashable, Sendable {
      package var tier: TierPrice
      package var terms: ProceedsTerms
    }
  }

  /// One pack in one storefront.
  package struct Row: Hashable, Sendable {
    package var storefront: Storefront
    package var sku: String
    package var kind: ProductKind
    /// Rows with the same number have the same coins of a pack.
    package var group: Int
    /// As an index into `counterparts`.
    package var counterpart: Int
    /// As an index into `ladders`; nil where prices stay.
    package var ladder: Int?
    /// The tier's price now.
    package var tier: TierPrice?
    package var now: ProceedsTerms
    package var coins: Int64
    /// The proposal; its price is the one of now where prices stay.
    package var proposedTier: TierPrice?
    package var proposed: ProceedsTerms
    /// Coins at which the target is met in this storefront alone, at the proposed price.
    package var exactCoins: Fraction
    /// The same, rounded.
    package var ownCoins: Int64
    /// Of the whole group.
    package var proposedCoins: Int64
    /// Base currency for one unit of the price's money.
    package var worth: CurrencyRate
    package var units: Int64
    package var proposedUnits: Int64
  }

  /// What rows come to, micro-units of base currency.
  package struct Sum: Hashable, Sendable {
    package var units: Int64 = 0
    package var proposedUnits: Int64 = 0
    package var proceeds: Int64 = 0
    package var proposedProceeds: Int64 = 0
    /// Proceeds less what the coins would leave on the other channel.
    package var ahead: Int64 = 0
    package var proposedAhead: Int64 = 0

    /// What the proposal brings more than now.
    package var difference: Int64 { proposedProceeds - proceeds }
  }

  /// What a coin of the row's counterpart leaves on the other channel, in base currency.
  package func channelNet(_ row: Row) -> Fraction { channelNet(counterparts[row.counterpart]) }

  /// What a coin of a pack leaves on the other channel, in base currency.
  package func channelNet(_ pack: Counterpart) -> Fraction {
    Fraction(micros: pack.price) * channel.costs.left * channel.worth.value
      / Fraction(Int128(pack.coins))
  }

  /// A row's units and proceeds, now and as proposed, and by how much each leaves more than the
  /// other channel would; in base currency, rounded to its minor unit.
  package func sum(_ row: Row) -> Sum {
    let unit = baseCurrency.minorUnit
    /// What so many units of the row's pack bring at these terms, in base currency.
    func left(_ units: Int64, _ terms: ProceedsTerms) -> Fraction {
      Fraction(Int128(units)) * Fraction(micros: terms.proceeds) * row.worth.value
    }
    /// What so many units of the row's pack bring at these terms, less what their coins, `coins`
    /// each, would leave on the other channel; micro-units of base currency.
    func ahead(_ units: Int64, _ terms: ProceedsTerms, _ coins: Int64) -> Int64 {
      let there = Fraction(Int128(units)) * Fraction(Int128(coins)) * channelNet(row)
      return (left(units, terms) - there).micros(toMultipleOf: unit)
    }
    return Sum(
      units: row.units, proposedUnits: row.proposedUnits,
      proceeds: left(row.units, row.now).micros(toMultipleOf: unit),
      proposedProceeds: left(row.proposedUnits, row.proposed).micros(toMultipleOf: unit),
      ahead: ahead(row.units, row.now, row.coins),
      proposedAhead: ahead(row.proposedUnits, row.proposed, row.proposedCoins))
  }

  /// The sums of all rows, or of a storefront's.
  package func total(_ storefront: Storefront? = nil) -> Sum {
    rows.lazy.filter { storefront == nil || $0.storefront == storefront }
      .map { sum($0) }.reduce(into: Sum()) { total, sum in
        total.units += sum.units
        total.proposedUnits += sum.proposedUnits
        total.proceeds += sum.proceeds
        total.proposedProceeds += sum.proposedProceeds
        total.ahead += sum.ahead
        total.proposedAhead += sum.proposedAhead
      }
  }

  /// The storefronts of the rows, in the order of the rows.
  package var storefronts: [Storefront] {
    var seen: Set<Storefront> = []
    return rows.map(\.storefront).filter { seen.insert($0).inserted }
  }
}

extension PackPlan.Row {
  /// What a thousand coins leave in base currency, where a pack at these terms has `coins`; nil
  /// without coins.
  package static func netPerThousand(_ terms: ProceedsTerms, _ coins: Int64, worth: CurrencyRate)
    -> Fraction?
  {
    coins > 0
      ? Fraction(micros: terms.proceeds) * worth.value
        * Fraction(1_000, over: Int128(coins)) : nil
  }

  /// What a thousand coins of the pack leave now, in base currency; nil without coins.
  package var net: Fraction? { Self.netPerThousand(now, coins, worth: worth) }
  /// What a thousand coins of the proposed pack leave, in base currency; nil without coins.
  package var proposedNet: Fraction? {
    Self.netPerThousand(proposed, proposedCoins, worth: worth)
  }
}
