/// What is wrong with Apple's subscription reports of a month.
package enum SubscriptionFault: String, Hashable, Sendable, CaseIterable {
  /// The event report leaves a renewal out.
  case lostEvent = "lost-event"
  /// It has one that never was.
  case extraEvent = "extra-event"
  /// It has one on the day after.
  case shiftedEvent = "shifted-event"
  /// It has no refund of one that was refunded, or the other way round.
  case extraRefund = "extra-refund"
  /// It names a product that nobody knows.
  case unknownProduct = "unknown-product"
  /// A day's event report was never downloaded.
  case missingReport = "missing-report"
  /// From a day on the subscription report counts one more than there is.
  case extraActive = "extra-active"
  /// The subscriber report leaves a purchase out.
  case lostSubscriber = "lost-subscriber"
  /// It has one that never was.
  case extraSubscriber = "extra-subscriber"
  /// It has a purchase at another price.
  case otherPrice = "other-price"
}
