import Billing

extension TransactionTerms: DictionaryEntry {
  static let table = "transaction_terms"
  static let columns = [
    "witness", "sku", "bundle_id", "kind", "quantity", "unit_price", "currency", "storefront",
    "is_trial", "is_intro", "is_upgraded", "ownership", "environment", "revocation_reason",
    "revocation_type", "revocation_percentage", "is_refund_reversed", "offer_type", "item_id",
    "app_item_id", "subscription_group", "app_version",
  ]

  func bind(to statement: borrowing RawStatement) {
    statement.bind(factSource.name, at: 2)
    statement.bind(sku, at: 3)
    statement.bind(bundleID, at: 4)
    statement.bind(kind?.name, at: 5)
    statement.bind(quantity, at: 6)
    statement.bind(unitPrice, at: 7)
    statement.bind(currency?.code, at: 8)
    statement.bind(storefront?.code, at: 9)
    statement.bind(saysTrial, at: 10)
    statement.bind(saysIntro, at: 11)
    statement.bind(isUpgraded, at: 12)
    statement.bind(ownership.map { $0 == .purchased ? "PURCHASED" : "FAMILY_SHARED" }, at: 13)
    statement.bind(environment?.name, at: 14)
    statement.bind(revocationReason, at: 15)
    statement.bind(revocationType?.rawValue, at: 16)
    statement.bind(revocationPercentage, at: 17)
    statement.bind(isRefundReversed, at: 18)
    statement.bind(offer.map { Int32($0.rawValue) }, at: 19)
    statement.bind(itemID, at: 20)
    statement.bind(appItemID, at: 21)
    statement.bind(subscriptionGroup, at: 22)
    statement.bind(appVersion, at: 23)
  }

  init(reading row: borrowing RawStatement) {
    self.init(
      factSource: FactSource(name: row.text(1))!, sku: row.text(2), bundleID: row.text(3),
      kind: ProductKind(name: row.text(4)), quantity: row.int32(5),
      unitPrice: row.optionalInt64(6), currency: row.currency(7), storefront: row.storefront(8),
      isTrial: row.optionalBool(9), isIntro: row.optionalBool(10), isUpgraded: row.int64(11) == 1,
      ownership: row.isNull(12) ? nil : row.text(12) == "PURCHASED" ? .purchased : .familyShared,
      environment: StoreEnvironment(name: row.text(13)), revocationReason: row.text(14),
      revocationType: RevocationType(rawValue: row.text(15)),
      revocationPercentage: row.optionalInt32(16), isRefundReversed: row.int64(17) == 1,
      offer: row.optionalInt32(18).flatMap { OfferKind(rawValue: UInt8($0)) },
      itemID: row.text(19), appItemID: row.text(20), subscriptionGroup: row.text(21),
      appVersion: row.text(22))
  }
}

extension MessageTerms: DictionaryEntry {
  static let table = "message_terms"
  static let columns = ["witness", "type", "subtype", "status", "environment", "bundle_id"]

  func bind(to statement: borrowing RawStatement) {
    statement.bind(factSource.name, at: 2)
    statement.bind(type, at: 3)
    statement.bind(subtype, at: 4)
    statement.bind(status, at: 5)
    statement.bind(environment?.name, at: 6)
    statement.bind(bundleID, at: 7)
  }

  init(reading row: borrowing RawStatement) {
    self.init(
      factSource: FactSource(name: row.text(1))!, type: row.text(2), subtype: row.text(3),
      status: row.optionalInt32(4), environment: StoreEnvironment(name: row.text(5)),
      bundleID: row.text(6))
  }
}

extension RenewalTerms: DictionaryEntry {
  static let table = "renewal_terms"
  static let columns = [
    "witness", "sku", "next_sku", "will_renew", "expiration_intent", "is_in_billing_retry",
  ]

  func bind(to statement: borrowing RawStatement) {
    statement.bind(factSource.name, at: 2)
    statement.bind(sku, at: 3)
    statement.bind(nextSKU, at: 4)
    statement.bind(willRenew, at: 5)
    statement.bind(expirationIntent, at: 6)
    statement.bind(isInBillingRetry, at: 7)
  }

  init(reading row: borrowing RawStatement) {
    self.init(
      factSource: FactSource(name: row.text(1))!, sku: row.text(2), nextSKU: row.text(3),
      willRenew: row.optionalBool(4), expirationIntent: row.optionalInt32(5),
      isInBillingRetry: row.optionalBool(6))
  }
}

extension StoreEnvironment {
  var name: String { self == .production ? "Production" : "Sandbox" }

  init?(name: String) {
    switch name {
    case "Production": self = .production
    case "Sandbox": self = .sandbox
    default: return nil
    }
  }
}
