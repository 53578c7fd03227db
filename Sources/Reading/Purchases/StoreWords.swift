internal import Billing

/// The environment that Apple's word means, in a receipt's type or a field of that name; nil when
/// blank. What was never in the App Store is no production: Xcode's own store and local tests count
/// as the sandbox, and a word that is not known is neither.
func storeEnvironment(_ bytes: UnsafeRawBufferPointer) -> StoreEnvironment? {
  switch bytes.count {
  case 4 where isWord(bytes, "prod"), 10 where isWord(bytes, "production"),
    13 where isWord(bytes, "productionvpp"):
    .production
  case 7 where isWord(bytes, "sandbox"), 17 where isWord(bytes, "productionsandbox"),
    20 where isWord(bytes, "productionvppsandbox"):
    .sandbox
  case 0: nil
  default: isLocalEnvironment(bytes) ? .sandbox : .other
  }
}

/// Whether the environment is one whose payloads Apple does not sign.
func isLocalEnvironment(_ bytes: UnsafeRawBufferPointer) -> Bool {
  isWord(bytes, "xcode") || isWord(bytes, "localtesting")
}

/// Whether the bytes are that word, which is in lower case, written in any case.
func isWord(_ bytes: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
  guard bytes.count == word.utf8CodeUnitCount else { return false }
  return word.withUTF8Buffer { word in
    for index in bytes.indices where bytes[index] | 0x20 != word[index] { return false }
    return true
  }
}

/// What Apple's status of a verifyReceipt response means.
func statusMeaning(_ status: Int32) -> Wording {
  switch status {
  case 0: "@purchase.valid"
  case 21000: "@purchase.request-was-not-an-http"
  case 21001: "@purchase.status-that-apple-no-longer"
  case 21002: "@purchase.receipt-was-malformed"
  case 21003: "@purchase.receipt-could-not-be-authenticated"
  case 21004: "@purchase.shared-secret-was-not"
  case 21005: "@purchase.receipt-service-was-not-available"
  case 21006: "@purchase.valid-but-the-subscription-has"
  case 21007: "@purchase.sandbox-receipt-sent-to-production"
  case 21008: "@purchase.production-receipt-sent"
  case 21009: "@purchase.internal-error-of-apple-ask"
  case 21010: "@purchase.account-was-not-found"
  case 21011...21099: "@purchase.error-of-apple-without"
  case 21100...21199:
    "@purchase.internal-error-at-apple-ask"
  default: "@shared.unknown"
  }
}

extension ProductKind {
  /// The kind that `type` of a signed transaction names; nil when blank or not known.
  init?(payloadType bytes: UnsafeRawBufferPointer) {
    if names(bytes, "Auto-Renewable Subscription") {
      self = .autoRenewable
    } else if names(bytes, "Consumable") {
      self = .consumable
    } else if names(bytes, "Non-Consumable") {
      self = .nonConsumable
    } else if names(bytes, "Non-Renewing Subscription") {
      self = .nonRenewing
    } else {
      return nil
    }
  }
}

extension Ownership {
  /// The ownership that Apple's word means; nil when blank.
  init?(word bytes: UnsafeRawBufferPointer) {
    if bytes.isEmpty { return nil }
    if isWord(bytes, "purchased") {
      self = .purchased
    } else {
      switch String(decoding: bytes, as: UTF8.self).uppercased() {
      case "FAMILY_SHARED": self = .familyShared
      case "ASSIGNED": self = .assigned
      default: self = .other
      }
    }
  }
}

/// The types of notifications that Apple documents, of both versions (App Store Server
/// Notifications, 2026-11-28).
let knownNotificationTypes: Set<String> = [
  "INITIAL_BUY", "CANCEL", "RENEWAL", "INTERACTIVE_RENEWAL", "DID_RECOVER", "DID_RENEW",
  "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "DID_FAIL_TO_RENEW",
  "PRICE_INCREASE_CONSENT", "REFUND", "REVOKE", "CONSUMPTION_REQUEST", "SUBSCRIBED",
  "OFFER_REDEEMED", "EXPIRED", "GRACE_PERIOD_EXPIRED", "PRICE_INCREASE", "REFUND_DECLINED",
  "RENEWAL_EXTENDED", "TEST", "RENEWAL_EXTENSION", "REFUND_REVERSED", "EXTERNAL_PURCHASE_TOKEN",
  "ONE_TIME_CHARGE", "RESCIND_CONSENT", "METADATA_UPDATE", "MIGRATE", "PRICE_CHANGE",
]

extension Record {
  /// What a number of Apple's in a field stands for; nil when blank or not known.
  func known<Value>(_ field: Int, _ value: (UInt8) -> Value?) -> Value? {
    wholeNumber(trimmed(self[field])).flatMap { UInt8(exactly: $0) }.flatMap(value)
  }

  /// The fields whose values are not known, joined: of each, its name and its value.
  ///
  /// - Parameter fields: the field, its name, and whether what stands there is known.
  func unknownWords(_ fields: [(field: Int, name: String, isKnown: Bool)]) -> String {
    fields.filter { !$0.isKnown && !self[$0.field].isEmpty }
      .map { unknownWord($0.name, self[$0.field]) }.joined(separator: "; ")
  }
}
