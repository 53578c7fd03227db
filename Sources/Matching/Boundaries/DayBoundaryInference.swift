import Billing
import Pricing

/// Finds out, for each storefront, where Apple's report day begins: the rule under which Apple's
/// units and the ledger's differ least.
struct DayBoundaryInference {
  typealias Found = (boundary: ReportDayBoundary, zone: Zone)

  private let context: MatchingContext
  private let units: BillableUnits
  /// Days that both sides cover whole under every rule.
  private let days: [Day]
  private let reported: Grouped<ReportedSale>
  /// Products by storefront.
  private let members: Grouped<Int32>
  private var rules: BoundaryRules
  /// Storefronts whose units are mostly others': these show nothing of their days.
  private let assumed: Set<Storefront>
  private let fewUnits: Int
  /// By the days of those candidates that not every storefront has.
  private var sweeps: [[[Int]]: OffsetSweep] = [:]

  /// - Parameters:
  ///   - reported: sale units by product.
  ///   - assumed: storefronts of which most units only stand there because no source tells theirs.
  ///   - fewUnits: sales of a product up to which they are weighed one by one.
  init(
    _ units: BillableUnits, reported: Grouped<ReportedSale>, days: [Day],
    context: MatchingContext,
    assumed: Set<Storefront> = [], fewUnits: Int = Rules.fewUnits
  ) {
    self.assumed = assumed
    self.fewUnits = fewUnits
    self.context = context
    self.units = units
    self.days = days
    self.reported = reported
    members = Grouped(
      numbers: Storefront.limit, count: units.products.count,
      number: { units.products[$0].storefront.map { Int32($0.packed) } ?? -1 },
      element: { Int32($0) })
    rules = BoundaryRules(context, units.grid, days)
  }

  /// A boundary for each storefront of the ledger or the reports, ascending.
  ///
  /// - Parameter kind: the rule of storefronts that have too few units to show their own; nil for
  ///   the rule that the others of their territory follow.
  mutating func dayBoundaries(
    _ storefronts: [Storefront], assuming kind: BoundaryRule.Kind? = nil
  ) -> [Found] {
    let ascending = storefronts.sorted()
    var all: [Storefront: Tally] = [:]
    for storefront in ascending { all[storefront] = tally(storefront) }
    var kinds: [Territory?: BoundaryRule.Kind?] = [:]
    var changes: [Storefront: Change] = [:]
    for storefront in ascending
    where all[storefront]!.soldUnits >= Rules.boundaryUnits && !assumed.contains(storefront) {
      let best = choose(all[storefront]!.scores, storefront)
      changes[storefront] = findChange(of: storefront, single: best.total)
    }
    let usual = Self.usual(changes.values)
    // What leaves as little from the day on that the others have is the same change.
    if let usual {
      for (storefront, own) in changes where own.day != usual.day {
        var other = own
        other.day = usual.day
        if let same = change(storefront, like: other), same.total <= own.total {
          changes[storefront] = same
        }
      }
    }
    return ascending.map { storefront in
      let own = all[storefront]!
      if context.settings.dayBoundary[storefront] != nil {
        let rule = own.scores[0]
        return boundary(storefront, rule.rule, nil, residual: rule.total, nil)
      }
      if own.soldUnits >= Rules.boundaryUnits, !days.isEmpty {
        return changes[storefront].map { boundary(storefront, $0, own) } ?? infer(storefront, own)
      }
      let territory = context.storefronts.territory(of: storefront)
      if kinds[territory] == nil {
        let kind = kind ?? sharedKind(territory, all) ?? sharedKind(nil, all)
        kinds[territory] = .some(kind)
      }
      let kind = kinds[territory]!
      let found = own.scores.first { $0.rule.kind == kind } ?? own.scores[0]
      // What changed for those with enough units may have changed here.
      let changed =
        own.soldUnits > 0 && found.total > 0 ? usual.flatMap { change(storefront, like: $0) } : nil
      let shared = min(found.total, changed?.total ?? found.total)
      // Its own few units contradict the others' rule by more than a few faults would.
      let best = choose(own.scores, storefront)
      if own.soldUnits > 0, !days.isEmpty, Self.isClear(best.total, shared) {
        return infer(storefront, own)
      }
      if let changed, changed.total < found.total { return boundary(storefront, changed, own) }
      return boundary(storefront, found.rule, nil, residual: found.total, nil)
    }
  }

  /// The boundary of a storefront whose rule changes on a day, with the best single rule as the
  /// runner-up.
  private func boundary(_ storefront: Storefront, _ change: Change, _ own: Tally) -> Found {
    let best = choose(own.scores, storefront)
    let confidence =
      1_000_000
      - roundedHalfUp(
        Int128(change.total) * 1_000_000, dividedBy: Int128(max(best.total, 1)), toMultipleOf: 1)
    return boundary(
      storefront, change.rule, max(confidence, 0), residual: change.total, best.rule.name)
  }

  /// The boundary of a storefront by the one rule under which its own units differ least between
  /// Apple and the ledger. The confidence is the part by which they differ less than under the best
  /// rule with other days.
  ///
  /// - Parameter own: what each rule leaves of the storefront's units.
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

