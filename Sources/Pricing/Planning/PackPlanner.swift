package import Billing

/// Finds the coins of packs, or their price points, that leave what their counterparts on another
/// channel leave.
package struct PackPlanner: Sendable {
  /// A pack as it is, with its volume.
  package struct Pack: Hashable, Sendable {
    package var offer: Offer
    package var units: Int64

    package init(offer: Offer, units: Int64) {
      self.offer = offer
      self.units = units
    }
  }

  private let book: PriceBook
  /// Millionths, instead of the rule's.
  private let commission: Int64?
  /// Base currency for one unit of a currency; nil where nobody knows.
  private let worth: @Sendable (Currency) -> CurrencyRate?

  package init(
    book: PriceBook, commission: Int64?, worth: @escaping @Sendable (Currency) -> CurrencyRate?
  ) {
    self.book = book
    self.commission = commission
    self.worth = worth
  }

  /// Fills in rows.
  ///
  /// - Parameters:
  ///   - groups: packs of storefronts that get the same coins, each with coins of its own.
  ///   - frame: a plan with everything that the caller decides, counterparts of all packs included.
  package func plan(_ groups: [[Pack]], frame: PackPlan) -> PackPlan {
    var plan = frame
    var ladders = Ladders()
    var unknown: Set<Currency> = []
    for (group, packs) in groups.enumerated() {
      var rows: [PackPlan.Row] = []
      for pack in packs {
        guard let worth = worth(pack.offer.currency) else {
          unknown.insert(pack.offer.currency)
          continue
        }
        guard let row = row(pack, group, worth, &plan, &ladders) else { continue }
        rows.append(row)
      }
      plan.add(rows)
    }
    plan.ladders = ladders.all
    plan.worths = Set(plan.rows.map(\.now.currency)).sorted().compactMap { currency in
      worth(currency).map { PackPlan.Worth(currency: currency, worth: $0) }
    }
    plan.notes += unknown.sorted().map {
      "@planning.no-exchange-rate \($0) \(plan.baseCurrency) \(plan.day) \($0)"
    }
    plan.noteSparseLadders()
    plan.noteBrokenLadders()
    return plan
  }

  /// Plans one pack in its storefront: finds the coins with which it leaves as much as its
  /// counterpart on the other channel; where the goal is prices, first the lowest price point that
  /// is enough for its present coins. Nil, with a note, where no price point is high enough or
  /// amounts are too large.
  ///
  /// - Parameters:
  ///   - group: the number, from 0, of the group of packs that get the same coins.
  ///   - worth: base currency for one unit of the pack's currency.
  ///   - ladders: the price points found so far, to which the pack's are added.
  private func row(
    _ pack: Pack, _ group: Int, _ worth: CurrencyRate, _ plan: inout PackPlan,
    _ ladders: inout Ladders
  ) -> PackPlan.Row? {
    let offer = pack.offer
    guard let counterpart = plan.counterparts.firstIndex(where: { $0.sku == offer.product }),
      let coins = offer.coins
    else { preconditionFailure("a pack without coins or counterpart") }
    let now = terms(offer, offer.price, offer.tierPrice, plan.day)
    var row = PackPlan.Row(
      storefront: offer.storefront, sku: offer.product, kind: offer.kind, group: group,
      counterpart: counterpart, tier: offer.tierPrice, now: now, coins: coins,
      proposedTier: offer.tierPrice, proposed: now, exactCoins: .zero, ownCoins: coins,
      proposedCoins: coins, worth: worth, units: pack.units, proposedUnits: 0)
    let net = plan.channelNet(row) / worth.value
    if plan.goal == .prices {
      let place = ladders.place(of: offer, programmes: book.programmes(of: offer.product)) {
        steps(of: offer, plan.day)
      }
      row.ladder = place
      let needed = net * Fraction(Int128(coins))
      guard
        let step = ladders.all[place].steps.first(where: {
          plan.target.counted($0.terms) >= needed
        })
      else {
        plan.notes.append(
          """
          @planning.no-price-point-is-high \(offer.storefront) \(offer.product) \
          \(grouped(coins))
          """)
        return nil
      }
      row.proposedTier = step.tier
      row.proposed = step.terms
    }
    let counted = plan.target.counted(row.proposed)
    row.exactCoins = counted / net
    guard row.exactCoins < Fraction(Self.mostCoins), canCount(row, plan) else {
      plan.notes.append(
        "@planning.amount-is-too-high \(offer.storefront) \(offer.product)")
      return nil
    }
    let isStrict =
      plan.target != .equalNet && counted < Fraction(micros: row.proposed.proceeds)
    row.ownCoins = plan.rounding.down(row.exactCoins, isStrict: isStrict)
    return row
  }

  /// Apple's shortest list: the tiers 1 to 85 of 2011.
  fileprivate static let fewestPricePoints = 85
  /// More coins than any pack has.
  private static let mostCoins: Int128 = 1_000_000_000

  /// Whether what is paid for the units, and what their coins are worth, stay below ten thousand
  /// million units of base currency.
  private func canCount(_ row: PackPlan.Row, _ plan: PackPlan) -> Bool {
    let most: Int128 = 10_000_000_000
    let price = max(row.now.price, row.proposed.price)
    guard row.coins <= Self.mostCoins, row.units <= most,
      row.worth.value.amount(price, scale: Int128(max(1, row.units))) <= most * 1_000_000
    else { return false }
    let coins = Fraction(Int128(row.coins) + row.exactCoins.whole)
    return plan.channelNet(row) * coins * Fraction(Int128(row.units)) <= Fraction(most)
  }

  /// What an offer brings at a price, in micro-units, on a day, with the rates behind it.
  ///
  /// - Parameter tier: the tier that the price was taken from, where known.
  private func terms(_ offer: Offer, _ price: Int64, _ tier: TierPrice?, _ day: Day)
    -> ProceedsTerms
  {
    book.terms(
      of: offer.scope, currency: offer.currency, price: price, day: day,
      commissionRate: commission, tierPrice: tier
    ).terms
  }

  /// The price points that an offer could have on a day, with what each brings, ascending by price.
  private func steps(of offer: Offer, _ day: Day) -> [PackPlan.Ladder.Step] {
    book.tiers.steps(offer.table, in: offer.storefront, on: day)
      .filter { $0.currency == offer.currency }.map { step in
        PackPlan.Ladder.Step(
          tier: step.tiers[0], terms: terms(offer, step.price, step.tiers[0], day))
      }
  }
}

