package import Billing

/// Why an order and a transaction that look alike do not belong together.
package enum MatchRefusal: Hashable, Sendable {
  /// The order has this transaction.
  case hasTransaction(TransactionRow.ID)
  /// The transaction has this order.
  case hasOrder(OrderRow.ID)
  /// The order names the transaction too, and was placed later than the one that keeps it.
  case cameLater
  /// The candidate names another id, which goes before all likeness.
  case namesAnother
  case otherChannel(String)
  case otherProduct(String)
  case otherStorefront(Storefront)
  case otherCurrency(Currency)
  case otherUser
  /// Seconds by which the order was placed after the purchase.
  case placedAfter(Int64)
  /// Seconds between the order and the purchase: more than back-tracing goes.
  case tooEarly(Int64)
  case notBillable(Unbillable)
  /// A renewal, or an earlier purchase again: it needs no order of its own.
  case needsNone(Chains.Role)
  /// It would do; another one is nearer or was first.
  case another

  /// A rank from 0 to 5 of how far the candidate is from being the one; smaller is nearer.
  var distance: Int {
    switch self {
    case .another, .cameLater: 0
    case .placedAfter, .tooEarly: 1
    case .otherUser: 2
    case .hasTransaction, .hasOrder, .namesAnother: 3
    case .notBillable, .needsNone: 4
    case .otherStorefront, .otherCurrency, .otherProduct, .otherChannel: 5
    }
  }
}
