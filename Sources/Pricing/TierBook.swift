package import Billing

/// Tier prices by table, tier, storefront and day: the company's own, and where these say nothing
/// of a tier in a storefront, the ones that stand in for them.
package struct TierBook: Sendable {
  private let own: TierList
  private let standIns: TierList
  /// Nil where the lists of other days do not stand in.
  private let matrices: MatrixTable?
  /// Names that are the ones that ``tierName(_:)`` gives: each look-up asks, and most have one.
  private let names: Set<String>
  /// What Apple itself says that prices bring.
  let applePrices: ApplePrices

  /// A book of the company's tier prices, with built-in ones where `standIns` says so.
  ///
  /// - Parameters:
  ///   - prices: where two of a tier and storefront cover a day, the one that begins later counts,
  ///     then the later in the list. Tiers go by the one name that ``tierName(_:)`` gives them.
  ///   - standIns: prices of tiers that `prices` do not have in a storefront.
  package init(_ prices: [TierPrice], standIns: StandIns = .none) {
    own = TierList(prices)
    self.standIns = standIns == .none ? TierList([]) : Self.builtIn
    matrices = standIns == .builtIn ? .builtIn : nil
    names = Set((own.prices + self.standIns.prices).lazy.map(\.tier))
    applePrices = ApplePrices(prices)
  }

  /// The one name of a tier, as ``tierName(_:)`` gives it; a tier that has it already is not read
  /// again.
  private func name(_ tier: String) -> String { names.contains(tier) ? tier : tierName(tier) }

  /// What counts where the company's tables say nothing of a tier in a storefront.
  package enum StandIns: Hashable, Sendable {
    case none
    /// Mainland China's prices, which every list of every day has: rows may be judged by them.
    case lasting
    /// Those, and Apple's lists for other storefronts. Nobody knows on which day between two lists
    /// a price changed: they answer questions, and judge nothing.
    case builtIn
  }

  private static let builtIn = TierList(BuiltInTiers.prices)

  /// The price of a product in a storefront on a day: by the price list that Apple exports of it,
  /// else by its tier; nil where neither has one.
  package func price(of product: Product, in storefront: Storefront, on day: Day) -> TierPrice? {
    tiers(of: product).lazy.compactMap {
      price(tier: $0, kind: product.kind, storefront: storefront, on: day)
    }.first
  }

  /// Whether Apple's list of the product's own prices was imported.
  package func hasOwnPrices(_ sku: String) -> Bool { names.contains(TierPrice.ownTier(of: sku)) }

  /// Whether the product has its own list or a tier, so that prices may be known.
  package func hasPrices(of product: Product) -> Bool { !tiers(of: product).isEmpty }

  /// Whether a product's price in a storefront, or that it has none, is the same on all `days`.
  package func isSteady(
    _ product: Product, in storefront: Storefront, over days: ClosedRange<Day>
  ) -> Bool {
    tiers(of: product).allSatisfy {
      isSteady(tier: $0, kind: product.kind, storefront: storefront, over: days)
    }
  }

  /// Whether a price was the product's in that storefront at any time.
  ///
  /// - Parameter price: micro-units.
  package func isEverPrice(
    of product: Product, in storefront: Storefront, currency: Currency, price: Int64
  ) -> Bool {
    tiers(of: product).contains {
      isEverPrice(
        tier: $0, kind: product.kind, storefront: storefront, currency: currency, price: price)
    }
  }

  /// The names of the tiers that say what a product costs: its own list first.
  package func tiers(of product: Product) -> [String] {
    let list = TierPrice.ownTier(of: product.sku)
    let tier = product.tier.isEmpty ? [] : [product.tier]
    return names.contains(list) ? [list] + tier : tier
  }

  /// The price of a product's tier in a storefront on a day, or nil where no table has it.
  package func price(tier: String, kind: ProductKind, storefront: Storefront, on day: Day)
    -> TierPrice?
  {
    history(tier: tier, kind: kind, storefront: storefront).last { $0.days.contains(day) }
  }

  /// Whether the price of a tier in a storefront, or that there is none, is the same on all of
  /// `days`.
  package func isSteady(
    tier: String, kind: ProductKind, storefront: Storefront, over days: ClosedRange<Day>
  ) -> Bool {
    let (first, last) = (days.lowerBound.number, days.upperBound.number)
    return history(tier: tier, kind: kind, storefront: storefront).allSatisfy { price in
      let span = price.days
      return (span.first <= first || span.first > last) && (span.last < first || span.last >= last)
    }
  }

  /// Whether a price was the tier's in that storefront at any time: subscribers may keep it.
  package func isEverPrice(
    tier: String, kind: ProductKind, storefront: Storefront, currency: Currency, price: Int64
  ) -> Bool {
    history(tier: tier, kind: kind, storefront: storefront)
      .contains { $0.currency == currency && $0.price == price }
  }

  /// The storefronts in which a tier has a price on a day, ascending.
  package func storefronts(tier: String, kind: ProductKind, on day: Day) -> [Storefront] {
    let name = name(tier)
    guard let table = table(of: name, kind: kind) else { return [] }
    var everywhere = own.storefronts(table, name).union(standIns.storefronts(table, name))
    everywhere.formUnion(matrices?.storefronts(table, name) ?? [])
    return everywhere.sorted().filter {
      price(tier: name, kind: kind, storefront: $0, on: day) != nil
    }
  }

  /// The names of the tiers of a matrix for which any table has a price in a storefront.
  func tiers(_ table: TierTable, in storefront: Storefront) -> Set<String> {
    let listed = prices.lazy.filter {
      $0.table == table && $0.storefront == storefront && !$0.isAfterOneYear
    }.map(\.tier)
    return Set(listed).union(matrices?.tiers(table, in: storefront) ?? [])
  }

  /// The company's own prices, before the lasting ones that may stand in for them.
  var prices: [TierPrice] { own.prices + standIns.prices }

  /// The company's own prices of a tier on a day, in every storefront that its tables have.
  func ownPrices(tier: String, kind: ProductKind, on day: Day) -> [TierPrice] {
    let name = name(tier)
    guard let table = table(of: name, kind: kind) else { return [] }
    return own.storefronts(table, name).sorted().compactMap { storefront in
      own.history(table, name, storefront).last { $0.days.contains(day) }
    }
  }

  /// Every day on which a price begins to hold, and every day after one on which one last did.
  package var changeDays: [Day] {
    (prices.map(\.days) + (matrices?.lists.map(\.days) ?? [])).flatMap(\.eves)
      .map { Day(number: $0 + 1) }
  }

  /// All prices of a tier in a storefront, ascending by first day.
  func history(tier: String, kind: ProductKind, storefront: Storefront) -> ArraySlice<TierPrice> {
    let name = name(tier)
    guard let table = table(of: name, kind: kind) else { return [] }
    let listed = own.history(table, name, storefront)
    if !listed.isEmpty { return listed }
    let lasting = standIns.history(table, name, storefront)
    if !lasting.isEmpty { return lasting }
    return (matrices?.history(table, name, storefront) ?? [])[...]
  }

  /// The matrix that a tier is looked for in; nil where no table has the tier. Subscriptions have
  /// one of their own; a tier that the product's matrix does not have at all is looked for in the
  /// other one. Among the built-in prices that stand in for the company's, only subscriptions may
  /// be looked for in the other matrix: they once had the same tiers as all products.
  private func table(of name: String, kind: ProductKind) -> TierTable? {
    let first: TierTable = kind == .autoRenewable ? .subscription : .iap
    let second: TierTable = first == .iap ? .subscription : .iap
    if own.has(first, name) { return first }
    if own.has(second, name) { return second }
    if standsIn(first, name) { return first }
    return first == .subscription && standsIn(second, name) ? second : nil
  }

  /// Whether the built-in prices, which stand in where the company has none, have a tier in any
  /// storefront.
  private func standsIn(_ table: TierTable, _ name: String) -> Bool {
    standIns.has(table, name) || matrices?.has(table, name) ?? false
  }
}

