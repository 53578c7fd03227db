import Billing
import Pricing

/// Rows of one storefront, platform and class whose terms are looked for together, with the
/// documented states that each of them can be of.
struct TermsCell {
  /// Rows of one day that the same states explain.
  struct Tally {
    var day: Day
    /// A bit for each of `states` that gives the rows' proceeds.
    var states: UInt64
    var rows: Int64 = 0
    var units: Int64 = 0
    var currency: Currency
    var proceeds: Int64 = 0

    /// Whether a state gives the rows' proceeds, by its place in the cell's `states`.
    func isExplained(by state: Int) -> Bool { states & (1 << UInt64(state)) != 0 }

    /// Whether one state gives the rows' proceeds and another does not, by their places.
    func shows(_ state: Int, not other: Int) -> Bool {
      isExplained(by: state) && !isExplained(by: other)
    }
  }

  /// A group of the reports, with the number of the states that explain its rows.
  struct Sale {
    var group: Int32
    fileprivate var kind: Int32
  }

  /// The states that explain rows, and the currency of these.
  private struct Kind: Equatable {
    var states: UInt64
    var currency: Currency
  }

  /// Products whose rows show one course.
  struct Group {
    /// Nil is every product of the cell.
    var skus: Set<Int32>?
    var tallies: [Tally]
    var course: Course
  }

  /// The sales of a product.
  private struct Product {
    var sku: Int32
    var sales: [Sale]
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
  /// Ascending by group.
  private(set) var sales: [Sale] = []
  private var kinds: [Kind] = []
  private let book: PriceBook
  private let groups: ReportGroupList

  /// A cell without rows, with its states: that of the beginning, and those that documents give.
  ///
  /// - Parameters:
  ///   - groups: of the reports.
  ///   - start: what held before the first day.
  ///   - day: the last day of which documents are asked.
  init(
    _ scope: TermsScope, _ groups: ReportGroupList, start: TermsState, until day: Day,
    book: PriceBook
  ) {
    self.scope = scope
    self.groups = groups
    self.book = book
    // As many as there are bits.
    states = Array(
      ([start] + book.states(of: scope, until: day).filter { $0 != start }).prefix(64))
  }

  /// The index in `kinds` of rows that the same states explain, in one currency; a new kind is
  /// added. There are few: the states that give a row's proceeds are those whose rates lie next to
  /// each other.
  ///
  /// - Parameters:
  ///   - states: a bit for each of the cell's `states` that gives the rows' proceeds.
  ///   - currency: of price and proceeds.
  mutating func kind(_ states: UInt64, _ currency: Currency) -> Int32 {
    let kind = Kind(states: states, currency: currency)
    if let known = kinds.firstIndex(of: kind) { return Int32(known) }
    kinds.append(kind)
    return Int32(kinds.count - 1)
  }

  /// Adds a group of the reports, by its index, with what ``kind(_:_:)`` returned for it.
  mutating func add(group: Int, kind: Int32) {
    sales.append(Sale(group: Int32(group), kind: kind))
  }

  /// What sales come to by day and by the states that explain them, ascending by day.
  func tallies(of sales: [Sale]) -> [Tally] {
    let days = sales.map { groups[Int($0.group)].begin }
    guard let first = days.min(), let last = days.max() else { return [] }
    var places = [Int](repeating: -1, count: (first.distance(to: last) + 1) * kinds.count)
    var tallies: [Tally] = []
    for (sale, day) in zip(sales, days) {
      let place = first.distance(to: day) * kinds.count + Int(sale.kind)
      if places[place] < 0 {
        places[place] = tallies.count
        let kind = kinds[Int(sale.kind)]
        tallies.append(Tally(day: day, states: kind.states, currency: kind.currency))
      }
      let group = groups[Int(sale.group)]
      tallies[places[place]].rows += group.rows
      tallies[places[place]].units += group.units
      tallies[places[place]].proceeds += group.proceeds
    }
    return places.filter { $0 >= 0 }.map { tallies[$0] }
  }

  /// The products of its rows.
  var skus: Set<Int32> { Set(sales.map { groups[Int($0.group)].sku }) }

  /// How many rows a state, by its place, leaves unexplained.
  static func unexplained(_ tallies: some Sequence<Tally>, _ state: Int) -> Int64 {
    tallies.reduce(0) { $1.isExplained(by: state) ? $0 : $0 + $1.rows }
  }

  /// The likeliest state of each day: the path that leaves fewest rows unexplained, where accepting
  /// an agreement needs one row that shows it, and any other change `Rules.changeRows` of them.
  ///
  /// - Parameter tallies: of some products. The time taken grows with their number, and with their
  ///   days times the square of the number of states.
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
    /// What states are compared by as ends of a path, the least being the best: the path's cost,
    /// then whether the configuration of the last day has the state, then its index.
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

