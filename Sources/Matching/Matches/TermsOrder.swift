import Billing

// Orders of terms by what they say and nothing else: where two rows of one thing tie in all that
// ranks them, the order of import must not decide.

extension OrderTerms {
  func precedes(_ other: OrderTerms) -> Bool {
    var order = FieldOrder(self, other)
    order.by(\.sku)
    order.by(\.status)
    order.by(\.saidQuantity)
    order.by(\.unitPrice)
    order.by(\.currency)
    order.by(\.storefront)
    order.by(\.bundleID)
    order.by(\.channel)
    order.by(\.coins)
    order.by(\.appVersion)
    order.by(\.device)
    return order.precedes == true
  }
}

extension TransactionTerms {
  func precedes(_ other: TransactionTerms) -> Bool {
    var order = FieldOrder(self, other)
    order.by(\.factSource)
    order.by(\.sku)
    order.by(\.bundleID)
    order.by(\.kind?.rawValue)
    order.by(\.saidQuantity)
    order.by(\.unitPrice)
    order.by(\.currency)
    order.by(\.storefront)
    for says in [\Self.saysTrial, \.saysIntro, \.saysUpgraded] { order.by(says) }
    order.by(\.ownership?.rawValue)
    order.by(\.environment?.rawValue)
    order.by(\.revocationReason)
    order.by(\.revocationType?.rawValue)
    order.by(\.revocationPercentage)
    order.by(\.saysReversed)
    order.by(\.offer?.rawValue)
    for text in [\Self.itemID, \.appItemID, \.subscriptionGroup, \.appVersion] { order.by(text) }
    order.by(\.saysComponent)
    order.by(\.unknownWords)
    return order.precedes == true
  }

  private var saysUpgraded: Bool? { isUpgraded }
  private var saysReversed: Bool? { isRefundReversed }
  private var saysComponent: Bool? { isComponent }
}

extension RenewalTerms {
  func precedes(_ other: RenewalTerms) -> Bool {
    var order = FieldOrder(self, other)
    order.by(\.factSource)
    order.by(\.sku)
    order.by(\.nextSKU)
    order.by(\.willRenew)
    order.by(\.expirationIntent)
    order.by(\.isInBillingRetry)
    order.by(\.status?.rawValue)
    order.by(\.offer?.rawValue)
    for text in [\Self.offerID, \.offerDiscount, \.offerPeriod] { order.by(text) }
    order.by(\.renewalPrice)
    order.by(\.currency)
    order.by(\.unknownWords)
    return order.precedes == true
  }
}

/// Compares two values field by field until one decides; what is not said comes after what is.
private struct FieldOrder<Value> {
  private let left: Value
  private let right: Value
  /// Whether the left value comes first; nil while no field differs.
  private(set) var precedes: Bool?

  init(_ left: Value, _ right: Value) { (self.left, self.right) = (left, right) }

  mutating func by<Field: Comparable>(_ field: KeyPath<Value, Field>) {
    let (a, b) = (left[keyPath: field], right[keyPath: field])
    if precedes == nil, a != b { precedes = a < b }
  }

  mutating func by<Field: Comparable>(_ field: KeyPath<Value, Field?>) {
    let (a, b) = (left[keyPath: field], right[keyPath: field])
    guard precedes == nil, a != b else { return }
    guard let a, let b else {
      precedes = a != nil
      return
    }
    precedes = a < b
  }

  mutating func by(_ field: KeyPath<Value, Bool?>) {
    let (a, b) = (left[keyPath: field], right[keyPath: field])
    guard precedes == nil, a != b else { return }
    precedes = b == nil || (a == false)
  }
}
