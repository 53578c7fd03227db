import Billing
import Conclusions

/// Apple's subscription reports and the ledger's chains side by side, with what of their
/// differences no boundary explains.
struct SubscriptionComparison {
  private(set) var lines: [SubscriptionReportLine] = []
  private(set) var findings: [UnresolvedFinding] = []
  private(set) var proceeds = ToldProceeds()

  private let reported: ReportedSubscriptions
  private let own: OwnSubscriptions
  private let active: ActiveSubscriptions
  /// Places of the period's days.
  private let period: ClosedRange<Int>

  /// What differs in one cell: Apple's less the ledger's, by kind and day.
  fileprivate struct Differences {
    var kinds: [SubscriptionEventKind: UnexplainedDays] = [:]
    /// Purchases and cancellations that differ: each moves the number of active ones by one.
    var moving: UnitsByDay
    /// Purchases and refunds that Apple has further, and those that it lacks.
    var further: UnitsByDay
    var lacking: UnitsByDay
    let days: Range<Int>

    init(_ days: Range<Int>) {
      self.days = days
      moving = UnitsByDay(days.count)
      (further, lacking) = (moving, moving)
    }

    /// What no boundary explains of a kind on a day: Apple's less the ledger's.
    func left(_ kind: SubscriptionEventKind, _ day: Int) -> Int64 { kinds[kind]?.left[day] ?? 0 }
  }

  /// Compares all products and storefronts that either side has.
  init(
    _ reported: ReportedSubscriptions, _ own: OwnSubscriptions, _ active: ActiveSubscriptions,
    _ context: MatchingContext
  ) {
    (self.reported, self.own, self.active) = (reported, own, active)
    period = 1...context.period.dayCount
    var keys = Set(reported.cells.keys).union(own.cells.keys)
    keys.formUnion(active.possible.keys)
    for key in keys.sorted() { compare(key) }
  }

  private var days: SubscriptionDays { own.days }

  /// Compares what both sides have of one product in one storefront, and adds its line.
  private mutating func compare(_ key: SubscriptionCellKey) {
    var line = SubscriptionReportLine(sku: key.sku, storefront: key.storefront)
    var differences = Differences(days.indices)
    if reported.hasReports(.event) { compareEvents(key, &differences, &line) }
    if reported.hasReports(.subscriber) { compareSubscribers(key, differences, &line) }
    if reported.hasReports(.subscription) { compareActive(key, differences, &line) }
    if line.hasFigures { lines.append(line) }
  }

  // MARK: Events

  /// Compares events by kind and day, with a finding for each day that differs.
  private mutating func compareEvents(
    _ key: SubscriptionCellKey, _ differences: inout Differences,
    _ line: inout SubscriptionReportLine
  ) {
    for kind in SubscriptionEventKind.allCases {
      let unexplained = own.differences(key, kind, reported)
      differences.kinds[kind] = unexplained
      line.moved += unexplained.moved
    }
    differences.joinPurchases()
    differences.joinCancellations()
    differences.noteConsequences()
    let known = period.filter { reported.isKnown($0, .event, key.sku) }
    line.days = known.count
    /// Apple's and the ledger's number of events of some kinds over the days with a report; nil
    /// where no day has one.
    func compared(_ kinds: SubscriptionEventKind...) -> ComparedCount? {
      known.isEmpty
        ? nil
        : kinds.reduce(ComparedCount(apple: 0, ledger: 0)) { sum, kind in
          let apple = reported.cells[key]?.events[kind.rawValue]
          let mine = own.own(key, kind)
          return known.reduce(sum) {
            ComparedCount(apple: $0.apple + (apple?[$1] ?? 0), ledger: $0.ledger + mine[$1].count)
          }
        }
    }
    line.starts = compared(.start, .offer)
    line.renewals = compared(.renewal)
    line.cancellations = compared(.cancellation)
    line.refunds = compared(.refund)
    for day in period { addFinding(key, day, &differences, &line) }
  }

  /// Adds one finding for what differs in a product and storefront on a day, if anything does.
  private mutating func addFinding(
    _ key: SubscriptionCellKey, _ day: Int, _ differences: inout Differences,
    _ line: inout SubscriptionReportLine
  ) {
    var parts: [Wording] = []
    var units: Int64 = 0
    var candidates: [TransactionRow.ID] = []
    for kind in SubscriptionEventKind.allCases {
      let left = differences.left(kind, day)
      guard left != 0 else { continue }
      units += abs(left)
      parts.append(
        words(key, kind, day, left, shifted: differences.takeShifted(kind, day)))
      let mine = left < 0 ? kind : .cancellation
      candidates += own.events(key, mine, day).map { own.events[$0].period.row }
    }
    guard let first = parts.first else { return }
    line.unexplained += units
    var finding = UnresolvedFinding(
      .subscriptionEventsDiffer, storefront: key.storefront, day: days.day(day), sku: key.sku,
      units: units, transactions: Array(Set(candidates).sorted().prefix(Rules.namedRows)),
      explanation: parts.dropFirst().reduce(first) { "\($0); \($1)" })
    finding.places = Array(
      (reported.cells[key]?.eventRows[day] ?? []).prefix(Rules.namedRows))
    findings.append(finding)
  }

