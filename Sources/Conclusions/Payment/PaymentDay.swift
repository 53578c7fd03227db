package import Billing

extension FiscalMonth {
  /// Usual days from the end of a fiscal month to its payment.
  package static let paymentDelay = 33

  /// The usual day of the month's payment; its financial reports are there by then.
  package var paymentDay: Day { last.advanced(by: Self.paymentDelay) }
}
