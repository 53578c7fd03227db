import Billing

/// What the terms of an order and of its transaction say about each other, times aside: judged
/// once for each pair of terms.
struct PairVerdict: OptionSet {
  let rawValue: UInt16
  static let sandbox = PairVerdict(rawValue: 1 << 0)
  static let familyShared = PairVerdict(rawValue: 1 << 1)
  static let bundleDiffers = PairVerdict(rawValue: 1 << 2)
  static let skuDiffers = PairVerdict(rawValue: 1 << 3)
  static let quantityDiffers = PairVerdict(rawValue: 1 << 4)
  static let priceDiffers = PairVerdict(rawValue: 1 << 5)
  /// The order's price may be compared with the tier's.
  static let tierComparable = PairVerdict(rawValue: 1 << 6)
  /// Still `created`, or `cancelled`.
  static let notFulfilled = PairVerdict(rawValue: 1 << 7)
  /// `paid` or `fulfilled`.
  static let standing = PairVerdict(rawValue: 1 << 8)
  static let refunded = PairVerdict(rawValue: 1 << 9)
  static let namesCoins = PairVerdict(rawValue: 1 << 10)
  static let trial = PairVerdict(rawValue: 1 << 11)

  init(rawValue: UInt16) { self.rawValue = rawValue }

  init(_ order: OrderTerms, _ transaction: TransactionTerms, _ context: MatchingContext) {
    self = []
    if transaction.environment == .sandbox { insert(.sandbox) }
    if transaction.ownership == .familyShared { insert(.familyShared) }
    if !context.isOurs(bundleID: transaction.bundleID)
      || (!order.bundleID.isEmpty && !transaction.bundleID.isEmpty
        && order.bundleID != transaction.bundleID)
    {
      insert(.bundleDiffers)
    }
    if order.sku != transaction.sku { insert(.skuDiffers) }
    if order.quantity != transaction.quantity { insert(.quantityDiffers) }
    if transaction.isTrial { insert(.trial) }
    if let ours = order.unitPrice, !transaction.isTrial {
      if let theirs = transaction.unitPrice, ours != theirs || currenciesDiffer(order, transaction)
      {
        insert(.priceDiffers)
      } else if !transaction.isIntro, ours != 0 {
        insert(.tierComparable)
      }
    }
    switch order.status {
    case .created, .cancelled: insert(.notFulfilled)
    case .paid, .fulfilled: insert(.standing)
    case .refunded: insert(.refunded)
    }
    if order.coins != nil { insert(.namesCoins) }
  }

  private func currenciesDiffer(_ order: OrderTerms, _ transaction: TransactionTerms) -> Bool {
    guard let ours = order.currency, let theirs = transaction.currency else { return false }
    return ours != theirs
  }
}
