package import Billing

/// Calculates what changes would do, by the rules, at given volumes.
package struct WhatIfPlanner: Sendable {
  /// A product at one price, with its volume.
  package struct Volume: Hashable, Sendable {
    package var offer: Offer
    package var units: Int64
    /// Of these, at the reduced commission.
    package var reducedUnits: Int64

    package init(offer: Offer, units: Int64, reducedUnits: Int64) {
      self.offer = offer
      self.units = units
      self.reducedUnits = reducedUnits
    }
  }

  private let book: PriceBook
  private let day: Day
  /// Base currency for one unit of a currency; nil where nobody knows.
  private let worth: @Sendable (Currency) -> CurrencyRate?

  package init(book: PriceBook, day: Day, worth: @escaping @Sendable (Currency) -> CurrencyRate?) {
    self.book = book
    self.day = day
    self.worth = worth
  }

  /// Fills in rows and sums: each volume as it is, under each change alone, and under all together.
  ///
  /// - Parameter frame: the changes, and what else the caller decides.
  package func plan(_ volumes: [Volume], frame: WhatIf) -> WhatIf {
    var plan = frame
    plan.alone = plan.changes.map { _ in WhatIf.Sum() }
    let everything = Array(plan.changes.indices)
    var unknown: Set<Currency> = []
    for sold in volumes where sold.units > 0 {
      var volume = sold
      // Refunds of an earlier month's sales may take more off one class than it has.
      volume.reducedUnits = min(max(0, sold.reducedUnits), sold.units)
      guard let worth = worth(volume.offer.currency) else {
        unknown.insert(volume.offer.currency)
        continue
      }
      guard canCount(volume, at: worth.value, plan.changes) else {
        plan.notes.append(
          "@planning.amount-is-too-high \(volume.offer.storefront) \(volume.offer.product)")
        continue
      }
      /// What a unit of this volume leaves under the changes that have these indexes in the plan.
      func terms(_ chosen: [Int]) -> WhatIf.Terms {
        self.terms(of: volume, worth.value, chosen.map { ($0, plan.changes[$0]) })
      }
      let row = WhatIf.Row(
        storefront: volume.offer.storefront, sku: volume.offer.product,
        table: volume.offer.table, units: volume.units, reducedUnits: volume.reducedUnits,
        coins: volume.offer.coins, worth: worth, moves: plan.moves(of: volume.offer),
        before: terms([]),
        alone: everything.map { terms([$0]) }, together: terms(everything))
      plan.add(row)
      for case .tier(_, let tier) in row.moves.map({ plan.changes[$0].kind }) {
        plan.tierChoices += choices(of: volume.offer, and: tier)
      }
    }
    plan.tierChoices = Set(plan.tierChoices).sorted()
    plan.notes += unknown.sorted().map {
      "@planning.no-exchange-rate \($0) \(plan.baseCurrency) \(day) \($0)"
    }
    plan.notes += plan.changes.compactMap { note(on: $0) } + plan.idleNotes
    return plan
  }

  /// Every tier that an offer could have where it is sold, and the one that is named.
  private func choices(of offer: Offer, and tier: String) -> [WhatIf.TierChoice] {
    let known = book.tiers.steps(offer.table, in: offer.storefront, on: day).flatMap(\.tiers)
    let named = book.tierPrice(
      tier: tier, kind: offer.kind, storefront: offer.storefront, on: day)
    return (known + [named].compactMap(\.self)).filter { $0.currency == offer.currency }.map {
      let terms = book.terms(
        of: offer.scope, currency: $0.currency, price: $0.price, day: day,
        commissionRate: nil, tierPrice: $0
      ).terms
      return WhatIf.TierChoice(
        storefront: offer.storefront, table: offer.table, tier: $0.tier,
        price: Money(micros: $0.price, $0.currency), listed: terms.tierProceeds)
    }
  }

  /// Whether what is paid for the units stays below a hundred thousand million units of base
  /// currency under every change of its worth.
  private func canCount(_ volume: Volume, at worth: Fraction, _ changes: [WhatIf.Change]) -> Bool {
    let worths = changes.map { change -> Fraction in
      switch change.kind {
      case .worth(let rate, volume.offer.currency): rate.value
      case .worthShift: worth * Fraction(2)
      default: worth
      }
    }
    let most = max(worth, worths.max() ?? worth)
    return most.amount(volume.offer.price, scale: Int128(max(1, volume.units)))
      <= 100_000_000_000_000_000
  }

  /// A note that a change begins after the plan's day; nil where it does not.
  private func note(on change: WhatIf.Change) -> Wording? {
    guard let from = change.from, from > day else { return nil }
    return "@planning.begins-on-the-figures \(change.name) \(from)"
  }

  /// What a unit of a volume leaves under some changes, applied in their order.
  ///
  /// - Parameters:
  ///   - worth: base currency for one unit of the volume's currency, as it is.
  ///   - changes: each with its index in the plan.
  private func terms(
    of volume: Volume, _ worth: Fraction, _ changes: [(index: Int, change: WhatIf.Change)]
  ) -> WhatIf.Terms {
    var scene = Scene(volume: volume, worth: worth)
    for (index, change) in changes { scene.apply(change.kind, index, book: book, day: day) }
    let isSubscription = volume.offer.kind == .autoRenewable
    let plain = unitTerms(scene)
    let reduced = isSubscription ? unitTerms(scene, isAfterOneYear: true) : nil
    var terms = WhatIf.Terms(
      plain: plain, reduced: reduced, reducedShare: isSubscription ? scene.share : .zero,
      worth: scene.worth)
    terms.origins = scene.origins
    return terms
  }

  /// What a unit of a scene's offer brings, with the rates behind it.
  ///
  /// - Parameter isAfterOneYear: whether at the commission after a subscriber's first year; a
  ///   commission that a change names is used for it only where it is lower.
  private func unitTerms(_ scene: Scene, isAfterOneYear: Bool = false) -> ProceedsTerms {
    let offer = scene.offer
    var scope = offer.scope
    scope.isAfterOneYear = isAfterOneYear
    var rate = scene.commission
    if isAfterOneYear, let named = rate { rate = min(named, book.terms(of: scope, on: day).rate) }
    let book =
      scene.tax.map { self.book.overriding(offer.storefront, with: $0, from: day) } ?? self.book
    return book.terms(
      of: scope, currency: offer.currency, price: offer.price, day: day, commissionRate: rate,
      tierPrice: offer.tierPrice
    ).terms
  }
}

