import Billing
import Conclusions
import Matching
package import Pricing

/// What `plan packs` is asked to do.
package struct PackPlanRequest: Sendable {
  package var scope: PlanScope
  /// Storefronts of one group get the same coins; empty: each storefront with sales alone.
  package var groups: [StorefrontGroup] = []
  package var goal = PackPlan.Goal.coins
  package var channel = ChannelChoice()
  /// Packs of the other channel that the caller names, by SKU.
  package var channelPacks: [ChannelPack] = []
  package var rounding = PackRounding.figures
  /// Millionths, zero or below.
  package var elasticity: Int64 = 0
  /// Apple's commission in millionths; nil: the rule's.
  package var commission: Int64?

  package init(scope: PlanScope) { self.scope = scope }
}

/// A pack of the other channel.
package struct ChannelPack: Hashable, Sendable {
  package var sku: String
  /// Micro-units of the channel's money.
  package var price: Int64
  package var coins: Int64

  package init(sku: String, price: Int64, coins: Int64) {
    self.sku = sku
    self.price = price
    self.coins = coins
  }
}

/// A plan of packs, and the tables that put it into force.
package struct PlannedPacks: Sendable {
  package var plan: PackPlan
  package var tables: PackTables
}

/// Plans the packs of the catalogue. Throws a ``Stop`` where nothing tells the other channel's
/// packs or rate, where its money has no exchange rate, and where no pack has a price.
package func planPacks(_ request: PackPlanRequest) throws -> PlannedPacks {
  try stopping {
    let scope = request.scope
    var facts = try PlanFacts(scope, isLedgerNeeded: true, findsStorefronts: true)
    facts.addListed(request.channelPacks)
    let base = scope.settings.baseCurrency
    let day = scope.day
    var finder = OfferFinder(book: facts.book, products: facts.products, day: day)
    let offers = groups(request.groups, scope, facts).map { group in
      group.storefronts.flatMap { finder.offers(.catalogue, in: $0, group.isOpen) }
    }
    guard offers.contains(where: { !$0.isEmpty }) else {
      throw nothingToPlan(finder.notes)
    }
    let skus = Set(offers.joined().map(\.product)).sorted()
    let currency = request.channel.currency ?? base
    guard let worth = facts.rates.rate(from: currency, to: base, on: day) else {
      throw Stop(
        .badInput, "@plan.no-exchange-rate \(currency) \(base) \(day)",
        help: "@plan.import-rates-or-name-another")
    }
    let packs = try channelPacks(skus, request, facts)
    var plan = PackPlan(
      day: day, baseCurrency: base,
      channel: PackPlan.Channel(
        name: packs.name, currency: currency,
        costs: request.channel.costs(of: packs.name, scope.settings), worth: worth),
      goal: request.goal, target: request.channel.target, rounding: request.rounding,
      elasticity: request.elasticity, period: scope.period)
    plan.counterparts = packs.packs
    plan.notes =
      facts.notes + request.channel.costRemark(packs.name, scope.settings) + finder.notes
      + packs.notes
    let sold = SoldPacks(facts.observed, Set(skus))
    let planned = offers.map { group in
      let packs = group.map { PackPlanner.Pack(offer: $0, units: sold.units(of: $0)) }
      return request.goal == .prices ? packs : packs.sortedByPack()
    }
    plan.notes += sold.notes(Array(offers.joined()), scope.period)
    let rates = facts.rates
    let planner = PackPlanner(book: facts.book, commission: request.commission) {
      rates.rate(from: $0, to: base, on: day)
    }
    let frame = plan
    plan = planner.plan(planned, frame: frame)
    guard !plan.rows.isEmpty else {
      throw nothingToPlan(plan.notes.dropFirst(frame.notes.count) + finder.notes)
    }
    if request.commission == nil {
      plan.notes += commissionRemarks(
        plan.rows.map { ($0.storefront, $0.proposed.commission) }, facts.book, on: day)
      plan.notes += openAgreementRemarks(
        plan.rows.map { ($0.storefront, $0.sku, $0.proposed) }, facts.book, on: day)
    }
    plan.notes += staleRateRemarks(
      plan.worths.map(\.currency) + [currency], to: base, on: day, rates)
    var tables = PackTables(plan, facts)
    if request.goal == .coins {
      let reach = ReachOfCoins(plan, facts)
      tables.unplanned = reach.unplanned
      plan.notes += reach.notes
    }
    return PlannedPacks(plan: plan, tables: tables)
  }
}

/// Where else the packs are sold that get other coins, by the sales reports of the year before the
/// plan's day: a product has one number of coins.
private struct ReachOfCoins {
  /// Storefronts that could be planned and are not.
  private(set) var unplanned: [(sku: String, storefronts: [Storefront])] = []
  private(set) var notes: [Wording] = []