/// Tier prices in order.
private struct TierList: Sendable {
  /// Ascending by table, tier, storefront and first day, then as given.
  let prices: [TierPrice]

  /// Sorts prices by table, tier, storefront and first day, once each tier has its one name, as
  /// ``tierName(_:)`` gives it.
  init(_ prices: [TierPrice]) {
    let named = prices.map { price in
      var price = price
      price.tier = tierName(price.tier)
      return price
    }
    let order = named.indices.sorted {
      let (left, right) = (Key(named[$0]), Key(named[$1]))
      if left != right { return left < right }
      let (leftDay, rightDay) = (named[$0].days.first, named[$1].days.first)
      return leftDay != rightDay ? leftDay < rightDay : $0 < $1
    }
    self.prices = order.map { named[$0] }
  }

  private struct Key: Comparable {
    let table: TierTable
    let tier: String
    let storefront: Storefront

    init(_ price: TierPrice) {
      self.init(table: price.table, tier: price.tier, storefront: price.storefront)
    }

    init(table: TierTable, tier: String, storefront: Storefront) {
      self.table = table
      self.tier = tier
      self.storefront = storefront
    }

    static func < (left: Key, right: Key) -> Bool {
      (left.table.rawValue, left.tier, left.storefront)
        < (right.table.rawValue, right.tier, right.storefront)
    }
  }

