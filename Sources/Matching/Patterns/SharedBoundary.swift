import Billing

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

  /// - Parameter cases: of the storefront, of the codes of `SharedBoundary.codes`, by index.
  init(_ storefront: Storefront, _ cases: [(index: Int, draft: Draft)], period: Period) {
    self.storefront = storefront
    self.period = period
    for (index, draft) in cases {
      guard let day = draft.day, let sku = draft.sku else { continue }
      let place = Place(sku: sku, day: day)
      switch draft.code {
      case .notInReport: missing[place, default: []].append(index)
      case .notInLedger: found[place, default: []].append(index)
      default:
        moved.append(index)
        movedOn.append(day)
      }
    }
  }

  static let codes: [FindingCode] = [.notInReport, .notInLedger, .timing]

  /// The surest of three signs; nil where none is sure.
  ///
  /// - Parameters:
  ///   - allMoved: proven moves of all storefronts.
  ///   - share: of the storefront in all units, at least an even one of all storefronts.
  func trait(allMoved: Int, share: Double) -> SharedTrait? {
    var best: SharedTrait?
    for trait in [paired(by: 1), paired(by: -1), alternating(), moving(allMoved, share)] {
      if let trait, trait.chance < best?.chance ?? 0 { best = trait }
    }
    return best
  }

  private func trait(_ cases: [Int], _ days: [Day], share: Double, chance: Double) -> SharedTrait? {
    guard cases.count >= PatternPlan.fewest, let first = days.min(), let last = days.max() else {
      return nil
    }
    return SharedTrait(
      dimension: .boundary, value: storefront.code, days: first...last,
      cases: Set(cases + moved).sorted(), share: share, chance: chance)
  }

  /// Few units: most that are found were missing the day before (or after), where a day of the
  /// product has seldom any missing.
  private func paired(by step: Int) -> SharedTrait? {
    var perProduct: [String: Int] = [:]
    for place in missing.keys { perProduct[place.sku, default: 0] += 1 }
    var (pairs, chances, cases, days) = (0, 0, [Int](), [Day]())
    for (place, indices) in found {
      let other = Place(sku: place.sku, day: place.day.advanced(by: -step))
      chances += perProduct[place.sku] ?? 0
      guard let others = missing[other] else { continue }
      pairs += 1
      cases += indices + others
      days += [place.day, other.day]
    }
    guard found.count > 0, 2 * pairs >= found.count else { return nil }
    let share = Double(chances) / Double(period.dayCount * found.count)
    return trait(
      cases, days, share: share,
      chance: Chance.logTail(hits: pairs, of: found.count, share: share))
  }

  /// Many units: on neighbouring days that both differ, the differences have opposite signs more
  /// often than not.
  private func alternating() -> SharedTrait? {
    let all = missing.keys.map { ($0, -1) } + found.keys.map { ($0, 1) }
    let signs = Dictionary(all, uniquingKeysWith: +)
    var (opposite, neighbours, cases, days) = (0, 0, [Int](), [Day]())
    for (place, sign) in signs {
      let next = Place(sku: place.sku, day: place.day.advanced(by: 1))
      guard let other = signs[next] else { continue }
      neighbours += 1
      guard sign * other < 0 else { continue }
      opposite += 1
      for place in [place, next] {
        cases += (missing[place] ?? []) + (found[place] ?? [])
        days.append(place.day)
      }
    }
    return trait(
      cases, days, share: 0.5,
      chance: Chance.logTail(hits: opposite, of: neighbours, share: 0.5))
  }

  /// Units near the boundary: more moves are proven here than in all other storefronts together.
  private func moving(_ allMoved: Int, _ share: Double) -> SharedTrait? {
    guard 2 * moved.count >= allMoved else { return nil }
    return trait(
      moved, movedOn, share: share,
      chance: Chance.logTail(hits: moved.count, of: allMoved, share: share))
  }
}
