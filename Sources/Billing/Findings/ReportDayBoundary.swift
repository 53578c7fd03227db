/// Where a storefront's report day begins, and how sure that is.
package struct ReportDayBoundary: Hashable, Sendable {
  package var storefront: Storefront
  /// `configured`, `pacific`, `central-european`, `japan`, `western-australia`, `local:ZONE`, `utc`
  /// or `fixed:+HH:MM`; where it gave way to another in the period, both, with the other's first
  /// day: `pacific, from 2023-06-16 japan`.
  package var rule: String
  /// IANA name or offset of the rule's zone, or of both.
  package var zone: String
  /// In force on the middle day of the period.
  package var utcOffsetMinutes: Int
  /// Millionths: 1 − best total ÷ runner-up's total; nil when nothing was inferred.
  package var confidence: Int64?
  /// Units that still differ under the rule, by day and product.
  package var residualUnits: Int64
  /// Name of the best rule with another offset.
  package var runnerUp: String?

  package init(
    storefront: Storefront, rule: String, zone: String, utcOffsetMinutes: Int, confidence: Int64?,
    residualUnits: Int64, runnerUp: String?
  ) {
    self.storefront = storefront
    self.rule = rule
    self.zone = zone
    self.utcOffsetMinutes = utcOffsetMinutes
    self.confidence = confidence
    self.residualUnits = residualUnits
    self.runnerUp = runnerUp
  }
}