/// One unit under some of the changes: price, exchange rate, share of units at the reduced
/// commission, and the rates that stand in for the rule's.
private struct Scene {
  var offer: Offer
  private let worthNow: Fraction
  var worth: Fraction
  var share: Fraction
  var commission: Int64?
  var tax: Int64?
  var origins = WhatIf.Origins()

  /// A unit of a volume as it is, before any change.
  ///
  /// - Parameter worth: base currency for one unit of the volume's currency.
  init(volume: WhatIfPlanner.Volume, worth: Fraction) {
    offer = volume.offer
    worthNow = worth
    self.worth = worth
    share = Fraction(Int128(volume.reducedUnits), over: Int128(volume.units))
  }

  /// Applies one change, where it concerns the offer; `index` is its place in the plan.
  mutating func apply(_ kind: WhatIf.Change.Kind, _ index: Int, book: PriceBook, day: Day) {
    switch kind {
    case .commission(let rate, let storefront):
      guard storefront == nil || storefront == offer.storefront else { return }
      commission = rate
      origins.commission = index
    case .afterOneYear(let part):
      guard offer.kind == .autoRenewable else { return }
      share = Fraction(micros: part)
      origins.share = index
    case .tax(let rate, let storefront):
      guard storefront == offer.storefront else { return }
      tax = rate
      origins.tax = index
      // What a tier table tells of proceeds holds for the tax of its day.
      offer.tierPrice?.proceeds = nil
    case .worth(let rate, let currency):
      guard currency == offer.currency else { return }
      worth = rate.value
      origins.worth = index
    case .worthShift(let part, let currency):
      guard currency == offer.currency else { return }
      worth = worthNow * Fraction(micros: 1_000_000 + part)
      origins.worth = index
    case .tier(let sku, let tier):
      move(sku, to: tier, index, book: book, day: day)
    }
  }

  /// Gives the offer the price of another tier, where it is of that SKU and the tier has a price in
  /// its currency; notes `index`, the change's place in the plan, as the price's origin.
  private mutating func move(
    _ sku: String, to tier: String, _ index: Int, book: PriceBook, day: Day
  ) {
    guard offer.skus.contains(sku),
      let price = book.tierPrice(
        tier: tier, kind: offer.kind, storefront: offer.storefront, on: day),
      price.currency == offer.currency
    else { return }
    offer.price = price.price
    offer.tierPrice = price
    if tax != nil { offer.tierPrice?.proceeds = nil }
    origins.price = index
  }
}

extension WhatIf.TierChoice: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    (left.storefront, left.table.rawValue, left.price.micros, left.tier)
      < (right.storefront, right.table.rawValue, right.price.micros, right.tier)
  }
}

extension WhatIf {
  /// Indexes of the changes that move an offer to another tier.
  fileprivate func moves(of offer: Offer) -> [Int] {
    changes.indices.filter {
      if case .tier(let sku, _) = changes[$0].kind { offer.skus.contains(sku) } else { false }
    }
  }

  /// Adds a row, and its proceeds and coins to all sums.
  fileprivate mutating func add(_ row: Row) {
    rows.append(row)
    let coins = row.coins.map { $0.multipliedExactly(by: row.units) }
    before.add(row.before.proceeds(of: row.units), coins: coins)
    for index in changes.indices {
      alone[index].add(row.alone[index].proceeds(of: row.units), coins: coins)
    }
    together.add(row.together.proceeds(of: row.units), coins: coins)
  }

  /// A note for each change that concerns nothing that is sold.
  fileprivate var idleNotes: [Wording] {
    changes.indices.filter { index in
      rows.allSatisfy { $0.alone[index].origins == Origins() }
    }.map { "@planning.has-no-effect-here \(changes[$0].name)" }
  }
}

extension PriceBook {
  /// The same book with another tax factor, in millionths, of a storefront from a day on.
  func overriding(_ storefront: Storefront, with rate: Int64, from day: Day) -> PriceBook {
    var book = self
    let days = DayRange(from: day, to: nil)
    book.overrides[storefront, default: []].append(Override(days: days, rate: rate))
    return book
  }
}