  /// What going from one state to another on a day adds to a path's cost: nothing where the
  /// configuration does so, little where an agreement is accepted.
  ///
  /// - Parameters:
  ///   - from: a place in `states`, as `to` is.
  ///   - configured: what the configuration says on the day.
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
  func groupsOfProducts() -> [Group] {
    let all = tallies(of: sales)
    if let plain = plain(all) { return [plain] }
    let products = Dictionary(grouping: sales) { groups[Int($0.group)].sku }
      .map { Product(sku: $0.key, sales: $0.value) }.sorted { $0.sku < $1.sku }
    var found: [(products: [Product], group: Group)] = []
    var rest = products
    while !rest.isEmpty {
      var (own, other) = divided(rest, by: course(of: rest))
      if own.isEmpty, let leader = leader(of: rest) {
        // Nothing holds for most of them: the product with most rows goes first.
        (own, other) = divided(rest, by: course(of: [leader]))
      }
      if own.isEmpty || found.count + 1 == Rules.termsGroups { (own, other) = (rest, []) }
      found.append((own, group(of: own)))
      rest = other
    }
    return found.count == 1 ? found.map(\.group) : regrouped(found)
  }

  /// The products as one group, with the course that their rows show.
  private func group(of products: [Product]) -> Group {
    let tallies = tallies(of: products)
    return Group(skus: Set(products.map(\.sku)), tallies: tallies, course: course(tallies))
  }

  /// What the sales of products come to, ascending by day.
  private func tallies(of products: [Product]) -> [Tally] {
    products.count == 1 ? tallies(of: products[0].sales) : tallies(of: products.flatMap(\.sales))
  }

  /// The likeliest state of each day, by the rows of some products.
  private func course(of products: [Product]) -> Course { course(tallies(of: products)) }

  /// Makes the groups again, with some products in another one: a product of which its own group
  /// leaves rows unexplained goes with the first group that explains all of them, if there is one.
  private func regrouped(_ found: [(products: [Product], group: Group)]) -> [Group] {
    var products = found.map { _ in [Product]() }
    for (place, (own, group)) in found.enumerated() {
      for product in own {
        var best = place
        if unexplained(product, along: group.course) > 0 {
          best = found.firstIndex { unexplained(product, along: $0.group.course) == 0 } ?? place
        }
        products[best].append(product)
      }
    }
    return products.filter { !$0.isEmpty }.map(group)
  }

  /// All products as one group, where the state of the beginning explains every row and is still
  /// the configuration's; nil elsewhere.
  private func plain(_ tallies: [Tally]) -> Group? {
    guard tallies.allSatisfy({ $0.isExplained(by: 0) }) else { return nil }
    var days: [Day] = []
    for tally in tallies where tally.day != days.last { days.append(tally.day) }
    let isSteady = days.allSatisfy {
      book.configured(scope, on: $0).completed(by: states[0]) == states[0]
    }
    guard isSteady else { return nil }
    return Group(
      skus: nil, tallies: tallies, course: Course(days: days, path: days.map { _ in 0 }, cost: 0))
  }

  /// The product with most rows, of several the one with the lowest SKU; nil for none.
  private func leader(of products: [Product]) -> Product? {
    products.map { (product: $0, rows: rows(of: $0)) }
      .max { ($0.rows, -$0.product.sku) < ($1.rows, -$1.product.sku) }?.product
  }

  /// How many of Apple's rows a product has.
  private func rows(of product: Product) -> Int64 {
    product.sales.reduce(0) { $0 + groups[Int($1.group)].rows }
  }

  /// The products that a course explains well enough, and the others: those of which it leaves so
  /// many rows unexplained that a course of their own is worth a change.
  private func divided(
    _ products: [Product], by course: Course
  ) -> (own: [Product], other: [Product]) {
    if products.count == 1 { return (products, []) }
    var (own, other): ([Product], [Product]) = ([], [])
    for product in products {
      let under = unexplained(product, along: course)
      // Few rows can show nothing of their own.
      let isLeaving =
        under >= Rules.changeRows
        && 2 * under >= self.course(of: [product]).cost + 2 * Rules.changeRows
      if isLeaving { other.append(product) } else { own.append(product) }
    }
    return (own, other)
  }

  /// How many rows of a product a course leaves unexplained.
  private func unexplained(_ product: Product, along course: Course) -> Int64 {
    product.sales.reduce(0) { sum, sale in
      let group = groups[Int(sale.group)]
      let place = course.days.partitioningIndex { $0 > group.begin }
      let state = UInt64(course.path[max(0, place - 1)])
      return kinds[Int(sale.kind)].states & (1 << state) != 0 ? sum : sum + group.rows
    }
  }
}
