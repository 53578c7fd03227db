/// What a product is; the words of the company's tables.
package enum ProductKind: UInt8, Hashable, Sendable, CaseIterable {
  case consumable, nonConsumable, autoRenewable, nonRenewing

  package var name: String {
    switch self {
    case .consumable: "consumable"
    case .nonConsumable: "non_consumable"
    case .autoRenewable: "auto_renewable"
    case .nonRenewing: "non_renewing"
    }
  }

  package init?(name: some StringProtocol) {
    guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = match
  }
}

package enum Ownership: UInt8, Hashable, Sendable { case purchased, familyShared }
package enum StoreEnvironment: UInt8, Hashable, Sendable { case production, sandbox }

/// What a transaction says besides its ids and times; nil or empty is "not said".
package struct TransactionTerms: Hashable, Sendable {
  package var sku: String
  package var bundleID: String
  package var kind: ProductKind?
  package var quantity: Int32
  /// Per unit, in micro-units.
  package var unitPrice: Int64?
  package var currency: Currency?
  package var storefront: Storefront?
  package var isTrial: Bool
  package var isIntro: Bool
  package var isUpgraded: Bool
  package var ownership: Ownership
  package var environment: StoreEnvironment
  /// Apple's code as text: `0` other, `1` an issue in the app; empty when not revoked or not said.
  package var revocationReason: String

  package init(
    sku: String, bundleID: String = "", kind: ProductKind? = nil, quantity: Int32 = 1,
    unitPrice: Int64? = nil, currency: Currency? = nil, storefront: Storefront? = nil,
    isTrial: Bool = false, isIntro: Bool = false, isUpgraded: Bool = false,
    ownership: Ownership = .purchased, environment: StoreEnvironment = .production,
    revocationReason: String = ""
  ) {
    self.sku = sku
    self.bundleID = bundleID
    self.kind = kind
    self.quantity = quantity
    self.unitPrice = unitPrice
    self.currency = currency
    self.storefront = storefront
    self.isTrial = isTrial
    self.isIntro = isIntro
    self.isUpgraded = isUpgraded
    self.ownership = ownership
    self.environment = environment
    self.revocationReason = revocationReason
  }
}

/// One row of the company's transaction table, with ids as slices of its block's text.
package struct TransactionRow: Sendable {
  package var line: Int32
  package var terms: Int32
  package var transactionID: TextSlice
  package var originalTransactionID: TextSlice
  package var webOrderLineItemID: TextSlice
  package var orderID: TextSlice
  package var appAccountToken: TextSlice
  package var userID: TextSlice
  package var purchasedAt: Instant
  package var expiresAt: Instant?
  package var revokedAt: Instant?

  package init(
    line: Int32, terms: Int32, transactionID: TextSlice, originalTransactionID: TextSlice,
    webOrderLineItemID: TextSlice, orderID: TextSlice, appAccountToken: TextSlice,
    userID: TextSlice, purchasedAt: Instant, expiresAt: Instant?, revokedAt: Instant?
  ) {
    self.line = line
    self.terms = terms
    self.transactionID = transactionID
    self.originalTransactionID = originalTransactionID
    self.webOrderLineItemID = webOrderLineItemID
    self.orderID = orderID
    self.appAccountToken = appAccountToken
    self.userID = userID
    self.purchasedAt = purchasedAt
    self.expiresAt = expiresAt
    self.revokedAt = revokedAt
  }
}