  /// A rule, and the units that it leaves: those in which the two sides differ by its days.
  private typealias Score = (rule: BoundaryRule, total: Int64)

  // MARK: A rule that gives way to another

  /// Two rules, and the day from which the second holds.
  private struct Change {
    /// Both as one, whose zone changes on the day.
    var rule: BoundaryRule
    /// Units that it leaves.
    var total: Int64
    var kinds: [BoundaryRule.Kind]
    var day: Day
  }

  /// Finds two documented rules, and the day on which a storefront went from one to the other, that
  /// leave fewest units in which Apple and the ledger differ. Nil where that is no clear gain over
  /// the best single rule, where the days on either side do not clearly show their own rule, or
  /// where the boundary is configured.
  ///
  /// - Parameter single: the units that the best single rule leaves.
  private mutating func findChange(of storefront: Storefront, single: Int64) -> Change? {
    guard single > Rules.boundaryDoubt, context.settings.dayBoundary[storefront] == nil else {
      return nil
    }
    let candidates = documentedRules(storefront)
    let sums = candidates.map { rule in
      daily(storefront, rule).reduce(into: [Int64(0)]) { $0.append($0[$0.count - 1] + $1) }
    }
    var best: (from: Int, to: Int, place: Int, total: Int64)?
    for from in candidates.indices {
      for to in candidates.indices where candidates[from].starts != candidates[to].starts {
        for place in 1..<max(days.count, 1) {
          let total = sums[from][place] + sums[to][days.count] - sums[to][place]
          if best.map({ total < $0.total }) ?? true { best = (from, to, place, total) }
        }
      }
    }
    guard let best, Self.isClear(best.total, single) else { return nil }
    let (first, second) = (sums[best.from], sums[best.to])
    guard Self.isClear(first[best.place], second[best.place]),
      Self.isClear(
        second[days.count] - second[best.place], first[days.count] - first[best.place])
    else { return nil }
    // The day before the change is longer or shorter than either rule's: only the change itself
    // tells which day it is.
    let near = max(best.place - 2, 1)...min(best.place + 2, days.count - 1)
    return near.map {
      change(storefront, candidates[best.from], candidates[best.to], from: days[$0])
    }.min { $0.total < $1.total }
  }

  /// Whether a rule leaves fewer units than another, by more than chance.
  ///
  /// - Parameters:
  ///   - own: units in which Apple and the ledger differ under the rule.
  ///   - other: the same under the other rule.
  private static func isClear(_ own: Int64, _ other: Int64) -> Bool {
    other - own > Rules.boundaryDoubt && Rules.boundaryLead * own <= other
  }

  /// Carries another storefront's change over to this one: the same day, and this one's rules of
  /// the same kinds, with the units that they leave here. Nil where this one has no documented rule
  /// of one of the kinds, or both let its days begin alike.
  private mutating func change(_ storefront: Storefront, like other: Change) -> Change? {
    let rules = other.kinds.map { kind in documentedRules(storefront).first { $0.kind == kind } }
    guard let from = rules[0], let to = rules[1], from.starts != to.starts else { return nil }
    return change(storefront, from, to, from: other.day)
  }

  /// A change from one rule to another, with the units of a storefront in which Apple and the
  /// ledger still differ under it.
  ///
  /// - Parameter day: the first day of the second rule.
  private mutating func change(
    _ storefront: Storefront, _ from: BoundaryRule, _ to: BoundaryRule, from day: Day
  ) -> Change {
    let rule = rules.rule(
      .local, Zone.changed(from.name, to: to.name, from: day),
      from.zone.changed(to: to.zone, from: day))
    return Change(
      rule: rule, total: daily(storefront, rule).reduce(0, +), kinds: [from.kind, to.kind],
      day: day)
  }

  /// The change, by day and kinds of rules, that most storefronts with one have; nil for none.
  private static func usual(_ changes: some Collection<Change>) -> Change? {
    Dictionary(grouping: changes) { "\($0.day) \($0.kinds)" }
      .max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value.first
  }

  /// The rules by which a storefront's days may begin that Apple's documents or its own clocks
  /// give; neither UTC nor a fixed offset.
  private mutating func documentedRules(_ storefront: Storefront) -> [BoundaryRule] {
    rules.rules(storefront).filter { !$0.isFixed && $0.kind != .utc }
  }

