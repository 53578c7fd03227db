import Billing
import Pricing

/// Finds out, for each storefront, where Apple's report day begins: the rule under which reported
/// and counted units differ least.
struct DayBoundary {
  private let context: MatchingContext
  private let units: BillableUnits
  /// Days that both sides cover whole under every rule.
  private let days: [Day]
  /// Reported sale units per product and day of `days`.
  private let reported: [[Int64]]
  /// Products of each storefront.
  private let members: [Storefront: [Int]]
  private var rules: BoundaryRules

  /// Sale units below which a storefront does not speak for itself.
  static let minimumUnits: Int64 = 100

  /// By how much a fixed offset must beat a documented rule: four units bought just before a
  /// boundary and booked just after it make as much of a difference to the documented rule.
  static let timingDoubt: Int64 = 8

  init(
    _ units: BillableUnits, reported: [ProductKey: [Day: Int64]], days: [Day],
    context: MatchingContext
  ) {
    self.context = context
    self.units = units
    self.days = days
    self.reported = units.products.map { product in
      reported[product].map { byDay in days.map { byDay[$0] ?? 0 } } ?? []
    }
    var members: [Storefront: [Int]] = [:]
    for (index, product) in units.products.enumerated() {
      guard let storefront = product.storefront else { continue }
      members[storefront, default: []].append(index)
    }
    self.members = members
    rules = BoundaryRules(context, units.grid, days)
  }

  /// A cutoff for each storefront of the ledger or the reports, ascending.
  mutating func cutoffs(_ storefronts: [Storefront]) -> [(cutoff: Cutoff, zone: Zone)] {
    let ascending = storefronts.sorted()
    var counts: [Storefront: [[Int64]]] = [:]
    for storefront in ascending { counts[storefront] = running(storefront) }
    var shared: [Territory?: BoundaryRule.Kind?] = [:]
    return ascending.map { storefront in
      let own = counts[storefront]!
      if let zone = context.settings.dayBoundary[storefront] {
        let rule = rules.rule(.local, "configured", zone)
        return cutoff(storefront, rule, nil, residual: total(storefront, own, rule), nil)
      }
      if soldUnits(own) >= Self.minimumUnits, !days.isEmpty { return infer(storefront, own) }
      let territory = context.storefronts.territory(of: storefront)
      if shared[territory] == nil {
        let kind = sharedKind(territory, counts) ?? sharedKind(nil, counts)
        shared[territory] = .some(kind)
      }
      let kind = shared[territory]!
      let rule = rules.rules(storefront).first { $0.kind == kind } ?? rules.pacific
      return cutoff(storefront, rule, nil, residual: total(storefront, own, rule), nil)
    }
  }

  private mutating func infer(_ storefront: Storefront, _ own: [[Int64]])
    -> (cutoff: Cutoff, zone: Zone)
  {
    let scored = rules.rules(storefront).map { (rule: $0, total: total(storefront, own, $0)) }
    let best = choose(scored)
    var second: (rule: BoundaryRule, total: Int64)?
    for score in scored where score.rule.starts != best.rule.starts {
      if second.map({ score.total < $0.total }) ?? true { second = score }
    }
    let confidence = second.map { second in
      second.total <= best.total
        ? 0
        : 1_000_000
          - roundedHalfUp(
            Int128(best.total) * 1_000_000, dividedBy: Int128(second.total), toMultipleOf: 1)
    }
    return cutoff(storefront, best.rule, confidence, residual: best.total, second?.rule.name)
  }

  private typealias Score = (rule: BoundaryRule, total: Int64)

  /// The first of the smallest totals; a fixed offset only where timing near the boundary cannot
  /// account for its lead over a documented rule.
  private func choose(_ scored: [Score]) -> Score {
    guard let best = scored.min(by: { $0.total < $1.total }) else {
      preconditionFailure("there is always a rule")
    }
    let documented = scored.filter { !$0.rule.isFixed }.min { $0.total < $1.total }
    guard best.rule.isFixed, let documented,
      documented.total - best.total <= Self.timingDoubt,
      apart(documented.rule, best.rule) <= context.settings.timingWindow
    else { return best }
    return documented
  }

  private func apart(_ left: BoundaryRule, _ right: BoundaryRule) -> Int64 {
    abs(
      Int64(left.zone.offset(at: noonOfMiddle)) - Int64(right.zone.offset(at: noonOfMiddle)))
  }

  private var noonOfMiddle: Instant {
    Instant(seconds: context.period.middle.startUTC.seconds + 43_200)
  }

  private func cutoff(
    _ storefront: Storefront, _ rule: BoundaryRule, _ confidence: Int64?, residual: Int64,
    _ runnerUp: String?
  ) -> (cutoff: Cutoff, zone: Zone) {
    let cutoff = Cutoff(
      storefront: storefront, rule: rule.name, zone: rule.zone.name,
      utcOffsetMinutes: Int(rule.zone.offset(at: noonOfMiddle)) / 60, confidence: confidence,
      residualUnits: residual, runnerUp: runnerUp)
    return (cutoff, rule.zone)
  }

  /// The kind of rule under which all storefronts of a territory group (all there are, for nil)
  /// differ least; nil where they have too few units together.
  private mutating func sharedKind(
    _ territory: Territory?, _ counts: [Storefront: [[Int64]]]
  ) -> BoundaryRule.Kind? {
    let group = counts.filter {
      context.settings.dayBoundary[$0.key] == nil
        && (territory == nil || context.storefronts.territory(of: $0.key) == territory)
    }
    guard group.values.reduce(0, { $0 + soldUnits($1) }) >= Self.minimumUnits, !days.isEmpty else {
      return nil
    }
    var totals: [BoundaryRule.Kind: Score] = [:]
    for (storefront, own) in group.sorted(by: { $0.key < $1.key }) {
      var mine: [BoundaryRule.Kind: Score] = [:]
      for rule in rules.rules(storefront) { mine[rule.kind] = (rule, total(storefront, own, rule)) }
      // Where a storefront has no such rule, its own is Pacific.
      for kind in [BoundaryRule.Kind.territory, .local] where mine[kind] == nil {
        mine[kind] = mine[.pacific]
        mine[kind]?.rule.kind = kind
      }
      for (kind, score) in mine { totals[kind, default: (score.rule, 0)].total += score.total }
    }
    return choose(totals.sorted { $0.key < $1.key }.map(\.value)).rule.kind
  }

  /// Running totals of a storefront's sale units by product: entry q counts the quarters before q.
  private func running(_ storefront: Storefront) -> [[Int64]] {
    (members[storefront] ?? []).map { product in
      let counts = units.sales[product]
      if counts.isEmpty { return [] }
      var sums = [Int64](repeating: 0, count: counts.count + 1)
      for quarter in counts.indices { sums[quarter + 1] = sums[quarter] + counts[quarter] }
      return sums
    }
  }

  /// The sum of |reported − counted| over a storefront's products and days.
  private func total(_ storefront: Storefront, _ own: [[Int64]], _ rule: BoundaryRule) -> Int64 {
    var total: Int64 = 0
    for (place, product) in (members[storefront] ?? []).enumerated() {
      let (counts, reports) = (own[place], reported[product])
      for day in days.indices {
        let counted =
          counts.isEmpty ? 0 : counts[rule.starts[2 * day + 1]] - counts[rule.starts[2 * day]]
        total += abs((reports.isEmpty ? 0 : reports[day]) - counted)
      }
    }
    return total
  }

  private func soldUnits(_ own: [[Int64]]) -> Int64 { own.reduce(0) { $0 + ($1.last ?? 0) } }
}
