import Billing
import Pricing

/// A way in which Apple may cut a storefront's days.
struct BoundaryRule {
  /// What a rule is for storefronts of any country; those of a territory group share it.
  enum Kind: Hashable, Comparable {
    case pacific, territory, local, utc
    /// Minutes ahead of UTC.
    case fixed(Int)
  }

  var kind: Kind
  var name: String
  var zone: Zone
  /// The first quarter hour of each compared day and that after its last, in turn.
  var starts: [Int]

  /// Whether it is an offset from UTC that is the same all year.
  var isFixed: Bool { if case .fixed = kind { true } else { false } }
}

/// The candidates, with where they let the compared days begin; zones that storefronts share are
/// asked once.
struct BoundaryRules {
  private let context: MatchingContext
  private let grid: QuarterGrid
  private let days: [Day]
  private let general: [BoundaryRule]
  private let generalStarts: Set<[Int]>
  private let territories: [[Int]]
  private var known: [String: [Int]] = [:]

  /// Makes the candidates that every storefront has, and the territories' days.
  ///
  /// - Parameter days: those that are compared.
  init(_ context: MatchingContext, _ grid: QuarterGrid, _ days: [Day]) {
    self.context = context
    self.grid = grid
    self.days = days
    var general = [BoundaryRule(kind: .utc, name: "utc", zone: .utc, starts: [])]
    let (latest, earliest) = (-Rules.latestZone * 60, Rules.earliestZone * 60)
    for minutes in stride(from: latest, through: earliest, by: Rules.zoneStep) {
      let zone = Zone.fixed(minutes: minutes)
      general.append(
        BoundaryRule(kind: .fixed(minutes), name: "fixed:\(zone.name)", zone: zone, starts: []))
    }
    territories = Territory.allCases.map { Self.starts(context.zone($0.zoneName), grid, days) }
    self.general = general.map { rule in
      var rule = rule
      rule.starts = Self.starts(rule.zone, grid, days)
      return rule
    }
    generalStarts = Set(self.general.map(\.starts))
  }

  /// Whether days that begin so are those of a candidate that every storefront has.
  ///
  /// - Parameter starts: as in ``BoundaryRule/starts``.
  func areGeneral(_ starts: [Int]) -> Bool { generalStarts.contains(starts) }

  /// A rule of that kind, with the quarter hours at which the compared days begin in its zone.
  mutating func rule(_ kind: BoundaryRule.Kind, _ name: String, _ zone: Zone) -> BoundaryRule {
    let starts = known[zone.name] ?? Self.starts(zone, grid, days)
    known[zone.name] = starts
    return BoundaryRule(kind: kind, name: name, zone: zone, starts: starts)
  }

  /// Whether the days of a rule may be those of some document of Apple's or of the storefront's own
  /// clocks: true but for fixed offsets whose days no territory has.
  ///
  /// Apple's territories have been cut otherwise before, but a storefront that gives its territory
  /// its days has never had another's: there no fixed offset is documented.
  ///
  /// - Parameter storefront: whose days they are; nil for those of several storefronts.
  func isDocumented(_ rule: BoundaryRule, for storefront: Storefront?) -> Bool {
    if !rule.isFixed { return true }
    if let storefront, let name = context.storefronts.zoneName(of: storefront),
      context.storefronts.territory(of: storefront)?.zoneName == name
    {
      return false
    }
    return territories.contains(rule.starts)
  }

  /// The rule of days that begin at midnight in California.
  var pacific: BoundaryRule {
    mutating get {
      rule(.pacific, "pacific", context.zone("America/Los_Angeles"))
    }
  }

  /// The candidates for a storefront; on equal totals the earlier one wins.
  mutating func rules(_ storefront: Storefront) -> [BoundaryRule] {
    var rules = [pacific]
    if let territory = context.storefronts.territory(of: storefront), territory != .pacific {
      rules.append(rule(.territory, territory.rawValue, context.zone(territory.zoneName)))
    }
    if let name = context.storefronts.zoneName(of: storefront), let zone = context.zones[name] {
      rules.append(rule(.local, "local:\(name)", zone))
    }
    return rules + general
  }

  /// The first quarter hour of each day in a zone and that after its last, in turn.
  private static func starts(_ zone: Zone, _ grid: QuarterGrid, _ days: [Day]) -> [Int] {
    days.flatMap { [grid.start(of: $0, in: zone), grid.start(of: $0.advanced(by: 1), in: zone)] }
  }
}

extension MatchingContext {
  /// A zone that the caller supplied.
  func zone(_ name: String) -> Zone {
    guard let zone = zones[name] else { preconditionFailure("no zone \(name) was supplied") }
    return zone
  }
}
