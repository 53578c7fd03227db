import Billing
import Pricing

/// Rows of one storefront, platform and class whose terms are looked for together, with the
/// documented states that each of them can be of.
struct TermsCell {
  /// Rows of one day and product that speak for the same states.
  struct Tally {
    var day: Day
    var sku: Int32
    /// A bit for each of `states` that gives the rows' proceeds.
    var states: UInt64
    var rows: Int64
    var units: Int64
    var currency: Currency
    var proceeds: Int64

    func isExplained(by state: Int) -> Bool { states & (1 << UInt64(state)) != 0 }

    /// Whether the rows speak for one state against another.
    func shows(_ state: Int, not other: Int) -> Bool {
      isExplained(by: state) && !isExplained(by: other)
    }
  }

  /// What the rows of some products show: a state for each day with rows.
  struct Course {
    var days: [Day]
    /// Places in `states`, by day.
    var path: [Int]
    /// Twice the unexplained rows, and what changes count for.
    var cost: Int64
  }

  let scope: TermsScope
  /// The state at the beginning first.
  let states: [TermsState]
  var tallies: [Tally] = []
  /// Groups of the reports whose rows these are, ascending.
  var groups: [Int32] = []
  private let book: PriceBook

  /// - Parameter start: what held before the first day.
  init(_ scope: TermsScope, start: TermsState, until day: Day, book: PriceBook) {
    self.scope = scope
    self.book = book
    // As many as there are bits.
    states = Array(
      ([start] + book.states(of: scope, until: day).filter { $0 != start }).prefix(64))
  }

  /// Rows that a state leaves unexplained.
  static func unexplained(_ tallies: some Sequence<Tally>, _ state: Int) -> Int64 {
    tallies.reduce(0) { $1.isExplained(by: state) ? $0 : $0 + $1.rows }
  }

  /// The likeliest state of each day: the path that leaves fewest rows unexplained, where accepting
  /// an agreement needs one row that shows it, and any other change `Rules.changeRows` of them.
  ///
  /// - Parameter tallies: of some products; the cost is their number, times states by states a day.
  func course(_ tallies: [Tally]) -> Course {
    let byDay = Dictionary(grouping: tallies, by: \.day).sorted { $0.key < $1.key }
    var best = [Int64](repeating: 0, count: states.count)
    var origins: [[Int]] = []
    for (index, (day, tallies)) in byDay.enumerated() {
      let configured = book.configured(scope, on: day)
      var next = [Int64](repeating: .max, count: states.count)
      var ranks = [Int](repeating: .max, count: states.count)
      var origin = Array(states.indices)
      for state in states.indices {
        if index == 0 {
          next[state] = penalty(from: 0, to: state, configured)
        } else {
          for before in states.indices {
            let change = penalty(from: before, to: state, configured)
            // Of equal paths the one that changes last: a change is where rows show it. One that
            // the configuration has costs nothing, and comes no later than there.
            let rank = before == state ? 1 : change > 0 ? 0 : 2
            let cost = best[before] + change
            if (cost, rank) < (next[state], ranks[state]) {
              (next[state], ranks[state], origin[state]) = (cost, rank, before)
            }
          }
        }
      }
      for state in states.indices { next[state] += 2 * Self.unexplained(tallies, state) }
      best = next
      origins.append(origin)
    }
    let last = byDay.last.map { book.configured(scope, on: $0.key) }
    func rank(_ state: Int) -> (Int64, Int, Int) {
      (best[state], last?.completed(by: states[state]) == states[state] ? 0 : 1, state)
    }
    var state = best.indices.min { rank($0) < rank($1) } ?? 0
    let cost = best[state]
    var path: [Int] = []
    for origin in origins.reversed() {
      path.append(state)
      state = origin[state]
    }
    path.reverse()
    // A day with as many rows of what follows as of what was before is the first that shows it.
    for index in path.indices.dropFirst().reversed() where path[index] != path[index - 1] {
      let (old, new) = (path[index - 1], path[index])
      let day = byDay[index - 1].value
      let shown = day.reduce(0) { $1.shows(new, not: old) ? $0 + $1.rows : $0 }
      let kept = day.reduce(0) { $1.shows(old, not: new) ? $0 + $1.rows : $0 }
      if shown > 0, shown == kept { path[index - 1] = new }
    }
    return Course(days: byDay.map(\.key), path: path, cost: cost)
  }

