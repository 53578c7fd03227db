import Billing
import Conclusions
import Languages
import Ledger
import Matching
import Reporting

/// How purchases went on the last seven days that the ledger knows. What has several rows, as
/// exports overlap, counts once; what a reconciliation would match is added up as it stands, for
/// `status` reconciles nothing. Purchases are here the orders that were paid, and delays run from
/// the payment (else the placing). Empty where Spark counted purchases.
///
/// - Throws: `LedgerError`.
func latestFlow(_ ledger: Ledger, zone: Zone, _ settings: Settings) throws -> [FlowDay] {
  // Where purchases were counted by Spark, the rows that are here are a part of them.
  guard let latest = try ledger.latestPurchase(), try ledger.countedPeriods().isEmpty
  else { return [] }
  let last = zone.day(of: latest)
  var flow = LatestFlow(last: last, zone: zone)
  try ledger.forEachPurchase(
    in: flow.range, requiresSigned: settings.requireSigned, bundleIDs: Set(settings.bundleIDs),
    order: { flow.note($0) }, transaction: { flow.add($0) })
  flow.addOrders()
  return flow.lines
}

/// Adds up orders and transactions of the last days by day.
private struct LatestFlow {
  private static let dayCount = 7

  private let starts: [Int64]
  private var days: [FlowDay]
  private var delays = DelayHistogram(days: Self.dayCount)
  /// Of each order the row with the furthest status, which a reconciliation keeps too.
  private var orders: [IDKey: OrderMoments] = [:]
  private var bought: Set<IDKey> = []
  private var refunded: Set<IDKey> = []

  /// Begins with the seven days that end with this one, all empty.
  ///
  /// - Parameter zone: of the company's day.
  init(last: Day, zone: Zone) {
    let first = last.advanced(by: 1 - Self.dayCount)
    days = (0..<Self.dayCount).map { FlowDay(day: first.advanced(by: $0)) }
    starts = (0...Self.dayCount).map { zone.start(of: first.advanced(by: $0)).seconds }
  }

  /// The times of these days, from the first one's first second to the last one's last.
  var range: ClosedRange<Instant> {
    Instant(seconds: starts[0])...Instant(seconds: starts[Self.dayCount] - 1)
  }

  /// The index of the day that a moment lies in; nil outside of the days.
  ///
  /// - Parameter moment: seconds since 1970.
  private func index(_ moment: Int64) -> Int? {
    guard moment >= starts[0], moment < starts[Self.dayCount] else { return nil }
    return starts.lastIndex { $0 <= moment }
  }

  /// Notes a row of an order, unless another one says more of it.
  mutating func note(_ order: OrderMoments) {
    guard let known = orders[order.key] else { return orders[order.key] = order }
    if (known.status, known.fulfilledAt) < (order.status, order.fulfilledAt) {
      orders[order.key] = order
    }
  }

  /// Adds the orders that were noted.
  mutating func addOrders() {
    for order in orders.values { add(order) }
  }

  /// Adds an order to the day on which it was placed, with its delivery and delay.
  private mutating func add(_ order: OrderMoments) {
    guard let day = index(order.placedAt) else { return }
    days[day].orders += 1
    guard [.paid, .fulfilled, .refunded].contains(order.status) else { return }
    days[day].paid += 1
    days[day].purchases += 1
    let isFulfilled = order.fulfilledAt != 0 || order.status == .fulfilled
    if isFulfilled { days[day].fulfilled += 1 }
    if !isFulfilled, order.status == .paid {
      days[day].unfulfilled = (days[day].unfulfilled ?? 0) + 1
    }
    if order.fulfilledAt != 0 {
      let from = order.paidAt != 0 ? order.paidAt : order.placedAt
      delays.add(order.fulfilledAt - from, on: day)
    }
  }

  /// Adds a transaction to the day of its purchase, and its refund to that of the refund, each once
  /// for all rows of it.
  mutating func add(_ transaction: TransactionMoments) {
    if let day = index(transaction.purchasedAt), bought.insert(transaction.key).inserted {
      if transaction.isSandbox {
        days[day].sandbox += 1
      } else if !transaction.isNoPurchase {
        days[day].transactions += 1
      }
    }
    guard !transaction.isSandbox, !transaction.isNoPurchase, transaction.refundedAt != 0,
      let day = index(transaction.refundedAt), refunded.insert(transaction.key).inserted
    else { return }
    days[day].refunds += 1
  }

  /// The days on which anything happened, with their delays.
  var lines: [FlowDay] {
    let tellsFulfilment = days.contains { $0.fulfilled > 0 }
    return days.indices.map { index in
      var day = days[index]
      day.unfulfilled = tellsFulfilment ? day.unfulfilled ?? 0 : nil
      day.medianDelay = delays.percentile(50, on: index)
      day.lateDelay = delays.percentile(95, on: index)
      return day
    }.filter { $0.orders + $0.transactions + $0.sandbox + $0.refunds > 0 }
  }
}

extension LedgerStatus {
  /// The last days' purchases as lines of a table; empty without any.
  var flowLines: [String] {
    guard !flow.isEmpty else { return [] }
    var table = TextTable("lrrrrrrrrr")
    table.name(
      columns: "", "@shared.orders", "@shared.paid", "@shared.fulfilled", "@shared.never-fulfilled",
      "@status.median-time", "@status.95th-percentile", "@shared.transactions", "@shared.sandbox",
      "@shared.refunds")
    for day in flow {
      table.add(
        "\(day.day)", grouped(day.orders), grouped(day.paid), grouped(day.fulfilled),
        day.unfulfilledShare.map(percent) ?? "-", elapsed(day.medianDelay), elapsed(day.lateDelay),
        grouped(day.transactions), grouped(day.sandbox), grouped(day.refunds))
    }
    return [say("@status.purchases-of-recent-days-counted")] + table.textLines
  }

  /// A duration in hours, minutes and seconds, `0:03:20`; a dash where it is not known.
  private func elapsed(_ seconds: Int64?) -> String {
    guard let seconds else { return "-" }
    return "\(seconds / 3600):\(padded(Int(seconds / 60 % 60), 2)):\(padded(Int(seconds % 60), 2))"
  }
}
