package import Billing

/// What many findings of a code have in common, and how little of all business has it.
package struct Pattern: Hashable, Sendable {
  /// What the findings share. Scripts rely on the raw values.
  package enum Dimension: String, Hashable, Sendable, CaseIterable {
    /// A span of time: an outage, a release that was taken back.
    case time
    case user
    case appVersion = "app-version"
    case device, storefront, product
    /// A file of an import.
    case file
    /// Days of Apple's reports.
    case day
    /// Units of a storefront that are missing on one report day and found on the next, or the
    /// other way round.
    case boundary
  }

  /// The codes that it is told of; several where a day boundary makes differences of both signs.
  package var codes: [FindingCode]
  package var dimension: Dimension
  /// The user, version, device, storefront, SKU or file; empty where `span` or `days` tells.
  package var value: String = ""
  /// When the first and the last of the findings happened.
  package var span: ClosedRange<Instant>?
  /// Report days.
  package var days: ClosedRange<Day>?
  /// Findings of the codes that share it, and findings of the codes in all.
  package var count: Int
  package var total: Int
  /// Ids of the findings that share it, in the order of the findings.
  package var findingIDs: [String] = []
  /// The part of all orders, transactions or reported units that shares it, in millionths, rounded
  /// up; of a boundary, how often neighbouring days would differ so by chance.
  package var baseShare: Int64
  /// Which business `baseShare` is a part of.
  package var base: Base
  /// Powers of ten: as many findings share it by chance less often than once in 10 to this, all
  /// places that were looked at accounted for.
  package var rarity: Int
  /// What the findings come to: units without sign, and amounts by currency, ascending.
  package var units: Int64 = 0
  package var amounts: [Money] = []

  package enum Base: String, Hashable, Sendable { case orders, transactions, units, rows, days }
}