  /// Looks where each pack that gets other coins was sold and is not planned.
  init(_ plan: PackPlan, _ facts: PlanFacts) {
    var unsold: [String] = []
    for (sku, rows) in Dictionary(grouping: plan.rows, by: \.sku).sorted(by: { $0.key < $1.key })
    where rows.contains(where: { $0.proposedCoins != $0.coins }) {
      guard let sold = facts.storefronts[sku], !sold.isEmpty else {
        unsold.append(sku)
        continue
      }
      let rest = sold.subtracting(rows.map(\.storefront)).sorted()
      let priced = rest.filter { facts.hasPrice(sku, in: $0, on: plan.day) }
      if !priced.isEmpty { unplanned.append((sku, priced)) }
      let places = rest.filter { !priced.contains($0) }
      guard !places.isEmpty else { continue }
      notes.append(
        "@plan.was-sold \(sku) \(listed(places)) \(plan.day)")
    }
    if let note = Self.note(unsold, plan.day) { notes.append(note) }
  }

  /// The remark on packs that no sales report of the year before the day has; nil without any.
  private static func note(_ unsold: [String], _ day: Day) -> Wording? {
    guard let first = unsold.first else { return nil }
    let packs = unsold.asList
    return unsold.count == 1
      ? "@plan.no-sales-report \(day) \(first)"
      : "@plan.no-sales-report-of-the-year \(day) \(packs)"
  }
}

extension PlanFacts {
  /// Adds products for packs of the other channel that no catalogue has, where Apple's price list
  /// of one is loaded: it has no coins, so that it gets those of the pack.
  fileprivate mutating func addListed(_ packs: [ChannelPack]) {
    for pack in packs where !products.contains(where: { $0.sku == pack.sku }) {
      let product = Product(sku: pack.sku, kind: .consumable, coins: pack.coins)
      if book.tiers.hasPrices(of: product) { products.append(product) }
    }
  }

  /// Whether the product's tier has a price above zero in a storefront on a day.
  fileprivate func hasPrice(_ sku: String, in storefront: Storefront, on day: Day) -> Bool {
    guard let product = products.first(where: { $0.sku == sku }) else { return false }
    return (book.tiers.price(of: product, in: storefront, on: day)?.price ?? 0) > 0
  }
}

/// The first five storefronts as text, and how many more there are.
func listed(_ storefronts: [Storefront]) -> Wording {
  let shown = storefronts.prefix(5).map(\.code).joined(separator: ", ")
  let more = storefronts.count - 5
  return more > 0 ? "@shared.and-more-2 \(shown) \(more)" : Wording(verbatim: shown)
}

/// The other channel's counterpart of each pack: what the caller names, else the price and coins
/// that most paid orders of it have, else money and coins at the channel's rate.
private func channelPacks(_ skus: [String], _ request: PackPlanRequest, _ facts: PlanFacts) throws
  -> (name: String, packs: [PackPlan.Counterpart], notes: [Wording])
{
  let base = request.scope.settings.baseCurrency
  let given = Dictionary(
    request.channelPacks.map { (AppProduct.written($0.sku), $0) },
    uniquingKeysWith: { _, last in last })
  var name = request.channel.chosenName(request.scope.settings)
  var packs: [PackPlan.Counterpart] = []
  var notes: [Wording] = given.keys.filter { name in
    !skus.contains { $0 == name || AppProduct($0).sku == name }
  }.sorted().map {
    "@plan.pack-of-the-other-channel \($0)"
  }
  var rate: ChannelTerms?
  for sku in skus {
    if let pack = given[sku] ?? given[AppProduct(sku).sku] {
      packs.append(
        PackPlan.Counterpart(sku: sku, price: pack.price, coins: pack.coins, source: .given))
      continue
    }
    let terms = try rate ?? request.channel.terms(request.scope, facts)
    rate = terms
    name = terms.name
    let forms = request.channel.rate == nil ? facts.forms(of: sku, terms, in: base) : []
    if let first = forms.first {
      packs.append(first.pack)
      let others = forms.dropFirst().reduce(0) { $0 + $1.orders }
      if others > 0 {
        notes.append(
          counted(
            others,
            "@plan.1-order-of-the-other \(sku)"
          ) {
            "@plan.orders-of-the-other-channel \(sku) \($0)"
          })
      }
      continue
    }
    packs.append(pack(of: sku, at: terms.rate))
  }
  return (name, packs, notes)
}