  private func penalty(from: Int, to: Int, _ configured: ConfiguredTerms) -> Int64 {
    if from == to { return 0 }
    let (old, new) = (states[from], states[to])
    if configured.completed(by: old) == new { return 0 }
    let slow = 2 * Rules.changeRows - 1
    var penalty: Int64 = 0
    if old.commissionClass != new.commissionClass { penalty += slow }
    if old.agreement != new.agreement {
      let isAccepting = old.agreement == nil && !configured.namesAgreement
      penalty += isAccepting ? 1 : slow
    }
    return penalty
  }

  /// Products whose rows show one course, the largest group first. A product leaves a group where
  /// its own rows show otherwise, by as many as a change needs.
  func groupsOfProducts() -> [(skus: Set<Int32>, tallies: [Tally], course: Course)] {
    if let plain { return [plain] }
    var found: [(skus: Set<Int32>, tallies: [Tally], course: Course)] = []
    var rest = tallies
    while !rest.isEmpty {
      var (own, other) = divided(rest, by: course(rest))
      if own.isEmpty, let leader = leader(of: rest) {
        // Nothing holds for most of them: the product with most rows speaks first.
        (own, other) = divided(rest, by: course(leader))
      }
      if own.isEmpty || found.count + 1 == Rules.termsGroups { (own, other) = (rest, []) }
      found.append((Set(own.map(\.sku)), own, course(own)))
      rest = other
    }
    return found.count == 1 ? found : settled(found)
  }

  /// A product with few rows goes with the group that others have proved, where that explains all
  /// of them and its own does not.
  private func settled(
    _ found: [(skus: Set<Int32>, tallies: [Tally], course: Course)]
  ) -> [(skus: Set<Int32>, tallies: [Tally], course: Course)] {
    var tallies = found.map { _ in [Tally]() }
    for (place, group) in found.enumerated() {
      for (_, own) in Dictionary(grouping: group.tallies, by: \.sku).sorted(by: { $0.key < $1.key })
      {
        var best = place
        if unexplained(own, along: group.course) > 0 {
          best = found.firstIndex { unexplained(own, along: $0.course) == 0 } ?? place
        }
        tallies[best] += own
      }
    }
    return tallies.filter { !$0.isEmpty }.map { (Set($0.map(\.sku)), $0, course($0)) }
  }

  /// Where the state of the beginning explains every row, and is still the configuration's.
  private var plain: (skus: Set<Int32>, tallies: [Tally], course: Course)? {
    guard tallies.allSatisfy({ $0.isExplained(by: 0) }) else { return nil }
    let days = Set(tallies.map(\.day)).sorted()
    let isSteady = days.allSatisfy {
      book.configured(scope, on: $0).completed(by: states[0]) == states[0]
    }
    guard isSteady else { return nil }
    return (
      Set(tallies.map(\.sku)), tallies,
      Course(days: days, path: days.map { _ in 0 }, cost: 0)
    )
  }

  private func leader(of tallies: [Tally]) -> [Tally]? {
    let bySKU = Dictionary(grouping: tallies, by: \.sku)
    return bySKU.max {
      ($0.value.reduce(0) { $0 + $1.rows }, -$0.key) < (
        $1.value.reduce(0) { $0 + $1.rows }, -$1.key
      )
    }?.value
  }

  private func divided(_ tallies: [Tally], by course: Course) -> (own: [Tally], other: [Tally]) {
    let bySKU = Dictionary(grouping: tallies, by: \.sku)
    if bySKU.count == 1 { return (tallies, []) }
    let leaving = bySKU.filter { _, tallies in
      let under = unexplained(tallies, along: course)
      // Few rows can show nothing of their own.
      return under >= Rules.changeRows
        && 2 * under >= self.course(tallies).cost + 2 * Rules.changeRows
    }
    return (
      tallies.filter { leaving[$0.sku] == nil }, tallies.filter { leaving[$0.sku] != nil }
    )
  }

  private func unexplained(_ tallies: [Tally], along course: Course) -> Int64 {
    Dictionary(grouping: tallies, by: \.day).reduce(0) { sum, day in
      let place = course.days.partitioningIndex { $0 > day.key }
      return sum + Self.unexplained(day.value, course.path[max(0, place - 1)])
    }
  }
}
