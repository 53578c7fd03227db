package import Billing

/// Looks for clocks that are off: pairs that belong together stand far apart by the same quarter
/// hours, again and again. Four steps, each by times that the one before corrected: the company's
/// words against Apple's of the same transactions; orders against purchases; all of the company's
/// against Apple's report days; orders against purchases again, by less than a quarter hour.
/// A month whose clocks are right costs one pass over its pairs and one over its purchases.
package struct ClockSearch {
  /// Their orders and transactions are the table's, unless some clock was set right.
  private(set) var facts: MonthFacts
  /// Matched by ids alone; it keeps what it changed.
  private(set) var table: MatchTable
  let context: MatchingContext
  private var correction = ClockCorrection()

  /// Finds clocks that are off, and corrects facts and table by them; where none is, both stay.
  ///
  /// - Parameter files: returns the files of orders and of transactions, each ascending by first
  ///   row; called only where something is off.
  /// - Precondition: the table keeps what it changed.
  package static func clocks(
    _ facts: MonthFacts, _ table: MatchTable, _ context: MatchingContext,
    files: () throws -> ([RowFile<OrderRow>], [RowFile<TransactionRow>])
  ) rethrows -> FoundClocks {
    var search = ClockSearch(facts, table, context)
    let doubles = search.doubles()
    let told = search.peaks { count in
      for double in doubles { count(search.quarter(ofDouble: double)) }
    }
    if !told.isEmpty {
      let files = try files().1
      search.apply(told.compactMap { search.rule($0, doubles, files) })
    }
    // Most clocks are right, and then each look is one at the same table.
    let ((pairs, peaks), (verdict, leads)) = inTwoThreads(
      { [search] in
        let pairs = search.pairs()
        let peaks = search.peaks(right: search.countedPairs) { count in
          search.forEach(of: pairs) { count($0.quarter) }
        }
        return (pairs, peaks)
      }, { [search] in (search.verdictOnAll(), search.leads()) })
    var found: [(ClockShift, [ClockRule])] = []
    if !peaks.isEmpty {
      let (orders, transactions) = try files()
      found = peaks.compactMap { search.rule($0, pairs, orders, transactions) }
      search.apply(found)
    }
    let all = search.correctAll(found.isEmpty ? verdict : search.verdictOnAll())
    search.correctSkew(found.isEmpty && !all.isShifted ? leads : search.leads())
    return FoundClocks(
      correction: search.correction, facts: search.facts, table: search.table,
      unclear: all.unclear)
  }

  private init(_ facts: MonthFacts, _ table: MatchTable, _ context: MatchingContext) {
    self.facts = facts
    self.table = table
    self.context = context
  }

  /// Keeps what was found, corrects the facts by its rules, and matches them anew by ids alone.
  private mutating func apply(_ found: [(ClockShift, [ClockRule])]) {
    if found.isEmpty { return }
    correction.shifts += found.map(\.0)
    (facts.orders, facts.transactions) = (table.ordersAsRead(), table.transactionsAsRead())
    correction.apply(found.flatMap(\.1), to: &facts, table)
    table = MatchTable(
      facts, catalogue: context.catalogue, requiresSigned: context.settings.requireSigned)
  }

  /// Finds quarter hours by which many pairs are apart, and few by the next one up: those who take
  /// long to pay make a slope, and no peak. The one with most pairs comes first.
  ///
  /// - Parameters:
  ///   - right: how many further pairs there are, which are not apart.
  ///   - quarters: calls `count` with the quarter hours of each pair; nil is left out.
  private func peaks(right: Int = 0, _ quarters: (_ count: (Int?) -> Void) -> Void) -> [Int] {
    let limit = Rules.clockQuarters
    var counts = [Int](repeating: 0, count: 2 * limit + 2)
    counts[limit] = right
    quarters { if let quarter = $0 { counts[quarter + limit] += 1 } }
    return (0...2 * limit).filter { place in
      place != limit && counts[place] >= Rules.clockPairs
        && counts[place] >= Rules.clockPeak * counts[place + 1]
    }.sorted { (counts[$1], $0) < (counts[$0], $1) }.map { $0 - limit }
  }

  // MARK: Apple's own words

  /// Positions of the company's rows, each with that of Apple's strongest row of its transaction.
  private func doubles() -> [(ours: Int, theirs: Int)] {
    let merged = table.mergedInto
    let sourceOfTerms = table.transactionTerms.map(\.factSource)
    func isCompanyRow(at position: Int32) -> Bool {
      sourceOfTerms[Int(table.transactions[Int(position)].terms)] == .company
    }
    return sortedByKey(count: merged.count) { UInt64(merged[$0].other) }.compactMap { item in
      let (other, kept) = merged[Int(item.index)]
      return isCompanyRow(at: other) && !isCompanyRow(at: kept) ? (Int(other), Int(kept)) : nil
    }
  }

  /// Whole quarter hours by which the company's time is later than Apple's; nil in between.
  func quarter(ofDouble double: (ours: Int, theirs: Int)) -> Int? {
    let apart =
      Int64(table.transactions[double.ours].purchasedAt)
      - Int64(table.transactions[double.theirs].purchasedAt)
    let quarter = Int((apart + (apart >= 0 ? 450 : -450)) / 900)
    return abs(apart - Int64(quarter) * 900) <= Rules.roundingOfTimes
      && abs(quarter) <= Rules.clockQuarters ? quarter : nil
  }

  /// Describes the company's clock that is `peak` quarter hours ahead of Apple's rows of the same
  /// transactions, and gives the rule to correct it; nil where no file or part stands out.
  private func rule(
    _ peak: Int, _ doubles: [(ours: Int, theirs: Int)], _ files: [RowFile<TransactionRow>]
  ) -> (ClockShift, [ClockRule])? {
    var pairs = [FilePairs](repeating: FilePairs(), count: max(files.count, 1))
    var proof: [TransactionRow.ID] = []
    /// Calls with each company's row, its file's index, and whether it is off by `peak`.
    func forEachDouble(_ body: (_ entry: TransactionEntry, _ file: Int, _ isApart: Bool) -> Void) {
      for double in doubles {
        let entry = table.transactions[double.ours]
        body(entry, file(of: entry.row, files), quarter(ofDouble: double) == peak)
      }
    }
    forEachDouble { entry, file, isApart in
      pairs[file].all += 1
      guard isApart else { return }
      pairs[file].add(entry.purchasedAt)
      if proof.count < Rules.proofRows { proof.append(entry.row) }
    }
    forEachDouble { entry, file, _ in
      if pairs[file].times?.contains(entry.purchasedAt) == true { pairs[file].between += 1 }
    }
    let parts = parts(ofDoubles: peak, pairs, files, doubles)
    let spans = joined(spans(pairs, files), parts.spans)
    if spans.isEmpty { return nil }
    let seconds = Int64(peak) * 900
    var shift = ClockShift(
      side: .transactions, seconds: seconds, files: names(of: files, pairs),
      pairs: pairs.reduce(0) { $0 + $1.apart }, allPairs: doubles.count, proof: .sameTransactions,
      transactions: proof)
    shift.part = parts.name
    shift.zone = zone(seconds, pairs)
    shift.isWhole = pairs.allSatisfy(\.isWholeOrRight)
    return (
      shift,
      [
        ClockRule(
          side: .transactions, seconds: Int32(seconds), step: 1, spans: spans, judgesPairs: false)
      ]
    )
  }

  // MARK: Orders and purchases

  /// Pairs that belong together. There are millions that ids tie, so these are not kept.
  struct Pairs {
    var count: Int
    /// Where hardly any are tied by ids.
    var lonely: [OrderPair]?
    var isByID: Bool { lonely == nil }
  }

  struct OrderPair {
    var order: Int
    var transaction: Int
    /// Quarter hours that they are apart by; nil for more than clocks are off by.
    var quarter: Int?
  }

  /// An order and a transaction, by position, as a pair with the quarter hours between them.
  private func pair(_ order: Int, _ transaction: Int) -> OrderPair {
    OrderPair(
      order: order, transaction: transaction,
      quarter: ClockCorrection.quarter(
        table.orders[order].placedAt, table.transactions[transaction].purchasedAt))
  }

  /// Pairs that ids tie; where hardly any are, those that are the only ones of their product and
  /// storefront for a day before and after.
  private func pairs() -> Pairs {
    var count = 0
    table.forEachPair { _, _ in count += 1 }
    if count + countedPairs >= Rules.clockPairs { return Pairs(count: count) }
    let lonely = lonelyPairs()
    return Pairs(count: lonely.count, lonely: lonely)
  }

  /// Calls with each pair: those without ids are listed, those that ids tie are the table's.
  func forEach(of pairs: Pairs, _ body: (OrderPair) -> Void) {
    if let lonely = pairs.lonely { return lonely.forEach(body) }
    table.forEachPair { body(pair($0, $1)) }
  }

  /// How many pairs Spark counted: none is apart, and no order comes after its purchase.
  private var countedPairs: Int { Int(facts.counts.count) }

  private struct Wares: Hashable {
    var sku: String
    var storefront: Storefront?
  }

  /// Open orders and purchases that are each other's only one of a product and storefront in a day.
  private func lonelyPairs() -> [OrderPair] {
    let standing = table.orderTerms.map { $0.status == .paid || $0.status == .fulfilled }
    let billable = table.transactionTerms.map(context.isBillable)
    var orders: [Wares: [(at: UInt32, place: Int)]] = [:]
    for index in table.orders.indices where table.isOpen(order: index) {
      let (entry, terms) = (table.orders[index], table.orderTerms[Int(table.orders[index].terms)])
      guard standing[Int(entry.terms)] else { continue }
      orders[Wares(sku: terms.sku, storefront: terms.storefront), default: []]
        .append((entry.placedAt, index))
    }
    if orders.isEmpty { return [] }
    var bought: [Wares: [(at: UInt32, place: Int)]] = [:]
    for index in table.transactions.indices where table.isOpen(transaction: index) {
      let entry = table.transactions[index]
      guard billable[Int(entry.terms)] else { continue }
      let terms = table.transactionTerms[Int(entry.terms)]
      bought[Wares(sku: terms.sku, storefront: terms.storefront), default: []]
        .append((entry.purchasedAt, index))
    }
    var pairs: [OrderPair] = []
    for (wares, ours) in orders {
      guard let theirs = bought[wares]?.sorted(by: Self.isEarlier) else { continue }
      let ours = ours.sorted(by: Self.isEarlier)
      let (near, back) = (Self.onlyOnes(ours, theirs), Self.onlyOnes(theirs, ours))
      for (place, other) in near.enumerated() {
        guard let other, back[other] == place else { continue }
        pairs.append(pair(ours[place].place, theirs[other].place))
      }
    }
    return pairs.sorted { $0.order < $1.order }
  }

  private static func isEarlier(_ left: (at: UInt32, place: Int), _ right: (at: UInt32, place: Int))
    -> Bool
  {
    (left.at, left.place) < (right.at, right.place)
  }

  /// For each moment the index in `others` of the only one within a day of it; nil where there is
  /// none or more. Both ascend by time (`at`, seconds since 1970).
  private static func onlyOnes(
    _ moments: [(at: UInt32, place: Int)], _ others: [(at: UInt32, place: Int)]
  ) -> [Int?] {
    var first = 0
    return moments.map { moment in
      while first < others.count, Int64(others[first].at) < Int64(moment.at) - 86_400 {
        first += 1
      }
      guard first < others.count, Int64(others[first].at) <= Int64(moment.at) + 86_400 else {
        return nil
      }
      let isAlone =
        first + 1 == others.count || Int64(others[first + 1].at) > Int64(moment.at) + 86_400
      return isAlone ? first : nil
    }
  }

  /// Describes whose clock puts orders `peak` quarter hours after their purchases, and gives the
  /// rule to correct it; nil where too few are, or where no id ties pairs and no file stands out.
  private func rule(
    _ peak: Int, _ pairs: Pairs, _ orderFiles: [RowFile<OrderRow>],
    _ transactionFiles: [RowFile<TransactionRow>]
  ) -> (ClockShift, [ClockRule])? {
    let none = FilePairs(share: pairs.isByID ? 90 : Rules.lonelyShare)
    var ours = [FilePairs](repeating: none, count: max(orderFiles.count, 1))
    var theirs = [FilePairs](repeating: none, count: max(transactionFiles.count, 1))
    var ofOrders = TermPairs(table.orderTerms.count)
    var ofTransactions = TermPairs(table.transactionTerms.count)
    var (apart, byApple) = (0, 0)
    var proof: (orders: [OrderRow.ID], transactions: [TransactionRow.ID]) = ([], [])
    /// Calls with both sides of each of `pairs`, and whether they are apart by `peak`.
    func forEachPair(
      _ body: (_ order: OrderEntry, _ bought: TransactionEntry, _ isApart: Bool) -> Void
    ) {
      forEach(of: pairs) { pair in
        body(
          table.orders[pair.order], table.transactions[pair.transaction], pair.quarter == peak)
      }
    }
    forEachPair { o, t, isApart in
      let (f, g) = (file(of: o.row, orderFiles), file(of: t.row, transactionFiles))
      ours[f].all += 1
      theirs[g].all += 1
      ofOrders.add(o.terms, isApart)
      ofTransactions.add(t.terms, isApart)
      guard isApart else { return }
      apart += 1
      if table.transactionTerms[Int(t.terms)].factSource != .company { byApple += 1 }
      ours[f].add(o.placedAt)
      theirs[g].add(t.purchasedAt)
      if proof.orders.count < Rules.proofRows {
        proof.orders.append(o.row)
        proof.transactions.append(t.row)
      }
    }
    // They are from where most rows are from.
    if let place = ours.indices.max(by: { ours[$0].all < ours[$1].all }) {
      ours[place].all += countedPairs
    }
    if let place = theirs.indices.max(by: { theirs[$0].all < theirs[$1].all }) {
      theirs[place].all += countedPairs
    }
    let isMuch = Rules.clockShare * apart >= pairs.count + countedPairs
    guard
      isMuch || (ours + theirs).contains(where: \.isMostlyOff)
        || ofOrders.haveMostOf(orderTraits) || ofTransactions.haveMostOf(transactionTraits)
    else { return nil }
    forEachPair { o, t, _ in
      let (f, g) = (file(of: o.row, orderFiles), file(of: t.row, transactionFiles))
      if ours[f].times?.contains(o.placedAt) == true { ours[f].between += 1 }
      if theirs[g].times?.contains(t.purchasedAt) == true { theirs[g].between += 1 }
    }
    let seconds = Int64(peak) * 900
    var shift = ClockShift(
      side: .orders, seconds: seconds, files: [], pairs: apart, allPairs: pairs.count,
      isByID: pairs.isByID, proof: .none, orders: proof.orders, transactions: proof.transactions)
    var moved = ClockRule(
      side: .transactions, seconds: Int32(-seconds), step: 2,
      spans: spans(theirs, transactionFiles),
      judgesPairs: pairs.isByID)
    decide(&shift, byApple: byApple, ours, theirs, moved)
    if shift.side == .orders {
      shift.files = names(of: orderFiles, ours)
      let parts = parts(ofOrders: peak, ours, orderFiles, pairs)
      shift.part = parts.name
      shift.zone = zone(seconds, ours)
      shift.isWhole = ours.allSatisfy(\.isWholeOrRight)
      let rule = ClockRule(
        side: .orders, seconds: Int32(seconds), step: 2,
        spans: joined(spans(ours, orderFiles), parts.spans), judgesPairs: pairs.isByID)
      return pairs.isByID || !rule.spans.isEmpty ? (shift, [rule]) : nil
    }
    shift.seconds = -seconds
    shift.files = names(of: transactionFiles, theirs)
    let parts = parts(ofTransactions: peak, theirs, transactionFiles, pairs)
    shift.part = parts.name
    shift.zone = zone(-seconds, theirs)
    shift.isWhole = theirs.allSatisfy(\.isWholeOrRight)
    moved.spans = joined(moved.spans, parts.spans)
    return pairs.isByID || !moved.spans.isEmpty ? (shift, [moved]) : nil
  }

  /// Sets in `shift` whose clock is off: the orders', where a tenth of its pairs (`byApple`) have
  /// Apple's own times; else the side whose files alone are mostly off (`ours` has pairs by file of
  /// orders, `theirs` of transactions); else Apple's reports tell whether `moved` makes them fit.
  private func decide(
    _ shift: inout ClockShift, byApple: Int, _ ours: [FilePairs], _ theirs: [FilePairs],
    _ moved: ClockRule
  ) {
    if 10 * byApple >= shift.pairs {
      shift.proof = .apple
      return
    }

    /// Whether nine in ten pairs apart are in files mostly off, and under half on the other side.
    func isAlone(_ files: [FilePairs], than others: [FilePairs]) -> Bool {
      let mostly = files.filter(\.isMostlyOff).reduce(0) { $0 + $1.apart }
      let otherwise = others.filter(\.isMostlyOff).reduce(0) { $0 + $1.apart }
      return 10 * mostly >= 9 * shift.pairs && 2 * otherwise < shift.pairs
    }
    if isAlone(ours, than: theirs) {
      shift.proof = .files
    } else if isAlone(theirs, than: ours) {
      shift.proof = .files
      shift.side = .transactions
    } else {
      let clock = ReportClock(facts, table, context)
      var (other, trial) = (facts, ClockCorrection())
      (other.orders, other.transactions) = (table.ordersAsRead(), table.transactionsAsRead())
      trial.apply([moved], to: &other, table)
      let before = clock.residual(of: clock.counts())
      let after = clock.residual(of: clock.counts(of: other.transactions))
      if before - after > Rules.boundaryDoubt {
        shift.side = .transactions
        shift.proof = .reports(before: before, after: after)
      } else if after - before > Rules.boundaryDoubt {
        shift.proof = .reports(before: after, after: before)
      }
    }
  }

  // MARK: A little ahead

  /// How many pairs' orders come how many seconds after their purchases.
  private struct Leads {
    /// By second, from 1 to ``Rules.clockTolerance``.
    private var late = [Int](repeating: 0, count: Int(Rules.clockTolerance) + 1)
    private(set) var count = 0
    fileprivate(set) var all = 0

    /// Counts a pair, by the seconds from its purchase to its order.
    mutating func add(_ lead: Int64) {
      guard abs(lead) <= Rules.clockSlack else { return }
      all += 1
      guard lead > 0, lead < late.count else { return }
      count += 1
      late[Int(lead)] += 1
    }

    /// Seconds by which the orders' clock is ahead: by the furthest lead that is not alone; 0 where
    /// few orders come late, as some do whatever the clock.
    var skew: Int64 {
      guard count >= Rules.clockPairs, count * Rules.skewShare >= all else { return 0 }
      let fewest = max(Rules.skewNeighbours, count / Rules.skewTail)
      for lead in late.indices.reversed() where late[lead] > 0 {
        let beside = late[max(lead - Rules.skewStep, 1)...lead].reduce(0, +)
        if beside > fewest { return Int64(lead) }
      }
      return 0
    }
  }

  /// How orders stand to the purchases that Apple tells of and to the company's own.
  private struct AllLeads {
    var apple = Leads()
    var company = Leads()
    var orders: [OrderRow.ID] = []
    var transactions: [TransactionRow.ID] = []
  }

  /// How the orders of all pairs stand to their purchases, and rows that show late ones.
  private func leads() -> AllLeads {
    let isCompany = table.transactionTerms.map { $0.factSource == .company }
    var leads = AllLeads()
    leads.company.all = countedPairs
    table.forEachPair { order, transaction in
      let lead =
        Int64(table.orders[order].placedAt) - Int64(table.transactions[transaction].purchasedAt)
      if isCompany[Int(table.transactions[transaction].terms)] {
        leads.company.add(lead)
      } else {
        leads.apple.add(lead)
      }
      if lead > 0, lead <= Rules.clockTolerance, leads.orders.count < Rules.proofRows {
        leads.orders.append(table.orders[order].row)
        leads.transactions.append(table.transactions[transaction].row)
      }
    }
    return leads
  }

  /// Sets right a clock that is a little ahead: an order is placed before Apple sells, and many
  /// pairs say otherwise by less than a quarter hour. What Apple told is right; of two tables of
  /// the company nothing tells which, and the orders are moved.
  private mutating func correctSkew(_ all: AllLeads) {
    let byApple = all.apple.skew
    // Where Apple's own times agree with the orders, the table of transactions is behind.
    let isTables = byApple == 0 && all.apple.all >= Rules.clockPairs
    let leads = byApple > 0 ? all.apple : all.company
    let seconds = byApple > 0 ? byApple : all.company.skew
    guard seconds > 0 else { return }
    var shift = ClockShift(
      side: .orders, seconds: seconds, files: [], pairs: leads.count, allPairs: leads.all,
      proof: byApple > 0 || isTables ? .apple : .none, orders: all.orders,
      transactions: all.transactions)
    shift.isSkew = true
    if isTables { (shift.side, shift.seconds) = (.transactions, -seconds) }
    let rule = ClockRule(
      side: isTables ? .transactions : .orders, seconds: Int32(shift.seconds), step: 4,
      spans: [.all], judgesPairs: false)
    apply([(shift, [rule])])
  }

  // MARK: All clocks together

  /// What Apple's reports say of all clocks together. Orders and purchases that agree may both be
  /// off: then no zone of Apple's fits its reports, and one shift makes all storefronts fit.
  private func verdictOnAll() -> ReportClock.Verdict {
    let clock = ReportClock(facts, table, context)
    return clock.verdict(clock.counts())
  }

  /// Sets all clocks right by one shift, where the verdict has one; returns whether it has, and as
  /// `unclear`, where several would explain the days, the units on other days and all units.
  private mutating func correctAll(
    _ verdict: ReportClock.Verdict
  ) -> (isShifted: Bool, unclear: (units: Int64, all: Int64)?) {
    switch verdict {
    case .fits: return (false, nil)
    case .unclear(let units, let all): return (false, (units, all))
    case .shifted(let quarters, let before, let after):
      let seconds = Int32(quarters * 900)
      let rules = [ClockRule.Side.orders, .transactions].map {
        ClockRule(side: $0, seconds: seconds, step: 3, spans: [.all], judgesPairs: false)
      }
      let shift = ClockShift(
        side: .both, seconds: Int64(seconds), files: [], pairs: 0, allPairs: 0,
        proof: .reports(before: before, after: after), orders: table.orders.prefix(1).map(\.row),
        transactions: table.transactions.prefix(1).map(\.row))
      apply([(shift, rules)])
      return (true, nil)
    }
  }
}