  /// The explanation of what differs of a kind of event on a day.
  ///
  /// - Parameters:
  ///   - left: Apple's less the ledger's.
  ///   - shifted: the place of the other day on which it stands; nil where there is none.
  private func words(
    _ key: SubscriptionCellKey, _ kind: SubscriptionEventKind, _ day: Int, _ left: Int64,
    shifted: Int?
  ) -> Wording {
    let apple = reported.cells[key]?.events[kind.rawValue][day] ?? 0
    let mine = grouped(own.own(key, kind)[day].count)
    let theirs = kind.words(apple)
    guard let shifted else {
      return "@subscription.apple-event-report-has \(theirs) \(mine)"
    }
    let other = days.day(shifted)
    return left < 0
      ? "@subscription.apple-event-report-has-the-ledger-has \(theirs) \(mine) \(other)"
      : "@subscription.apple-event-report-has-the-ledger \(theirs) \(mine) \(other)"
  }

  // MARK: Subscribers

  /// Compares the rows of the subscriber report with the ledger's purchases and refunds, one by
  /// one.
  private mutating func compareSubscribers(
    _ key: SubscriptionCellKey, _ differences: Differences, _ line: inout SubscriptionReportLine
  ) {
    let isKnown = (0..<days.count).map { reported.isKnown($0, .subscriber, key.sku) }
    var candidates: [SubscriberMatches.Candidate] = []
    for kind in SubscriptionEventKind.allCases where kind.isPurchase || kind == .refund {
      for day in 0..<days.count {
        for event in own.events(key, kind, day) {
          let (own, period) = (own.events[event], own.events[event].period)
          guard kind != .refund || own.isCertain else { continue }
          candidates.append(
            SubscriberMatches.Candidate(
              event: event, day: day, beside: self.own.beside(own, day), isRefund: kind == .refund,
              price: period.price, currency: period.currency))
        }
      }
    }
    candidates.sort { $0.event < $1.event }
    let sales = reported.cells[key]?.sales ?? []
    let matches = SubscriberMatches(sales, candidates, from: days.first, isKnown: isKnown)
    var money: [Currency: Money] = [:]
    for (event, told) in matches.proceeds where isInPeriod(event) {
      let found = own.events[event]
      let list: WritableKeyPath<ToldProceeds, [TransactionRow.ID: SubscriberProceeds]> =
        found.kind == .refund ? \.refunds : \.purchases
      proceeds[keyPath: list][found.period.row] = told
    }
    for sale in sales where period.contains(sale.day) {
      guard let amount = sale.proceeds, let currency = sale.proceedsCurrency else { continue }
      let all = Money(micros: amount, currency) * (sale.isRefund ? -sale.units : sale.units)
      money[currency, default: .zero(currency)] += all
    }
    line.proceeds = money.sorted { $0.key < $1.key }.map(\.value)
    line.moved += matches.moved
    let rows = sales.filter { period.contains($0.day) && isKnown[$0.day] }
    if period.contains(where: { isKnown[$0] }) {
      let mine = candidates.filter { period.contains($0.day) && isKnown[$0.day] }
      line.subscribers = ComparedCount(
        apple: rows.reduce(0) { $0 + $1.units }, ledger: Int64(mine.count))
    }
    addFindings(key, matches, differences, &line)
  }

  /// Whether an event, named by its index, is of one of the period's days.
  private func isInPeriod(_ event: Int) -> Bool {
    let found = own.events[event]
    return days.index(found.at, in: found.period.storefront).map(period.contains) ?? false
  }

