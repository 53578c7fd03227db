/// What a payload says of a transaction beside its terms, and few ask for: why it was charged, its
/// offer, the instalments of a commitment, and the tax of Advanced Commerce. Empty or nil is "not
/// said".
///
/// The names are those of `JWSTransactionDecodedPayload` as Apple documents it, stored on
/// 2026-11-22: `commitmentInfo` of plans that are billed monthly, `advancedCommerceInfo` of the
/// Advanced Commerce API. What no copy of the documentation says is read as the words stand:
/// amounts in milliunits as everywhere in the payload, `taxRate` as text.
package struct ExtraTerms: Hashable, Sendable {
  /// `PURCHASE` or `RENEWAL`.
  package var reason = ""
  package var offerID = ""
  /// `FREE_TRIAL`, `PAY_AS_YOU_GO`, `PAY_UP_FRONT` or `ONE_TIME`.
  package var offerDiscount = ""
  /// As ISO 8601 writes it: `P1M`.
  package var offerPeriod = ""
  /// `BILLED_UPFRONT` or `MONTHLY`.
  package var billingPlan = ""
  /// Which instalment of the commitment it is, from 1, and how many it has.
  package var billingPeriod: Int32?
  package var billingPeriods: Int32?
  /// Of the whole commitment, micro-units.
  package var commitmentPrice: Int64?
  package var taxCode = ""
  package var taxRate = ""
  /// Micro-units, for the whole quantity.
  package var estimatedTax: Int64?
  package var priceWithoutTax: Int64?

  package init() {}
}

/// What a payload says of one transaction beside its row.
package struct ExtraRow: Sendable {
  package var terms: Int32
  /// Apple's id of the customer in the app.
  package var appTransactionID: TextSlice
  /// The developer's own id of a request of Advanced Commerce.
  package var requestReference: TextSlice
  package var commitmentEndsAt: Instant?

  package init(
    terms: Int32, appTransactionID: TextSlice, requestReference: TextSlice,
    commitmentEndsAt: Instant?
  ) {
    self.terms = terms
    self.appTransactionID = appTransactionID
    self.requestReference = requestReference
    self.commitmentEndsAt = commitmentEndsAt
  }
}

/// An instalment of a commitment that is billed monthly.
package struct Instalment: Sendable {
  package var row: TransactionRow.ID
  /// Index into the transaction terms.
  package var terms: Int32
  package var key: IDKey
  package var original: IDKey
  /// From 1 to `total`.
  package var number: Int32
  package var total: Int32
  /// Seconds since 1970; 0 is "not said", or not revoked.
  package var purchasedAt: UInt32
  package var expiresAt: UInt32
  package var revokedAt: UInt32
  package var commitmentEndsAt: UInt32

  package init(
    row: TransactionRow.ID, terms: Int32, key: IDKey, original: IDKey, number: Int32, total: Int32,
    purchasedAt: UInt32, expiresAt: UInt32, revokedAt: UInt32, commitmentEndsAt: UInt32
  ) {
    self.row = row
    self.terms = terms
    self.key = key
    self.original = original
    self.number = number
    self.total = total
    self.purchasedAt = purchasedAt
    self.expiresAt = expiresAt
    self.revokedAt = revokedAt
    self.commitmentEndsAt = commitmentEndsAt
  }
}