/// Price points by what decides them and their terms.
private struct Ladders {
  private struct Key: Hashable {
    var storefront: Storefront
    var table: TierTable
    var programmes: [Int]
  }

  private var places: [Key: Int] = [:]
  private(set) var all: [PackPlan.Ladder] = []

  /// The index in ``all`` of the price points for an offer; they are made by `steps` where they are
  /// asked for the first time.
  ///
  /// - Parameter programmes: the programmes that have the product, which decide its terms.
  mutating func place(
    of offer: Offer, programmes: [Int], _ steps: () -> [PackPlan.Ladder.Step]
  ) -> Int {
    let key = Key(storefront: offer.storefront, table: offer.table, programmes: programmes)
    if let known = places[key] { return known }
    places[key] = all.count
    all.append(PackPlan.Ladder(storefront: offer.storefront, steps: steps()))
    return all.count - 1
  }
}

extension PlanTarget {
  /// The part of a unit's proceeds that coins are given for, in units of the price's money: all, or
  /// as much as the target's margin leaves of the price.
  package func counted(_ terms: ProceedsTerms) -> Fraction {
    min(Fraction(micros: terms.proceeds), Fraction(micros: terms.price) * largestShare)
  }
}

extension PackPlan {
  /// Adds the rows of a group to the plan, each with its proposed coins and units. Where coins are
  /// planned, packs of one SKU all get the fewest that any of them would get alone, so that no
  /// storefront leaves less than the other channel.
  fileprivate mutating func add(_ group: [Row]) {
    var fewest: [String: Int64] = [:]
    for row in group { fewest[row.sku] = min(fewest[row.sku] ?? .max, row.ownCoins) }
    for var row in group {
      if goal == .coins { row.proposedCoins = fewest[row.sku] ?? row.ownCoins }
      row.proposedUnits = proposedUnits(row)
      if row.proposedCoins == 0 {
        notes.append("@planning.price-is-too-low \(row.storefront) \(row.sku)")
      }
      rows.append(row)
    }
  }

  /// The units that a row is expected to sell as proposed: today's, changed by the elasticity times
  /// the relative change of what a coin costs.
  private func proposedUnits(_ row: Row) -> Int64 {
    guard elasticity < 0, row.proposedCoins > 0, row.coins > 0, row.now.price > 0 else {
      return row.units
    }
    let ratio = Fraction(
      Int128(row.proposed.price) * Int128(row.coins),
      over: Int128(row.now.price) * Int128(row.proposedCoins))
    let change = Fraction(micros: elasticity) * (ratio - .one)
    let units = Fraction(Int128(row.units)) * (.one + change)
    return max(0, units.micros(toMultipleOf: 1_000_000) / 1_000_000)
  }

  /// Notes storefronts of which fewer price points are known than Apple has ever had: the one that
  /// was found may be far above the one that is needed.
  fileprivate mutating func noteSparseLadders() {
    for ladder in ladders where ladder.steps.count < PackPlanner.fewestPricePoints {
      notes.append(
        counted(
          ladder.steps.count,
          "@planning.only-1-price-point-is \(ladder.storefront)"
        ) {
          "@planning.only-price-points-are-known \(ladder.storefront) \($0)"
        })
    }
  }

  /// Notes packs that give fewer coins for money than a cheaper one, where their counterparts do
  /// not.
  fileprivate mutating func noteBrokenLadders() {
    for (storefront, rows) in Dictionary(grouping: rows, by: \.storefront).sorted(by: {
      $0.key < $1.key
    }) {
      let packs = rows.filter { $0.proposed.price > 0 }.sorted {
        ($0.proposed.price, $0.sku) < ($1.proposed.price, $1.sku)
      }
      for (cheap, dear) in zip(packs, packs.dropFirst()) where isBroken(cheap, dear) {
        notes.append(
          "@planning.gives-fewer-coins \(storefront) \(dear.sku) \(cheap.sku)")
      }
    }
  }

  /// Whether the dearer pack gives fewer coins for money than the cheaper one, and its counterpart
  /// does not.
  private func isBroken(_ cheap: Row, _ dear: Row) -> Bool {
    /// Coins for each micro-unit of a pack's price.
    func coinsPerMicro(_ coins: Int64, _ price: Int64) -> Fraction {
      Fraction(Int128(coins), over: Int128(price))
    }
    let (a, b) = (counterparts[cheap.counterpart], counterparts[dear.counterpart])
    return coinsPerMicro(dear.proposedCoins, dear.proposed.price)
      < coinsPerMicro(cheap.proposedCoins, cheap.proposed.price)
      && coinsPerMicro(b.coins, b.price) >= coinsPerMicro(a.coins, a.price)
  }
}
