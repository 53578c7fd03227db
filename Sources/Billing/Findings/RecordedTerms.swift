/// The terms that a recorded reconciliation found Apple's rows to show.
package struct RecordedTerms: Hashable, Sendable {
  package var storefront: Storefront
  /// Nil where the rows did not tell it.
  package var platform: Platform?
  /// Empty is every product without terms of its own.
  package var skus: [String]
  package var isAfterOneYear: Bool
  package var commissionClass: CommissionClass
  /// The agreement that was accepted; nil is none.
  package var agreement: String?
  package var from: Day

  package init(
    storefront: Storefront, platform: Platform?, skus: [String], isAfterOneYear: Bool,
    commissionClass: CommissionClass, agreement: String?, from: Day
  ) {
    self.storefront = storefront
    self.platform = platform
    self.skus = skus
    self.isAfterOneYear = isAfterOneYear
    self.commissionClass = commissionClass
    self.agreement = agreement
    self.from = from
  }
}
