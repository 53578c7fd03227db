package import Billing

/// How purchases of one business day went, from the order to its fulfilment.
package struct FlowDay: Hashable, Sendable {
  package var day: Day
  /// Orders of Apple's channel that were placed on the day, and how many of them were paid and
  /// fulfilled by now.
  package var orders = 0
  package var paid = 0
  package var fulfilled = 0
  /// Billable transactions that were bought on the day, renewals among them.
  package var transactions = 0
  /// Of the transactions those that need an order of their own; trials and renewals do not.
  package var purchases = 0
  /// Of the purchases those that no order was fulfilled for; nil where no order tells that it was.
  package var unfulfilled: Int?
  /// Seconds from the purchase to its fulfilment: half of the day's purchases, and 95 in 100 of
  /// them, took no longer. Nil where none was fulfilled.
  package var medianDelay: Int64?
  package var lateDelay: Int64?
  /// Of the purchases those whose fulfilment tells its time, and of these the ones that came later
  /// than is allowed.
  package var delivered = 0
  package var late = 0
  /// Transactions of the Sandbox.
  package var sandbox = 0
  /// Billable transactions that Apple took back on the day.
  package var refunds = 0
  /// What makes the day stand out, in the order of the measures.
  package var marks: [FlowMark] = []

  package init(day: Day) { self.day = day }

  /// The part of the purchases that is unfulfilled, in millionths; nil without purchases, and where
  /// no order tells.
  package var unfulfilledShare: Int64? {
    guard let unfulfilled, purchases > 0 else { return nil }
    return (Int64(unfulfilled) * 2_000_000 + Int64(purchases)) / (2 * Int64(purchases))
  }
}

/// A figure of a day that the other days do not have.
package struct FlowMark: Hashable, Sendable {
  package enum Measure: String, Hashable, Sendable, CaseIterable {
    case orders, transactions, unfulfilled
    case medianDelay = "median_delay"
    case lateDelay = "p95_delay"
    case sandbox, refunds
  }

  package var measure: Measure
  /// A count, millionths of the purchases (`unfulfilled`), or seconds.
  package var value: Int64
  /// The other days' median, in the same unit; of `unfulfilled` their share.
  package var usual: Int64

  package init(measure: Measure, value: Int64, usual: Int64) {
    self.measure = measure
    self.value = value
    self.usual = usual
  }
}
