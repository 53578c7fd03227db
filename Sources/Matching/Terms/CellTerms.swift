import Billing
import Conclusions
import Pricing

/// What the rows of a cell come to: groups of products with terms of their own, each with the runs
/// of days on which one state holds.
struct CellTerms {
  /// Days on which one state holds for a group of products.
  struct Run {
    var from: Day
    var to: Day
    /// Its place in the cell's `states`.
    var state: Int
    var tallies: [TermsCell.Tally]
    /// The days on which it may have begun.
    var begins: ClosedRange<Day>
  }

  /// What shows that an account accepted an agreement on a day.
  struct Acceptance {
    var agreement: String
    var day: Day
    /// Whether the rows leave no other day.
    var isExact: Bool
    /// Rows that prove it, on the side that has fewer.
    var rows: Int64
  }

  /// Products that have one course.
  struct Group {
    /// Empty is the rest.
    var skus: Set<Int32>
    /// Those that it has; nil is every product of the cell.
    var own: Set<Int32>?
    var runs: [Run]
  }

  let cell: TermsCell
  private var groups: [Group] = []
  private let all: ReportGroups
  private let context: MatchingContext
  /// Whether the period before tells what its beginning follows.
  private let hasEarlier: Bool

  /// Divides a cell's products into groups, and the days of each into runs.
  ///
  /// - Parameters:
  ///   - all: Apple's groups, which the cell names by index.
  ///   - hasEarlier: whether the period before tells what terms the cell begins with.
  init(_ cell: TermsCell, _ all: ReportGroups, _ context: MatchingContext, hasEarlier: Bool) {
    self.cell = cell
    self.all = all
    self.context = context
    self.hasEarlier = hasEarlier
    let found = cell.groupsOfProducts()
    groups = found.enumerated().map { index, group in
      Group(
        skus: index == 0 ? [] : group.skus ?? cell.skus, own: group.skus,
        runs: runs(group.tallies, group.course))
    }
    if !cell.scope.sku.isEmpty, !groups.isEmpty { nameOthers() }
  }

  /// How many of its rows each commission class gives, and how many no documented terms do: what
  /// they prove of the account.
  var proof: TermsStart.Proof {
    var proof = TermsStart.Proof(scope: cell.scope)
    for run in groups.flatMap(\.runs) {
      for tally in run.tallies {
        if tally.states == 0 { proof.unexplained += tally.rows }
        if tally.isExplained(by: run.state) {
          proof.rows[cell.states[run.state].commissionClass, default: 0] += tally.rows
        }
        proof.all += tally.rows
      }
    }
    return proof
  }

  /// Whether its first group is that of all products which nothing names.
  var isOfOthers: Bool { groups.first?.skus.isEmpty ?? false }
  var rowCount: Int64 {
    groups.flatMap(\.runs).flatMap(\.tallies).reduce(0) { $0 + $1.rows }
  }

  /// Makes the first group one of the products that its rows have.
  mutating func nameOthers() {
    groups[0].skus = groups[0].own ?? cell.skus
  }

  /// The runs of days on which a course keeps one state, with their tallies.
  private func runs(_ tallies: [TermsCell.Tally], _ course: TermsCell.Course) -> [Run] {
    let byDay = Dictionary(grouping: tallies, by: \.day)
    var runs: [Run] = []
    for (day, state) in zip(course.days, course.path) {
      let tallies = byDay[day] ?? []
      if runs.last?.state == state {
        runs[runs.count - 1].tallies += tallies
        runs[runs.count - 1].to = day
      } else {
        runs.append(Run(from: day, to: day, state: state, tallies: tallies, begins: day...day))
      }
    }
    for index in runs.indices.dropFirst() {
      runs[index].begins = begins(of: runs[index], after: runs[index - 1])
      if runs[index].begins.count == 1 { runs[index].from = runs[index].begins.lowerBound }
    }
    return runs
  }

  /// The days from which on a run's state may hold: each leaves as few rows unexplained as any
  /// other. Where the configuration changes to that state on one of them, that day alone.
  private func begins(of new: Run, after old: Run) -> ClosedRange<Day> {
    var proofs: [Day: (old: Int64, new: Int64)] = [:]
    for tally in old.tallies + new.tallies {
      if tally.shows(old.state, not: new.state) {
        proofs[tally.day, default: (0, 0)].old += tally.rows
      } else if tally.shows(new.state, not: old.state) {
        proofs[tally.day, default: (0, 0)].new += tally.rows
      }
    }
    let days = proofs.keys.sorted()
    // Where it begins with the first of them, the rows of what was before are unexplained.
    var unexplained = proofs.values.reduce(0) { $0 + $1.old }
    var least = unexplained
    var (first, last) = (0, 0)
    for (index, day) in days.enumerated() {
      unexplained += proofs[day]!.new - proofs[day]!.old
      if unexplained < least { (least, first) = (unexplained, index + 1) }
      if unexplained == least { last = index + 1 }
    }
    var lower = first == 0 ? old.from : days[first - 1].advanced(by: 1)
    let upper = max(new.from, last < days.count ? days[last] : new.to)
    // No earlier than its document, and on the configuration's day where that is among them.
    let terms = context.priceBook.held(cell.states[new.state], cell.scope, on: new.from)
    if let document = terms.from { lower = max(lower, document) }
    lower = min(lower, new.from)
    /// Whether the configuration of a day, with the old run's state where it says nothing, is the
    /// new run's state.
    func isConfigured(_ day: Day) -> Bool {
      context.priceBook.configured(cell.scope, on: day).completed(by: cell.states[old.state])
        == cell.states[new.state]
    }
    let configured = (lower...new.from).first {
      isConfigured($0) && !isConfigured($0.advanced(by: -1))
    }
    return configured.map { $0...$0 } ?? lower...upper
  }

