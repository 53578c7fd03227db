package import Billing

/// What the clocks that are off come to for each row of the facts.
package struct ClockCorrection: Sendable {
  var shifts: [ClockShift] = []
  package private(set) var rules: [ClockRule] = []
  /// Seconds by which each order's and each transaction's times are ahead; as the facts have them.
  private(set) var orders: [Int32] = []
  private(set) var transactions: [Int32] = []

  package var isEmpty: Bool { rules.isEmpty }

  init() {}

  /// Corrects the times of facts by rules, step by step. Returns the corrected facts, and whether
  /// any time moved; nil where there are no rules.
  package static func applying(
    _ rules: [ClockRule], to facts: MonthFacts, _ context: MatchingContext
  ) -> (facts: MonthFacts, movesAny: Bool)? {
    if rules.isEmpty { return nil }
    var (facts, correction) = (facts, ClockCorrection())
    for step in Set(rules.map(\.step)).sorted() {
      let table = MatchTable(
        facts, catalogue: context.catalogue, requiresSigned: context.settings.requireSigned)
      correction.apply(rules.filter { $0.step == step }, to: &facts, table)
    }
    let moves = [correction.orders, correction.transactions].joined()
    return (facts, moves.contains { $0 != 0 })
  }

  /// Corrects the times of facts by further rules, which it notes in `rules`, and adds the seconds
  /// by which each row's times were ahead to `orders` and `transactions`.
  ///
  /// - Parameters:
  ///   - new: rules of one step.
  ///   - table: the facts, matched by ids alone.
  mutating func apply(_ new: [ClockRule], to facts: inout MonthFacts, _ table: MatchTable) {
    var orders = [Int32](repeating: 0, count: facts.orders.count)
    var transactions = [Int32](repeating: 0, count: facts.transactions.count)
    let isCompany = facts.transactionTerms.map { $0.factSource == .company }
    for rule in new {
      switch rule.side {
      case .orders:
        for (index, entry) in facts.orders.enumerated() {
          let span = rule.span(of: entry.row.number)
          if let span, span.times.contains(entry.placedAt) { orders[index] += rule.seconds }
        }
      case .transactions:
        for (index, entry) in facts.transactions.enumerated() where isCompany[Int(entry.terms)] {
          let span = rule.span(of: entry.row.number)
          if let span, span.times.contains(entry.purchasedAt) {
            transactions[index] += rule.seconds
          }
        }
      }
      guard rule.judgesPairs else { continue }
      table.forEachPair { order, transaction in
        let (ours, theirs) = (facts.orders[order], facts.transactions[transaction])
        switch rule.side {
        case .orders:
          if rule.span(of: ours.row.number) == nil,
            Self.isExplained(ours.placedAt, theirs.purchasedAt, Int64(rule.seconds))
          {
            orders[order] += rule.seconds
          }
        case .transactions:
          if isCompany[Int(theirs.terms)], rule.span(of: theirs.row.number) == nil,
            Self.isExplained(ours.placedAt, theirs.purchasedAt, -Int64(rule.seconds))
          {
            transactions[transaction] += rule.seconds
          }
        }
      }
    }
    rules += new
    self.orders = Self.sums(self.orders, orders)
    self.transactions = Self.sums(self.transactions, transactions)
    facts.move(orders: orders, transactions: transactions)
  }

  /// Whether the times of an order and its purchase are wrong as they stand, and right once the
  /// order's is corrected.
  ///
  /// - Parameter seconds: by which the order's clock is ahead, or, less than 0, behind.
  private static func isExplained(_ placedAt: UInt32, _ purchasedAt: UInt32, _ seconds: Int64)
    -> Bool
  {
    let apart = Int64(placedAt) - Int64(purchasedAt)
    if seconds > 0 {
      return apart > Rules.clockTolerance && apart <= seconds + Rules.clockTolerance
    }
    return quarter(placedAt, purchasedAt) == Int(seconds / 900)
  }

  /// The quarter hours by which an order was placed after its purchase, both in seconds since 1970;
  /// 0 from ten minutes before it, as is usual, to five after, nil beyond a day.
  static func quarter(_ placedAt: UInt32, _ purchasedAt: UInt32) -> Int? {
    let apart = Int64(placedAt) - Int64(purchasedAt) + Rules.clockSlack
    let quarter = Int((apart >= 0 ? apart : apart - 899) / 900)
    return abs(quarter) <= Rules.clockQuarters ? quarter : nil
  }

  /// The sums of two lists, place by place; an empty first one stands for zeros.
  private static func sums(_ known: [Int32], _ more: [Int32]) -> [Int32] {
    known.isEmpty ? more : zip(known, more).map { $0 + $1 }
  }
}

extension MatchTable {
  /// Calls with each purchase that an id ties to its order, by their positions.
  func forEachPair(_ body: (_ order: Int, _ transaction: Int) -> Void) {
    for index in transactions.indices {
      guard let order = orderOf[index].position, chains.role(of: index) == .original else {
        continue
      }
      body(order, index)
    }
  }
}

extension MonthFacts {
  /// Takes so many seconds off the times of each row, and off the ends of paid periods.
  ///
  /// - Parameters:
  ///   - orderSeconds: for each order.
  ///   - transactionSeconds: for each transaction.
  fileprivate mutating func move(
    orders orderSeconds: [Int32], transactions transactionSeconds: [Int32]
  ) {
    /// A moment so many seconds earlier; 0, which is none, stays.
    func moved(_ moment: UInt32, _ seconds: Int32) -> UInt32 {
      moment == 0 ? 0 : UInt32(clamping: Int64(moment) - Int64(seconds))
    }
    for (index, seconds) in orderSeconds.enumerated() where seconds != 0 {
      orders[index].placedAt = moved(orders[index].placedAt, seconds)
      orders[index].fulfilledAt = moved(orders[index].fulfilledAt, seconds)
    }
    var secondsOfRow: [TransactionRow.ID: Int32] = [:]
    for (index, seconds) in transactionSeconds.enumerated() where seconds != 0 {
      transactions[index].purchasedAt = moved(transactions[index].purchasedAt, seconds)
      transactions[index].revokedAt = moved(transactions[index].revokedAt, seconds)
      secondsOfRow[transactions[index].row] = seconds
    }
    if secondsOfRow.isEmpty { return }
    for index in chainDetails.indices {
      guard let seconds = secondsOfRow[chainDetails[index].row] else { continue }
      chainDetails[index].expiresAt = moved(chainDetails[index].expiresAt, seconds)
    }
  }
}
