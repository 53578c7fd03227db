import Billing
import Pricing

/// A way in which Apple may cut a storefront's days.
struct BoundaryRule {
  var name: String
  var zone: Zone
}

/// Finds out, for each storefront, where Apple's report day begins: the rule under which reported
/// and counted units differ least.
struct DayBoundary {
  let context: MatchingContext
  let grid: QuarterGrid
  /// Days that both sides cover whole under every rule.
  let days: [Day]
  /// Reported sale units per product and day of `days`.
  let reported: [[Int32]]
  /// Running totals of sale units per product: entry q counts the quarters before q.
  let running: [[Int32]]
  let products: [ProductKey]
  /// Where the days begin and end by fixed offsets, which all storefronts try.
  private let fixedStarts: [String: [Int]]

  /// Sale units below which a storefront does not speak for itself.
  static let minimumUnits = 100

  init(
    _ units: BillableUnits, reported: [ProductKey: [Day: Int32]], days: [Day],
    context: MatchingContext
  ) {
    self.context = context
    let grid = units.grid
    self.grid = grid
    self.days = days
    let fixed = Self.fixedZones.map { ($0.name, Self.starts($0, days, grid)) }
    fixedStarts = Dictionary(uniqueKeysWithValues: fixed)
    products = units.products
    running = units.sales.map { counts in
      var total: Int32 = 0
      return counts.isEmpty
        ? []
        : [0]
          + counts.map {
            total += $0; return total
          }
    }
    self.reported = units.products.map { product in
      let byDay = reported[product]
      return byDay.map { byDay in days.map { byDay[$0] ?? 0 } } ?? []
    }
  }

  /// A cutoff for each storefront of the ledger or the reports, ascending.
  func cutoffs(_ storefronts: [Storefront]) -> [(cutoff: Cutoff, zone: Zone)] {
    var members: [Storefront: [Int]] = [:]
    for (index, product) in products.enumerated() {
      guard let storefront = product.storefront else { continue }
      members[storefront, default: []].append(index)
    }
    var shared: [Territory?: String?] = [:]
    return storefronts.sorted { $0.code < $1.code }.map { storefront in
      let own = members[storefront] ?? []
      if let zone = context.settings.dayBoundary[storefront] {
        let rule = BoundaryRule(name: "configured", zone: zone)
        return (cutoff(storefront, rule, nil, residual: total(own, zone), nil), zone)
      }
      if soldUnits(own) >= Self.minimumUnits, !days.isEmpty { return infer(storefront, own) }
      let territory = context.storefronts.territory(of: storefront)
      let kind: String?
      if let known = shared[territory] {
        kind = known
      } else {
        kind = sharedKind(territory, members) ?? sharedKind(nil, members)
        shared[territory] = .some(kind)
      }
      let rule = rules(storefront).first { Self.kind($0.name) == kind } ?? pacific
      return (cutoff(storefront, rule, nil, residual: total(own, rule.zone), nil), rule.zone)
    }
  }

  private func infer(_ storefront: Storefront, _ own: [Int]) -> (cutoff: Cutoff, zone: Zone) {
    var best: (rule: BoundaryRule, total: Int64, starts: [Int])?
    var scored: [(rule: BoundaryRule, total: Int64, starts: [Int])] = []
    for rule in rules(storefront) {
      let starts = starts(rule.zone)
      let score = (rule, total(own, starts), starts)
      scored.append(score)
      if best.map({ score.1 < $0.total }) ?? true { best = score }
    }
    guard let best else { preconditionFailure("there is always a rule") }
    var second: (rule: BoundaryRule, total: Int64, starts: [Int])?
    for score in scored where score.starts != best.starts {
      if second.map({ score.total < $0.total }) ?? true { second = score }
    }
    let confidence = second.map { second in
      second.total == 0
        ? 0
        : 1_000_000
          - roundedHalfUp(
            Int128(best.total) * 1_000_000, dividedBy: Int128(second.total), toMultipleOf: 1)
    }
    return (
      cutoff(storefront, best.rule, confidence, residual: best.total, second?.rule.name),
      best.rule.zone
    )
  }

  private func cutoff(
    _ storefront: Storefront, _ rule: BoundaryRule, _ confidence: Int64?, residual: Int64,
    _ runnerUp: String?
  ) -> Cutoff {
    let noon = Instant(seconds: context.period.middle.startUTC.seconds + 43_200)
    return Cutoff(
      storefront: storefront, rule: rule.name, zone: rule.zone.name,
      utcOffsetMinutes: Int(rule.zone.offset(at: noon)) / 60, confidence: confidence,
      residualUnits: residual, runnerUp: runnerUp)
  }