  /// Days of rows that one state explains and another does not, ascending; states by their places.
  private func proofs(of state: Int, not other: Int, _ tallies: [TermsCell.Tally]) -> [Day] {
    tallies.filter { $0.shows(state, not: other) }.map(\.day).sorted()
  }

  /// The days within the period on which agreements were accepted, as far as its rows show it.
  var acceptances: [Acceptance] {
    groups.flatMap { group in
      zip(group.runs, group.runs.dropFirst()).compactMap { before, since -> Acceptance? in
        guard let agreement = cell.states[since.state].agreement,
          cell.states[before.state].agreement != agreement, let day = firstProof(of: since, before)
        else { return nil }
        return Acceptance(
          agreement: agreement, day: day, isExact: since.begins.count == 1,
          rows: min(rows(before, not: since.state), rows(since, not: before.state)))
      }
    }
  }

  /// The first day with rows that a run's state explains and that of the run before does not; nil
  /// for none.
  private func firstProof(of run: Run, _ before: Run) -> Day? {
    proofs(of: run.state, not: before.state, run.tallies).first
  }

  /// How many rows of a run its state explains and another does not.
  private func rows(_ run: Run, not other: Int) -> Int64 {
    run.tallies.reduce(0) { $1.shows(run.state, not: other) ? $0 + $1.rows : $0 }
  }

  /// Lets runs with a new agreement begin on the day on which the account accepted it, where the
  /// cell's own rows leave the day open.
  ///
  /// - Parameter accepted: by agreement, when and how surely.
  mutating func align(_ accepted: [String: Acceptance]) {
    for group in groups.indices {
      for index in groups[group].runs.indices.dropFirst() {
        let (before, run) = (groups[group].runs[index - 1], groups[group].runs[index])
        guard let agreement = cell.states[run.state].agreement,
          cell.states[before.state].agreement != agreement, let proof = accepted[agreement],
          before.from < proof.day, run.begins.lowerBound <= proof.day, proof.day <= run.from
        else { continue }
        groups[group].runs[index].from = proof.day
        if proof.isExact { groups[group].runs[index].begins = proof.day...proof.day }
      }
    }
  }

  /// For each group the spans of days with the state that is expected and the one that its rows
  /// show, as the price book asks for it.
  var courses: [ShownTerms.Course] {
    groups.map { group in
      var spans: [ShownTerms.Span] = []
      for run in group.runs {
        let state = cell.states[run.state]
        // The configuration may change within a run.
        let end = group.runs.first { $0.from > run.from }?.from ?? context.period.last
        let start = spans.isEmpty ? min(context.period.first, run.from) : run.from
        for day in start...max(start, end) {
          let expected = context.priceBook.configured(scope(of: group), on: day)
            .completed(by: state)
          let span = ShownTerms.Span(from: day, expected: expected, shown: state)
          if let last = spans.last, last.expected == expected, last.shown == state { continue }
          if day == end, end != context.period.last { continue }
          spans.append(span)
        }
      }
      return ShownTerms.Course(spans: spans, skus: Set(group.skus.map { all.skus[Int($0)] }))
    }
  }

  /// The cell's scope, with a SKU of the group where that names its products.
  private func scope(of group: Group) -> TermsScope {
    var scope = cell.scope
    if let sku = group.skus.min() { scope.sku = all.skus[Int(sku)] }
    return scope
  }

  // MARK: What is told

  /// What outputs say of the cell: a line for each group, run and span of days in which no document
  /// changes what the state pays; and where the terms of a group become others.
  func told() -> (lines: [TermsLine], changes: [TermsChange]) {
    var told: (lines: [TermsLine], changes: [TermsChange]) = ([], [])
    for group in groups {
      let parts = parts(of: group)
      told.lines += parts.map(\.line)
      told.changes += changes(of: group, parts)
    }
    return told
  }

  /// A line with what it was made of.
  private struct Part {
    var line: TermsLine
    /// Its place in the cell's `states`.
    var state: Int
    /// Nil where a document's day tells it.
    var begins: ClosedRange<Day>?
    var tallies: [TermsCell.Tally]
  }

