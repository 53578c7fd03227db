package import Billing

/// How the purchases of a period went, by the company's day: one pass over the orders and one over
/// the transactions, into a counter per day.
package struct PurchaseFlow {
  private let days: BusinessDays
  private var counts: [Counts]
  private var delays: DelayHistogram

  /// What is counted of a day.
  private struct Counts {
    var orders: Int32 = 0
    var paid: Int32 = 0
    var fulfilled: Int32 = 0
    var transactions: Int32 = 0
    var purchases: Int32 = 0
    var unfulfilled: Int32 = 0
    var sandbox: Int32 = 0
    var refunds: Int32 = 0
  }

  /// The days of the period from the first on which something happened to the last, with what makes
  /// them stand out.
  ///
  /// - Precondition: `book` has made all claims.
  package static func days(_ book: ClaimBook, _ context: MatchingContext) -> [FlowDay] {
    var flow = PurchaseFlow(BusinessDays(context))
    flow.countOrders(book)
    flow.countTransactions(book, context)
    return flow.lines(tellsFulfilment: flow.counts.contains { $0.fulfilled > 0 }).markingOutliers()
  }

  private init(_ days: BusinessDays) {
    self.days = days
    counts = Array(repeating: Counts(), count: days.count)
    delays = DelayHistogram(days: days.count)
  }

  private mutating func countOrders(_ book: ClaimBook) {
    let isPaid = book.orderTerms.map { [.paid, .fulfilled, .refunded].contains($0.status) }
    let isFulfilled = book.orderTerms.map { $0.status == .fulfilled }
    for index in book.orders.indices where book.transactionOf[index] != ClaimBook.merged {
      let entry = book.orders[index]
      let terms = Int(entry.terms)
      guard book.isApple[terms] else { continue }
      let day = days.index(entry.placedAt)
      if day < 0 { continue }
      counts[day].orders += 1
      if isPaid[terms] { counts[day].paid += 1 }
      if isFulfilled[terms] || entry.fulfilledAt != 0 { counts[day].fulfilled += 1 }
    }
  }

  private mutating func countTransactions(_ book: ClaimBook, _ context: MatchingContext) {
    let kinds = book.transactionTerms.map { Kind($0, context) }
    let isFulfilled = book.orderTerms.map { $0.status == .fulfilled || $0.status == .refunded }
    for index in book.transactions.indices where book.orderOf[index] != ClaimBook.merged {
      let entry = book.transactions[index]
      let kind = kinds[Int(entry.terms)]
      if entry.revokedAt != 0, kind.contains(.refundable) {
        let day = days.index(entry.revokedAt)
        if day >= 0 { counts[day].refunds += 1 }
      }
      let day = days.index(entry.purchasedAt)
      if day < 0 { continue }
      if kind.contains(.sandbox) { counts[day].sandbox += 1 }
      let role = book.chains.role(of: index)
      guard kind.contains(.billable), role != .restore else { continue }
      counts[day].transactions += 1
      guard role == .original, !kind.contains(.trial) else { continue }
      counts[day].purchases += 1
      let order = Int(book.orderOf[index])
      guard order >= 0 else {
        counts[day].unfulfilled += 1
        continue
      }
      let fulfilledAt = book.orders[order].fulfilledAt
      if fulfilledAt != 0 {
        delays.add(Int64(fulfilledAt) - Int64(entry.purchasedAt), on: day)
      } else if !isFulfilled[Int(book.orders[order].terms)] {
        counts[day].unfulfilled += 1
      }
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

    init(_ terms: TransactionTerms, _ context: MatchingContext) {
      self = []
      if terms.isSandbox { insert(.sandbox) }
      if terms.isTrial { insert(.trial) }
      guard context.isBillable(terms) else { return }
      insert(.billable)
      if terms.revocationIsRefund, !terms.isRefundReversed { insert(.refundable) }
    }
  }

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
