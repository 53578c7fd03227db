import Billing
import Conclusions

/// Units of a storefront that are missing on one report day and found on a neighbouring one: its
/// day begins elsewhere than was taken, on some days at least.
struct SharedBoundary {
  /// Differences of sold units, by product and day of the storefront.
  private struct Place: Hashable {
    var sku: String
    var day: Day
  }

  let storefront: Storefront
  private var missing: [Place: [Int]] = [:]
  private var found: [Place: [Int]] = [:]
  /// Units that were proven to have moved.
  private var moved: [Int] = []
  private var movedOn: [Day] = []
  private let period: Period

  /// Divides cases into units missing, found and moved.
  ///
  /// - Parameter cases: of the storefront, of the codes of `SharedBoundary.codes`, by index.
  init(
    _ storefront: Storefront, _ cases: [(index: Int, finding: PatternCase)], period: Period
  ) {
    self.storefront = storefront
    self.period = period
    for (index, finding) in cases {
      guard let day = finding.day, let sku = finding.sku else { continue }
      let place = Place(sku: sku, day: day)
      switch finding.code {
      case .notInReport: missing[place, default: []].append(index)
      case .notInLedger: found[place, default: []].append(index)
      default:
        moved.append(index)
        movedOn.append(day)
      }
    }
  }

  static let codes: [FindingCode] = [.notInReport, .notInLedger] + moves
  /// Codes of units that were taken to the day beside theirs.
  static let moves: [FindingCode] = [.timing, .timingUnproven]

  /// What speaks against the storefront's day boundary, and how unlikely the differences are where
  /// the day is right; nil where nothing speaks against it.
  ///
  /// Units that stand on the neighbouring day and units that were proven to have moved are signs
  /// that know nothing of each other, so their chances are multiplied (Fisher's way).
  ///
  /// - Parameters:
  ///   - allMoved: proven moves of all storefronts.
  ///   - share: of the storefront in all units, at least an even one of all storefronts.
  ///   - storefronts: that were looked at.
  func trait(allMoved: Int, share: Double, storefronts: Int) -> SharedTrait? {
    let moving = Chance.logTail(hits: moved.count, of: allMoved, share: share)
    var best: SharedTrait?
    for step in [1, -1] {
      let (pairs, pairShare) = paired(by: step)
      let both = min(pairs, alternating()) + moving
      let chance = both + naturalLog(1 - both) + naturalLog(Double(4 * storefronts))
      guard chance < best?.chance ?? 0 else { continue }
      let (cases, days) = explained(by: step)
      guard cases.count >= Rules.patternFindings, let first = days.min(), let last = days.max()
      else { continue }
      best = SharedTrait(
        dimension: .boundary, value: storefront.code, days: first...last, cases: cases,
        share: pairShare, chance: chance)
    }
    return best
  }

  /// The chance, as a logarithm, that so much of what is found was missing the day before (`step`
  /// 1) or after (-1), and how often a day of the product has any missing. It tells where units are
  /// few: a day then has seldom any missing.
  private func paired(by step: Int) -> (chance: Double, share: Double) {
    var perProduct: [String: Int] = [:]
    for place in missing.keys { perProduct[place.sku, default: 0] += 1 }
    var (pairs, chances) = (0, 0)
    for place in found.keys {
      chances += perProduct[place.sku] ?? 0
      if missing[Place(sku: place.sku, day: place.day.advanced(by: -step))] != nil { pairs += 1 }
    }
    guard !found.isEmpty else { return (0, 0) }
    let share = Double(chances) / Double(period.dayCount * found.count)
    return (Chance.logTail(hits: pairs, of: found.count, share: share), share)
  }

  /// The chance, as a logarithm, that differences of neighbouring days have opposite signs as often
  /// as they do. It tells where units are many and both days differ: the signs are then opposite
  /// more often than not.
  private func alternating() -> Double {
    let all = missing.keys.map { ($0, -1) } + found.keys.map { ($0, 1) }
    let signs = Dictionary(all, uniquingKeysWith: +)
    var (opposite, neighbours) = (0, 0)
    for (place, sign) in signs {
      let next = Place(sku: place.sku, day: place.day.advanced(by: 1))
      guard let other = signs[next], sign * other != 0 else { continue }
      neighbours += 1
      if sign * other < 0 { opposite += 1 }
    }
    return Chance.logTail(hits: opposite, of: neighbours, share: 0.5)
  }

  /// The cases of units that were proven to have moved, and of those found within two days of where
  /// they were missing; with the days of the latter, or of the former where there is none.
  ///
  /// - Parameter step: 1 where they were missing before they are found, else -1.
  private func explained(by step: Int) -> (cases: [Int], days: [Day]) {
    var cases: Set<Int> = []
    var days: [Day] = []
    for (place, indices) in found {
      for reach in 1...2 {
        let other = Place(sku: place.sku, day: place.day.advanced(by: -step * reach))
        guard let others = missing[other] else { continue }
        cases.formUnion(indices + others)
        days += [place.day, other.day]
      }
    }
    return (cases.union(moved).sorted(), days.isEmpty ? movedOn : days)
  }
}