  /// By compared day, the sum of |Apple's units − the ledger's| over a storefront's products, where
  /// days begin by a rule.
  private func daily(_ storefront: Storefront, _ rule: BoundaryRule) -> [Int64] {
    var dayOf = [Int](repeating: -1, count: units.grid.count)
    for day in days.indices where rule.starts[2 * day] < rule.starts[2 * day + 1] {
      for quarter in rule.starts[2 * day]..<rule.starts[2 * day + 1] { dayOf[quarter] = day }
    }
    var left = [Int64](repeating: 0, count: days.count)
    var difference = left
    for product in members[Int(storefront.packed)].lazy.map(Int.init) {
      let (events, reported) = (units.events(of: product), reported[product])
      for event in events where dayOf[Int(event.quarter)] >= 0 {
        difference[dayOf[Int(event.quarter)]] -= Int64(event.quantity)
      }
      for sale in reported { difference[Int(sale.day)] += sale.units }
      // Most products sell on a day or two.
      /// Adds the product's difference on a day, without its sign, to what that day leaves, and
      /// empties it: a day that is named again adds nothing.
      func addUp(_ day: Int) {
        left[day] += abs(difference[day])
        difference[day] = 0
      }
      for event in events where dayOf[Int(event.quarter)] >= 0 { addUp(dayOf[Int(event.quarter)]) }
      for sale in reported { addUp(Int(sale.day)) }
    }
    return left
  }

  /// The rule that leaves fewest units, with their number; of equal ones the first. An offset that
  /// no document of Apple's knows gives way to the best documented rule where timing near the
  /// boundary can account for its lead.
  ///
  /// - Parameters:
  ///   - scored: rules, each with the units in which Apple and the ledger differ under it.
  ///   - storefront: whose days they are; nil for those of several storefronts.
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

  /// Seconds by which the zones of two rules are apart in the middle of the period.
  private func apart(_ left: BoundaryRule, _ right: BoundaryRule) -> Int64 {
    abs(
      Int64(left.zone.offset(at: noonOfMiddle)) - Int64(right.zone.offset(at: noonOfMiddle)))
  }

  /// Noon, in UTC, of the day in the middle of the period.
  private var noonOfMiddle: Instant {
    Instant(seconds: context.period.middle.startUTC.seconds + 43_200)
  }

  /// The boundary of a storefront by a rule.
  ///
  /// - Parameters:
  ///   - confidence: millionths; nil where no other rule was weighed against it.
  ///   - residual: units in which the two sides differ by it.
  ///   - runnerUp: the name of the next best rule.
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

  /// The kind of rule under which Apple's units and ours differ least over all storefronts of a
  /// territory, or over every storefront for nil; nil where they have too few units together.
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

  /// What each rule leaves of a storefront's units, and how many the ledger sold there.
  private struct Tally {
    var scores: [Score]
    var soldUnits: Int64
  }

  /// The sum of |Apple's units − the ledger's| over a storefront's products and days, by rule: by
  /// the one that is configured, else by every candidate.
  private mutating func tally(_ storefront: Storefront) -> Tally {
    let candidates =
      context.settings.dayBoundary[storefront].map { [rules.rule(.local, "configured", $0)] }
      ?? rules.rules(storefront)
    precondition(
      candidates.allSatisfy { rule in
        rule.starts.count == 2 * days.count && rule.starts.allSatisfy { $0 <= units.grid.count }
      })
    var sweep = sweep(candidates)
    var soldUnits: Int64 = 0
    // Entry q counts the units before quarter q.
    var running = [Int64](repeating: 0, count: units.grid.count + 1)
    var ofDays = [Int64](repeating: 0, count: days.count)
    for product in members[Int(storefront.packed)].lazy.map(Int.init) {
      let (events, reported) = (units.events(of: product), reported[product])
      for event in events { soldUnits += Int64(event.quantity) }
      if events.count <= fewUnits {
        sweep.add(events, reported)
        continue
      }
      for quarter in running.indices { running[quarter] = 0 }
      for event in events { running[Int(event.quarter) + 1] += Int64(event.quantity) }
      for quarter in running.indices.dropFirst() { running[quarter] += running[quarter - 1] }
      for sale in reported { ofDays[Int(sale.day)] += sale.units }
      sweep.add { Self.difference(ofDays, running, $0) }
      for sale in reported { ofDays[Int(sale.day)] = 0 }
    }
    let totals = sweep.totals
    return Tally(
      scores: candidates.map { (rule: $0, total: totals[sweep.place(of: $0)]) },
      soldUnits: assumed.contains(storefront) ? 0 : soldUnits)
  }

  /// The sum of |Apple's units − the ledger's| over the days, of a product.
  ///
  /// - Parameters:
  ///   - reported: Apple's units by day.
  ///   - running: for each quarter hour, the ledger's units before it.
  ///   - starts: the first quarter hour of each day and that after its last, in turn.
  private static func difference(
    _ reported: [Int64], _ running: [Int64], _ starts: [Int]
  ) -> Int64 {
    precondition(2 * reported.count == starts.count)
    var total: Int64 = 0
    for day in reported.indices {
      let counted = running[starts[2 * day + 1]] &- running[starts[2 * day]]
      total &+= abs(reported[day] &- counted)
    }
    return total
  }

  /// A sweep over the candidates, to which no product was added yet. Storefronts share most
  /// candidates, and most share all of their days.
  private mutating func sweep(_ candidates: [BoundaryRule]) -> OffsetSweep {
    let own = candidates.map(\.starts).filter { !rules.areGeneral($0) }
    if let known = sweeps[own] { return known }
    let made = OffsetSweep(candidates.map(\.starts), quarters: units.grid.count)
    if candidates.count > 1 { sweeps[own] = made }
    return made
  }
}