  private var pacific: BoundaryRule {
    BoundaryRule(name: "pacific", zone: context.zone("America/Los_Angeles"))
  }

  /// The candidates for a storefront; on equal totals the earlier one wins.
  private func rules(_ storefront: Storefront) -> [BoundaryRule] {
    var rules = [pacific]
    if let territory = context.storefronts.territory(of: storefront), territory != .pacific {
      rules.append(BoundaryRule(name: territory.rawValue, zone: context.zone(territory.zoneName)))
    }
    if let name = context.storefronts.zoneName(of: storefront) {
      rules.append(BoundaryRule(name: "local:\(name)", zone: context.zone(name)))
    }
    rules.append(BoundaryRule(name: "utc", zone: .utc))
    return rules + Self.fixedZones.map { BoundaryRule(name: "fixed:\($0.name)", zone: $0) }
  }

  private static let fixedZones = stride(from: -12 * 60, through: 14 * 60, by: 15).map {
    Zone.fixed(minutes: $0)
  }

  /// What a rule of one storefront is called for all: `territory`, `local`, or its own name.
  private static func kind(_ rule: String) -> String {
    if rule.hasPrefix("local:") { return "local" }
    return ["central-european", "japan", "western-australia"].contains(rule) ? "territory" : rule
  }

  /// The kind of rule under which all storefronts of a territory group (all there are, for nil)
  /// differ least; nil where they have too few units together.
  private func sharedKind(_ territory: Territory?, _ members: [Storefront: [Int]]) -> String? {
    let group = members.filter {
      context.settings.dayBoundary[$0.key] == nil
        && (territory == nil || context.storefronts.territory(of: $0.key) == territory)
    }
    guard soldUnits(group.values.flatMap { $0 }) >= Self.minimumUnits, !days.isEmpty else {
      return nil
    }
    var totals: [String: Int64] = [:]
    var order: [String] = []
    for (storefront, own) in group {
      var mine: [String: Int64] = [:]
      for rule in rules(storefront) where mine[Self.kind(rule.name)] == nil {
        mine[Self.kind(rule.name)] = total(own, rule.zone)
      }
      // Where the territory's rule is Pacific, the two kinds are one.
      mine["territory"] = mine["territory"] ?? mine["pacific"]
      for (kind, total) in mine { totals[kind, default: 0] += total }
      if order.isEmpty {
        order = ["pacific", "territory", "local"] + rules(storefront).map { Self.kind($0.name) }
      }
    }
    var best: (kind: String, total: Int64)?
    // A fixed offset says something of one part of the world, not of all of it.
    let named: Set<String> = ["pacific", "territory", "local", "utc"]
    for kind in order where territory != nil || named.contains(kind) {
      guard let total = totals[kind] else { continue }
      if best.map({ total < $0.total }) ?? true { best = (kind, total) }
    }
    return best?.kind
  }

  private func starts(_ zone: Zone) -> [Int] {
    if let known = fixedStarts[zone.name] { return known }
    return Self.starts(zone, days, grid)
  }

  private static func starts(_ zone: Zone, _ days: [Day], _ grid: QuarterGrid) -> [Int] {
    days.flatMap { [grid.start(of: $0, in: zone), grid.start(of: $0.advanced(by: 1), in: zone)] }
  }

  private func total(_ products: [Int], _ zone: Zone) -> Int64 { total(products, starts(zone)) }

  /// The sum of |reported − counted| over products and days.
  private func total(_ products: [Int], _ starts: [Int]) -> Int64 {
    var total: Int64 = 0
    for product in products {
      let counts = running[product]
      let reports = reported[product]
      for day in days.indices {
        let counted = counts.isEmpty ? 0 : counts[starts[2 * day + 1]] - counts[starts[2 * day]]
        let told = reports.isEmpty ? 0 : reports[day]
        total += Int64(abs(told - counted))
      }
    }
    return total
  }

  private func soldUnits(_ products: [Int]) -> Int {
    products.reduce(0) { $0 + Int(running[$1].last ?? 0) }
  }
}

extension MatchingContext {
  /// A zone that the caller supplied.
  func zone(_ name: String) -> Zone {
    guard let zone = zones[name] else { preconditionFailure("no zone \(name) was supplied") }
    return zone
  }
}
