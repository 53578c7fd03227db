/// The windows, tolerances, limits and weights that conclusions rest on, by name. Matching and the
/// explanation of what it did use the same ones; what a company may choose is in `Settings`.
package enum Rules {
  // MARK: Matching orders and transactions

  /// Seconds before a purchase in which the order was placed that it may be traced back to: a day,
  /// because a payment that a bank or a parent must allow comes hours later.
  package static let traceBack: Int64 = 86_400
  /// Seconds by which the company's clock may be ahead of Apple's, where a token or a receipt ties
  /// an order to a purchase.
  package static let clockTolerance: Int64 = 300
  /// Seconds by which sources of one transaction may differ in its time: some cut milliseconds off,
  /// some round them.
  package static let roundingOfTimes: Int64 = 1
}