  /// The lines of a group, one for each run, currency and held terms, in the order of outputs.
  private func parts(of group: Group) -> [Part] {
    let scope = scope(of: group)
    let skus = group.skus.map { all.skus[Int($0)] }.sorted()
    return group.runs.flatMap { run -> [Part] in
      let state = cell.states[run.state]
      let currencies = Dictionary(grouping: run.tallies) { tally in
        PartKey(
          currency: tally.currency, terms: context.priceBook.held(state, scope, on: tally.day))
      }
      return currencies.map { key, tallies in
        let days = tallies.map(\.day)
        // The document's day goes before that of the first row.
        let begins = max(run.from, key.terms.from ?? run.from)
        var line = TermsLine(
          storefront: scope.storefront, platform: scope.platform, skus: skus,
          isAfterOneYear: scope.isAfterOneYear, terms: key.terms,
          from: min(begins, days.min()!), to: days.max()!, proceeds: .zero(key.currency))
        for tally in tallies {
          line.rows += tally.rows
          line.units += tally.units
          line.proceeds.micros += tally.proceeds
        }
        judge(&line, run.state, tallies, scope)
        let isBegun = key.terms.from.map { $0 > run.from } ?? false
        return Part(
          line: line, state: run.state, begins: isBegun ? nil : run.begins,
          tallies: tallies)
      }
    }.sorted { TermsLine.isOrderedBefore($0.line, $1.line) }
  }

  private struct PartKey: Hashable {
    var currency: Currency
    var terms: HeldTerms
  }

  /// Fills in how sure the state of a line is, which other terms explain most of its rows, and what
  /// the configuration claims instead.
  ///
  /// - Parameter state: its place in the cell's `states`.
  private func judge(
    _ line: inout TermsLine, _ state: Int, _ tallies: [TermsCell.Tally], _ scope: TermsScope
  ) {
    var best: (state: Int, rows: Int64)?
    for other in cell.states.indices where other != state {
      let rate = context.priceBook.held(cell.states[other], scope, on: line.to).rate
      guard rate != line.terms.rate else { continue }
      let rows = tallies.reduce(0) { $1.isExplained(by: other) ? $0 + $1.rows : $0 }
      if rows > best?.rows ?? 0 { best = (other, rows) }
    }
    let explained = tallies.reduce(0) { $1.isExplained(by: state) ? $0 + $1.rows : $0 }
    if let best {
      var (own, others): (Int64, Int64) = (0, 0)
      for tally in tallies {
        if tally.shows(state, not: best.state) { own += tally.rows }
        if tally.shows(best.state, not: state) { others += tally.rows }
      }
      line.runnerUp = context.priceBook.held(cell.states[best.state], scope, on: line.to)
      if own + others > 0 { line.confidence = own * 1_000_000 / (own + others) }
    } else if explained > 0 {
      line.confidence = 1_000_000
    }
    let configured = context.priceBook.configured(scope, on: line.to)
      .completed(by: cell.states[state])
    let claimed = context.priceBook.held(configured, scope, on: line.to)
    if claimed.rate != line.terms.rate { line.configured = claimed }
  }

  /// The changes of a group's terms within the period or at its beginning, currency by currency.
  ///
  /// - Parameter parts: the group's lines, in the order of outputs.
  private func changes(of group: Group, _ parts: [Part]) -> [TermsChange] {
    let scope = scope(of: group)
    var changes: [TermsChange] = []
    for currency in Set(parts.map(\.line.proceeds.currency)).sorted(by: { $0.code < $1.code }) {
      let own = parts.filter { $0.line.proceeds.currency == currency }
      var before: HeldTerms?
      if hasEarlier {
        let eve = context.period.first.advanced(by: -1)
        before = context.priceBook.held(cell.states[0], scope, on: eve)
      }
      for part in own {
        if let before, before.rate != part.line.terms.rate, part.line.rows > 0,
          context.period.contains(part.line.from)
        {
          changes.append(
            TermsChange(
              line: part.line, before: before,
              begins: part.begins ?? part.line.from...part.line.from,
              effect: effect(of: part, group, before, scope)))
        }
        before = part.line.terms
      }
    }
    return changes
  }

  /// What the rows of a part bring more than they would at the terms before, micro-units.
  ///
  /// - Parameters:
  ///   - part: a line of the group.
  ///   - products: the group.
  ///   - before: the terms that held until the line's first day.
  private func effect(
    of part: Part, _ products: Group, _ before: HeldTerms, _ scope: TermsScope
  ) -> Int64 {
    let sales = cell.sales.lazy.map { all.groups[Int($0.group)] }.filter {
      (products.own?.contains($0.sku) ?? true)
        && $0.terms.customerCurrency == part.line.proceeds.currency
    }
    let days = Set(part.tallies.map(\.day))
    let skus = Set(sales.filter { days.contains($0.begin) }.map(\.sku))
    var known: [Int32: Int64] = [:]
    var effect: Int64 = 0
    for group in sales
    where part.line.from <= group.begin && group.begin <= part.line.to && skus.contains(group.sku) {
      let old =
        known[group.series]
        ?? context.priceBook.expectation(
          under: before, of: scope, currency: part.line.proceeds.currency, price: group.price,
          day: group.begin
        ).proceeds
      known[group.series] = old
      effect += (abs(group.terms.proceeds) - old).multipliedExactly(by: group.units)
    }
    return effect
  }
}