/// A counterpart with the least money that has whole coins at a rate, in whole units and tens of
/// them.
///
/// - Parameter rate: coins per unit of money, in millionths.
private func pack(of sku: String, at rate: Int64) -> PackPlan.Counterpart {
  var (price, coins): (Int64, Int64) = (1_000_000_000_000, rate)
  while price > 1_000_000, coins % 10 == 0 { (price, coins) = (price / 10, coins / 10) }
  return PackPlan.Counterpart(sku: sku, price: price, coins: coins, source: .rate)
}

extension PlanFacts {
  /// The prices and coins of one unit at which the channel sold a pack, each with its paid orders,
  /// the most frequent first.
  fileprivate func forms(of sku: String, _ channel: ChannelTerms, in base: Currency)
    -> [(pack: PackPlan.Counterpart, orders: Int)]
  {
    struct Form: Hashable {
      var price: Int64
      var coins: Int64
    }
    let each = products.first { $0.sku == sku }?.coins
    var counts: [Form: Int] = [:]
    for (terms, orders) in channelOrders
    where terms.sku == sku && terms.channel == channel.name && terms.currency == channel.currency
      && (terms.status == .paid || terms.status == .fulfilled)
    {
      let coins = terms.coins.map { $0 / Int64(terms.quantity) } ?? each ?? 0
      guard let price = terms.unitPrice, price > 0, coins > 0 else { continue }
      counts[Form(price: price, coins: coins), default: 0] += orders
    }
    return counts.sorted {
      ($0.value, $0.key.price, $0.key.coins) > ($1.value, $1.key.price, $1.key.coins)
    }.map { form, orders in
      (
        PackPlan.Counterpart(
          sku: sku, price: form.price, coins: form.coins, source: .orders(orders)), orders
      )
    }
  }
}

extension [PackPlanner.Pack] {
  /// The packs in order: pack by pack, the cheapest first, as the first storefront that has them
  /// prices them; the storefronts of a pack as they were.
  fileprivate func sortedByPack() -> [PackPlanner.Pack] {
    var ranks: [String: Int] = [:]
    for pack in self where ranks[pack.offer.product] == nil {
      ranks[pack.offer.product] = ranks.count
    }
    return enumerated().sorted {
      (ranks[$0.element.offer.product]!, $0.offset) < (ranks[$1.element.offer.product]!, $1.offset)
    }.map(\.element)
  }
}

/// What the reports of a period have of packs.
private struct SoldPacks {
  private let sales: [ObservedSale]?

  /// Keeps the sales of these packs.
  ///
  /// - Parameter observed: of the plan's period; nil where none was named.
  init(_ observed: ObservedSales?, _ skus: Set<String>) {
    sales = observed.map { $0.sales.filter { skus.contains($0.sku) } }
  }

  /// How many units of a pack were sold in its storefront and currency, refunds taken off, never
  /// below zero; one where no period was named.
  func units(of offer: Offer) -> Int64 {
    guard let sales else { return 1 }
    let own = sales.filter {
      $0.storefront == offer.storefront && $0.sku == offer.product
        && $0.currency == offer.currency
    }
    return max(0, own.reduce(0) { $0 + $1.units })
  }

  /// Remarks on units that were sold at another price than their pack's offer has, though the plan
  /// takes them at the offer's, and on units of packs without an offer, which it leaves out.
  ///
  /// - Parameter period: in which they were sold; nil, without remarks, where none was named.
  func notes(_ offers: [Offer], _ period: Period?) -> [Wording] {
    guard let sales, let period else { return [] }
    struct Key: Hashable {
      var storefront: Storefront
      var sku: String
    }
    let planned = Dictionary(
      offers.map { (Key(storefront: $0.storefront, sku: $0.product), $0) },
      uniquingKeysWith: { first, _ in first })
    var moved: Int64 = 0
    var left: [Storefront: Int64] = [:]
    for sale in sales {
      let offer = planned[Key(storefront: sale.storefront, sku: sale.sku)]
      if let offer, offer.currency == sale.currency {
        if sale.price != offer.price { moved += sale.units }
      } else {
        left[sale.storefront, default: 0] += sale.units
      }
    }
    var notes: [Wording] = []
    if moved > 0 {
      notes.append(
        counted(
          moved,
          "@plan.1-unit-of-had-another \(period)"
        ) {
          "@plan.units-of-had-other-prices \($0) \(period)"
        }
      )
    }
    let units = left.values.reduce(0, +)
    if units > 0 {
      let places = left.keys.sorted().map(\.code).asList
      notes.append(
        counted(units, "@plan.1-unit-of-these-packs \(period) \(places)") {
          "@plan.units-of-these-packs \($0) \(period) \(places)"
        })
    }
    return notes
  }
}
