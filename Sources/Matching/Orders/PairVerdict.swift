import Billing

/// What the terms of an order and of its transaction say about each other.
struct PairVerdict: OptionSet {
  let rawValue: UInt16
  static let sandbox = PairVerdict(rawValue: 1 << 0)
  static let familyShared = PairVerdict(rawValue: 1 << 1)
  /// The transaction's app is none of the company's.
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
  static let coinsComparable = PairVerdict(rawValue: 1 << 10)
  static let trial = PairVerdict(rawValue: 1 << 11)
  /// The order's price is not the tier's on the day of the purchase.
  static let offTier = PairVerdict(rawValue: 1 << 12)
  /// The coins are not the catalogue's on the day of the purchase.
  static let coinsDiffer = PairVerdict(rawValue: 1 << 13)
  /// Apple's identifier of the product is not the catalogue's.
  static let itemDiffers = PairVerdict(rawValue: 1 << 14)
  /// The order names another bundle than the transaction.
  static let orderOfOtherBundle = PairVerdict(rawValue: 1 << 15)

  /// Nothing to say about a pair with no more than these.
  static let agreeing: PairVerdict = [.standing, .tierComparable, .coinsComparable, .trial]

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Compares the terms of an order and its transaction, but for the day: whether tier and coins
  /// fit is found later.
  init(_ order: OrderMarks, _ transaction: TransactionMarks) {
    self = []
    if transaction.isSandbox { insert(.sandbox) }
    if transaction.isFamilyShared { insert(.familyShared) }
    if !transaction.isOfOurBundle { insert(.bundleDiffers) }
    if order.bundle != 0, transaction.bundle != 0, order.bundle != transaction.bundle {
      insert(.orderOfOtherBundle)
    }
    if !order.mayBeOf(transaction) { insert(.skuDiffers) }
    if transaction.isOtherItem { insert(.itemDiffers) }
    // Where one side does not say how many, the other tells.
    let (ours, theirs) = (order.saidQuantity, transaction.saidQuantity)
    if ours != theirs, ours != 0, theirs != 0 { insert(.quantityDiffers) }
    if transaction.isTrial { insert(.trial) }
    if let ours = order.unitPrice, !transaction.isTrial {
      if let theirs = transaction.unitPrice, ours != theirs || currenciesDiffer(order, transaction)
      {
        insert(.priceDiffers)
      } else if !transaction.isOffer, ours != 0 {
        insert(.tierComparable)
      }
    }
    switch order.status {
    case .created, .cancelled: insert(.notFulfilled)
    case .paid, .fulfilled: insert(.standing)
    case .refunded: insert(.refunded)
    }
    if order.coins != nil, max(ours, 1) == theirs || theirs == 0, contains(.standing) {
      insert(.coinsComparable)
    }
  }

  /// Whether both sides tell a currency, and not the same.
  private func currenciesDiffer(_ order: OrderMarks, _ transaction: TransactionMarks) -> Bool {
    guard let ours = order.currency, let theirs = transaction.currency else { return false }
    return ours != theirs
  }
}

extension OrderMarks {
  /// Whether order and transaction may be of one product: they have the same SKU, and the same app
  /// or one of them names none.
  fileprivate func mayBeOf(_ transaction: TransactionMarks) -> Bool {
    sku == transaction.sku || plainSKU == transaction.sku || sku == transaction.plainSKU
  }
}

extension MatchingContext {
  /// The tier's price on a day, where neither it nor that of the day before or after is the
  /// order's; nil where one of them is, where no price is known, and for several seats of a
  /// subscription.
  func tierUnlike(_ order: OrderTerms, _ transaction: TransactionTerms, on day: Day) -> TierPrice? {
    guard let ours = order.unitPrice,
      !isOfSeats(transaction.kind, transaction.sku, max(transaction.quantity, order.quantity))
    else { return nil }
    let storefront = transaction.storefront ?? order.storefront
    // The day on which a tier changes begins at Apple's midnight, not at ours.
    let near = [0, -1, 1].compactMap {
      tierPrice(
        sku: AppProduct(transaction.sku).sku == order.sku ? transaction.sku : order.sku,
        storefront: storefront, on: day.advanced(by: $0))
    }
    let fits = near.contains {
      $0.price == ours && (order.currency == nil || order.currency == $0.currency)
    }
    return fits ? nil : near.first
  }

  /// The catalogue's coins for an order on a day, where they are not those granted; nil where they
  /// are, or where either is not known.
  func coinsUnlike(_ order: OrderTerms, on day: Day) -> Int64? {
    guard let granted = order.coins,
      let coins = catalogue.product(order.sku, bundleID: order.bundleID, on: day)?.coins
    else { return nil }
    let due = coins.multipliedExactly(by: Int64(order.quantity))
    return granted == due ? nil : due
  }
}

/// The times of a pair that say something is wrong.
struct PairTimes {
  /// Seconds by which the purchase was before the order, beyond what clocks differ.
  let before: Int64?
  /// Seconds from the purchase to the fulfilment, where that is late.
  let late: Int64?

  /// Whether either time says that something is wrong.
  var differ: Bool { before != nil || late != nil }

  /// Compares the times of an order and its transaction.
  ///
  /// - Parameter lateAfter: seconds from the purchase after which a fulfilment is late.
  init(_ order: OrderEntry, _ transaction: TransactionEntry, lateAfter: Int64) {
    let purchased = Int64(transaction.purchasedAt)
    let lead = Int64(order.placedAt) - purchased
    before = lead > Rules.clockTolerance ? lead : nil
    let delay = Int64(order.fulfilledAt) - purchased
    late = order.fulfilledAt != 0 && delay > lateAfter ? delay : nil
  }
}
