package import Billing

/// Looks for clocks that are off: pairs that ids tie together stand far apart by the same quarter
/// hours, again and again.
///
/// A month whose clocks are right costs one pass over its pairs and one over its purchases.
package struct ClockSearch {
  private let facts: MonthFacts
  /// Matched by ids alone.
  private let table: MatchTable
  private let context: MatchingContext
  private var correction: ClockCorrection

  /// What is to be corrected; nil where no clock is off.
  ///
  /// - Parameter files: the files of orders and of transactions by their first rows, ascending;
  ///   asked for only where something is off.
  package static func correction(
    _ facts: MonthFacts, _ table: MatchTable, _ context: MatchingContext,
    files: () throws -> ([RowFile<OrderRow>], [RowFile<TransactionRow>])
  ) rethrows -> ClockCorrection? {
    var search = ClockSearch(facts, table, context)
    let peaks = search.peaks()
    if !peaks.isEmpty {
      let (orders, transactions) = try files()
      for peak in peaks { search.correct(peak, orders, transactions) }
    }
    search.correctAll()
    search.correctSkew()
    return search.correction.shifts.isEmpty ? nil : search.correction
  }

  private init(_ facts: MonthFacts, _ table: MatchTable, _ context: MatchingContext) {
    self.facts = facts
    self.table = table
    self.context = context
    correction = ClockCorrection(orders: [], transactions: [])
  }

  // MARK: Pairs

  /// The quarter hours by which an order was placed after its purchase, 0 where that is as it is
  /// everywhere; nil beyond a day.
  private static func quarter(_ placedAt: UInt32, _ purchasedAt: UInt32) -> Int? {
    let apart = Int64(placedAt) - Int64(purchasedAt) + Rules.clockSlack
    let quarter = Int((apart >= 0 ? apart : apart - 899) / 900)
    return abs(quarter) <= Rules.clockQuarters ? quarter : nil
  }

  /// Calls for each purchase that an id ties to its order.
  private func forEachPair(_ body: (_ order: Int, _ transaction: Int) -> Void) {
    for index in table.transactions.indices {
      guard let order = table.orderOf[index].position, table.chains.role(of: index) == .original
      else { continue }
      body(order, index)
    }
  }

  /// Quarter hours that many pairs are apart and few are a quarter hour less: those who take long
  /// to pay make a slope, and no peak. The highest first.
  private func peaks() -> [Int] {
    let limit = Rules.clockQuarters
    var counts = [Int](repeating: 0, count: 2 * limit + 2)
    forEachPair { order, transaction in
      let quarter = Self.quarter(
        table.orders[order].placedAt, table.transactions[transaction].purchasedAt)
      if let quarter { counts[quarter + limit] += 1 }
    }
    return (0...2 * limit).filter { place in
      place != limit && counts[place] >= Rules.clockPairs
        && counts[place] >= Rules.clockPeak * counts[place + 1]
    }.sorted { (counts[$1], $0) < (counts[$0], $1) }.map { $0 - limit }
  }

  /// The pairs of one file.
  private struct FilePairs {
    var all = 0
    var apart = 0
    /// Times of those that are apart, by the file's own clock, and how many pairs lie between.
    var times: ClosedRange<UInt32>?
    var between = 0

    /// Whether the file's clock is off, at least from one moment to another.
    var isOff: Bool { apart >= Rules.clockPairs && 10 * apart >= 9 * between }
    var isWholeOff: Bool { apart >= Rules.clockPairs && 10 * apart >= 9 * all }
    var isMostlyOff: Bool { 2 * apart > all }

    mutating func add(_ moment: UInt32) {
      apart += 1
      times = min(times?.lowerBound ?? moment, moment)...max(times?.upperBound ?? moment, moment)
    }

    func contains(_ moment: UInt32) -> Bool {
      guard let times else { return false }
      return isWholeOff || times.contains(moment)
    }
  }

  private func file<Table>(of row: RowID<Table>, _ files: [RowFile<Table>]) -> Int {
    max(files.partitioningIndex { $0.firstRow > row } - 1, 0)
  }

  private mutating func correct(
    _ peak: Int, _ orderFiles: [RowFile<OrderRow>],
    _ transactionFiles: [RowFile<TransactionRow>]
  ) {
    var ours = [FilePairs](repeating: FilePairs(), count: max(orderFiles.count, 1))
    var theirs = [FilePairs](repeating: FilePairs(), count: max(transactionFiles.count, 1))
    var (pairs, all, byApple) = (0, 0, 0)
    var proof: (orders: [OrderRow.ID], transactions: [TransactionRow.ID]) = ([], [])
    func tally(_ body: (_ order: Int, _ transaction: Int, _ isApart: Bool) -> Void) {
      forEachPair { order, transaction in
        let isApart =
          Self.quarter(
            table.orders[order].placedAt, table.transactions[transaction].purchasedAt) == peak
        body(order, transaction, isApart)
      }
    }
    tally { order, transaction, isApart in
      let (o, t) = (table.orders[order], table.transactions[transaction])
      let (f, g) = (file(of: o.row, orderFiles), file(of: t.row, transactionFiles))
      ours[f].all += 1
      theirs[g].all += 1
      all += 1
      guard isApart else { return }
      pairs += 1
      if table.transactionTerms[Int(t.terms)].factSource != .company { byApple += 1 }
      ours[f].add(o.placedAt)
      theirs[g].add(t.purchasedAt)
      if proof.orders.count < Rules.proofRows {
        proof.orders.append(o.row)
        proof.transactions.append(t.row)
      }
    }
    tally { order, transaction, _ in
      let (o, t) = (table.orders[order], table.transactions[transaction])
      let (f, g) = (file(of: o.row, orderFiles), file(of: t.row, transactionFiles))
      if ours[f].times?.contains(o.placedAt) == true { ours[f].between += 1 }
      if theirs[g].times?.contains(t.purchasedAt) == true { theirs[g].between += 1 }
    }
    let isMuch = Rules.clockShare * pairs >= all
    guard isMuch || ours.contains(where: \.isMostlyOff) || theirs.contains(where: \.isMostlyOff)
    else { return }
    let seconds = Int64(peak) * 900
    let orders = moves(ofOrders: ours, orderFiles, seconds)
    let transactions = moves(ofTransactions: theirs, transactionFiles, -seconds)
    var shift = ClockShift(
      side: .orders, seconds: seconds, files: [], pairs: pairs, allPairs: all, proof: .none,
      orders: proof.orders, transactions: proof.transactions)
    decide(&shift, byApple: byApple, ours, theirs, transactions)
    if shift.side == .orders {
      shift.files = zip(orderFiles, ours).filter { $0.1.apart > 0 }.map(\.0.name)
      correction.add(orders: orders)
    } else {
      shift.seconds = -seconds
      shift.files = zip(transactionFiles, theirs).filter { $0.1.apart > 0 }.map(\.0.name)
      correction.add(transactions: transactions)
    }
    shift.files = Set(shift.files).sorted()
    correction.shifts.append(shift)
  }

  /// Whose clock it is: Apple's is right; of two kinds of files those that are off as a whole while
  /// others are not; else the reports tell.
  private func decide(
    _ shift: inout ClockShift, byApple: Int, _ ours: [FilePairs], _ theirs: [FilePairs],
    _ transactions: [Int32]
  ) {
    if 10 * byApple >= shift.pairs {
      shift.proof = .apple
      return
    }
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
      let before = clock.residual(of: clock.counts(ahead: correction.transactions))
      let after = clock.residual(
        of: clock.counts(ahead: correction.adding(transactions: transactions)))
      if before - after > Rules.boundaryDoubt {
        shift.side = .transactions
        shift.proof = .reports(before: before, after: after)
      } else if after - before > Rules.boundaryDoubt {
        shift.proof = .reports(before: after, after: before)
      }
    }
  }

  /// All rows of files that are off from one moment to another, and of other files those whose
  /// pairs show it.
  private func moves(
    ofOrders files: [FilePairs], _ names: [RowFile<OrderRow>], _ seconds: Int64
  ) -> [Int32] {
    var moves = [Int32](repeating: 0, count: facts.orders.count)
    for (index, entry) in facts.orders.enumerated() {
      let pairs = files[file(of: entry.row, names)]
      if pairs.isOff, pairs.contains(entry.placedAt) { moves[index] = Int32(seconds) }
    }
    forEachPair { order, transaction in
      let entry = facts.orders[order]
      if !files[file(of: entry.row, names)].isOff,
        isExplained(entry.placedAt, facts.transactions[transaction].purchasedAt, seconds)
      {
        moves[order] = Int32(seconds)
      }
    }
    return moves
  }

  private func moves(
    ofTransactions files: [FilePairs], _ names: [RowFile<TransactionRow>], _ seconds: Int64
  ) -> [Int32] {
    var moves = [Int32](repeating: 0, count: facts.transactions.count)
    let isCompany = facts.transactionTerms.map { $0.factSource == .company }
    for (index, entry) in facts.transactions.enumerated() where isCompany[Int(entry.terms)] {
      let pairs = files[file(of: entry.row, names)]
      if pairs.isOff, pairs.contains(entry.purchasedAt) { moves[index] = Int32(seconds) }
    }
    forEachPair { order, transaction in
      let entry = facts.transactions[transaction]
      if isCompany[Int(entry.terms)], !files[file(of: entry.row, names)].isOff,
        isExplained(facts.orders[order].placedAt, entry.purchasedAt, -seconds)
      {
        moves[transaction] = Int32(seconds)
      }
    }
    return moves
  }

  /// Whether a pair whose order may be that much too late is wrong as it stands and right with it.
  private func isExplained(_ placedAt: UInt32, _ purchasedAt: UInt32, _ seconds: Int64) -> Bool {
    let apart = Int64(placedAt) - Int64(purchasedAt)
    if seconds > 0 {
      return apart > Rules.clockTolerance && apart <= seconds + Rules.clockTolerance
    }
    return Self.quarter(placedAt, purchasedAt) == Int(seconds / 900)
  }

  // MARK: A little ahead

  /// How many pairs' orders come how many seconds after their purchases.
  private struct Leads {
    /// By second, from 1 to ``Rules.clockTolerance``.
    private var late = [Int](repeating: 0, count: Int(Rules.clockTolerance) + 1)
    private(set) var count = 0
    private(set) var all = 0

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

  /// An order is placed before Apple sells: where many pairs say otherwise by less than a quarter
  /// hour, one clock is a little ahead of the other. What Apple told is right; of two tables of the
  /// company nothing tells which, and the orders are moved.
  private mutating func correctSkew() {
    let moved = correction
    func placed(_ order: Int) -> Int64 {
      Int64(table.orders[order].placedAt) - (moved.orders.isEmpty ? 0 : Int64(moved.orders[order]))
    }
    func bought(_ transaction: Int) -> Int64 {
      Int64(table.transactions[transaction].purchasedAt)
        - (moved.transactions.isEmpty ? 0 : Int64(moved.transactions[transaction]))
    }
    let isCompany = table.transactionTerms.map { $0.factSource == .company }
    var (apple, company) = (Leads(), Leads())
    var proof: (orders: [OrderRow.ID], transactions: [TransactionRow.ID]) = ([], [])
    forEachPair { order, transaction in
      let lead = placed(order) - bought(transaction)
      if isCompany[Int(table.transactions[transaction].terms)] {
        company.add(lead)
      } else {
        apple.add(lead)
      }
      if lead > 0, lead <= Rules.clockTolerance, proof.orders.count < Rules.proofRows {
        proof.orders.append(table.orders[order].row)
        proof.transactions.append(table.transactions[transaction].row)
      }
    }
    let byApple = apple.skew
    // Where Apple's own times agree with the orders, the table of transactions is behind.
    let isTables = byApple == 0 && apple.all >= Rules.clockPairs
    let leads = byApple > 0 ? apple : company
    let seconds = byApple > 0 ? byApple : company.skew
    guard seconds > 0 else { return }
    var shift = ClockShift(
      side: .orders, seconds: seconds, files: [], pairs: leads.count, allPairs: leads.all,
      proof: byApple > 0 || isTables ? .apple : .none, orders: proof.orders,
      transactions: proof.transactions)
    shift.isSkew = true
    if isTables {
      (shift.side, shift.seconds) = (.transactions, -seconds)
      correction.add(
        transactions: facts.transactions.map { isCompany[Int($0.terms)] ? Int32(-seconds) : 0 })
    } else {
      correction.add(orders: Array(repeating: Int32(seconds), count: facts.orders.count))
    }
    correction.shifts.append(shift)
  }

  // MARK: All clocks together

  /// Orders and purchases that agree with each other may both be off: then no zone of Apple's fits
  /// its reports, and one and the same shift makes all storefronts fit.
  private mutating func correctAll() {
    let clock = ReportClock(facts, table, context)
    guard let found = clock.shiftOfAll(clock.counts(ahead: correction.transactions)) else { return }
    let seconds = Int32(found.quarters * 900)
    let isCompany = facts.transactionTerms.map { $0.factSource == .company }
    correction.add(orders: Array(repeating: seconds, count: facts.orders.count))
    correction.add(
      transactions: facts.transactions.map { isCompany[Int($0.terms)] ? seconds : 0 })
    correction.shifts.append(
      ClockShift(
        side: .both, seconds: Int64(seconds), files: [], pairs: 0, allPairs: 0,
        proof: .reports(before: found.before, after: found.after),
        orders: facts.orders.prefix(1).map(\.row),
        transactions: facts.transactions.prefix(1).map(\.row)))
  }
}

extension ClockCorrection {
  fileprivate mutating func add(orders moves: [Int32]) { orders = Self.sum(orders, moves) }

  fileprivate mutating func add(transactions moves: [Int32]) {
    transactions = Self.sum(transactions, moves)
  }

  fileprivate func adding(transactions moves: [Int32]) -> [Int32] {
    Self.sum(transactions, moves)
  }

  private static func sum(_ known: [Int32], _ more: [Int32]) -> [Int32] {
    known.isEmpty ? more : zip(known, more).map { $0 + $1 }
  }
}
