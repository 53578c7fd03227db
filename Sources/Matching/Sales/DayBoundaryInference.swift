import Billing
import Pricing

/// Finds out, for each storefront, where Apple's report day begins: the rule under which reported
/// and counted units differ least.
struct DayBoundaryInference {
  typealias Found = (boundary: ReportDayBoundary, zone: Zone)

  private let context: MatchingContext
  private let units: BillableUnits
  /// Days that both sides cover whole under every rule.
  private let days: [Day]
  /// Reported sale units per product and day of `days`.
  private let reported: [[Int64]]
  /// Products of each storefront.
  private let members: [Storefront: [Int]]
  private var rules: BoundaryRules
  /// Storefronts whose units are mostly others': they say nothing of their days.
  private let assumed: Set<Storefront>
  private let fewUnits: Int

  /// - Parameters:
  ///   - reported: sale units by product and day of `days`; empty for a product of which nothing is
  ///     reported.
  ///   - assumed: storefronts of which most units only stand there because no source tells theirs.
  ///   - fewUnits: sales of a product up to which they are counted one by one.
  init(
    _ units: BillableUnits, reported: [[Int64]], days: [Day], context: MatchingContext,
    assumed: Set<Storefront> = [], fewUnits: Int = Rules.fewUnits
  ) {
    self.assumed = assumed
    self.fewUnits = fewUnits
    self.context = context
    self.units = units
    self.days = days
    self.reported = reported
    var members: [Storefront: [Int]] = [:]
    for (index, product) in units.products.enumerated() {
      guard let storefront = product.storefront else { continue }
      members[storefront, default: []].append(index)
    }
    self.members = members
    rules = BoundaryRules(context, units.grid, days)
  }

  /// A boundary for each storefront of the ledger or the reports, ascending.
  ///
  /// - Parameter kind: what storefronts follow that do not speak for themselves; nil for what the
  ///   others of their territory follow.
  mutating func dayBoundaries(
    _ storefronts: [Storefront], assuming kind: BoundaryRule.Kind? = nil
  ) -> [Found] {
    let ascending = storefronts.sorted()
    var all: [Storefront: Tally] = [:]
    for storefront in ascending { all[storefront] = tally(storefront) }
    var shared: [Territory?: BoundaryRule.Kind?] = [:]
    return ascending.map { storefront in
      let own = all[storefront]!
      if context.settings.dayBoundary[storefront] != nil {
        let rule = own.scores[0]
        return boundary(storefront, rule.rule, nil, residual: rule.total, nil)
      }
      if own.soldUnits >= Rules.boundaryUnits, !days.isEmpty { return infer(storefront, own) }
      let territory = context.storefronts.territory(of: storefront)
      if shared[territory] == nil {
        let kind = kind ?? sharedKind(territory, all) ?? sharedKind(nil, all)
        shared[territory] = .some(kind)
      }
      let kind = shared[territory]!
      let found = own.scores.first { $0.rule.kind == kind } ?? own.scores[0]
      // Its own few units speak against the others' rule by more than a few faults would.
      let best = choose(own.scores, storefront)
      if own.soldUnits > 0, !days.isEmpty, found.total - best.total > Rules.boundaryDoubt,
        Rules.boundaryLead * best.total <= found.total
      {
        return infer(storefront, own)
      }
      return boundary(storefront, found.rule, nil, residual: found.total, nil)
    }
  }

  private func infer(_ storefront: Storefront, _ own: Tally) -> Found {
    let scored = own.scores
    let best = choose(scored, storefront)
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
    return boundary(storefront, best.rule, confidence, residual: best.total, second?.rule.name)
  }

  private typealias Score = (rule: BoundaryRule, total: Int64)

  /// The first of the smallest totals; another offset than Apple's documents know only where
  /// timing near the boundary cannot account for its lead.
  ///
  /// - Parameter storefront: whose days they are; nil for those of a group.
  private func choose(_ scored: [Score], _ storefront: Storefront?) -> Score {
    guard let best = scored.min(by: { $0.total < $1.total }) else {
      preconditionFailure("there is always a rule")
    }
    let known = scored.filter { rules.isDocumented($0.rule, for: storefront) }
      .min { $0.total < $1.total }
    guard !rules.isDocumented(best.rule, for: storefront), let known,
      known.total - best.total <= Rules.boundaryDoubt,
      apart(known.rule, best.rule) <= min(context.settings.timingWindow, Rules.boundaryNearness)
    else { return best }
    return known
  }

  private func apart(_ left: BoundaryRule, _ right: BoundaryRule) -> Int64 {
    abs(
      Int64(left.zone.offset(at: noonOfMiddle)) - Int64(right.zone.offset(at: noonOfMiddle)))
  }

  private var noonOfMiddle: Instant {
    Instant(seconds: context.period.middle.startUTC.seconds + 43_200)
  }

  private func boundary(
    _ storefront: Storefront, _ rule: BoundaryRule, _ confidence: Int64?, residual: Int64,
    _ runnerUp: String?
  ) -> Found {
    let boundary = ReportDayBoundary(
      storefront: storefront, rule: rule.name, zone: rule.zone.name,
      utcOffsetMinutes: Int(rule.zone.offset(at: noonOfMiddle)) / 60, confidence: confidence,
      residualUnits: residual, runnerUp: runnerUp)
    return (boundary, rule.zone)
  }