  /// Adds findings about rows without a transaction, transactions without a row, and other prices,
  /// by day.
  private mutating func addFindings(
    _ key: SubscriptionCellKey, _ matches: SubscriberMatches, _ differences: Differences,
    _ line: inout SubscriptionReportLine
  ) {
    // What the events of a day have, or lack, too is one cause.
    var (toldFurther, toldLacking) = (differences.further, differences.lacking)
    var further: [Int: [SubscriberSale]] = [:]
    for (sale, units) in matches.rowsLeft where period.contains(sale.day) {
      var sale = sale
      sale.units = units
      further[sale.day, default: []].append(sale)
    }
    var missing: [Int: [Int]] = [:]
    for event in matches.eventsLeft {
      guard let day = days.index(own.events[event].at, in: key.storefront), period.contains(day)
      else { continue }
      missing[day, default: []].append(event)
    }
    for (day, sales) in further.sorted(by: { $0.key < $1.key }) {
      let units = sales.reduce(0) { $0 + $1.units }
      guard toldFurther.take(units, near: day) < units else { continue }
      line.unexplained += units
      add(
        key, day, units, sales.map(\.row),
        counted(units, "@subscription.apple-subscriber-report-has-1") {
          "@subscription.apple-subscriber-report-has-purchases \($0)"
        })
    }
    for (day, events) in missing.sorted(by: { $0.key < $1.key }) {
      let units = Int64(events.count)
      guard toldLacking.take(units, near: day) < units else { continue }
      line.unexplained += units
      add(
        key, day, units, [],
        counted(units, "@subscription.apple-subscriber-report-lacks-1") {
          "@subscription.apple-subscriber-report-lacks-purchases \($0)"
        }, events)
    }
    let prices = Dictionary(grouping: matches.otherPrices) { $0.sale.day }
    for (day, pairs) in prices.sorted(by: { $0.key < $1.key }) where period.contains(day) {
      let (sale, event) = (pairs[0].sale, own.events[pairs[0].event])
      let theirs = spoken(sale.price, sale.currency)
      let mine = spoken(event.period.price, event.period.currency)
      add(
        key, day, Int64(pairs.count), pairs.map(\.sale.row),
        counted(
          pairs.count, "@subscription.purchase-is-at-in-apple \(theirs) \(mine)"
        ) {
          "@subscription.purchases-have-another-price \($0) \(theirs) \(mine)"
        }, pairs.map(\.event))
    }
  }

  /// Adds a finding about rows of the subscriber report, or transactions that it lacks, on a day.
  ///
  /// - Parameters:
  ///   - rows: indices of the report's rows.
  ///   - events: indices of the ledger's events.
  private mutating func add(
    _ key: SubscriptionCellKey, _ day: Int, _ units: Int64, _ rows: [Int], _ words: Wording,
    _ events: [Int] = []
  ) {
    var finding = UnresolvedFinding(
      .subscriberDiffers, storefront: key.storefront, day: days.day(day), sku: key.sku,
      units: units,
      transactions: Array(
        Set(events.map { own.events[$0].period.row }).sorted().prefix(Rules.namedRows)),
      explanation: words)
    finding.places = rows.sorted().prefix(Rules.namedRows).map(reported.place(ofSubscriber:))
    findings.append(finding)
  }

  // MARK: Active subscriptions

  /// Compares active subscriptions at the ends of days. A difference is told on the day on which it
  /// arises, not on each day on which it stands.
  private mutating func compareActive(
    _ key: SubscriptionCellKey, _ differences: Differences, _ line: inout SubscriptionReportLine
  ) {
    let known = period.filter { reported.isKnown($0, .subscription, key.sku) }
    guard let last = known.last else { return }
    let apple = reported.cells[key]?.active
    // What stood at the end of the day before the period did not arise in it.
    var level: Int64 = 0
    var isOpening = true
    var moving = differences.moving
    let before = reported.isKnown(0, .subscription, key.sku) ? [0] : []
    for day in before + known {
      let figure = apple?[day] ?? 0
      let range = active.range(key, day)
      let next = min(max(level, figure - range.upperBound), figure - range.lowerBound)
      defer { (level, isOpening) = (next, false) }
      guard abs(next) > abs(level) || (next != 0 && (next > 0) != (level > 0)) else { continue }
      let change = abs(next - level)
      if isOpening {
        add(key, day, figure, range, change, opening: true)
        continue
      }
      let explained = moving.take(change, near: day)
      guard change > explained else { continue }
      line.unexplained += change - explained
      add(key, day, figure, range, change - explained, opening: false)
    }
    let end = active.range(key, last)
    let figure = apple?[last] ?? 0
    line.active = ComparedCount(
      apple: figure, ledger: min(max(figure, end.lowerBound), end.upperBound))
  }

