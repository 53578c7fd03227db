import Billing
package import Conclusions

/// How the purchases of a period went, by the company's day: one pass over the orders and one over
/// the transactions, into a counter per day.
package struct PurchaseFlow {
  private let days: BusinessDays
  private var counts: [Counts]
  private var delays: DelayHistogram
  /// Seconds from which on a fulfilment is late.
  private let lateAfter: Int64

  /// What is counted of a day.
  private struct Counts {
    var orders: Int32 = 0
    var paid: Int32 = 0
    var fulfilled: Int32 = 0
    var transactions: Int32 = 0
    var purchases: Int32 = 0
    var unfulfilled: Int32 = 0
    var late: Int32 = 0
    var sandbox: Int32 = 0
    var refunds: Int32 = 0
  }

  /// The days of the period from the first on which something happened to the last, with what makes
  /// them stand out.
  ///
  /// - Precondition: all of `table` is matched.
  package static func days(_ table: MatchTable, _ context: MatchingContext) -> [FlowDay] {
    var flow = PurchaseFlow(context)
    flow.addOrders(table)
    flow.addTransactions(table, context)
    flow.add(table.counts)
    return flow.lines(tellsFulfilment: flow.counts.contains { $0.fulfilled > 0 }).markingOutliers()
  }

  /// Begins without any purchase.
  private init(_ context: MatchingContext) {
    days = BusinessDays(context)
    lateAfter = context.settings.lateAfter
    counts = Array(repeating: Counts(), count: days.count)
    delays = DelayHistogram(days: days.count)
  }

  /// Adds the orders of Apple's channel to the days on which they were placed.
  private mutating func addOrders(_ table: MatchTable) {
    let kinds = table.orderTerms.indices.map { OrderKind(table.orderTerms[$0], table.isApple[$0]) }
    var cursor = DayCursor(days)
    counts.withUnsafeMutableBufferPointer { counts in
      table.orders.withUnsafeBufferPointer { orders in
        for index in orders.indices where table.transactionOf[index] != .merged {
          let kind = kinds[Int(orders[index].terms)]
          guard kind.contains(.apple) else { continue }
          let day = cursor.index(orders[index].placedAt)
          if day < 0 { continue }
          counts[day].orders += 1
          if kind.contains(.paid) { counts[day].paid += 1 }
          if kind.contains(.fulfilled) || orders[index].fulfilledAt != 0 {
            counts[day].fulfilled += 1
          }
        }
      }
    }
  }

  /// Adds transactions to the days on which they were bought, and refunds to those on which Apple
  /// took them back.
  private mutating func addTransactions(_ table: MatchTable, _ context: MatchingContext) {
    let kinds = table.transactionTerms.map { Kind($0, context) }
    let orderKinds = table.orderTerms.indices.map {
      OrderKind(table.orderTerms[$0], table.isApple[$0])
    }
    var (bought, revoked) = (DayCursor(days), DayCursor(days))
    table.transactions.withUnsafeBufferPointer { transactions in
      for index in transactions.indices where table.orderOf[index] != .merged {
        let kind = kinds[Int(transactions[index].terms)]
        let revokedAt = transactions[index].revokedAt
        if revokedAt != 0, kind.contains(.refundable) {
          let day = revoked.index(revokedAt)
          if day >= 0 { counts[day].refunds += 1 }
        }
        let purchasedAt = transactions[index].purchasedAt
        let day = bought.index(purchasedAt)
        if day < 0 { continue }
        if kind.contains(.sandbox) { counts[day].sandbox += 1 }
        let role = table.chains.role(of: index)
        guard kind.contains(.billable), role != .restore else { continue }
        counts[day].transactions += 1
        guard role == .original, !kind.contains(.trial) else { continue }
        let order = table.orderOf[index].position.map { table.orders[$0] }
        addPurchase(purchasedAt, order, orderKinds, on: day)
      }
    }
  }

  /// Adds a purchase that needs an order of its own, with how long its fulfilment took.
  ///
  /// - Parameters:
  ///   - order: the one that it is matched with; nil where there is none.
  ///   - kinds: by number of the order's terms.
  @inline(__always)
  private mutating func addPurchase(
    _ purchasedAt: UInt32, _ order: OrderEntry?, _ kinds: [OrderKind], on day: Int
  ) {
    counts[day].purchases += 1
    guard let order else {
      counts[day].unfulfilled += 1
      return
    }
    if order.fulfilledAt != 0 {
      let delay = Int64(order.fulfilledAt) - Int64(purchasedAt)
      delays.add(delay, on: day)
      if delay > lateAfter { counts[day].late += 1 }
    } else if !kinds[Int(order.terms)].contains(.done) {
      counts[day].unfulfilled += 1
    }
  }

  /// Adds purchases that Spark counted, each of which was paid and fulfilled.
  private mutating func add(_ told: PurchaseCounts) {
    /// Calls `body` with the place of the day, and the number of purchases, of each moment of the
    /// period.
    func forEach(_ moments: [PurchaseCounts.Moment], _ body: (Int, Int32) -> Void) {
      for moment in moments {
        let day = days.index(moment.at)
        if day >= 0 { body(day, Int32(moment.count)) }
      }
    }
    var counts = counts
    forEach(told.placed) { day, count in
      counts[day].orders += count
      counts[day].paid += count
      counts[day].fulfilled += count
    }
    forEach(told.bought) { day, count in
      counts[day].transactions += count
      counts[day].purchases += count
    }
    for (at, seconds, count) in told.fulfilled {
      let day = days.index(at)
      if day < 0 { continue }
      delays.add(seconds, on: day, count: Int32(count))
      if seconds > lateAfter { counts[day].late += Int32(count) }
    }
    self.counts = counts
  }

  /// What an order's terms are to the flow.
  private struct OrderKind: OptionSet {
    let rawValue: UInt8
    static let apple = OrderKind(rawValue: 1)
    static let paid = OrderKind(rawValue: 2)
    static let fulfilled = OrderKind(rawValue: 4)
    /// Fulfilled, if perhaps taken back later.
    static let done = OrderKind(rawValue: 8)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// What the terms of an order say of its status.
    init(_ terms: OrderTerms, _ isApple: Bool) {
      self = isApple ? .apple : []
      if [.paid, .fulfilled, .refunded].contains(terms.status) { insert(.paid) }
      if terms.status == .fulfilled { insert(.fulfilled) }
      if terms.status == .fulfilled || terms.status == .refunded { insert(.done) }
    }
  }

  /// What a transaction's terms are to the flow.
  private struct Kind: OptionSet {
    let rawValue: UInt8
    static let billable = Kind(rawValue: 1)
    static let sandbox = Kind(rawValue: 2)
    static let trial = Kind(rawValue: 4)
    /// Billable, and a revocation gives money back.
    static let refundable = Kind(rawValue: 8)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// What the terms of a transaction say of how it counts.
    init(_ terms: TransactionTerms, _ context: MatchingContext) {
      self = []
      if terms.isSandbox { insert(.sandbox) }
      if terms.isTrial { insert(.trial) }
      guard context.isBillable(terms) else { return }
      insert(.billable)
      if terms.revocationIsRefund, !terms.isRefundReversed { insert(.refundable) }
    }
  }

  /// A line per day, from the first on which something happened to the last.
  ///
  /// - Parameter tellsFulfilment: whether any order says that it was fulfilled.
  private func lines(tellsFulfilment: Bool) -> [FlowDay] {
    let lines = counts.indices.map { index in
      let count = counts[index]
      var line = FlowDay(day: days.day(index))
      line.orders = Int(count.orders)
      line.paid = Int(count.paid)
      line.fulfilled = Int(count.fulfilled)
      line.transactions = Int(count.transactions)
      line.purchases = Int(count.purchases)
      line.unfulfilled = tellsFulfilment ? Int(count.unfulfilled) : nil
      line.delivered = delays.count(on: index)
      line.late = Int(count.late)
      line.sandbox = Int(count.sandbox)
      line.refunds = Int(count.refunds)
      line.medianDelay = delays.percentile(50, on: index)
      line.lateDelay = delays.percentile(95, on: index)
      return line
    }
    guard let first = lines.firstIndex(where: \.isLively),
      let last = lines.lastIndex(where: \.isLively)
    else { return [] }
    return Array(lines[first...last])
  }
}

extension FlowDay {
  /// Whether anything happened on the day.
  fileprivate var isLively: Bool { orders + transactions + sandbox + refunds > 0 }
}

/// Finds the day of one row after another: mostly it is the last row's.
private struct DayCursor {
  private let days: BusinessDays
  private var seconds: Range<Int64> = 0..<0
  private var current = -1

  init(_ days: BusinessDays) { self.days = days }

  /// The place in the period of the day that a moment, in seconds since 1970, lies on; -1 outside
  /// of the period.
  @inline(__always)
  mutating func index(_ moment: UInt32) -> Int {
    if seconds.contains(Int64(moment)) { return current }
    let found = days.index(moment)
    if found >= 0 { (seconds, current) = (days.seconds(found), found) }
    return found
  }
}
