package import Billing

/// A transaction that Apple refunded in the period, and what became of it on both sides.
package struct RefundLine: Hashable, Sendable {
  package var storefront: Storefront?
  package var currency: Currency?
  package var sku: String
  package var transactionID: String
  /// Of the order that it paid for; nil where it has none.
  package var orderID: String?
  package var orderStatus: OrderStatus?
  /// Empty where nobody told.
  package var user: String
  /// Accounting days.
  package var purchasedOn: Day
  package var refundedOn: Day
  /// Days from the purchase in which the storefront's customers may ask for a refund, by Apple's
  /// terms; nil where the storefront is not known.
  package var windowDays: Int?
  /// Apple's code: `0` other, `1` an issue in the app; empty where not said.
  package var reason: String
  /// Millionths of the price that were given back: 1,000,000 is a whole refund; nil where only a
  /// part was and nobody told which.
  package var share: Int64?
  /// What was given back, positive micro-units of `currency`; nil where the price is not known.
  package var amount: Int64?
  package var units: Int32
  /// Apple took the refund back after a dispute.
  package var isReversed: Bool
  /// Apple's report day, by the storefront's day boundary.
  package var reportDay: Day
  /// Whether that day's report has the refund; nil where no report covers the day, or where the
  /// refund is prorated, which the report does not count in units.
  package var isReported: Bool?
  /// Refunds of the same user in the period, this one included; 1 where the user is not known.
  package var userRefunds: Int
  package var source: Source
  /// A renewal without an order of its own: `orderID` is the one that its subscription began with,
  /// whose status says nothing of this period.
  package var isRenewal = false

  package init(
    storefront: Storefront? = nil, currency: Currency? = nil, sku: String, transactionID: String,
    orderID: String? = nil, orderStatus: OrderStatus? = nil, user: String, purchasedOn: Day,
    refundedOn: Day, windowDays: Int? = nil, reason: String, share: Int64? = nil,
    amount: Int64? = nil, units: Int32, isReversed: Bool, reportDay: Day, isReported: Bool? = nil,
    userRefunds: Int, source: Source, isRenewal: Bool = false
  ) {
    self.storefront = storefront
    self.currency = currency
    self.sku = sku
    self.transactionID = transactionID
    self.orderID = orderID
    self.orderStatus = orderStatus
    self.user = user
    self.purchasedOn = purchasedOn
    self.refundedOn = refundedOn
    self.windowDays = windowDays
    self.reason = reason
    self.share = share
    self.amount = amount
    self.units = units
    self.isReversed = isReversed
    self.reportDay = reportDay
    self.isReported = isReported
    self.userRefunds = userRefunds
    self.source = source
    self.isRenewal = isRenewal
  }

  /// Days from the purchase to the refund.
  package var age: Int { Int(refundedOn.number - purchasedOn.number) }
  /// Whether it came later than the customer's window.
  package var isBeyondWindow: Bool { windowDays.map { age > $0 } ?? false }
  /// Whether what was delivered still stands, by the order that was paid for.
  package var isDeliveredAndKept: Bool {
    !isReversed && !isRenewal && (orderStatus == .paid || orderStatus == .fulfilled)
  }
}

/// What a storefront's refunds in one currency come to; a reversed one counts in none.
package struct RefundTotal: Hashable, Sendable {
  package var storefront: Storefront?
  package var currency: Currency?
  package var refunds: Int64 = 0
  package var units: Int64 = 0
  /// Micro-units, positive; nil where no price is known.
  package var amount: Int64?
  package var beyondWindow: Int64 = 0
  package var notTakenBack: Int64 = 0

  package init(storefront: Storefront?, currency: Currency?) {
    self.storefront = storefront
    self.currency = currency
  }

  /// Adds a refund, unless Apple took it back.
  package mutating func add(_ line: RefundLine) {
    if line.isReversed { return }
    refunds += 1
    units += Int64(line.units)
    if let more = line.amount { amount = (amount ?? 0) + more }
    beyondWindow += line.isBeyondWindow ? 1 : 0
    notTakenBack += line.isDeliveredAndKept ? 1 : 0
  }

  /// Sums by storefront and currency, in that order.
  package static func totals(of lines: [RefundLine]) -> [RefundTotal] {
    struct Key: Hashable {
      var storefront: Storefront?
      var currency: Currency?
    }
    var totals: [Key: RefundTotal] = [:]
    for line in lines where !line.isReversed {
      let key = Key(storefront: line.storefront, currency: line.currency)
      totals[
        key, default: RefundTotal(storefront: line.storefront, currency: line.currency)
      ].add(line)
    }
    return totals.values.sorted {
      ($0.storefront?.code ?? "", $0.currency?.code ?? "")
        < ($1.storefront?.code ?? "", $1.currency?.code ?? "")
    }
  }
}