  /// All prices of a tier in a storefront, ascending by first day.
  func history(_ table: TierTable, _ tier: String, _ storefront: Storefront)
    -> ArraySlice<TierPrice>
  {
    let key = Key(table: table, tier: tier, storefront: storefront)
    let start = prices.partitioningIndex { Key($0) >= key }
    return prices[start...].prefix { Key($0) == key }
  }

  /// Whether the list has a tier, in any storefront.
  func has(_ table: TierTable, _ tier: String) -> Bool {
    let index = start(table, tier)
    return index < prices.count && prices[index].table == table && prices[index].tier == tier
  }

  /// The storefronts in which a tier has a price on any day.
  func storefronts(_ table: TierTable, _ tier: String) -> Set<Storefront> {
    let all = prices[start(table, tier)...].prefix { $0.table == table && $0.tier == tier }
    return Set(all.map(\.storefront))
  }

  /// The index of a tier's first price, or of where that would stand.
  private func start(_ table: TierTable, _ tier: String) -> Int {
    prices.partitioningIndex { ($0.table.rawValue, $0.tier) >= (table.rawValue, tier) }
  }
}

extension TierPrice {
  /// The days on which the price holds.
  var days: DayRange { DayRange(from: effectiveFrom, to: effectiveTo) }
}

extension PriceBook {
  /// The price of a product's tier in a storefront on a day, or nil where no table has it.
  package func tierPrice(tier: String, kind: ProductKind, storefront: Storefront, on day: Day)
    -> TierPrice?
  {
    tiers.price(tier: tier, kind: kind, storefront: storefront, on: day)
  }

  /// The company's own prices of a product's tier on a day, by storefront.
  package func ownPrices(tier: String, kind: ProductKind, on day: Day) -> [TierPrice] {
    tiers.ownPrices(tier: tier, kind: kind, on: day)
  }

  /// Whether a price was the tier's in that storefront at any time.
  package func isEverTierPrice(
    tier: String, kind: ProductKind, storefront: Storefront, currency: Currency, price: Int64
  ) -> Bool {
    tiers.isEverPrice(
      tier: tier, kind: kind, storefront: storefront, currency: currency, price: price)
  }
}