  /// Adds a finding about active subscriptions at a day's end.
  ///
  /// - Parameters:
  ///   - own: how many the ledger has, at least and at most.
  ///   - units: by how much the difference changed.
  ///   - opening: whether it was there before the period.
  private mutating func add(
    _ key: SubscriptionCellKey, _ day: Int, _ apple: Int64, _ own: ClosedRange<Int64>,
    _ units: Int64, opening: Bool
  ) {
    let mine =
      own.lowerBound == own.upperBound
      ? grouped(own.lowerBound) : "\(grouped(own.lowerBound))–\(grouped(own.upperBound))"
    let date = days.day(day)
    let figures = counted(
      apple, "@subscription.apple-counts-1-active-subscription \(date) \(mine)"
    ) { "@subscription.apple-counts-active-subscriptions \($0) \(date) \(mine)" }
    var finding = UnresolvedFinding(
      .subscriptionsDiffer, storefront: key.storefront, day: days.day(max(day, 1)), sku: key.sku,
      units: units,
      explanation: opening
        ? "@subscriptions-differ.difference-was-there \(figures)"
        : "@subscriptions-differ.that-day-the-difference-changed \(figures) \(grouped(units))")
    if opening {
      finding.severity = .info
      // Of the first day there may be another one, which has all else in common with it.
      finding.documents = ["opening"]
    }
    finding.places = Array((reported.cells[key]?.activeRows[day] ?? []).prefix(Rules.namedRows))
    finding.transactions = Array(
      self.own.events(key, .cancellation, day).map { self.own.events[$0].period.row }
        .sorted().prefix(Rules.namedRows))
    findings.append(finding)
  }
}

extension SubscriptionEventKind {
  /// A number of events of the kind as text: `1 renewal`, `2 renewals`.
  fileprivate func words(_ count: Int64) -> Wording {
    switch self {
    case .start: counted(count, "@subscription.1-start") { "@subscription.starts \($0)" }
    case .offer:
      counted(count, "@subscription.1-start-at-an-offer") {
        "@subscription.starts-at-an-offer \($0)"
      }
    case .renewal: counted(count, "@subscription.1-renewal") { "@subscription.renewals \($0)" }
    case .cancellation:
      counted(count, "@subscription.1-cancellation") { "@subscription.cancellations \($0)" }
    case .refund: counted(count, "@subscription.1-refund") { "@subscription.refunds \($0)" }
    }
  }
}

extension SubscriptionDays {
  /// The places of all days.
  var indices: Range<Int> { 0..<count }
}

extension SubscriptionReportLine {
  /// Whether there is anything to show.
  fileprivate var hasFigures: Bool {
    [starts, renewals, cancellations, refunds, active, subscribers].contains {
      $0.map { $0.apple != 0 || $0.ledger != 0 } ?? false
    }
  }
}

extension SubscriptionComparison.Differences {
  /// Explains kinds of purchases that differ on one day by each other. Apple may call a start or a
  /// renewal otherwise than the ledger's terms do: what one kind has more and another less on the
  /// same day is one purchase.
  fileprivate mutating func joinPurchases() {
    let kinds = SubscriptionEventKind.allCases.filter(\.isPurchase)
    for day in days {
      for more in kinds {
        for less in kinds where left(more, day) > 0 && left(less, day) < 0 {
          let units = min(left(more, day), -left(less, day))
          explain(more, units, day)
          explain(less, -units, day)
        }
      }
    }
  }

  /// Explains cancellations by purchases that the other side has. Where the ledger lacks a renewal
  /// its chain seems to end, and where it has one too many Apple's does: that is no cancellation of
  /// its own.
  fileprivate mutating func joinCancellations() {
    var (further, lacking) = (UnitsByDay(days.count), UnitsByDay(days.count))
    for day in days {
      for kind in SubscriptionEventKind.allCases where kind.isPurchase {
        further.add(max(left(kind, day), 0), on: day)
        lacking.add(max(-left(kind, day), 0), on: day)
      }
    }
    for day in days {
      let other = left(.cancellation, day)
      let units =
        other > 0
        ? lacking.take(other, near: day) : -further.take(-other, near: day)
      if units != 0 { explain(.cancellation, units, day) }
    }
  }

  /// Notes what events that still differ explain of active subscriptions and subscribers: what is
  /// left is told of the events, and not again of what follows from it.
  fileprivate mutating func noteConsequences() {
    for day in days {
      for kind in SubscriptionEventKind.allCases {
        let units = left(kind, day)
        if kind != .refund { moving.add(abs(units), on: day) }
        guard kind != .cancellation else { continue }
        further.add(max(units, 0), on: day)
        lacking.add(max(-units, 0), on: day)
      }
    }
  }

  /// Subtracts units that have a cause from what differs of a kind on a day.
  ///
  /// - Parameter units: above zero where Apple has more than the ledger.
  private mutating func explain(_ kind: SubscriptionEventKind, _ units: Int64, _ day: Int) {
    kinds[kind]!.explain(units, on: day)
  }

  /// Looks on the next day for the opposite difference, as of events that Apple has a day earlier
  /// or later than the ledger, and sets that day's difference to zero, so that both are told once.
  ///
  /// - Parameter day: the place of the first day.
  /// - Returns: the place of the next day; nil where it does not have the opposite difference.
  fileprivate mutating func takeShifted(_ kind: SubscriptionEventKind, _ day: Int) -> Int? {
    let here = left(kind, day)
    let next = day + 1
    guard days.contains(next), left(kind, next) == -here else { return nil }
    explain(kind, -here, next)
    return next
  }
}