  /// The kind of rule under which all storefronts of a territory group (all there are, for nil)
  /// differ least; nil where they have too few units together.
  private func sharedKind(_ territory: Territory?, _ all: [Storefront: Tally])
    -> BoundaryRule.Kind?
  {
    let group = all.filter {
      context.settings.dayBoundary[$0.key] == nil && !assumed.contains($0.key)
        && (territory == nil || context.storefronts.territory(of: $0.key) == territory)
    }
    guard group.values.reduce(0, { $0 + $1.soldUnits }) >= Rules.boundaryUnits, !days.isEmpty
    else { return nil }
    var totals: [BoundaryRule.Kind: Score] = [:]
    for (_, own) in group.sorted(by: { $0.key < $1.key }) {
      var mine: [BoundaryRule.Kind: Score] = [:]
      for score in own.scores { mine[score.rule.kind] = score }
      // Where a storefront has no such rule, its own is Pacific.
      for kind in [BoundaryRule.Kind.territory, .local] where mine[kind] == nil {
        mine[kind] = mine[.pacific]
        mine[kind]?.rule.kind = kind
      }
      for (kind, score) in mine { totals[kind, default: (score.rule, 0)].total += score.total }
    }
    // A fixed offset says something of one part of the world, not of all of it.
    let scored = totals.sorted { $0.key < $1.key }.map(\.value)
    return choose(scored.filter { territory != nil || !$0.rule.isFixed }, nil).rule.kind
  }

  /// What a storefront's units say of each rule.
  private struct Tally {
    var scores: [Score]
    var soldUnits: Int64
  }

  /// The sum of |reported − counted| over a storefront's products and days, by rule: by the one
  /// that is configured, else by every candidate.
  private mutating func tally(_ storefront: Storefront) -> Tally {
    let candidates =
      context.settings.dayBoundary[storefront].map { [rules.rule(.local, "configured", $0)] }
      ?? rules.rules(storefront)
    precondition(
      candidates.allSatisfy { rule in
        rule.starts.count == 2 * days.count && rule.starts.allSatisfy { $0 <= units.grid.count }
      })
    var totals = [Int64](repeating: 0, count: candidates.count)
    var soldUnits: Int64 = 0
    // Entry q counts the units before quarter q.
    var running = [Int64](repeating: 0, count: units.grid.count + 1)
    var few = FewUnits(candidates, days: days.count, quarters: units.grid.count)
    for product in members[storefront] ?? [] {
      let events = units.events(of: product)
      if events.isEmpty, reported[product].isEmpty { continue }
      for event in events { soldUnits += Int64(event.quantity) }
      if events.count <= fewUnits {
        few.add(events, reported[product], to: &totals)
        continue
      }
      for quarter in running.indices { running[quarter] = 0 }
      for event in events { running[Int(event.quarter) + 1] += Int64(event.quantity) }
      for quarter in running.indices.dropFirst() { running[quarter] += running[quarter - 1] }
      for (place, rule) in candidates.enumerated() {
        totals[place] += Self.difference(reported[product], running, rule.starts)
      }
    }
    return Tally(
      scores: zip(candidates, totals).map { (rule: $0, total: $1) },
      soldUnits: assumed.contains(storefront) ? 0 : soldUnits)
  }

  private static func difference(
    _ reported: [Int64], _ running: [Int64], _ starts: [Int]
  ) -> Int64 {
    let days = starts.count / 2
    precondition(reported.isEmpty || reported.count == days)
    var total: Int64 = 0
    var day = 0
    while day < days {
      let counted = running[starts[2 * day + 1]] &- running[starts[2 * day]]
      total &+= abs((reported.isEmpty ? 0 : reported[day]) &- counted)
      day += 1
    }
    return total
  }
}

/// The differences of products with few units, unit by unit: most products of most storefronts sell
/// on a day or two, and nothing is to be looked at on all the others.
private struct FewUnits {
  private let candidates: [BoundaryRule]
  private let days: Int
  private let quarters: Int
  /// By candidate and quarter hour the compared day that it lies on, or -1; made for the first
  /// product.
  private var dayOf: [Int16] = []
  private var counted: [Int64]

  init(_ candidates: [BoundaryRule], days: Int, quarters: Int) {
    self.candidates = candidates
    self.days = days
    self.quarters = quarters
    counted = Array(repeating: 0, count: days)
  }

  /// Adds |reported − counted| over the days to each candidate's total.
  ///
  /// - Parameter reported: by day, or empty where nothing is.
  mutating func add(
    _ events: ArraySlice<BillableUnits.Event>, _ reported: [Int64], to totals: inout [Int64]
  ) {
    precondition(reported.isEmpty || reported.count == days)
    if dayOf.isEmpty { placeQuarters() }
    let alone = reported.reduce(0) { $0 + abs($1) }
    for candidate in candidates.indices {
      let first = candidate * quarters
      var total = alone
      for event in events {
        let day = Int(dayOf[first + Int(event.quarter)])
        if day < 0 { continue }
        let left = (reported.isEmpty ? 0 : reported[day]) - counted[day]
        counted[day] += Int64(event.quantity)
        total += abs(left - Int64(event.quantity)) - abs(left)
      }
      totals[candidate] += total
      for event in events {
        let day = Int(dayOf[first + Int(event.quarter)])
        if day >= 0 { counted[day] = 0 }
      }
    }
  }

  private mutating func placeQuarters() {
    dayOf = Array(repeating: -1, count: candidates.count * quarters)
    for (candidate, rule) in candidates.enumerated() {
      precondition(rule.starts.count == 2 * days && rule.starts.allSatisfy { $0 <= quarters })
      for day in 0..<days where rule.starts[2 * day] < rule.starts[2 * day + 1] {
        for quarter in rule.starts[2 * day]..<rule.starts[2 * day + 1] {
          dayOf[candidate * quarters + quarter] = Int16(day)
        }
      }
    }
  }
}
